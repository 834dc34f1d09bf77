import Testing

@testable import bridgectl

@Suite("bridgectl drive: cells, keys and lines")
struct CellTextTests {
    @Test(
        "a character takes none, one or two cells",
        arguments: [
            ("a", 1), ("ä", 1), ("e\u{301}", 1), ("日", 2), ("한", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("☎", 1), ("☎️", 2), ("\u{200B}", 0),
            ("\u{7}", 0), ("", 0), ("日本語abc", 9), ("مرحبا", 5),
        ])
    func width(text: String, cells: Int) {
        #expect(CellText.width(text) == cells)
    }

    @Test(
        "text is cut at cells, never within a character",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"), ("a", 0, ""),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ])
    func cut(text: String, cells: Int, wanted: String) {
        #expect(CellText.cut(text, cells) == wanted)
        #expect(CellText.width(CellText.padded(text, cells)) == cells)
        #expect(CellText.width(CellText.tail(text, cells)) <= cells)
    }

    @Test("the end of what is typed stays in sight")
    func tail() {
        #expect(CellText.tail("abcdef", 4) == "…def")
        #expect(CellText.tail("日本語", 4) == "…語")
        #expect(CellText.tail("ab", 4) == "ab")
    }

    @Test(
        "lines break at spaces, long words anywhere",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("日本語", 4, ["日本", "語"]), ("", 5, [""]), ("a  b", 10, ["a  b"]),
            ("日", 1, ["日", ""]),
        ])
    func wrapped(text: String, cells: Int, lines: [String]) {
        #expect(CellText.wrapped(text, cells) == lines)
    }

    @Test("no text reaches the terminal with control characters or line ends")
    func flat() {
        #expect(CellText.flat("a\u{1B}[31m\nb\r\nc\u{9B}d") == "a\u{FFFD}[31m⏎b⏎c\u{FFFD}d")
    }

    @Test(
        "bytes become keys",
        arguments: [
            ("a", [Key.character("a")]),
            ("ä日😀", [.character("ä"), .character("日"), .character("😀")]),
            ("\r\n\t\u{7F}", [.enter, .enter, .tab, .backspace]),
            ("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}[Z\u{1B}[H\u{1B}[4~\u{1B}[3~", [.backTab, .home, .end, .delete]),
            ("\u{1B}[5~\u{1B}[6;5~", [.pageUp, .pageDown]),
            ("\u{3}\u{C}", [.control("c"), .control("l")]), ("\u{1B}[99~x", [.character("x")]),
            ("\u{1B}x", [.escape, .character("x")]),
        ])
    func keys(text: String, keys: [Key]) {
        var whole = KeyReader()
        #expect(whole.read(Array(text.utf8)) == keys)
        var bytewise = KeyReader()
        #expect(Array(text.utf8).flatMap { bytewise.read([$0]) } == keys, "byte by byte")
        #expect(!bytewise.isWaiting)
    }

    @Test("an escape that nothing follows is the key; broken bytes are none")
    func escape() {
        var reader = KeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.isWaiting)
        #expect(reader.flush() == [.escape])
        #expect(reader.read([0xFF, 0xC3, 0x28, 0x61]) == [.character("("), .character("a")])
        let endless = [0x1B, UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: "1"), count: 40)
        _ = reader.read(endless)
        #expect(reader.read(Array("\rq".utf8)).last == .character("q"))
    }

    @Test("only lines that differ are painted, and looks need no color")
    func painting() {
        let first = Canvas(lines: [StyledLine("a"), StyledLine("b", .inverse)], cursor: nil)
        var second = first
        second.lines[0] = StyledLine("c", .bad)
        #expect(first.painted(over: nil, hasColor: true).contains("\u{1B}[2J"))
        let painted = second.painted(over: first, hasColor: true)
        #expect(painted == "\u{1B}[?25l\u{1B}[1;1H\u{1B}[1;31mc\u{1B}[0m\u{1B}[K")
        #expect(second.painted(over: first, hasColor: false).contains("\u{1B}[1mc\u{1B}[0m"))
        #expect(second.painted(over: second, hasColor: true) == "\u{1B}[?25l")
        let cursor = Canvas(lines: first.lines, cursor: (1, 4))
        #expect(cursor.painted(over: first, hasColor: true).hasSuffix("\u{1B}[2;5H\u{1B}[?25h"))
    }
}
