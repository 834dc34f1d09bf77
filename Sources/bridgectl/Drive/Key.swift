/// A key, as a terminal sends it.
enum Key: Equatable, Sendable {
    /// A character that was typed, with its marks.
    case character(String)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// With the control key, a small letter.
    case control(Character)
}

/// Turns the bytes of a terminal into keys.
struct KeyReader {
    /// Bytes that begin a key of which the rest has not come yet.
    private var rest: [UInt8] = []

    /// Whether an escape waits to be told from the key by itself.
    var isWaiting: Bool { !rest.isEmpty }

    /// Takes bytes and gives the keys that are whole.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        rest += bytes
        var keys: [Key] = []
        while let (key, count) = next() {
            rest.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Nothing more came: what waits is taken as it is.
    mutating func flush() -> [Key] {
        defer { rest = [] }
        return rest.first == 0x1B ? [.escape] : []
    }

    /// The first key and its length; nil: there is none that is whole. A key of nil is none that
    /// is known.
    private func next() -> (Key?, Int)? {
        guard let first = rest.first else { return nil }
        switch first {
        case 0x1B: return escape()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0..<0x20: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        default: return character(first)
        }
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first < 0x80 || first >= 0xC2 else { return (nil, 1) }
        guard rest.count >= count else { return nil }
        guard let text = String(validating: rest[..<count], as: UTF8.self) else { return (nil, 1) }
        return (.character(text), count)
    }

    private func escape() -> (Key?, Int)? {
        guard rest.count > 1 else { return nil }
        guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        var at = 2
        while at < rest.count, (0x30...0x3F).contains(rest[at]) { at += 1 }
        guard at < rest.count else { return at < 16 ? nil : (nil, at) }
        return (named(rest[2..<at], rest[at]), at + 1)
    }

    private func named(_ parameters: ArraySlice<UInt8>, _ last: UInt8) -> Key? {
        switch Character(Unicode.Scalar(last)) {
        case "A": return .up
        case "B": return .down
        case "C": return .right
        case "D": return .left
        case "H": return .home
        case "F": return .end
        case "Z": return .backTab
        case "M" where parameters.isEmpty: return .enter
        case "~":
            let number = String(decoding: parameters.prefix { $0 != 0x3B }, as: UTF8.self)
            return [
                "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete, "5": .pageUp,
                "6": .pageDown,
            ][number]
        default: return nil
        }
    }
}
