import CJansson

extension JSONCursor {
    /// The value as compact JSON text, its keys in the order of the file.
    var jsonText: String {
        switch node.pointee.type {
        case JSON_OBJECT:
            "{" + members.map { quoted($0.key) + ":" + $0.value.jsonText }.joined(separator: ",")
                + "}"
        case JSON_ARRAY: "[" + items.map(\.jsonText).joined(separator: ",") + "]"
        case JSON_STRING: quoted(rawString)
        case JSON_INTEGER: String(json_integer_value(node))
        case JSON_REAL: json_real_value(node).description
        case JSON_TRUE: "true"
        case JSON_FALSE: "false"
        default: "null"
        }
    }

    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}": quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
