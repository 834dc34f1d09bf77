import SDKCore

/// What the readers of `placements.json` share: what is declared, and what refers to other files.
final class PlacementScope {
    /// A variation where it stands.
    struct Place {
        let variation: VariationDocument
        let type: PlacementType?
        let object: JSONCursor
        let id: JSONCursor?
        /// The flow version id or onboarding id that names the document.
        let document: JSONCursor?
        /// Products of its paywalls.
        let products: [(id: String, cursor: JSONCursor)]
        let map: [(placement: String, variation: JSONCursor)]
    }

    /// The placement being read.
    var placement = ""
    /// Its type; nil when that could not be read.
    var type: PlacementType?
    /// Ids of the variations by placement.
    var placements: [String: [String]] = [:]
    /// Where an audience version id was seen first.
    var versions: [String: String] = [:]
    var places: [Place] = []
}
