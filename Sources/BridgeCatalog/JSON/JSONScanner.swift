/// Where a JSON text breaks the syntax of RFC 8259, or a limit.
struct JSONSyntaxFault: Error, Equatable {
    /// Bytes before it.
    let offset: Int
    /// What is wrong there.
    let what: String
}

/// Walks over a JSON text without making values of it: checks its syntax and tells where its parts
/// lie. What it costs does not grow with nesting.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    private(set) var place: Int
    private let end: Int
    private let depthMax: Int

    /// Begins at the start of a part of a text.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>, depthMax: Int) {
        self.bytes = bytes
        self.place = range.lowerBound
        self.end = range.upperBound
        self.depthMax = depthMax
    }

    /// The byte that comes next, after white space; nil at the end.
    mutating func peek() -> UInt8? {
        while place < end {
            switch bytes[place] {
            case 0x20:
                // Indented texts have many of them in a row.
                while place + 8 <= end, word == 0x2020_2020_2020_2020 { place += 8 }
                while place < end, bytes[place] == 0x20 { place += 1 }
            case 0x09, 0x0A, 0x0D: place += 1
            default: return bytes[place]
            }
        }
        return nil
    }

    /// Walks over the members of an object; `member` is called with the place of the key, quotes
    /// included, and has to walk over the value.
    mutating func object(
        _ member: (Range<Int>, inout JSONScanner) throws(JSONSyntaxFault) -> Void
    ) throws(JSONSyntaxFault) {
        try take("{", "an object")
        if peek() == UInt8(ascii: "}") {
            place += 1
            return
        }
        while true {
            let key = try key()
            try member(key, &self)
            switch peek() {
            case UInt8(ascii: ","): place += 1
            case UInt8(ascii: "}"):
                place += 1
                return
            default: throw fault("expected , or } after a member")
            }
        }
    }

    /// Walks over a value of any kind.
    ///
    /// - Returns: Where it lies.
    mutating func value() throws(JSONSyntaxFault) -> Range<Int> {
        _ = peek()
        let start = place
        /// The containers that are open, the innermost last: whether each is an object.
        var open: [Bool] = []
        while true {
            if try begins(&open) { continue }
            if try ends(&open) { return start..<place }
        }
    }

    /// Nothing but white space may be left.
    mutating func finish() throws(JSONSyntaxFault) {
        if peek() != nil { throw fault("something follows the value") }
    }

    // MARK: Structure

    /// Takes the beginning of a value: a whole one that holds nothing, or the start of a container
    /// up to its first value.
    ///
    /// - Returns: True if a value inside has to follow.
    private mutating func begins(_ open: inout [Bool]) throws(JSONSyntaxFault) -> Bool {
        switch peek() {
        case UInt8(ascii: "{"):
            place += 1
            if peek() == UInt8(ascii: "}") { break }
            try push(true, &open)
            _ = try key()
            return true
        case UInt8(ascii: "["):
            place += 1
            if peek() == UInt8(ascii: "]") { break }
            try push(false, &open)
            return true
        case UInt8(ascii: "\""):
            try string()
            return false
        case UInt8(ascii: "t"):
            try literal("true")
            return false
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        case UInt8(ascii: "n"):
            try literal("null")
            return false
        case nil: throw fault("the text ends where a value is due")
        default:
            try number()
            return false
        }
        place += 1
        return false
    }

    /// Takes what follows a whole value, up to the next one.
    ///
    /// - Returns: True if the outermost value has ended.
    private mutating func ends(_ open: inout [Bool]) throws(JSONSyntaxFault) -> Bool {
        while let isObject = open.last {
            switch peek() {
            case UInt8(ascii: ","):
                place += 1
                if isObject { _ = try key() }
                return false
            case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
                place += 1
                open.removeLast()
            default:
                throw fault("expected , or \(isObject ? "}" : "]") after a value")
            }
        }
        return true
    }

    private mutating func push(_ isObject: Bool, _ open: inout [Bool]) throws(JSONSyntaxFault) {
        guard open.count < depthMax else {
            throw fault("nested deeper than \(depthMax) levels of objects and arrays")
        }
        open.append(isObject)
    }

    /// A key and the colon behind it.
    private mutating func key() throws(JSONSyntaxFault) -> Range<Int> {
        guard peek() == UInt8(ascii: "\"") else { throw fault("expected a key in quotes") }
        let start = place
        try string()
        let key = start..<place
        try take(":", "a colon after a key")
        return key
    }

    private mutating func take(_ byte: Unicode.Scalar, _ what: String) throws(JSONSyntaxFault) {
        guard peek() == UInt8(ascii: byte) else { throw fault("expected \(what)") }
        place += 1
    }

    // MARK: Values that hold nothing

    private mutating func literal(_ text: StaticString) throws(JSONSyntaxFault) {
        let length = text.utf8CodeUnitCount
        let matches = text.withUTF8Buffer { wanted in
            place + length <= end && bytes[place..<place + length].elementsEqual(wanted)
        }
        guard matches else { throw fault("expected \(text)") }
        place += length
    }

    private mutating func number() throws(JSONSyntaxFault) {
        if next == UInt8(ascii: "-") { place += 1 }
        if next == UInt8(ascii: "0") {
            place += 1
        } else {
            try digits("expected a value")
        }
        if next == UInt8(ascii: ".") {
            place += 1
            try digits("expected digits after the point of a number")
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            try digits("expected digits in the exponent of a number")
        }
    }

    private mutating func digits(_ what: String) throws(JSONSyntaxFault) {
        let start = place
        while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
        if place == start { throw fault(what) }
    }

    private var next: UInt8? { place < end ? bytes[place] : nil }

    func fault(_ what: String) -> JSONSyntaxFault {
        JSONSyntaxFault(offset: place, what: what)
    }
}

