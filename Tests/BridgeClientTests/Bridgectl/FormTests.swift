import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl: forms", .shared)
struct FormTests {
    @Test(
        "pretty JSON keeps every token",
        arguments: [
            ("{}", "{}"), ("[]", "[]"), ("{\"a\":{}}", "{\n  \"a\": {}\n}"),
            (
                "{\"a\":[1,2.50],\"b\":\"x{,\\\"]\"}",
                "{\n  \"a\": [\n    1,\n    2.50\n  ],\n  \"b\": \"x{,\\\"]\"\n}"
            ), ("{\"a\":\"\\\\\",\"b\":true}", "{\n  \"a\": \"\\\\\",\n  \"b\": true\n}"),
            (
                "{\"a\":[{\"b\":null},[]]}",
                "{\n  \"a\": [\n    {\n      \"b\": null\n    },\n    []\n  ]\n}"
            ),
        ])
    func pretty(short: String, wanted: String) {
        #expect(JSONText.pretty(short) == wanted)
    }

    @Test("hidden scalars keep their key and name their type")
    func redacted() {
        let text = #"{"a":"x","b":1.5,"c":true,"d":null,"e":[{"f":"\"y"}],"g":"z"}"#
        let hidden = JSONText.redacted(text) { path, kind in path != ["g"] && kind != .null }
        #expect(
            hidden
                == #"{"a":"<redacted string>","b":"<redacted number>","c":"<redacted bool>","d":null,"#
                + #""e":[{"f":"<redacted string>"}],"g":"z"}"#)
    }

    @Test(
        "JSON strings of our own are sound",
        arguments: [
            ("a\"b\\", #""a\"b\\""#), ("\n\u{1}\u{85}", #""\n\u0001\u0085""#), ("ü€", "\"ü€\""),
        ])
    func quoted(text: String, wanted: String) {
        #expect(JSONText.quoted(text) == wanted)
    }

    @Test(
        "spans", arguments: [("500ms", 500), ("1.5s", 1_500), ("2m", 120_000), ("3", 3_000)])
    func spans(text: String, ms: Int) throws {
        #expect(try Span.read(text, "--timeout") == .milliseconds(ms))
    }

    @Test(
        "a span of nothing, of letters, or over a day is refused",
        arguments: ["", "s", "-1s", "0", "1441m", "nan", "1e9s"])
    func wrongSpans(text: String) {
        #expect(throws: Exit.self) { try Span.read(text, "--timeout") }
    }

    @Test(
        "the nearest name is found across spellings, and none when all are far",
        arguments: [
            ("getflw", "get_flow"), ("gteFlow", "get_flow"), ("subscirbe", "subscribe"),
            ("quite_other", nil), ("", nil),
        ])
    func nearestName(word: String, wanted: String?) {
        #expect(nearest(to: word, in: ["get_flow", "get_screen", "subscribe"]) == wanted)
    }

    @Test(
        "edits are counted, a swap as one",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("kitten", "sitting", 3),
        ])
    func distance(a: String, b: String, wanted: Int) {
        #expect(editDistance(Array(a.utf8), Array(b.utf8)) == wanted)
    }

    @Test(
        "ages have their two largest units",
        arguments: [
            (999, "999 ms"), (1_000, "1.0 s"), (61_000, "1 min 1 s"), (3_660_000, "1 h 1 min"),
            (90_000_000, "1 d 1 h"),
        ] as [(UInt64, String)])
    func age(ms: UInt64, wanted: String) {
        #expect(StatusTable.span(ms) == wanted)
    }

    @Test("columns are as wide as their widest cell, and lines end without blanks")
    func table() {
        #expect(Table.text([["a", "b"], ["ccc", ""]], indent: 1) == " a    b\n ccc")
    }
}
