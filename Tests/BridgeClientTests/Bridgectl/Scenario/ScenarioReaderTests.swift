import Testing

@testable import bridgectl

@Suite("bridgectl: scenario files")
struct ScenarioReaderTests {
    private func read(_ text: String) throws(ScenarioFault) -> Scenario {
        try ScenarioReader.read(text, file: "/s/x.json")
    }

    /// A file with one step.
    private func file(_ step: String) -> String {
        "{\n\"name\": \"n\",\n\"steps\": [\n\(step)\n]}"
    }

    @Test("a scenario has a manual clock, a seed and an activation unless it says otherwise")
    func defaults() throws {
        let scenario = try read(file("{\"advance\": 1}"))
        #expect(scenario.device["clock"]?["kind"]?.text == "MANUAL")
        #expect(scenario.device["random_seed"]?.compact == "1")
        #expect(scenario.activation?["api_key"] != nil)
        #expect(scenario.catalog == nil)
        let other = try read(
            """
            {"name": "n", "catalog": "../c", "activate": false, "timeout": "2s",
             "device": {"clock": {"kind": "REAL"}, "random_seed": 7}, "steps": [{"advance": 1}]}
            """)
        #expect(other.device["clock"]?["kind"]?.text == "REAL")
        #expect(other.device["random_seed"]?.compact == "7")
        #expect(other.activation == nil)
        #expect(other.catalog == "/s/../c")
        #expect(other.timeout == .seconds(2))
    }

