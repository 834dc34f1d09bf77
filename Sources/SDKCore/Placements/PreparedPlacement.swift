/// A placement with its audiences and variations in the order in which they are tried.
final class PreparedPlacement: Sendable {
    let document: PlacementDocument
    /// Cross-placement tests, then the others by priority, All Users last (PL-10, PL-11, PL-21).
    let audiences: [PreparedAudience]

    /// The audience of all users (PL-11).
    var allUsers: PreparedAudience? { audiences.last { $0.document.isAllUsers } }

    init(_ document: PlacementDocument) {
        self.document = document
        // `sorted` is stable, so that equal ranks keep the order of the file.
        self.audiences = document.audiences
            .sorted { Self.rank($0) < Self.rank($1) }
            .map(PreparedAudience.init)
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

    init(_ document: AudienceDocument) {
        self.document = document
        self.draw = VariationDraw(document.variations)
    }
}
