/// A place in a text, and what is wrong there.
struct JSONTreeFault: Error {
    let line: Int
    let column: Int
    let message: String
}

/// Reads JSON (RFC 8259) into a tree with line numbers.
///
/// Bounds: nesting up to `depthMax`. A name that stands twice in one object is a fault.
struct JSONTreeReader {
    /// Deeper nesting than any message has.
    private static let depthMax = 64

    private let bytes: [UInt8]
    private var at = 0
    private var line = 1
    private var lineStart = 0

    /// Reads a whole text.
    static func read(_ text: String) throws(JSONTreeFault) -> JSONNode {
        var reader = JSONTreeReader(bytes: Array(text.utf8))
        let node = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.next != nil { throw reader.fault("nothing may follow the first value") }
        return node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func fault(_ message: String) -> JSONTreeFault {
        JSONTreeFault(line: line, column: at - lineStart + 1, message: message)
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            at += 1
            if byte == 0x0A {
                line += 1
                lineStart = at
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONTreeFault) -> JSONNode {
        skipSpace()
        let start = line
        guard depth <= Self.depthMax else { throw fault("nested deeper than \(Self.depthMax)") }
        switch next {
        case UInt8(ascii: "{"): return JSONNode(.object(try members(depth)), line: start)
        case UInt8(ascii: "["): return JSONNode(.list(try items(depth)), line: start)
        case UInt8(ascii: "\""): return JSONNode(.string(try string()), line: start)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return JSONNode(.number(try number()), line: start)
        default: return JSONNode(try word(), line: start)
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func items(_ depth: Int) throws(JSONTreeFault) -> [JSONNode] {
        at += 1
        var items: [JSONNode] = []
        skipSpace()
        if take("]") { return items }
        while true {
            items.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return items }
            guard take(",") else { throw fault("a comma or ] is wanted") }
        }
    }

    private mutating func members(_ depth: Int) throws(JSONTreeFault) -> [JSONNode.Member] {
        at += 1
        var members: [JSONNode.Member] = []
        var names: Set<[UInt8]> = []
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is wanted") }
            let place = fault("")
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw JSONTreeFault(
                    line: place.line, column: place.column, message: "\"\(name)\" is there twice")
            }
            skipSpace()
            guard take(":") else { throw fault("a colon is wanted") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw fault("a comma or } is wanted") }
        }
    }

    private mutating func word() throws(JSONTreeFault) -> JSONNode.Value {
        let words: [(String, JSONNode.Value)] = [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        for (word, value) in words where bytes[at...].starts(with: word.utf8) {
            at += word.utf8.count
            return value
        }
        throw fault(next == nil ? "the text ends here" : "a JSON value is wanted")
    }

    private mutating func number() throws(JSONTreeFault) -> String {
        let start = at
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func digits() throws(JSONTreeFault) {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        if at == start { throw fault("a digit is wanted") }
    }
}

extension JSONTreeReader {
    private mutating func string() throws(JSONTreeFault) -> String {
        at += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try text.append(contentsOf: Array(String(escape()).utf8))
            case 0..<0x20: throw fault("a control character in a text has to be escaped")
            default:
                text.append(byte)
                at += 1
            }
        }
        throw fault("the text in quotes has no end")
    }

    private mutating func escape() throws(JSONTreeFault) -> Character {
        at += 1
        guard let byte = next else { throw fault("the text ends here") }
        at += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "u"): return Character(try scalar())
        default:
            at -= 1
            throw fault("no such escape")
        }
    }

    private mutating func scalar() throws(JSONTreeFault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, bytes[at...].starts(with: "\\u".utf8) {
            at += 2
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + second - 0xDC00)
            {
                return scalar
            }
        }
        throw fault("half of a surrogate pair")
    }

    private mutating func unit() throws(JSONTreeFault) -> UInt32 {
        guard at + 4 <= bytes.count, next != UInt8(ascii: "+"),
            let unit = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits are wanted") }
        at += 4
        return unit
    }
}
