import Testing

@testable import FlowEngine

/// Raw messages of onboarding documents (OB-13, OB-14, OB-44, OB-45, OB-52 to OB-54).
struct MessageTests {
    private static let meta =
        #""meta":{"onboarding_id":"o","screen_cid":"s","screen_index":1,"total_screens":2}"#

    private func lines(_ body: String) throws -> [String] {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        try view.send(.message(json: "{\(body)}"))
        return view.take()
    }

    @Test(
        "OB-13 OB-52 each type calls back with the meta of the message",
        arguments: [
            (#""type":"onboarding_loaded""#, ["didFinishLoading @1"]),
            (#""type":"close","action_id":"""#, ["onClose  @1"]),
            (#""type":"custom","action_id":"x","more":[1]"#, ["onCustom x @1"]),
            (#""type":"open_paywall","action_id":"p""#, ["onPaywall p @1"]),
            (
                #""type":"state_updated","element_id":"e","element_type":"select","value":{"id":"i","value":"v","label":"l"}"#,
                ["state e select i/v/l @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"multi_select","value":[{"id":"i","value":"v","label":"l"},{"id":"j","value":"w","label":"m"}]"#,
                ["state e multi [\"v\", \"w\"] @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"multi_select","value":[]"#,
                ["state e multi [] @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"text","value":"t"}"#,
                ["state e text \"t\" @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"email","value":"t"}"#,
                ["state e email \"t\" @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"number","value":2.5}"#,
                ["state e number 2.5 @1"]
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"date_picker","value":{"day":15.9,"month":null,"year":1990}"#,
                ["state e date 15.0.1990 @1"]
            ),
            (#""type":"analytics","name":"onboarding_started""#, ["onboarding_started @1"]),
            (
                #""type":"analytics","name":"screen_completed","params":{"element_id":"e","reply":"r"}"#,
                ["screen_completed e r @1"]
            ),
            (#""type":"analytics","name":"screen_completed""#, ["screen_completed - - @1"]),
            (
                #""type":"analytics","name":"screen_completed","params":null"#,
                ["screen_completed - - @1"]
            ),
        ])
    func delivered(body: String, expected: [String]) throws {
        #expect(try lines("\(body),\(Self.meta)") == expected)
    }

    @Test("OB-54 a screen presented by message also tells the backend, and moves nothing")
    func screenPresented() throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        try view.send(
            .message(json: #"{"type":"analytics","name":"screen_presented",\#(Self.meta)}"#))
        let effects = view.takeEffects()
        #expect(
            effects.map(\.line) == ["screen_presented @1", "backend new_onboarding_screen_showed"])
        #expect(
            effects.last
                == .backend(
                    BackendEvent(
                        name: "new_onboarding_screen_showed",
                        properties: [
                            "onboarding_screen_name": .string("s"),
                            "onboarding_screen_order": .string("1"),
                            "onboarding_latest_screen": .bool(true),
                        ])))
        #expect(view.screenID == "a")
    }

    @Test(
        "OB-44 OB-45 field case 49: other names are unknown, and their params are dropped",
        arguments: ["navigation_failed", "button_clicked", "Screen_Presented", ""])
    func unknown(name: String) throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        let params = #""element_id":"x","params":{"reply":5}"#
        try view.send(
            .message(json: #"{"type":"analytics","name":"\#(name)",\#(params),\#(Self.meta)}"#))
        guard case .onboarding(.analytics(.unknown(let told)), _)? = view.takeEffects().first else {
            throw Missing()
        }
        #expect(told == name)
    }

    @Test(
        "OB-53 a boolean counts as a number, and large integers as doubles",
        arguments: [
            ("true", 1), ("false", 0), ("12345678901234567168", 12_345_678_901_234_567_168),
        ]
            as [(String, Double)])
    func numbers(text: String, value: Double) throws {
        #expect(
            try lines(
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"number","value":\#(text)},\#(Self.meta)"#
            ) == ["state e number \(value) @1"])
    }

    @Test(
        "OB-14 OB-53 what cannot be read is dropped whole, with the field and without its value",
        arguments: [
            (#""type":"close""#, "action_id is missing"),
            (#""type":"close","action_id":null"#, "action_id is missing"),
            (#""type":"close","action_id":5"#, "action_id is not a text"),
            (#""type":"secret","action_id":"x""#, "type has an unknown value"),
            (#""action_id":"x""#, "type is missing"),
            (
                #""type":"state_updated","element_id":"e","element_type":"secret","value":{}"#,
                "element_type has an unknown value"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"multi_select","value":[{"id":"i","value":"v","label":"l"},{"id":"secret","value":5,"label":"m"}]"#,
                "value[1].value is not a text"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"multi_select","value":[null]"#,
                "value[0] is not an object"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"multi_select","value":{}"#,
                "value is not an array"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"number","value":"25"}"#,
                "value.value is not a number"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"text","value":25}"#,
                "value.value is not a text"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"input","value":{"type":"secret","value":"x"}"#,
                "value.type has an unknown value"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"date_picker","value":{"day":"1"}"#,
                "value.day is not a number"
            ),
            (
                #""type":"state_updated","element_id":"e","element_type":"date_picker","value":{"day":1e10}"#,
                "value.day is not an integer of 32 bits"
            ),
            (
                #""type":"analytics","name":"screen_completed","params":{"reply":5}"#,
                "params.reply is not a text"
            ),
            (#""type":"analytics","name":"other","params":[]"#, "params is not an object"),
            (#""type":"analytics""#, "name is missing"),
        ])
    func dropped(body: String, reason: String) throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        try view.send(.message(json: "{\(body),\(Self.meta)}"))
        #expect(view.takeEffects() == [.messageDropped(reason: reason)])
    }

    @Test(
        "OB-14 a message without JSON or without its meta is dropped",
        arguments: [
            ("", "the message is no JSON object"), ("{", "the message is no JSON object"),
            ("[]", "the message is not an object"),
            (#"{"type":"close","action_id":"a\u0000"}"#, "the message is no JSON object"),
            (#"{"type":"onboarding_loaded"}"#, "meta is missing"),
            (#"{"type":"onboarding_loaded","meta":[]}"#, "meta is not an object"),
            (
                #"{"type":"onboarding_loaded","meta":{"onboarding_id":"o","screen_cid":"s","screen_index":"1","total_screens":2}}"#,
                "meta.screen_index is not a number"
            ),
            (
                #"{"type":"onboarding_loaded","meta":{"onboarding_id":"o","screen_index":1,"total_screens":2}}"#,
                "meta.screen_cid is missing"
            ),
        ])
    func unreadable(json: String, reason: String) throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        try view.send(.message(json: json))
        #expect(view.takeEffects() == [.messageDropped(reason: reason)])
    }

    @Test(
        "OB-14 what no JSON parser of the platform reads is dropped, also in a key that nobody needs",
        arguments: [
            "1e309", "-1e400", #""\ud800""#, #""\udc00\ud800""#, #""\u0000""#, "NaN", "01", "+1",
            "'x'", "1\0", "true\0", "\0",
            nested(2_048),
        ])
    func noJSON(value: String) throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        try view.present()
        try view.send(
            .message(json: "{\"type\":\"onboarding_loaded\",\"x\":\(value),\(Self.meta)}"))
        #expect(
            view.takeEffects() == [.messageDropped(reason: "the message is no JSON object")])
    }

    @Test(
        "OB-52 what is in a key that nobody needs does not matter, and the last of two keys counts")
    func passedOver() throws {
        for value in ["1e308", #""\ud83d\ude00""#, "-0", "[[]]", Self.nested(2_047)] {
            #expect(
                try lines("\"type\":\"onboarding_loaded\",\"x\":\(value),\(Self.meta)")
                    == ["didFinishLoading @1"], "\(value.prefix(20))")
        }
        let twice = #""type":"close","action_id":5,"type":"custom","action_id":"x""#
        #expect(try lines("\(twice),\(Self.meta)") == ["onCustom x @1"])
    }

    /// So many arrays in one another.
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("VW-28 an onboarding that is not on screen or in the background takes no message")
    func notNow() throws {
        var view = Harness<OnboardingSession>(.screen("a"))
        let message = ViewInput.message(json: "{}")
        #expect(throws: GestureRefusal.self) { try view.send(message) }
        try view.present()
        try view.send(.enterBackground)
        #expect(throws: GestureRefusal.self) { try view.send(message) }
    }

    private struct Missing: Error {}
}
