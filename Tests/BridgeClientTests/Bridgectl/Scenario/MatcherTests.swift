import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl: expected and seen")
struct MatcherTests {
    private func compare(
        _ expected: String, _ seen: String, message: String = "DidReceiveAnalyticEvent",
        captures: [String: JSONNode] = [:]
    ) throws -> Matcher {
        let pattern = try PatternReader().message(
            try JSONTreeReader.read(expected), message, at: "")
        var matcher = Matcher(captures: captures)
        matcher.compare(pattern, try JSONTreeReader.read(seen))
        return matcher
    }

    @Test(
        "messages are compared by the members that are named, maps and lists as a whole",
        arguments: [
            (#"{}"#, #"{"name":"n"}"#, [String]()),
            (#"{"name":"n"}"#, #"{"name":"n","params":{"a":1}}"#, []),
            (#"{"params":{"a":1}}"#, #"{"params":{"a":1}}"#, []),
            (
                #"{"params":{"a":1}}"#, #"{"params":{"a":1,"b":2}}"#,
                ["params.b: not expected, seen 2"]
            ),
            (
                #"{"params":{"a":1,"b":2}}"#, #"{"params":{"a":1}}"#,
                ["params.b: expected 2, it is not there"]
            ),
            (#"{"params":{"a":3}}"#, #"{"params":{"a":3.0}}"#, ["params.a: expected 3, seen 3.0"]),
            (#"{"params":{"a":3.5}}"#, #"{"params":{"a":35e-1}}"#, []),
            (
                #"{"params":{"a":9007199254740993}}"#, #"{"params":{"a":9007199254740992}}"#,
                ["params.a: expected 9007199254740993, seen 9007199254740992"]
            ),
            (
                #"{"params":{"a":true}}"#, #"{"params":{"a":1}}"#,
                ["params.a: expected true, seen 1"]
            ),
            (#"{"params":{"a":["x","y"]}}"#, #"{"params":{"a":["x","y"]}}"#, []),
            (
                #"{"params":{"a":["x","y"]}}"#, #"{"params":{"a":["y","x"]}}"#,
                [#"params.a[0]: expected "x", seen "y""#, #"params.a[1]: expected "y", seen "x""#]
            ),
            (
                #"{"params":{"a":["x"]}}"#, #"{"params":{"a":["x","y"]}}"#,
                [#"params.a: expected 1 items, seen 2: ["x","y"]"#]
            ),
            (#"{"params":{"a":"$any"}}"#, #"{"params":{"a":[1]}}"#, []),
            (#"{"params":{"a":null}}"#, #"{"params":{}}"#, []),
            (
                #"{"params":{"a":"\u00e9"}}"#, #"{"params":{"a":"e\u0301"}}"#,
                ["params.a: expected \"é\", seen \"e\u{301}\""]
            ),
            (#"{"params":{"a":"$$any"}}"#, #"{"params":{"a":"$any"}}"#, []),
        ])
    func table(expected: String, seen: String, differences: [String]) throws {
        let matcher = try compare(expected, seen)
        #expect(matcher.differences.map { "\($0.path): \($0.text)" } == differences)
    }

    @Test("a captured value is compared wherever its name stands")
    func captures() throws {
        let first = try compare(
            #"{"name":{"$capture":"n"},"params":{"a":"$n"}}"#, #"{"name":"x","params":{"a":"x"}}"#)
        #expect(first.differences.isEmpty)
        #expect(first.captures["n"]?.text == "x")
        let second = try compare(#"{"name":"$n"}"#, #"{"name":"y"}"#, captures: first.captures)
        #expect(second.differences.map(\.text) == [#"expected "x" ($n), seen "y""#])
    }

    @Test("values keep their types: an integer, a whole double, a list")
    func plainValues() {
        let event = with(Event()) {
            $0.kind = .didReceiveAnalyticEvent(
                with(DidReceiveAnalyticEvent()) {
                    $0.name = "n"
                    $0.params = [
                        entry("i", .int64(9_007_199_254_740_993)), entry("d", .double(3)),
                        entry("b", .bool(false)), entry("s", .string("")),
                        entry("l", .stringList(with(StringList()) { $0.values = ["x"] })),
                    ]
                })
        }
        let wanted =
            #"{"analytic":"n","params":{"i":9007199254740993,"d":3.0,"b":false,"s":"","l":["x"]}}"#
        #expect(CallbackForm.of(event).compact == wanted)
    }

    private func entry(
        _ key: String, _ kind: Value.Kind
    ) -> DidReceiveAnalyticEvent.ParamsEntry {
        with(DidReceiveAnalyticEvent.ParamsEntry()) {
            $0.key = key
            $0.value = with(Value()) { $0.kind = kind }
        }
    }

    @Test("what is drawn anew becomes $any, what was captured its name")
    func generalizing() throws {
        let seen = try JSONTreeReader.read(
            #"{"id":"B38BA4FE-C8C3-4F89-9955-6506A8F75325","view":"v1","price":"$9.99","word":"$any","transaction_id":"12"}"#
        )
        let form = Generalizing.form(seen, ["v1": "flow"])
        let wanted =
            #"{"id":"$any","view":"$flow","price":"$9.99","word":"$$any","transaction_id":"$any"}"#
        #expect(form.compact == wanted)
    }
}