    @Test(
        "each short form is its gestures",
        arguments: [
            (#""focus": "e""#, [#"{"focus":{"element_id":"e"}}"#]),
            (
                #""type": "t", "into": "e""#,
                [
                    #"{"focus":{"element_id":"e"}}"#,
                    #"{"enter_text":{"element_id":"e","text":"t"}}"#, #"{"blur":{}}"#,
                ]
            ),
            (#""type": "t""#, [#"{"enter_text":{"text":"t"}}"#]),
            (#""clear": "e""#, [#"{"clear_text":{"element_id":"e"}}"#]),
            (#""blur": true"#, [#"{"blur":{}}"#]),
            (#""open": "e""#, [#"{"open_picker":{"element_id":"e"}}"#]),
            (
                #""pick": "1990-06-15", "in": "e""#,
                [
                    #"{"open_picker":{"element_id":"e"}}"#,
                    #"{"pick":{"date":{"year":1990,"month":6,"day":15}}}"#, #"{"close_picker":{}}"#,
                ]
            ),
            (#""pick": "08:30""#, [#"{"pick":{"time":{"hour":8,"minute":30}}}"#]),
            (
                #""pick": "2024-02-29 23:59:58""#,
                [
                    #"{"pick":{"date":{"year":2024,"month":2,"day":29},"time":{"hour":23,"minute":59,"second":58}}}"#
                ]
            ),
            (#""close_picker": true"#, [#"{"close_picker":{}}"#]),
            (#""tap": "e""#, [#"{"tap_button":{"element_id":"e"}}"#]),
            (
                #""tap": "e", "option": "o""#,
                [#"{"tap_option":{"element_id":"e","option_id":"o"}}"#]
            ),
            (#""toggle": "e""#, [#"{"tap_toggle":{"element_id":"e"}}"#]),
            (#""link": "e", "index": 2"#, [#"{"tap_link":{"element_id":"e","link_index":2}}"#]),
            (
                #""select": "p", "in": "e""#,
                [#"{"select_product":{"element_id":"e","vendor_product_id":"p"}}"#]
            ),
            (#""tab": "t", "in": "e""#, [#"{"switch_tab":{"element_id":"e","tab_id":"t"}}"#]),
            (#""go_back": true"#, [#"{"go_back":{}}"#]),
            (#""tap_outside": true"#, [#"{"tap_outside":{}}"#]),
            (#""swipe_down": true"#, [#"{"dismiss_by_system":{}}"#]),
        ])
    func gestures(step: String, wanted: [String]) throws {
        guard case .gestures(let gestures) = try read(file("{\(step)}")).steps[0].action else {
            Issue.record("no gestures")
            return
        }
        #expect(gestures.map(\.compact) == wanted)
    }

    @Test(
        "spans have units",
        arguments: [
            ("5", 5), ("\"500ms\"", 500), ("\"2.5s\"", 2_500), ("\"3m\"", 180_000),
            ("\"1h\"", 3_600_000), ("\"2d\"", 172_800_000),
        ] as [(String, Int64)])
    func spans(text: String, ms: Int64) throws {
        guard case .advance(let found) = try read(file("{\"advance\": \(text)}")).steps[0].action
        else {
            Issue.record("no advance")
            return
        }
        #expect(found == ms)
    }

    @Test(
        "a fault of a step names line, path and what to do",
        arguments: [
            (#"{}"#, 4, "steps[0]", "a step has an action"),
            (#"{"tapp": "x"}"#, 4, "steps[0].tapp", "did you mean tap?"),
            (#"{"tap": "x", "focus": "y"}"#, 4, "steps[0]", "focus and tap"),
            (#"{"tap": 3}"#, 4, "steps[0].tap", "a number stands here, a text is wanted"),
            (#"{"tap": "x", "into": "y"}"#, 4, "steps[0].into", "there is no \"into\" here"),
            (#"{"select": "x"}"#, 4, "steps[0]", "select needs \"in\""),
            (#"{"blur": "x"}"#, 4, "steps[0].blur", "true is wanted"),
            (#"{"pick": "tomorrow"}"#, 4, "steps[0].pick", "a day (1990-06-15)"),
            (#"{"advance": "5x"}"#, 4, "steps[0].advance", "a span such as"),
            (#"{"call": "get_flw"}"#, 4, "steps[0].call", "did you mean get_flow?"),
            (#"{"call": "subscribe"}"#, 4, "steps[0].call", "this program's own"),
            (
                "{\"call\": \"get_flow\",\n\"with\": {\"placement\": \"x\"}}", 5, "steps[0].with",
                "there are placementId"
            ),
            (
                #"{"call": "get_flow", "with": {"placement_id": "$gone"}}"#, 4, "steps[0].with",
                "nothing before captures $gone"
            ),
            (
                #"{"call": "get_flow", "with": {"placement_id": "$any"}}"#, 4, "steps[0].with",
                "$any is for what is expected"
            ),
            (#"{"await": "x"}"#, 4, "steps[0].await", "no call before waits as \"later\": \"x\""),
            (#"{"answer": "yes"}"#, 4, "steps[0].answer", "{\"retry\": true}"),
            (#"{"on": "x", "tap": "y"}"#, 4, "steps[0].on", "no view \"x\""),
            (#"{"tap": "x", "reply": {}}"#, 4, "steps[0].reply", "only a call and an await"),
            (#"{"tap": "x", "expect": {}}"#, 4, "steps[0].expect", "a list or \"any\""),
            (
                #"{"tap": "x", "expect": ["flow_did_apear"]}"#, 4, "steps[0].expect[0]",
                "did you mean flow_did_appear?"
            ),
            (
                #"{"tap": "x", "expect": ["flow_screen_showed_x_y_z_1_2_3"]}"#, 4,
                "steps[0].expect[0]", "{\"analytic\": \"flow_screen_showed_x_y_z_1_2_3\"}"
            ),
            (
                "{\"tap\": \"x\", \"expect\": [\n{\"did_perform_action\": {\n\"kid\": \"close\"}}]}",
                6, "steps[0].expect[0].did_perform_action.kid", "did you mean kind?"
            ),
            (
                #"{"tap": "x", "expect": [{"did_perform_action": {"kind": "shut"}}]}"#, 4,
                "steps[0].expect[0].did_perform_action.kind", "one of close, open_url, custom"
            ),
            (
                #"{"tap": "x", "expect": [{"view_presented": {"placement_id": {"$capture": "1"}}}]}"#,
                4, "steps[0].expect[0].view_presented.placement_id", "{\"$capture\": \"name\"}"
            ),
            (
                #"{"tap": "x", "expect": [{"view_presented": {"placement_id": "$x"}}]}"#, 4,
                "steps[0].expect", "written with $$"
            ),
            (#"{"tap": "x", "error": {}}"#, 4, "steps[0].error", "one of both"),
            (
                #"{"tap": "x", "error": {"bridge": "NOT_FOUNDED"}}"#, 4, "steps[0].error.bridge",
                "did you mean NOT_FOUND?"
            ),
            (#"{"tap": "x", "error": {"sdk": "x"}}"#, 4, "steps[0].error.sdk", "such as 2002"),
            (
                #"{"tap": "x", "screen": {"elements": {"a": {"valu": 1}}}}"#, 4,
                "steps[0].screen.elements.a.valu", "did you mean value?"
            ),
            (
                #"{"tap": "x", "screen": {"screens": 1}}"#, 4, "steps[0].screen.screens",
                "there is no \"screens\""
            ),
            (
                #"{"tap": "x", "profile": {"profil_id": 1}}"#, 4, "steps[0].profile.profil_id",
                "did you mean profile_id?"
            ),
        ] as [(String, Int, String, String)])
    func stepFaults(step: String, line: Int, path: String, message: String) throws {
        let fault = try #require(self.fault(of: file(step)))
        #expect(fault.line == line)
        #expect(fault.path == path)
        #expect(fault.message.contains(message), "\(fault.message)")
    }

    @Test(
        "a fault around the steps names line, path and what to do",
        arguments: [
            ("[", 1, "", "not JSON at column 2"), ("[]", 1, "", "one object"),
            ("{}", 1, "name", "needs a name"),
            (#"{"name": "n"}"#, 1, "steps", "at least one step"),
            (#"{"name": "n", "stepps": []}"#, 1, "stepps", "did you mean steps?"),
            (
                "{\"name\": \"n\",\n\"device\": {\"local\": \"de\"}, \"steps\": [{\"advance\": 1}]}",
                2, "device", "there are device, locale"
            ),
            (
                #"{"name": "n", "conditions": {"offlin": true}, "steps": [{"advance": 1}]}"#, 1,
                "conditions", "offlin"
            ),
            (
                #"{"name": "n", "ignore": ["view_presentd"], "steps": [{"advance": 1}]}"#, 1,
                "ignore[0]", "did you mean view_presented?"
            ),
        ] as [(String, Int, String, String)])
    func fileFaults(text: String, line: Int, path: String, message: String) throws {
        let fault = try #require(self.fault(of: text))
        #expect(fault.line == line)
        #expect(fault.path == path)
        #expect(fault.message.contains(message), "\(fault.message)")
        #expect(fault.text("x.json").hasPrefix("x.json:\(line): "))
    }

    @Test("a name is known from the step that captures it on, and an await once")
    func order() throws {
        let steps = """
            {"call": "get_flow", "with": {"placement_id": "a"}, "later": "f"},
            {"await": "f", "reply": {"flow": {"variation_id": {"$capture": "v"}}}},
            {"call": "get_flow_configuration", "with": {"variation_id": "$v"}},
            {"show_flow": "a", "as": "one"}, {"on": "one", "tap": "x"},
            {"call": "dismiss", "with": {"view_id": "$one"}}
            """
        #expect(try read(file(steps)).steps.count == 6)
        let fault = try #require(self.fault(of: file(steps + ",\n{\"await\": \"f\"}")))
        #expect(fault.path == "steps[6].await")
    }

    private func fault(of text: String) -> ScenarioFault? {
        do throws(ScenarioFault) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }
}
