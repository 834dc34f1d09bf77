import Testing

@testable import SDKCore

@Suite("Custom attributes")
struct AttributeBuilderTests {
    private static let thirty = String(repeating: "k", count: 30)
    private static let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}"

    @Test(
        "PRO-10 PRO-11 keys that pass, trimmed",
        arguments: [
            ("a", "a"), (thirty, thirty), (" plan ", "plan"), ("user.plan", "user.plan"),
            ("A-Z_0.9", "A-Z_0.9"), ("\u{a0}x\n", "x"), ("-", "-"),
        ])
    func goodKeys(key: String, stored: String) throws {
        let changes = try build([(key, .string("v"))])
        #expect(changes == [stored: .string("v")])
    }

    @Test(
        "PRO-10 PRO-11 keys that fail, with their message (field case 9)",
        arguments: [
            ("", ""), (" \t", ""), (thirty + "k", thirty + "k"), ("a b", "a b"), ("é", "é"),
            ("a/b", "a/b"), ("$email", "$email"), ("user plan", "user plan"),
            ("plan\u{200b}", "plan\\u{200B}"), ("٣", "٣"),
        ])
    func badKeys(key: String, shown: String) {
        let error = fault([(key, .string("v"))])
        #expect(error?.code == 3001)
        #expect(
            error?.message
                == "custom attribute key \"\(shown)\": 1 to 30 characters out of A-Z a-z 0-9 . _ -")
    }

    @Test(
        "PRO-12 PRO-13 a text has at most 50 characters after trimming, counted as graphemes",
        arguments: [
            (String(repeating: "a", count: 50), nil), (String(repeating: "a", count: 51), 51),
            (" " + String(repeating: "a", count: 50) + "\n", nil),
            (String(repeating: family, count: 50), nil), (String(repeating: family, count: 51), 51),
            (String(repeating: "e\u{301}", count: 50), nil),
            (String(repeating: "a", count: 1_000), 1_000),
        ] as [(String, Int?)])
    func textLengths(text: String, tooLong: Int?) throws {
        guard let tooLong else {
            #expect(try build([("k", .string(text))]) == ["k": .string(text.trimmed())])
            return
        }
        let error = fault([("k", .string(text))])
        #expect(error?.code == 3001)
        #expect(
            error?.message
                == "custom attribute \"k\": a text value has at most 50 characters, got \(tooLong)")
    }

    @Test(
        "PRO-9 PRO-13 a number has no range but has to be finite",
        arguments: [
            0, -0.0, 120.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 9_007_199_254_740_992,
        ])
    func finiteNumbers(number: Double) throws {
        #expect(try build([("k", .number(number))]) == ["k": .number(number)])
    }

    @Test(
        "PRO-9 NaN and infinities are INVALID_ARGUMENT",
        arguments: [
            Double.nan, .infinity, -.infinity,
        ])
    func otherNumbers(number: Double) {
        let error = fault([("ok", .number(1)), ("k", .number(number))])
        #expect(error?.invalidField == "custom_attributes[1].double")
    }

    @Test("PRO-14 a blank text removes, and its key is checked all the same")
    func blankTexts() throws {
        #expect(try build([("k", .string(" \n"))]) == ["k": nil])
        #expect(try build([("k", .string(""))]) == ["k": nil])
        #expect(fault([("a b", .string(""))])?.code == 3001)
        #expect(fault([("a b", nil)])?.code == 3001)
    }

    @Test("PRO-15 thirty values pass, the 31st fails, removals do not count")
    func counts() throws {
        let values: [(String, AttributeValue?)] = (1...30).map { ("k\($0)", .number(1)) }
        let removals: [(String, AttributeValue?)] = (1...40).map { ("r\($0)", nil) }
        #expect(try build(removals + values).count == 70)
        let error = fault(removals + values + [("k31", .string("x"))])
        #expect(error?.code == 3001)
        #expect(error?.message == "at most 30 custom attributes with a value, got 31")
    }

    @Test("PRO-18 of one key given twice the last counts, once")
    func repetitions() throws {
        let values: [(String, AttributeValue?)] = (1...30).map { ("k\($0)", .number(1)) }
        #expect(try build(values + [(" k30 ", .string("last"))])["k30"] == .string("last"))
        #expect(try build(values + [("k30", nil), ("k31", .number(2))])["k30"] == .some(nil))
    }

    private static let tooLong = String(repeating: "v", count: 51)

    private static func values(_ count: Int) -> [(String, String)] {
        (1...count).map { ("k\($0)", "v") }
    }

    private static let faults: [([(String, String)], String)] = [
        ([("a b", "x"), ("k", tooLong)], "custom attribute key"),
        ([("k", tooLong), ("a b", "x")], "custom attribute \"k\""),
        ([("a b", tooLong)], "custom attribute key"),
        (values(31) + [("a b", "x")], "at most 30"),
        (values(30) + [("a b", "x")], "custom attribute key"),
        (values(30) + [("k31", tooLong)], "custom attribute \"k31\""),
    ]

    @Test(
        "PRO-17 the first fault in the order given is reported, key before value before count",
        arguments: faults)
    func order(changes: [(String, String)], message: String) {
        let error = fault(changes.map { ($0.0, .string($0.1)) })
        #expect(error?.message.hasPrefix(message) == true)
    }

    private func build(
        _ changes: [(String, AttributeValue?)]
    ) throws -> [String: AttributeValue?] {
        var builder = AttributeBuilder()
        for (place, change) in changes.enumerated() {
            try builder.add(AttributeChange(key: change.0, value: change.1), place: place)
        }
        return builder.changes
    }

    private func fault(_ changes: [(String, AttributeValue?)]) -> DeviceFault? {
        #expect(throws: DeviceFault.self) { _ = try build(changes) }
    }
}
