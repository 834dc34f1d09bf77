import FlowEngine

/// A flow or onboarding that the device has fetched: a box that all who keep it share.
public indirect enum FetchedContent: Sendable, Equatable, Codable {
    case flow(Flow)
    case onboarding(Onboarding)

    /// The id by which a configuration asks for it.
    public var variationID: String {
        switch self {
        case .flow(let flow): flow.content.variationID
        case .onboarding(let onboarding): onboarding.content.variationID
        }
    }

    /// What the app gets.
    var answer: SDKAnswer {
        switch self {
        case .flow(let flow): .flow(flow)
        case .onboarding(let onboarding): .onboarding(onboarding)
        }
    }

    var type: PlacementType {
        switch self {
        case .flow: .flow
        case .onboarding: .onboarding
        }
    }
}

/// The last contents that a device fetched, by variation id; the oldest goes.
struct FetchedContents: Sendable {
    private var table = RecentTable<FetchedContent>(limit: SDKLimits.fetchedContentsMax)

    init(_ contents: [FetchedContent] = []) {
        for content in contents { keep(content) }
    }

    /// The latest last.
    var contents: [FetchedContent] { table.values }

    /// Keeps a content in place of one with its variation id.
    mutating func keep(_ content: FetchedContent) {
        table.put(content, name: content.variationID)
    }

    /// Grows with each change.
    var writes: UInt64 { table.writes }

    mutating func removeAll() {
        table.removeAll()
    }

    func flow(variationID: String) -> Flow? {
        if case .flow(let flow) = table[variationID] { flow } else { nil }
    }

    func onboarding(variationID: String) -> Onboarding? {
        if case .onboarding(let onboarding) = table[variationID] { onboarding } else { nil }
    }
}
