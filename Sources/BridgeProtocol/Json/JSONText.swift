/// Changes the form of JSON that a coder wrote: tokens stay as they are, byte for byte.
///
/// Expects sound JSON without white space between tokens.
public struct JSONText {
    /// The names from the outermost object to the value at hand; members of a list share its name.
    public typealias Path = [String]

    private let bytes: [UInt8]
    private var at = 0
    private var text: [UInt8] = []
    private var path: Path = []
    private var depth = 0
    private let isPretty: Bool
    private let replace: (Path, Kind) -> Bool

    /// What a value is, by its first character.
    public enum Kind: String, Sendable {
        /// As in JSON.
        case string, number, bool, null
    }

    /// The text with line breaks and two spaces a level.
    public static func pretty(_ text: String) -> String {
        rewrite(text, isPretty: true) { _, _ in false }
    }

    /// The text with the scalars that `isHidden` picks replaced by `"<redacted string>"` and so on.
    public static func redacted(
        _ text: String, _ isHidden: @escaping (Path, Kind) -> Bool
    ) -> String {
        rewrite(text, isPretty: false, isHidden)
    }

    private static func rewrite(
        _ text: String, isPretty: Bool, _ replace: @escaping (Path, Kind) -> Bool
    ) -> String {
        var rewriting = JSONText(Array(text.utf8), isPretty: isPretty, replace: replace)
        rewriting.value()
        return String(decoding: rewriting.text, as: UTF8.self)
    }

    /// A text as a JSON string.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private init(
        _ bytes: [UInt8], isPretty: Bool, replace: @escaping (Path, Kind) -> Bool
    ) {
        self.bytes = bytes
        self.isPretty = isPretty
        self.replace = replace
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func value() {
        switch next {
        case UInt8(ascii: "{"): container(close: UInt8(ascii: "}")) { $0.member() }
        case UInt8(ascii: "["): container(close: UInt8(ascii: "]")) { $0.value() }
        default: scalar()
        }
    }

    private mutating func container(close: UInt8, _ element: (inout JSONText) -> Void) {
        copyByte()
        if next == close { return copyByte() }
        depth += 1
        breakLine()
        element(&self)
        while next == UInt8(ascii: ",") {
            copyByte()
            breakLine()
            element(&self)
        }
        depth -= 1
        breakLine()
        copyByte()
    }

    private mutating func member() {
        let key = token()
        text += key
        copyByte()
        if isPretty { text.append(UInt8(ascii: " ")) }
        path.append(String(decoding: key.dropFirst().dropLast(), as: UTF8.self))
        value()
        path.removeLast()
    }

    private mutating func scalar() {
        let kind: Kind =
            switch next {
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
            case UInt8(ascii: "n"): .null
            default: .number
            }
        let token = token()
        if replace(path, kind) {
            text += "\"<redacted \(kind.rawValue)>\"".utf8
        } else {
            text += token
        }
    }

    /// Takes one string, number or word.
    private mutating func token() -> ArraySlice<UInt8> {
        let start = at
        if next == UInt8(ascii: "\"") {
            at += 1
            while let byte = next, byte != UInt8(ascii: "\"") {
                at += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            at = min(at + 1, bytes.count)
        } else {
            while let byte = next, !",]}:".utf8.contains(byte) { at += 1 }
        }
        return bytes[start..<at]
    }

    private mutating func copyByte() {
        guard let byte = next else { return }
        text.append(byte)
        at += 1
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }
}
