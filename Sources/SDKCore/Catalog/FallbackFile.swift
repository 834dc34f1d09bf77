import FlowEngine

/// A fallback file that the app bundles for times without network (PL-70 to PL-78), read and
/// checked as far as its root `meta` goes.
///
/// Isolation: the thread of the device.
public protocol FallbackFile: AnyObject {
    /// Its `response_created_at` (PL-77).
    var createdAt: Instant { get }

    /// The placement of that id, compared exactly; nil: the file has none that could be used
    /// (PL-74 to PL-76).
    func placement(_ id: String) -> FallbackPlacement?

    /// The view document of that flow version.
    func document(flowVersionID: String) -> FallbackDocument
}

/// A placement of a fallback file, for everybody: it has no segments (PL-78).
public struct FallbackPlacement: Sendable {
    /// As the file's `meta` of it says.
    public let placement: PlacementValue
    /// What it shows.
    public let type: PlacementType
    /// `placement_audience_version_id`: what the draw depends on (PL-23).
    public let audienceVersionID: String
    /// One or more variations.
    let draw: VariationDraw

    /// Its variations, in the order of the draw (PL-24).
    public var variations: [VariationDocument] { draw.sorted }

    /// Makes a placement; `variations` is in the order of the file.
    public init(
        placement: PlacementValue, type: PlacementType, audienceVersionID: String,
        variations: [VariationDocument]
    ) {
        self.placement = placement
        self.type = type
        self.audienceVersionID = audienceVersionID
        self.draw = VariationDraw(variations)
    }
}

/// What a fallback file has under a flow version id (FC-8).
public enum FallbackDocument: Sendable {
    /// Nothing.
    case absent
    /// A document that can be shown.
    case flow(FlowDocument)
    /// A document of this bridge's form with faults; says which (FC-7).
    case broken(String)
    /// A document of the flow builder's own form, which only the real SDK can show; says so.
    case foreign(String)
}
