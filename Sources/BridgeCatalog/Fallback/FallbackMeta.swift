import FlowEngine

/// The root `meta` of a fallback file, all that is checked of its content when it is set (PL-74).
struct FallbackMeta {
    let createdAt: Instant
    let listed: Set<ExactText>?

    /// - Throws: `broken` for another version (PL-72), and for what is missing or of another type.
    init(_ bytes: [UInt8]) throws(FallbackFault) {
        let faults = FaultList()
        let object = JSONDocument.parse(bytes, file: "meta", faults: faults)?.object()
        if let version = object?["version"]?.integer(in: Int64.min...Int64.max) {
            try Self.check(version)
        } else {
            _ = object?.required("version", "the version of the file's form")
        }
        let created = object?.required("response_created_at", "when it was made, in Unix ms")
        let createdMs = created?.integer(in: Int64.min...Int64.max)
        listed = Self.listed(object?["developer_ids"])
        if let fault = faults.sorted.first {
            throw .broken("meta\(fault.pointer): \(fault.message)")
        }
        createdAt = Instant(ms: createdMs ?? 0)
    }

    private static func check(_ version: Int64) throws(FallbackFault) {
        if version == FallbackText.version { return }
        let advice =
            version < FallbackText.version
            ? "export a newer file from the dashboard" : "it is for a newer SDK: update the SDK"
        throw .broken(
            "meta.version is \(version), \(FallbackText.version) is read here: \(advice)")
    }

    private static func listed(_ cursor: JSONCursor?) -> Set<ExactText>? {
        guard let cursor, !cursor.isNull else { return nil }
        let items = cursor.array("a list of placement IDs") ?? []
        return Set(items.compactMap { $0.string().map { ExactText($0) } })
    }
}
