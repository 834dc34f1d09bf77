import FlowEngine
import Testing

@testable import SDKCore

@Suite("Texts")
struct TrimmedTextTests {
    @Test(
        "GEN-5 white space and line ends at both ends go, U+200B is neither",
        arguments: [
            ("", ""), (" ", ""), ("a", "a"), (" a ", "a"), ("\t\r\n a b \u{2028}\u{3000}", "a b"),
            ("\u{a0}a\u{85}", "a"), ("\u{200b}a\u{200b}", "\u{200b}a\u{200b}"),
            ("\u{feff}a", "\u{feff}a"), (" e\u{301} ", "e\u{301}"),
        ])
    func trimming(text: String, expected: String) {
        #expect(text.trimmed().isExactly(expected))
    }

    @Test("GEN-4 canonically equivalent texts are not the same")
    func exactness() {
        #expect(!"\u{e9}".isExactly("e\u{301}"))
        #expect(ExactText("\u{e9}") != ExactText("e\u{301}"))
        #expect(Set([ExactText("\u{e9}"), ExactText("e\u{301}"), ExactText("\u{e9}")]).count == 2)
        #expect(AttributeValue.string("\u{e9}") != .string("e\u{301}"))
    }

    @Test("a text in a message shows what cannot be seen, and is cut")
    func readable() {
        #expect("plan\u{200b}\u{0}\u{a0}é".readable() == "plan\\u{200B}\\u{0}\\u{A0}é")
        #expect(String(repeating: "a", count: 128).readable().count == 128)
        #expect(String(repeating: "a", count: 129).readable().count == 129)
        #expect(String(repeating: "a", count: 129).readable().hasSuffix("a…"))
    }
}
