import FlowEngine

/// A version as segments compare it: numbers between dots, and a pre-release after a hyphen
/// (PL-19).
///
/// Parts that one of two versions lacks count as 0, so `1.2` equals `1.2.0`. What follows a `+`
/// plays no part. Source: semver.org 2.0.0, section 11.
package struct SemanticVersion: Sendable {
    private let numbers: [UInt64]
    private let preRelease: [Identifier]

    private enum Identifier: Sendable, Hashable {
        case number(UInt64)
        case text(String)
    }

    /// Reads a version; nil if a part is no number or has a leading zero.
    package init?(_ text: String) {
        let core = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let halves = core.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        var numbers: [UInt64] = []
        for part in halves[0].split(separator: ".", omittingEmptySubsequences: false) {
            guard let number = Self.number(part) else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
        guard halves.count == 2 else {
            preRelease = []
            return
        }
        preRelease = halves[1].split(separator: ".", omittingEmptySubsequences: false).map {
            Self.number($0).map(Identifier.number) ?? .text(String($0))
        }
    }

    private static func number(_ part: Substring) -> UInt64? {
        let bytes = part.utf8
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        if bytes.first == 0x30 && bytes.count > 1 { return nil }
        return UInt64(part)
    }
}

extension SemanticVersion: Comparable {
    package static func == (a: Self, b: Self) -> Bool {
        a.numbers == b.numbers && a.preRelease == b.preRelease
    }

    package static func < (a: Self, b: Self) -> Bool {
        for place in 0..<max(a.numbers.count, b.numbers.count) {
            let one = place < a.numbers.count ? a.numbers[place] : 0
            let other = place < b.numbers.count ? b.numbers[place] : 0
            if one != other { return one < other }
        }
        if a.preRelease.isEmpty || b.preRelease.isEmpty {
            return !a.preRelease.isEmpty && b.preRelease.isEmpty
        }
        return a.preRelease.lexicographicallyPrecedes(b.preRelease, by: precedes)
    }

    private static func precedes(_ a: Identifier, _ b: Identifier) -> Bool {
        switch (a, b) {
        case (.number(let a), .number(let b)): a < b
        case (.number, .text): true
        case (.text, .number): false
        case (.text(let a), .text(let b)): a.precedesInBytes(b)
        }
    }
}
