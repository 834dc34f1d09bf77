import FlowEngine

/// A fetched content as the cache keeps it (PL-44).
public struct CachedPlacement: Sendable, Equatable, Codable {
    /// What was fetched.
    public var content: FetchedContent
    /// The server's `response_created_at` (PL-46, PL-77).
    public var createdAt: Instant
    /// When the device got it: its age counts from here (PL-42).
    public var fetchedAt: Instant

    /// Makes an entry.
    public init(content: FetchedContent, createdAt: Instant, fetchedAt: Instant) {
        self.content = content
        self.createdAt = createdAt
        self.fetchedAt = fetchedAt
    }

    /// The placement that it was fetched from.
    var placementID: String {
        switch content {
        case .flow(let flow): flow.placement.id
        case .onboarding(let onboarding): onboarding.placement.id
        }
    }
}

/// One content for each placement of the device's profile, of the last
/// `SDKLimits.cachedPlacementsMax` placements; the oldest goes.
struct PlacementCache: Sendable {
    private var table = RecentTable<CachedPlacement>(limit: SDKLimits.cachedPlacementsMax)

    init(_ placements: [CachedPlacement] = []) {
        for placement in placements { keep(placement) }
    }

    /// The latest last.
    var placements: [CachedPlacement] { table.values }

    subscript(placementID: String) -> CachedPlacement? { table[placementID] }

    mutating func keep(_ placement: CachedPlacement) {
        table.put(placement, name: placement.placementID)
    }

    /// Grows with each change.
    var writes: UInt64 { table.writes }

    mutating func removeAll() {
        table.removeAll()
    }
}
