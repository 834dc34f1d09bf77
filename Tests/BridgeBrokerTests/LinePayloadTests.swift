import BridgeProtocol
import Testing

/// A line that is refused, and what its answer holds.
struct BadLine: Sendable, CustomTestStringConvertible {
    let line: String
    let id: String
    let code: String
    let says: [String]

    init(_ line: String, id: Int = 7, code: String = "INVALID_ARGUMENT", says: String...) {
        self.line = line
        self.id = "\"id\":\"\(id)\""
        self.code = code
        self.says = says
    }

    var testDescription: String { String(line.prefix(70)) }
}

@Suite("Lines that are read")
struct LinePayloadTests {
    static let transports: [Wire] = [.lineInProcess, .lineSocket]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "{\"a\":", count: depth - 1) + "{}"
            + String(repeating: "}", count: depth - 1)
    }

    private static func kinds(_ count: Int) -> String {
        let list = Array(repeating: "\"flow_did_appear\"", count: count).joined(separator: ",")
        return "{\"id\":7,\"subscribe\":{\"kinds\":[\(list)]}}"
    }

    static let bad: [BadLine] = [
        BadLine(
            #"{"id":7,"getFlow":{"placementID":"x"}}"#, says: #""field":"getFlow.placementID""#,
            "placementId"),
        BadLine(#"{"id":7,"getFlows":{}}"#, code: "UNKNOWN_METHOD", says: "getFlows"),
        BadLine(
            #"{"id":7,"getFlow":{"placementId":"a","placementId":"b"}}"#,
            says: #""field":"getFlow.placementId""#, "twice"),
        BadLine(
            #"{"id":7,"getFlow":{"placementId":"a","placement_id":"b"}}"#,
            says: #""field":"getFlow.placement_id""#, "twice"),
        BadLine(#"{"id":7,"ping":{},"status":{}}"#, says: #""field":"status""#, "ping"),
        BadLine(
            #"{"id":7,"perform":{"viewId":"v","tapToggle":{},"goBack":{}}}"#,
            says: #""field":"perform.goBack""#),
        BadLine(#"{"id":7,"ping":null}"#, says: "no method"),
        BadLine(#"{"id":7}"#, says: "no method"),
        BadLine(
            #"{"id":7,"preloadFlows":{"placementIds":["a",null]}}"#,
            says: #""field":"preloadFlows.placementIds[1]""#, "null"),
        BadLine(#"{"id":7,"getProfile":[]}"#, says: #""field":"getProfile""#, "an object"),
        BadLine(
            #"{"id":7,"getFlow":{"placementId":5}}"#, says: #""field":"getFlow.placementId""#,
            "a text", "a number"),
        BadLine(
            #"{"id":7,"dismiss":{"destroy":"yes"}}"#, says: #""field":"dismiss.destroy""#,
            "true or false"),
        BadLine(
            #"{"id":7,"createFlowController":{"actionHandling":"MANUAL"}}"#,
            says: "actionHandling", "AUTOMATIC", "APP"),
        BadLine(
            #"{"id":7,"createFlowController":{"actionHandling":3}}"#, says: "actionHandling", "3"),
        BadLine(#"{"id":7,"advanceClock":{"byMs":1.5}}"#, says: "advanceClock.byMs", "fraction"),
        BadLine(
            #"{"id":7,"advanceClock":{"byMs":"9223372036854775808"}}"#, says: "advanceClock.byMs",
            "9223372036854775807"),
        BadLine(#"{"id":7,"deadlineMs":4294967296,"ping":{}}"#, says: "deadlineMs", "4294967295"),
        BadLine(#"{"id":7,"getFlow":{"placementId":"a\u0000b"}}"#, says: "U+0000"),
        BadLine(#"{"id":7,"perform":{"viewId":"v"}}"#, says: "perform.gesture", "no gesture"),
        BadLine(#"{"id":7,"ping":{}} {}"#, says: "more text"),
        BadLine(#"{"id":7,"ping":{"#, says: "ends within"),
        BadLine("{\"id\":7,\"ping\":\(nested(32))}", says: "32 levels"),
        BadLine("{\"id\":7,\"ping\":\(nested(100))}", says: "32 levels"),
        BadLine("{\"id\":7,\"ping\":\(nested(31))}", says: #""field":"ping.a""#),
        BadLine(kinds(10_001), says: "10001 repeated elements", "10000"),
    ]

    @Test(
        "a line that cannot be served is answered and the connection stays", arguments: transports,
        bad)
    func refused(wire: Wire, bad: BadLine) throws {
        let broker = TestBroker.start(wire)
        let talk = try broker.talk()
        let answer = try talk.ask(bad.line)
        #expect(answer.hasPrefix("{\(bad.id),\"error\":{\"bridge\":\"\(bad.code)\""), "\(answer)")
        #expect(answer.holds(bad.says), "\(answer)")
        #expect(try talk.ask(#"{"id":8,"ping":{}}"#) == #"{"id":"8","ping":{"payload":""}}"#)
        try broker.expectServesOthers()
    }

    @Test("bad UTF-8 in a line is answered and the connection stays", arguments: transports)
    func badUTF8(wire: Wire) throws {
        let talk = try TestBroker.start(wire).talk()
        try talk.wire.send(
            Array(#"{"id":7,"getFlow":{"placementId":"a"#.utf8) + [0xC3, 0x28]
                + Array("\"}}\n".utf8))
        let answer = try #require(try talk.nextLine())
        #expect(answer.holds([#""id":"7""#, "INVALID_ARGUMENT", "getFlow.placementId", "UTF-8"]))
        #expect(try talk.ask(#"{"id":8,"ping":{}}"#).contains(#""id":"8""#))
    }

    @Test(
        "case 35: null for a field, an empty list and 10 000 elements pass", arguments: transports)
    func accepted(wire: Wire) throws {
        let talk = try TestBroker.start(wire).talk()
        #expect(
            try talk.ask(#"{"id":4,"listViews":{"device":null}}"#)
                == #"{"id":"4","listViews":{"views":[],"nextPageToken":""}}"#)
        #expect(try talk.ask(#"{"id":5,"subscribe":{"kinds":null}}"#).contains("subscriptionId"))
        #expect(try talk.ask(#"{"id":6,"subscribe":{"kinds":[]}}"#).contains("subscriptionId"))
        #expect(try talk.ask(Self.kinds(10_000)).contains("subscriptionId"))
    }

    @Test("case 33: integers in every exact spelling", arguments: transports)
    func integers(wire: Wire) throws {
        let talk = try TestBroker.start(wire).talk()
        _ = try talk.ask(
            #"{"id":1,"openDevice":{"device":"phone","clock":{"kind":"MANUAL","startMs":"0"}}}"#)
        var time: Int64 = 0
        for (text, value) in [
            ("1000", 1_000), ("\"1000\"", 1_000), ("1000.0", 1_000), ("1e3", 1_000),
            ("\"1e3\"", 1_000), ("0", 0), ("1.5e1", 15),
        ] {
            time += Int64(value)
            #expect(
                try talk.ask("{\"id\":2,\"advanceClock\":{\"byMs\":\(text)}}")
                    == "{\"id\":\"2\",\"advanceClock\":{\"timeMs\":\"\(time)\"}}")
        }
        #expect(try talk.ask(#"{"id":"9007199254740993","ping":{}}"#).contains("9007199254740993"))
        #expect(try talk.ask(#"{"id":9007199254740993,"ping":{}}"#).contains("9007199254740993"))
        #expect(try talk.ask(#"{"id":3.0,"deadlineMs":1e3,"ping":{}}"#).contains(#""id":"3""#))
    }

    @Test(
        "both spellings of a name, CR before LF, empty lines and white space", arguments: transports
    )
    func spellings(wire: Wire) throws {
        let talk = try TestBroker.start(wire).talk()
        try talk.send("  \r\n\n{\"id\":1,\"getFlow\":{\"placementId\":\"onboarding\"}}\r\n")
        let first = try #require(try talk.nextLine())
        #expect(first.contains(#""variationId":"var_registration""#))
        try talk.send("\n \t \r\n\n")
        let second = try talk.ask(#"{"get_flow":{"placement_id":"onboarding"},"id":1}"#)
        #expect(second == first)
    }

    @Test(
        "results are printed with their default values, 64-bit numbers as texts",
        arguments: transports)
    func defaults(wire: Wire) throws {
        let talk = try TestBroker.start(wire).talk()
        #expect(
            try talk.ask(#"{"id":1,"cancel":{"id":5}}"#)
                == #"{"id":"1","cancel":{"cancelled":false}}"#)
        #expect(try talk.ask(#"{"id":2,"activate":{}}"#) == #"{"id":"2","activate":{}}"#)
        let profile = try talk.ask(#"{"id":3,"getProfile":{}}"#)
        #expect(
            profile.holds([
                #""customerUserId":"""#, #""customAttributes":{}"#, #""accessLevels":{}"#,
                #""subscriptions":[]"#, #""appliedAttributionSources":[]"#,
            ]), "\(profile)")
        let record = try talk.ask(#"{"id":4,"getEvents":{"fromSequence":100}}"#)
        #expect(
            record
                == #"{"id":"4","getEvents":{"events":[],"nextFromSequence":"100","oldestSequenceKept":"1","atEnd":true}}"#
        )
    }

    @Test(
        "case 33 IN-24 IN-55 NAV-4: an event's line keeps false, 0, empty texts and empty lists",
        arguments: transports)
    func eventLines(wire: Wire) throws {
        let broker = TestBroker.start(wire)
        let client = try broker.client(.line)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        try client.focus(view, "name")
        try client.enter(view, "name", "J")
        try client.perform(view, .clearText(ClearTextGesture()))
        try client.blur(view)
        try client.pickDate(view, "birthday", 1990, 6, 15)
        try client.tapButton(view, "next")
        for _ in 0..<2 {
            try client.tapToggle(view, "reminders")
            try client.tapOption(view, "interests", "music")
        }
        let talk = try broker.talk()
        _ = try talk.ask(#"{"id":1,"openDevice":{"device":"phone"}}"#)
        let line = try talk.ask(
            #"{"id":2,"getEvents":{"kinds":["did_receive_analytic_event"]}}"#)
        #expect(
            line.holds([
                #""screen_order":{"int64":"0"}"#, #""is_last_screen":{"bool":false}"#,
                #""value":{"string":""}"#, #""value":{"int64":"645408000000"}"#,
                #""value":{"bool":false}"#, #""item_ids":{"stringList":{"values":[]}}"#,
                #"\"value\":645408000000}"#, #"\"item_ids\":[],\"item_titles\":[]}"#,
                #""subscriptionId":0"#,
            ]), "\(line)")
    }
}
