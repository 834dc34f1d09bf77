import FlowEngine

/// The view documents that the device got from the backend: flows by flow version id (FC-8),
/// onboardings by id. Of each the last `SDKLimits.cachedDocumentsMax`; the oldest goes.
struct ViewDocuments: Sendable {
    private var flows = RecentTable<FlowDocument>(limit: SDKLimits.cachedDocumentsMax)
    private var onboardings = RecentTable<OnboardingDocument>(limit: SDKLimits.cachedDocumentsMax)

    func flow(versionID: String) -> FlowDocument? { flows[versionID] }

    func onboarding(_ id: String) -> OnboardingDocument? { onboardings[id] }

    mutating func keep(_ document: FlowDocument, versionID: String) {
        flows.put(document, name: versionID)
    }

    mutating func keep(_ document: OnboardingDocument) {
        onboardings.put(document, name: document.content.id)
    }
}
