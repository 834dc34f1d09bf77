/// Text as a terminal counts it: in cells, of which a character takes none, one or two.
enum CellText {
    /// The cells of a character: that of its first scalar that has any.
    static func width(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // An emoji that was asked for by U+FE0F is wide.
            if scalar.value == 0xFE0F, width == 1 { return 2 }
            width = max(width, self.width(scalar))
        }
        return width
    }

    static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// Source: Unicode's East Asian Width (W and F), and the general categories of marks.
    static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.isControl || scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The vowels and finals of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
        0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
        0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
        0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F320,
        0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F,
        0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7,
        0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB,
        0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
        0x1FA70...0x1FAFF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    /// One line of it: control characters shown as U+FFFD, line ends as ⏎.
    static func flat(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            line += character.isNewline ? "⏎" : String(character).controlFree
        }
    }

    /// The text in at most so many cells; what is cut off leaves an ellipsis.
    static func cut(_ text: String, _ cells: Int) -> String {
        if width(text) <= cells { return text }
        guard cells > 0 else { return "" }
        var (kept, used) = ("", 0)
        for character in text {
            let width = width(character)
            if used + width > cells - 1 { break }
            kept.append(character)
            used += width
        }
        return kept + "…"
    }

    /// The end of the text in at most so many cells, for what is being typed.
    static func tail(_ text: String, _ cells: Int) -> String {
        if width(text) <= cells { return text }
        guard cells > 0 else { return "" }
        var (kept, used) = ([Character](), 0)
        for character in text.reversed() {
            let width = width(character)
            if used + width > cells - 1 { break }
            kept.append(character)
            used += width
        }
        return "…" + String(kept.reversed())
    }

    /// The text with spaces behind it, up to so many cells; cut if it has more.
    static func padded(_ text: String, _ cells: Int) -> String {
        let text = cut(text, cells)
        return text + String(repeating: " ", count: max(0, cells - width(text)))
    }

    /// The text in lines of at most so many cells, broken at spaces where there are any.
    static func wrapped(_ text: String, _ cells: Int) -> [String] {
        guard cells > 0 else { return [] }
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let last = lines[lines.count - 1]
            if last.isEmpty || width(last) + 1 + width(String(word)) <= cells {
                lines[lines.count - 1] = last.isEmpty ? String(word) : last + " " + word
            } else {
                lines.append(String(word))
            }
            while width(lines[lines.count - 1]) > cells { breakLast(&lines, cells) }
        }
        return lines
    }

    private static func breakLast(_ lines: inout [String], _ cells: Int) {
        var (head, rest, used) = ("", lines.removeLast()[...], 0)
        while let character = rest.first, used + width(character) <= cells || head.isEmpty {
            head.append(character)
            used += width(character)
            rest = rest.dropFirst()
        }
        lines += [head, String(rest)]
    }
}
