import CJansson

/// A value in a file: it knows where it stands, and says there what is wrong with it.
struct JSONCursor {
    let node: UnsafeMutablePointer<json_t>
    let document: JSONDocument
    let pointer: JSONPointer?
    let file: String
    let faults: FaultList

    /// Notes a fault at this place.
    func fault(_ message: String) {
        faults.add(message, file: file, at: pointer)
    }

    /// Notes a warning at this place.
    func warn(_ message: String) {
        faults.add(message, file: file, at: pointer, isWarning: true)
    }

    /// The text; nil, and a fault, when it is no string.
    func string(_ expected: String = "a string") -> String? {
        guard node.pointee.type == JSON_STRING else { return mismatch(expected) }
        return rawString
    }

    /// A text with something other than white space in it.
    func name(_ expected: String = "a string that is not blank") -> String? {
        guard let text = string(expected) else { return nil }
        return text.isBlank ? mismatch(expected) : text
    }

    /// True or false; nil, and a fault, for anything else.
    func bool() -> Bool? {
        switch node.pointee.type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: mismatch("true or false")
        }
    }

    /// A whole number of that range, written without fraction and exponent.
    func integer(in range: ClosedRange<Int64>) -> Int64? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard node.pointee.type == JSON_INTEGER else { return mismatch(expected) }
        let value = json_integer_value(node)
        return range.contains(value) ? value : mismatch(expected)
    }

    /// Any number.
    func number(_ expected: String = "a number") -> Double? {
        isNumber ? json_number_value(node) : mismatch(expected)
    }

    /// The items of an array; nil, and a fault, when it is none.
    func array(_ expected: String = "an array") -> [JSONCursor]? {
        guard node.pointee.type == JSON_ARRAY else { return mismatch(expected) }
        return items
    }

    /// The members of an object; nil, and a fault, when it is none.
    func object(_ expected: String = "an object") -> JSONObject? {
        guard node.pointee.type == JSON_OBJECT else { return mismatch(expected) }
        return JSONObject(cursor: self)
    }

    /// Notes that something else was expected here, and what was found.
    func mismatch<Value>(_ expected: String) -> Value? {
        fault("expected \(expected), found \(found)")
        return nil
    }

    /// A copy of this cursor at one of its children.
    func child(_ node: UnsafeMutablePointer<json_t>, at pointer: JSONPointer) -> JSONCursor {
        JSONCursor(node: node, document: document, pointer: pointer, file: file, faults: faults)
    }
}

extension JSONCursor {
    var isString: Bool { node.pointee.type == JSON_STRING }
    var isInteger: Bool { node.pointee.type == JSON_INTEGER }
    var isNumber: Bool { isInteger || node.pointee.type == JSON_REAL }
    var isBool: Bool { node.pointee.type == JSON_TRUE || node.pointee.type == JSON_FALSE }
    var isArray: Bool { node.pointee.type == JSON_ARRAY }
    var isNull: Bool { node.pointee.type == JSON_NULL }
    var isObject: Bool { node.pointee.type == JSON_OBJECT }

    /// The items of an array; none for anything else.
    var items: [JSONCursor] {
        (0..<json_array_size(node)).compactMap { index in
            json_array_get(node, index).map {
                child($0, at: JSONPointer(parent: pointer, index: index))
            }
        }
    }

    /// The members of an object in the order of the text; none for anything else.
    var members: [(key: String, value: JSONCursor)] {
        var members: [(key: String, value: JSONCursor)] = []
        var next = json_object_iter(node)
        while let member = next {
            let bytes = UnsafeRawBufferPointer(
                start: json_object_iter_key(member), count: json_object_iter_key_len(member))
            let key = String(decoding: bytes, as: UTF8.self)
            if let value = json_object_iter_value(member) {
                let place = JSONPointer(parent: pointer, key: key, place: members.count)
                members.append((key, child(value, at: place)))
            }
            next = json_object_iter_next(node, member)
        }
        return members
    }

    /// The bytes of a string as text; empty for anything else.
    var rawString: String {
        guard let start = json_string_value(node) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: json_string_length(node))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Notes a fault wherever something is nested deeper than that.
    func reportDepth(over depth: Int) {
        guard isObject || isArray else { return }
        if depth == 0 {
            return fault(
                "nested too deeply: at most \(CatalogLimits.depthMax) levels of objects and "
                    + "arrays are read")
        }
        for child in isArray ? items : members.map(\.value) { child.reportDepth(over: depth - 1) }
    }

    /// What stands here, in words, for a message.
    var found: String {
        switch node.pointee.type {
        case JSON_OBJECT: "an object"
        case JSON_ARRAY: "an array of \(json_array_size(node))"
        case JSON_STRING: rawString.shown
        case JSON_INTEGER: "the number \(json_integer_value(node))"
        case JSON_REAL: "the number \(json_real_value(node))"
        case JSON_TRUE: "true"
        case JSON_FALSE: "false"
        default: "null"
        }
    }
}

extension String {
    /// Whether it has nothing but white space and line ends (GEN-5).
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// In quotes for a message, on one line and cut to `CatalogLimits.shownCharactersMax`.
    var shown: String {
        let cut = prefix(CatalogLimits.shownCharactersMax)
        var line = ""
        for scalar in cut.unicodeScalars {
            line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return "\"\(line)\(cut.endIndex < endIndex ? "…" : "")\""
    }
}
