import FlowEngine
import SDKCore

/// A fallback file out of a text that was read and checked; several devices may share it.
///
/// Placements and documents are parsed when they are first asked for, and kept parsed up to
/// `CatalogLimits.fallbackParsedMax`.
///
/// Isolation: one thread.
public final class LoadedFallback: FallbackFile {
    private let text: FallbackText
    private var placements = RecentTable<FallbackPlacement?>(
        limit: CatalogLimits.fallbackParsedMax)
    private var documents = RecentTable<FallbackDocument>(limit: CatalogLimits.fallbackParsedMax)

    /// Takes over what the loader read.
    public init(_ checked: CheckedFallback) {
        text = checked.text
    }

    /// The file as it was set.
    public var bytes: [UInt8] { text.bytes }

    /// Bytes that it keeps.
    public var byteCount: Int { text.bytes.count }

    /// Whether both have the same bytes.
    public func hasSameText(as other: CheckedFallback) -> Bool {
        text.bytes == other.text.bytes
    }

    /// Its `response_created_at` (PL-77).
    public var createdAt: Instant { text.createdAt }

    /// The placement of that id, by the exact bytes of its name (PL-75, PL-76); nil: there is none,
    /// or it is broken (PL-74).
    public func placement(_ id: String) -> FallbackPlacement? {
        if let listed = text.listed, !listed.contains(ExactText(id)) { return nil }
        if let known = placements[id] { return known }
        guard let place = text.placements[ExactText(id)] else { return nil }
        let placement = FallbackPlacementReader(faults: FaultList())
            .placement(Array(text.bytes[place]), id: id)
        placements.put(placement, name: id)
        return placement
    }

    /// The document of that flow version (FC-7 to FC-9).
    public func document(flowVersionID id: String) -> FallbackDocument {
        if let known = documents[id] { return known }
        guard let place = text.documents[ExactText(id)] else { return .absent }
        let document = FallbackDocumentReader(id: id).document(Array(text.bytes[place]))
        documents.put(document, name: id)
        return document
    }
}
