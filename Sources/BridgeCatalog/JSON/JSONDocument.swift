import CJansson

/// A parsed JSON text; frees the tree when the last cursor into it is gone.
final class JSONDocument {
    let root: UnsafeMutablePointer<json_t>

    private init(root: UnsafeMutablePointer<json_t>) {
        self.root = root
    }

    deinit {
        json_decref(root)
    }

    /// Parses a file and gives a cursor at its root; nil, and a fault, when it is no JSON.
    ///
    /// Refused are: syntax faults, invalid UTF-8, NUL in a string, a key given twice in one object
    /// and nesting over `CatalogLimits.depthMax`. After a double key the file is read on, so that
    /// its other faults show in the same run.
    static func parse(_ bytes: [UInt8], file: String, faults: FaultList) -> JSONCursor? {
        if let message = refusal(of: bytes) {
            faults.add(message, file: file)
            return nil
        }
        var error = json_error_t()
        var root = load(bytes, flags: JSON_REJECT_DUPLICATES, &error)
        if root == nil {
            faults.add(describe(&error), file: file)
            guard code(of: &error) == UInt8(json_error_duplicate_key.rawValue) else { return nil }
            root = load(bytes, flags: 0, &error)
        }
        guard let root else { return nil }
        let cursor = JSONCursor(
            node: root, document: JSONDocument(root: root), pointer: nil, file: file, faults: faults
        )
        if isNested(root, over: CatalogLimits.depthMax) {
            cursor.reportDepth(over: CatalogLimits.depthMax)
            return nil
        }
        return cursor
    }

    /// Looks at the bare tree, as nearly every file is within the limit.
    private static func isNested(_ node: UnsafeMutablePointer<json_t>, over depth: Int) -> Bool {
        switch node.pointee.type {
        case JSON_ARRAY:
            if depth == 0 { return true }
            for index in 0..<json_array_size(node) {
                guard let item = json_array_get(node, index) else { continue }
                if isNested(item, over: depth - 1) { return true }
            }
        case JSON_OBJECT:
            if depth == 0 { return true }
            var next = json_object_iter(node)
            while let member = next {
                if let value = json_object_iter_value(member), isNested(value, over: depth - 1) {
                    return true
                }
                next = json_object_iter_next(node, member)
            }
        default: break
        }
        return false
    }

    private static func refusal(of bytes: [UInt8]) -> String? {
        if bytes.count > CatalogLimits.fileBytesMax {
            return oversize(bytes.count)
        }
        if bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            return "the file is empty; expected a JSON object"
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "the file begins with a byte order mark; save it as UTF-8 without one"
        }
        return nil
    }

    /// What to say of a file of that many bytes.
    static func oversize(_ count: Int) -> String {
        "the file has \(count) bytes; at most \(CatalogLimits.fileBytesMax) are read: split it "
            + "or leave out what is not needed"
    }

    private static func load(
        _ bytes: [UInt8], flags: Int32, _ error: inout json_error_t
    ) -> UnsafeMutablePointer<json_t>? {
        bytes.withUnsafeBytes { buffer in
            fb_json_load(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
                Int(flags | JSON_DECODE_ANY), &error)
        }
    }

    private static func describe(_ error: inout json_error_t) -> String {
        let advice =
            switch code(of: &error) {
            case UInt8(json_error_duplicate_key.rawValue): "; give each key of an object once"
            case UInt8(json_error_null_character.rawValue),
                UInt8(json_error_null_byte_in_key.rawValue):
                "; no text may hold NUL"
            case UInt8(json_error_invalid_utf8.rawValue): "; save the file as UTF-8"
            default: ""
            }
        return "line \(error.line), column \(error.column): \(text(of: &error))\(advice)"
    }

    private static func text(of error: inout json_error_t) -> String {
        withUnsafeBytes(of: &error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// jansson keeps the code in the last byte of the text.
    private static func code(of error: inout json_error_t) -> UInt8? {
        withUnsafeBytes(of: &error.text) { $0.last }
    }
}
