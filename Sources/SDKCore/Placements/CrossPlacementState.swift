import FlowEngine

/// Where a profile stands with cross-placement tests: it may join one as long as it never fetched
/// a flow (PL-31, PL-32).
public struct CrossPlacementState: Sendable, Equatable, Codable {
    /// Whether a server gave it a flow.
    public var hasFetchedFlow = false
    /// Variation by placement ID, of the test that it joined; nil: none.
    public var variations: [String: String]?

    /// The state of a new profile.
    public init() {}

    /// Whether audiences of such tests are looked at for it (PL-21).
    var mayJoin: Bool { !hasFetchedFlow && variations == nil }

    /// The variation that the joined test has for a placement, compared exactly.
    func variationID(at placementID: String) -> String? {
        guard let variations, let index = variations.index(forKey: placementID),
            variations[index].key.isExactly(placementID)
        else { return nil }
        return variations[index].value
    }
}
