import Testing

@testable import BridgeProtocol

/// A line that is refused: what the error must say.
struct RefusedLine: Sendable, CustomTestStringConvertible {
    var line: String
    var code = BridgeError.Code.invalidArgument
    var id: UInt64
    var field: String
    var says: [String]

    init(
        _ line: String, id: UInt64, field: String, says: String...,
        code: BridgeError.Code = .invalidArgument
    ) {
        self.line = line
        self.id = id
        self.field = field
        self.says = says
        self.code = code
    }

    var testDescription: String { String(line.prefix(80)) }
}

@Suite struct LineModeInTests {
    static let refused: [RefusedLine] = [
        // No method
        RefusedLine(#"{"id":2,"ping":null}"#, id: 2, field: "ping", says: "no method"),
        RefusedLine(#"{"id":3}"#, id: 3, field: "", says: "no method"),
        RefusedLine("{}", id: 0, field: "", says: "no method"),
        RefusedLine(
            #"{"id":4,"getFlows":{}}"#, id: 4, field: "getFlows", says: "getFlows",
            code: .unknownMethod),
        // Unknown, double and contradicting members
        RefusedLine(
            #"{"id":5,"getFlow":{"placementID":"x"}}"#, id: 5, field: "getFlow.placementID",
            says: "placementID", "placementId"),
        RefusedLine(
            #"{"id":5,"deadline":1,"ping":{}}"#, id: 5, field: "deadline", says: "deadline"),
        RefusedLine(
            #"{"id":5,"getFlow":{"placementId":"a","placementId":"b"}}"#, id: 5,
            field: "getFlow.placementId", says: "twice"),
        RefusedLine(
            #"{"id":5,"getFlow":{"placementId":"a","placement_id":"b"}}"#, id: 5,
            field: "getFlow.placement_id", says: "twice", "placementId", "placement_id"),
        RefusedLine(
            #"{"id":5,"getFlow":{"placement_id":null,"placementId":"b"}}"#, id: 5,
            field: "getFlow.placementId", says: "twice"),
        RefusedLine(
            #"{"id":5,"getFlow":{"placementId":"a","\u0070lacementId":"b"}}"#, id: 5,
            field: "getFlow.placementId", says: "twice"),
        RefusedLine(
            #"{"id":5,"getFlowConfiguration":{"tags":{"a":"1","b":"2","a":"3"}}}"#, id: 5,
            field: "getFlowConfiguration.tags.a", says: "twice"),
        RefusedLine(
            #"{"id":5,"getFlowConfiguration":{"tags":{"a\u0000":"1"}}}"#, id: 5,
            field: "getFlowConfiguration.tags.a?", says: "U+0000"),
        RefusedLine(
            #"{"id":5,"id":6,"ping":{}}"#, id: 6, field: "id", says: "twice"),
        RefusedLine(
            #"{"id":5,"ping":{},"status":{}}"#, id: 5, field: "status", says: "ping",
            "one of the two"),
        RefusedLine(
            #"{"perform":{"viewId":"v","tapToggle":{},"goBack":{}},"id":8}"#, id: 8,
            field: "perform.goBack", says: "tapToggle"),
        // Types
        RefusedLine(
            #"{"id":6,"getProfile":[]}"#, id: 6, field: "getProfile", says: "an object", "a list"),
        RefusedLine(#"{"id":6,"getProfile":"x"}"#, id: 6, field: "getProfile", says: "a text"),
        RefusedLine(
            #"{"id":5,"preloadFlows":{"placementIds":["a",null]}}"#, id: 5,
            field: "preloadFlows.placementIds[1]", says: "a text", "null"),
        RefusedLine(
            #"{"id":5,"preloadFlows":{"placementIds":"a"}}"#, id: 5,
            field: "preloadFlows.placementIds", says: "a list", "a text"),
        RefusedLine(
            #"{"id":5,"getFlowConfiguration":{"tags":[]}}"#, id: 5,
            field: "getFlowConfiguration.tags", says: "an object", "a list"),
        RefusedLine(
            #"{"id":5,"getFlowConfiguration":{"tags":{"a":null}}}"#, id: 5,
            field: "getFlowConfiguration.tags.a", says: "null"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"birthday":645408000}}"#, id: 5,
            field: "updateProfile.birthday", says: "YYYY-MM-DD", "a number"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"birthday":645408000000000000000}}"#, id: 5,
            field: "updateProfile.birthday", says: "YYYY-MM-DD", "a number"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"analyticsDisabled":"true"}}"#, id: 5,
            field: "updateProfile.analyticsDisabled", says: "true or false", "a text"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"customAttributes":[{"key":"a","double":"x"}]}}"#, id: 5,
            field: "updateProfile.customAttributes[0].double", says: "a number"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"attStatus":"allowed"}}"#, id: 5,
            field: "updateProfile.attStatus", says: "not_determined", "authorized"),
        RefusedLine(
            #"{"id":5,"updateProfile":{"attStatus":7}}"#, id: 5,
            field: "updateProfile.attStatus", says: "7", "3 (authorized)"),
        RefusedLine(
            #"{"id":5,"ping":{"payload":"a$$="}}"#, id: 5, field: "ping.payload", says: "base64"),
        RefusedLine(
            #"{"id":5,"ping":{"payload":"a"}}"#, id: 5, field: "ping.payload", says: "base64"),
        // Numbers
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":1000.5}}"#, id: 5, field: "advanceClock.byMs",
            says: "fraction"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":"1000.5"}}"#, id: 5, field: "advanceClock.byMs",
            says: "fraction"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":"+1"}}"#, id: 5, field: "advanceClock.byMs",
            says: "a whole number"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":"01"}}"#, id: 5, field: "advanceClock.byMs",
            says: "a whole number"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":""}}"#, id: 5, field: "advanceClock.byMs",
            says: "a whole number"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":9223372036854775808}}"#, id: 5,
            field: "advanceClock.byMs", says: "9223372036854775808", "9223372036854775807"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":1e19}}"#, id: 5, field: "advanceClock.byMs",
            says: "2^53"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":1e999}}"#, id: 5, field: "advanceClock.byMs",
            says: "out of range"),
        RefusedLine(
            #"{"id":5,"advanceClock":{"byMs":"99999999999999999999"}}"#, id: 5,
            field: "advanceClock.byMs", says: "out of range"),
        RefusedLine(
            #"{"id":5,"deadlineMs":4294967296,"ping":{}}"#, id: 5, field: "deadlineMs",
            says: "4294967296", "4294967295"),
        RefusedLine(
            #"{"id":5,"deadlineMs":-1,"ping":{}}"#, id: 5, field: "deadlineMs", says: "-1", "0 to"),
        RefusedLine(#"{"id":-5,"ping":{}}"#, id: 0, field: "id", says: "-5"),
        RefusedLine(#"{"id":"x","ping":{}}"#, id: 0, field: "id", says: "a whole number"),
        RefusedLine(
            #"{"id":18446744073709551616,"ping":{}}"#, id: 0, field: "id", says: "out of range"),
        // Text
        RefusedLine(
            #"{"id":5,"getFlow":{"placementId":"a\u0000b"}}"#, id: 5,
            field: "getFlow.placementId", says: "U+0000", "byte 1"),
        RefusedLine(
            #"{"id":5,"getFlow":{"place\u0000mentId":"a"}}"#, id: 5,
            field: "getFlow.place?mentId", says: "U+0000"),
        RefusedLine(
            #"{"id":5,"getFlow":{"placementId":"\ud800"}}"#, id: 5,
            field: "getFlow.placementId", says: "not JSON"),
        // No object, or more than one
        RefusedLine("[1]", id: 0, field: "", says: "one JSON object", "a list"),
        RefusedLine("17", id: 0, field: "", says: "one JSON object"),
        RefusedLine("", id: 0, field: "", says: "empty"),
        RefusedLine(" \r", id: 0, field: "", says: "empty"),
        RefusedLine(#"{"id":5,"ping":{}} {}"#, id: 5, field: "", says: "more text"),
        RefusedLine(#"{"id":5,"ping":{}"#, id: 5, field: "", says: "ends"),
        RefusedLine(#"{"id":5,'ping':{}}"#, id: 5, field: "", says: "not JSON", "byte 9"),
        RefusedLine(#"{"id":5,"ping":{},}"#, id: 5, field: "", says: "not JSON"),
        RefusedLine(
            "{\"id\":5,\"advanceClock\":{\"byMs\":1\0}}", id: 5, field: "advanceClock.byMs",
            says: "not JSON", "byte 32"),
    ]

    @Test(
        "a line that cannot be served is answered with its id, its field and what is wrong",
        arguments: refused)
    func refusal(_ refused: RefusedLine) {
        let coder = WireCoder()
        guard let fault = payloadFault({ try coder.client(line: refused.line) }) else { return }
        #expect(fault.id == refused.id)
        #expect(fault.error.code == refused.code)
        #expect(fault.error.field == refused.field)
        for part in refused.says {
            #expect(fault.error.message.contains(part), "\(fault.error.message)")
        }
    }

    @Test(
        "case 33: whole numbers are taken in every exact spelling",
        arguments: [
            "1000", "\"1000\"", "1000.0", "1e3", "\"1e3\"", "\"1000.0\"", "\"1.0e3\"", "10000e-1",
            "\"10000e-1\"",
        ])
    func spellings(_ number: String) throws {
        let coder = WireCoder()
        let frame = try coder.client(line: "{\"id\":1,\"advanceClock\":{\"byMs\":\(number)}}")
        var request = AdvanceClockRequest()
        request.byMs = 1_000
        #expect(frame.body == .advanceClock(request))
    }

    @Test(
        "case 33: 64-bit numbers survive exactly, as text and as numbers",
        arguments: [
            (
                #"{"id":"18446744073709551615","advanceClock":{"byMs":"-9223372036854775808"}}"#,
                UInt64.max, Int64.min
            ),
            (
                #"{"id":18446744073709551615,"advanceClock":{"byMs":-9223372036854775808}}"#, .max,
                .min
            ),
            (
                #"{"id":9007199254740993,"advanceClock":{"byMs":"9007199254740993"}}"#,
                9_007_199_254_740_993, 9_007_199_254_740_993
            ),
        ])
    func bigNumbers(_ line: String, _ id: UInt64, _ byMs: Int64) throws {
        let coder = WireCoder()
        let frame = try coder.client(line: line)
        var request = AdvanceClockRequest()
        request.byMs = byMs
        #expect(frame.id == id)
        #expect(frame.body == .advanceClock(request))
        let printed = ByteBuffer()
        try coder.encode(frame, mode: .line, into: printed)
        #expect(text(printed).contains("\"byMs\":\"\(byMs)\""))
    }

    @Test(
        "case 35: an absent field may be null, empty or not there",
        arguments: [
            #"{"id":4,"listViews":{"device":null}}"#, #"{"id":4,"listViews":{}}"#,
            #"{"id":4,"list_views":{"page_size":null,"pageToken":null}}"#,
            "{\"id\":4,\"listViews\":{}}\r\n", " \t{ \"listViews\" : { } , \"id\" : \"4\" } ",
        ])
    func absent(_ line: String) throws {
        let coder = WireCoder()
        let frame = try coder.client(line: line)
        #expect(frame.id == 4)
        #expect(frame.body == .listViews(ListViewsRequest()))
    }

    @Test(
        "both spellings of a name are read",
        arguments: [
            #"{"id":1,"getFlow":{"placementId":"a","maxAgeMs":5}}"#,
            #"{"id":1,"get_flow":{"placement_id":"a","max_age_ms":"5"}}"#,
        ])
    func bothSpellings(_ line: String) throws {
        var request = GetFlowRequest()
        request.placementId = "a"
        request.maxAgeMs = 5
        #expect(try WireCoder().client(line: line).body == .getFlow(request))
    }

    @Test(
        "numbers and texts both make doubles",
        arguments: [
            ("1.5", 1.5), ("\"1.5\"", 1.5), ("2", 2), ("\"-2e-1\"", -0.2),
            ("9007199254740993", 9_007_199_254_740_992),
            ("\"Infinity\"", .infinity), ("\"-Infinity\"", -.infinity),
            ("123456789012345678901234567890", 1.2345678901234568e29),
        ])
    func doubles(_ spelling: String, _ value: Double) throws {
        let line =
            "{\"updateProfile\":{\"customAttributes\":[{\"key\":\"k\",\"double\":\(spelling)}]}}"
        let frame = try WireCoder().client(line: line)
        guard case .updateProfile(let request) = frame.body else {
            Issue.record("no request")
            return
        }
        #expect(request.customAttributes.first?.change == .double(value))
    }

    @Test(
        "base64 is read in both alphabets, padded and not",
        arguments: [
            ("", []), ("+/8=", [0xFB, 0xFF]), ("-_8", [0xFB, 0xFF]), ("AQID", [1, 2, 3]),
            ("AQ==", [1]), ("AQ", [1]),
        ] as [(String, [UInt8])])
    func base64(_ spelling: String, _ bytes: [UInt8]) throws {
        let frame = try WireCoder().client(line: "{\"ping\":{\"payload\":\"\(spelling)\"}}")
        var request = PingRequest()
        request.payload = bytes
        #expect(frame.body == .ping(request))
    }

    @Test("enums are read by name and by number", arguments: ["\"denied\"", "2", "2.0"])
    func enums(_ spelling: String) throws {
        let frame = try WireCoder().client(line: "{\"updateProfile\":{\"attStatus\":\(spelling)}}")
        var request = UpdateProfileRequest()
        request.attStatus = .denied
        #expect(frame.body == .updateProfile(request))
    }

    @Test(
        "bad UTF-8 in a line is answered and names the field",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func badText(_ bytes: [UInt8]) {
        let line = Array(#"{"id":5,"getFlow":{"placementId":""#.utf8) + bytes + Array("\"}}".utf8)
        guard let fault = payloadFault({ try WireCoder().client(line: line) }) else { return }
        #expect(fault.id == 5)
        #expect(fault.error.code == .invalidArgument)
        #expect(fault.error.field == "getFlow.placementId")
        #expect(fault.error.message.contains("UTF-8"))
    }

    @Test("32 levels are read, 33 and 100 are refused, empty or not", arguments: [31, 32, 33, 100])
    func nesting(_ levels: Int) {
        // The frame, getFlow, then lists where a text belongs.
        let lists = levels - 2
        for innermost in ["", "1", "\"a\""] {
            let line =
                #"{"id":5,"getFlow":{"placementId":"# + String(repeating: "[", count: lists)
                + innermost + String(repeating: "]", count: lists) + "}}"
            guard let fault = payloadFault({ try WireCoder().client(line: line) }) else { return }
            #expect(fault.id == 5)
            #expect(fault.error.message.contains(levels > 32 ? "32 levels" : "expected a text"))
        }
    }

    @Test("10 000 elements are read, 10 001 are refused", arguments: [10_000, 10_001, 20_000])
    func elements(_ count: Int) throws {
        let list = Array(repeating: "\"a\"", count: count).joined(separator: ",")
        let line = "{\"id\":5,\"preloadFlows\":{\"placementIds\":[\(list)]}}"
        let coder = WireCoder()
        if count == 10_000 {
            guard case .preloadFlows(let request) = try coder.client(line: line).body else {
                Issue.record("no request")
                return
            }
            #expect(request.placementIds.count == count)
        } else {
            guard let fault = payloadFault({ try coder.client(line: line) }) else { return }
            #expect(fault.id == 5)
            #expect(fault.error.field.hasPrefix("preloadFlows.placementIds"))
            #expect(fault.error.message.contains("repeated elements"))
        }
    }

    @Test("lines of every length are read, one after the other")
    func lengths() throws {
        let coder = WireCoder()
        for count in [0, 10, 4_000, 70_000, 3, 1_000_000, 5, 300_000] {
            var request = PingRequest()
            request.payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            var frame = ClientFrame()
            frame.id = UInt64(count)
            frame.body = .ping(request)
            let line = ByteBuffer()
            try coder.encode(frame, mode: .line, into: line)
            #expect(try coder.decodeClientFrame(line: line.readable) == frame)
        }
    }

    @Test("a client skips what a newer broker adds")
    func newerBroker() throws {
        let line =
            #"{"id":"1","error":{"bridge":"TOO_NEW","message":"m","hint":[1]},"trace":{"a":1}}"#
        let frame = try WireCoder().server(line: line)
        guard case .error(let error) = frame.body else {
            Issue.record("no error")
            return
        }
        #expect(error.message == "m")
        #expect(error.bridgeError.code == .internal)
    }
}

@Suite struct LineModeOutTests {
    private func line(_ body: ServerFrame.Body) -> String {
        var frame = ServerFrame()
        frame.id = 9
        frame.body = body
        let buffer = ByteBuffer()
        WireCoder().encode(frame, mode: .line, into: buffer)
        return text(buffer)
    }

    @Test("fields are printed also when they are empty, absent messages and members are not")
    func defaults() {
        #expect(line(.ping(PingReply())) == "{\"id\":\"9\",\"ping\":{\"payload\":\"\"}}\n")
        #expect(line(.activate(ActivateReply())) == "{\"id\":\"9\",\"activate\":{}}\n")
        #expect(line(.getFlow(GetFlowReply())) == "{\"id\":\"9\",\"getFlow\":{}}\n")
        var profile = GetProfileReply()
        profile.profile = Profile()
        #expect(
            line(.getProfile(profile))
                == "{\"id\":\"9\",\"getProfile\":{\"profile\":{\"profileId\":\"\","
                + "\"customerUserId\":\"\",\"customAttributes\":{},\"accessLevels\":{},"
                + "\"subscriptions\":[],\"nonSubscriptions\":[],\"appliedAttributionSources\":[]}}}\n"
        )
        var failed = ErrorReply()
        failed.message = "m"
        #expect(
            line(.error(failed))
                == "{\"id\":\"9\",\"error\":{\"bridge\":\"NONE\",\"message\":\"m\",\"field\":\"\","
                + "\"retryable\":false,\"preloadErrors\":{},\"catalogFaults\":[]}}\n")
    }

    @Test("case 31: no character at which a reader splits lines leaves unescaped")
    func escapes() {
        var reply = CreateFlowControllerReply()
        reply.viewId =
            "a\u{2028}b\u{2029}c\u{85}d\u{0B}e\u{0C}f\u{7F}g\u{9F}h\u{1E}"
            + "\n\r\t\u{8}\"\\/é😀\u{2027}"
        #expect(
            line(.createFlowController(reply))
                == #"{"id":"9","createFlowController":{"viewId":"a\u2028b\u2029c\u0085d\u000be\f"#
                + #"f\u007fg\u009fh\u001e\n\r\t\b\"\\/é😀"# + "\u{2027}" + "\"}}\n")
    }

    @Test("an escape at each place of a word of eight bytes is found", arguments: 0..<24)
    func escapePlaces(_ place: Int) throws {
        for special in ["\"", "\\", "\n", "\u{7F}", "\u{85}", "\u{2028}", "\u{1F}"] {
            var reply = CreateFlowControllerReply()
            reply.viewId =
                String(repeating: "x", count: place) + special
                + String(repeating: "y", count: 23 - place)
            let printed = line(.createFlowController(reply))
            #expect(
                printed.unicodeScalars.dropLast().allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
            )
            #expect(try WireCoder().server(line: printed).body == .createFlowController(reply))
        }
    }

    @Test(
        "doubles are printed in the shortest form that reads back",
        arguments: [
            (25.0, "25.0"), (0.1, "0.1"), (1e21, "1e+21"), (-0.0, "-0.0"), (.nan, "\"NaN\""),
            (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
            (.leastNonzeroMagnitude, "5e-324"),
        ])
    func doubles(_ value: Double, _ spelling: String) throws {
        var attribute = AttributeValue()
        attribute.kind = .double(value)
        var entry = Profile.CustomAttributesEntry()
        entry.key = "k"
        entry.value = attribute
        var reply = GetProfileReply()
        reply.profile = Profile()
        reply.profile?.customAttributes = [entry]
        let printed = line(.getProfile(reply))
        #expect(printed.contains("\"customAttributes\":{\"k\":{\"double\":\(spelling)}}"))
    }

    @Test("an enum number without a name is printed as a number")
    func unknownEnum() {
        var failed = ErrorReply()
        failed.bridge = ErrorReply.Bridge(rawValue: 99)
        #expect(line(.error(failed)).contains("\"bridge\":99"))
    }

    @Test(
        "the line of an event is the same when rendered once for many subscriptions",
        arguments: [1, 10, UInt32.max])
    func sharedLine(_ subscription: UInt32) throws {
        let coder = WireCoder()
        var event = Event()
        event.device = ",\"subscriptionId\":0"
        event.sequence = 5
        event.kind = .deviceOpened(DeviceOpened())
        let record = ByteBuffer()
        coder.encodeEvent(event, into: record)
        let alone = ByteBuffer()
        try coder.appendEventLine(record.readable, subscriptionId: subscription, to: alone)
        let rendered = ByteBuffer()
        let place = try coder.encodeEventLine(record.readable, into: rendered)
        let shared = ByteBuffer()
        coder.appendEventLine(rendered.readable, place, subscriptionId: subscription, to: shared)
        #expect(text(shared) == text(alone))
        rendered.removeAll(keepingCapacity: true)
        let again = coder.encodeEventLine(event, into: rendered)
        shared.removeAll(keepingCapacity: true)
        coder.appendEventLine(rendered.readable, again, subscriptionId: subscription, to: shared)
        #expect(text(shared) == text(alone))
        #expect(text(shared).contains("\"subscriptionId\":\(subscription)"))
    }

    @Test("a line over the limit is not written, and its size is told")
    func tooLarge() {
        var frame = ServerFrame()
        var reply = CreateFlowControllerReply()
        reply.viewId = String(repeating: "x", count: 1_000)
        frame.body = .createFlowController(reply)
        let buffer = ByteBuffer()
        buffer.append(1)
        let coder = WireCoder()
        let size = "{\"id\":\"0\",\"createFlowController\":{\"viewId\":\"\"}}".utf8.count + 1_000
        #expect(
            coder.encode(frame, mode: .line, into: buffer, bytesMax: size - 1) == .tooLarge(size))
        #expect(buffer.count == 1)
        #expect(
            coder.encode(frame, mode: .line, into: buffer, bytesMax: size) == .written(size + 1))
        #expect(buffer.count == size + 2)
    }
}
