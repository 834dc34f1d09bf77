import FlowEngine

/// A flow or onboarding that the device has fetched, by its variation id.
enum FetchedContent: Sendable {
    case flow(Flow)
    case onboarding(Onboarding)

    var variationID: String {
        switch self {
        case .flow(let flow): flow.content.variationID
        case .onboarding(let onboarding): onboarding.content.variationID
        }
    }
}

/// The last contents that a device fetched; the oldest goes.
struct FetchedContents: Sendable {
    private var contents: [FetchedContent] = []

    /// Keeps a content in place of one with its variation id.
    mutating func keep(_ content: FetchedContent) {
        contents.removeAll { $0.variationID.isExactly(content.variationID) }
        if contents.count == SDKLimits.fetchedContentsMax { contents.removeFirst() }
        contents.append(content)
    }

    mutating func removeAll() {
        contents = []
    }

    func flow(variationID: String) -> Flow? {
        for case .flow(let flow) in contents.reversed()
        where flow.content.variationID.isExactly(variationID) {
            return flow
        }
        return nil
    }

    func onboarding(variationID: String) -> Onboarding? {
        for case .onboarding(let onboarding) in contents.reversed()
        where onboarding.content.variationID.isExactly(variationID) {
            return onboarding
        }
        return nil
    }
}