// MARK: - Strings

extension JSONScanner {
    /// Eight bytes from here on, in the order of the machine; there have to be as many.
    private var word: UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    /// A string, quotes included.
    private mutating func string() throws(JSONSyntaxFault) {
        place += 1
        while true {
            while place + 8 <= end, Self.isPlain(word) { place += 8 }
            guard place < end else { throw fault("the text ends within a string") }
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0x00..<0x20: throw fault("a control character within a string")
            case 0x20..<0x80: place += 1
            default: try sequence(byte)
            }
        }
    }

    /// Whether all eight bytes are ASCII and neither a control character nor a quote nor a
    /// backslash.
    ///
    /// Source: Sean Eron Anderson, "Bit Twiddling Hacks": a byte is zero, or less than a value.
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }
        let isControl = (word &- ones &* 0x20) & ~word & tops
        return (word & tops) | isControl | hasZero(word ^ ones &* 0x22)
            | hasZero(word ^ ones &* 0x5C) == 0
    }

    private mutating func escape() throws(JSONSyntaxFault) {
        place += 1
        guard place < end else { throw fault("the text ends within a string") }
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            place += 1
        case UInt8(ascii: "u"):
            place += 1
            guard place + 4 <= end,
                bytes[place..<place + 4].allSatisfy({ Unicode.Scalar($0).properties.isHexDigit })
            else { throw fault("expected four hexadecimal digits after \\u") }
            place += 4
        default: throw fault("an unknown escape in a string")
        }
    }

    /// A character of more than one byte (RFC 3629).
    private mutating func sequence(_ first: UInt8) throws(JSONSyntaxFault) {
        let second: ClosedRange<UInt8>
        let length: Int
        switch first {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw fault("a byte that is not UTF-8")
        }
        guard place + length <= end, second.contains(bytes[place + 1]),
            bytes[place + 2..<max(place + 2, place + length)].allSatisfy({
                (0x80...0xBF).contains($0)
            })
        else { throw fault("a byte that is not UTF-8") }
        place += length
    }
}

extension JSONSyntaxFault {
    /// Line and column, both from 1, as editors count them (columns in bytes).
    func position(in bytes: UnsafeRawBufferPointer) -> String {
        var (line, column) = (1, 1)
        for byte in bytes[..<offset] {
            column += 1
            if byte == 0x0A { (line, column) = (line + 1, 1) }
        }
        return "line \(line), column \(column)"
    }
}
