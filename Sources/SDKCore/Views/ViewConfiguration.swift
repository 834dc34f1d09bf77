import FlowEngine

/// What a controller is made from: the answer of `getFlowConfiguration` or
/// `getOnboardingConfiguration`.
final class ViewConfiguration: Sendable {
    let id: ViewID
    let placementID: String
    let variationID: String
    let source: Source

    init(id: ViewID, placementID: String, variationID: String, source: Source) {
        self.id = id
        self.placementID = placementID
        self.variationID = variationID
        self.source = source
    }

    enum Source: Sendable {
        case flow(FlowDocument, FlowSource)
        case onboarding(OnboardingDocument, locale: Int, opensExternalBrowser: Bool)
    }

    var kind: ViewKind {
        switch source {
        case .flow: .flow
        case .onboarding: .onboarding
        }
    }

    /// The locale that a view of it shows.
    var locale: LocaleDocument {
        switch source {
        case .flow(let document, let source): document.content.locales[source.locale]
        case .onboarding(let document, let locale, _): document.content.locales[locale]
        }
    }
}

/// What a flow configuration fixes (FC-2, FC-10, FC-14, FC-22).
struct FlowSource: Sendable {
    /// Index in the document's locales.
    let locale: Int
    let tags: [String: String]
    let timers: [String: Instant]
    /// What the variation offers, for attempts to load its products again (ACT-41).
    let offer: PaywallOffer
    /// The products that views get: given ones, or those that the store was asked for when the
    /// configuration was made (FC-22, FC-23).
    let load: ProductLoad
}

/// The last configurations of a device; the oldest goes.
struct ViewConfigurations: Sendable {
    private var kept: [ViewConfiguration] = []

    mutating func keep(_ configuration: ViewConfiguration) {
        if kept.count == SDKLimits.configurationsMax { kept.removeFirst() }
        kept.append(configuration)
    }

    /// The configuration of that id; nil: unknown.
    func configuration(_ id: String) -> ViewConfiguration? {
        guard let id = ViewID(id) else { return nil }
        return kept.last { $0.id == id }
    }
}
