import FlowEngine

/// A placement with its audiences and variations in the order in which they are tried.
final class PreparedPlacement: Sendable {
    let document: PlacementDocument
    /// Cross-placement tests, then the others by priority, All Users last (PL-10, PL-11, PL-21).
    let audiences: [PreparedAudience]
    /// Those of the audiences.
    let segments: PreparedSegments

    /// The audience of all users (PL-11).
    var allUsers: PreparedAudience? { audiences.last { $0.document.isAllUsers } }

    init(_ document: PlacementDocument) {
        self.document = document
        // `sorted` is stable, so that equal ranks keep the order of the file.
        let sorted = document.audiences.sorted { Self.rank($0) < Self.rank($1) }
        self.audiences = sorted.map { PreparedAudience($0, in: document) }
        self.segments = PreparedSegments(sorted)
    }

    private static func rank(_ audience: AudienceDocument) -> (Int, Int) {
        if audience.isAllUsers { return (2, 0) }
        return (audience.isCrossPlacement ? 0 : 1, audience.priority)
    }
}

/// An audience with its variations in the order of the draw.
struct PreparedAudience: Sendable {
    let document: AudienceDocument
    let draw: VariationDraw
    /// The placement, as what is fetched for this audience tells it.
    let placement: PlacementValue
    /// The flows by variation id, made once for all devices; of an onboarding the locale decides.
    private let flows: [ExactText: FetchedContent]

    init(_ document: AudienceDocument, in placement: PlacementDocument) {
        self.document = document
        draw = VariationDraw(document.variations)
        let value = PlacementValue(
            id: placement.id, audienceName: document.name, abTestName: document.abTestName,
            revision: placement.revision)
        self.placement = value
        flows = Dictionary(
            document.variations.map { variation in
                (
                    ExactText(variation.variationID),
                    .flow(Flow(placement: value, content: variation))
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// What a device gets that fetches a variation of this audience as a flow.
    func flow(_ variation: VariationDocument) -> FetchedContent {
        flows[ExactText(variation.variationID)]
            ?? .flow(Flow(placement: placement, content: variation))
    }
}
