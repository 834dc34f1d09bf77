/// What is wrong in a JSON document, and where. The path grows from the inside out.
struct JsonFault: Error {
    var code = BridgeError.Code.invalidArgument
    /// Without the path, which goes before it.
    var text: String
    /// Dotted, in the spelling of the document.
    var path = ""

    init(_ text: String) {
        self.text = text
    }

    init(_ code: BridgeError.Code, _ text: String, path: String) {
        self.code = code
        self.text = text
        self.path = path
    }

    /// The same fault, seen from the object that has it under `key`.
    func within(_ key: String) -> JsonFault {
        var outer = self
        outer.path = path.isEmpty ? key : path.first == "[" ? key + path : "\(key).\(path)"
        return outer
    }

    /// The same fault, seen from the list that has it at `index`.
    func within(_ index: Int) -> JsonFault {
        var outer = self
        outer.path = path.isEmpty || path.first == "[" ? "[\(index)]\(path)" : "[\(index)].\(path)"
        return outer
    }

    var bridgeError: BridgeError {
        BridgeError(code, path.isEmpty ? text : "\(path): \(text)", field: path)
    }
}

/// A name for an error text: at most 64 bytes of it, control characters replaced.
func shownKey(_ key: UnsafePointer<CChar>, _ count: Int) -> String {
    UnsafeRawPointer(key).withMemoryRebound(to: UInt8.self, capacity: count) {
        let bytes = UnsafeBufferPointer(start: $0, count: min(count, 64))
        let shown = String(decoding: bytes.lazy.map { $0 < 0x20 ? 0x3F : $0 }, as: UTF8.self)
        return count > 64 ? shown + "…" : shown
    }
}
