import FlowEngine

/// A flow or onboarding that the device has fetched, by its variation id.
public enum FetchedContent: Sendable, Equatable {
    case flow(Flow)
    case onboarding(Onboarding)

    /// The id by which a configuration asks for it.
    public var variationID: String {
        switch self {
        case .flow(let flow): flow.content.variationID
        case .onboarding(let onboarding): onboarding.content.variationID
        }
    }
}

/// The last contents that a device fetched; the oldest goes.
struct FetchedContents: Sendable {
    private(set) var contents: [FetchedContent] = []

    init(_ contents: [FetchedContent] = []) {
        self.contents = contents.suffix(SDKLimits.fetchedContentsMax)
    }

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
