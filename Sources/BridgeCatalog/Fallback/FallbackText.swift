import FlowEngine

/// A fallback file in memory: its bytes, once, and where its parts lie in them (PL-71).
final class FallbackText: Sendable {
    /// Versions of the file's form that are read (PL-72).
    static let version: Int64 = 10

    let bytes: [UInt8]
    /// `meta.response_created_at` (PL-77).
    let createdAt: Instant
    /// `meta.developer_ids`; nil: it is not said what the file holds (PL-75).
    let listed: Set<ExactText>?
    /// Placements by ID, documents by flow version id: where they lie.
    let placements: [ExactText: Range<Int>]
    let documents: [ExactText: Range<Int>]

    /// Checks the syntax of all of it, and of its content the root `meta` alone (PL-74).
    ///
    /// - Throws: what is wrong, by PL-72 and PL-73.
    init(_ bytes: [UInt8]) throws(FallbackFault) {
        let parts = try bytes.withUnsafeBytes(Self.parts).get()
        guard let place = parts.meta else {
            throw .broken("\"meta\" is missing: {\"version\": 10, \"response_created_at\": …}")
        }
        let meta = try FallbackMeta(Array(bytes[place]))
        createdAt = meta.createdAt
        listed = meta.listed
        placements = parts.placements
        documents = parts.documents
        self.bytes = bytes
    }
}

extension FallbackText {
    private static func parts(
        _ text: UnsafeRawBufferPointer
    ) -> Result<FallbackParts, FallbackFault> {
        do throws(JSONSyntaxFault) {
            return .success(try FallbackParts(text))
        } catch {
            return .failure(.broken("\(error.position(in: text)): \(error.what)"))
        }
    }
}

/// Where the parts of a fallback file lie. Of a key given twice the last one counts.
private struct FallbackParts {
    var meta: Range<Int>?
    var placements: [ExactText: Range<Int>] = [:]
    var documents: [ExactText: Range<Int>] = [:]

    init(_ text: UnsafeRawBufferPointer) throws(JSONSyntaxFault) {
        var scanner = JSONScanner(
            text, in: 0..<text.count, depthMax: CatalogLimits.fallbackDepthMax)
        var parts = (meta: meta, placements: placements, documents: documents)
        try scanner.object { (key, scanner) throws(JSONSyntaxFault) in
            switch JSONKey.text(text, in: key) {
            case "meta": parts.meta = try scanner.value()
            case "data": parts.placements = try Self.members(&scanner)
            case "ui_builder": parts.documents = try Self.members(&scanner)
            default: _ = try scanner.value()
            }
        }
        try scanner.finish()
        (meta, placements, documents) = parts
    }

    /// Where the members of an object lie; none for any other value.
    private static func members(
        _ scanner: inout JSONScanner
    ) throws(JSONSyntaxFault) -> [ExactText: Range<Int>] {
        guard scanner.peek() == UInt8(ascii: "{") else {
            _ = try scanner.value()
            return [:]
        }
        var members: [ExactText: Range<Int>] = [:]
        try scanner.object { (key, scanner) throws(JSONSyntaxFault) in
            let place = try scanner.value()
            if let name = JSONKey.text(scanner.bytes, in: key) { members[ExactText(name)] = place }
        }
        return members
    }
}

/// Why a fallback file is refused.
public enum FallbackFault: Error, Sendable, Equatable {
    /// Not a file of this machine: `wrongParam` (PL-73).
    case notLocal(String)
    /// Unreadable, broken, or of another version: `decodingFailed` (PL-72, PL-73).
    case broken(String)
    /// Over `CatalogLimits.fallbackBytesMax`.
    case oversize(String)
}
