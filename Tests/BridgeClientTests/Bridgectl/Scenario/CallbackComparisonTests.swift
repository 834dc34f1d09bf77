import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl: the difference of two lists of callbacks")
struct CallbackComparisonTests {
    private func expected(_ callbacks: String) throws -> [ExpectedCallback] {
        let text = "{\"name\":\"n\",\"steps\":[{\"expect\":\(callbacks)}]}"
        return try #require(try ScenarioReader.read(text, file: "x").steps[0].callbacks)
    }

    private func screen(_ id: String) -> Event {
        with(Event()) {
            $0.kind = .didReceiveAnalyticEvent(
                with(DidReceiveAnalyticEvent()) {
                    $0.name = "flow_screen_showed"
                    $0.params = [
                        with(DidReceiveAnalyticEvent.ParamsEntry()) {
                            $0.key = "name"
                            $0.value.kind = .string("flow_screen_showed")
                        },
                        with(DidReceiveAnalyticEvent.ParamsEntry()) {
                            $0.key = "instanceId"
                            $0.value.kind = .string(id)
                        },
                    ]
                })
        }
    }

    private let appeared = with(Event()) { $0.kind = .flowDidAppear(FlowDidAppear()) }
    private let gone = with(Event()) { $0.kind = .flowDidDisappear(FlowDidDisappear()) }

    private func lines(_ callbacks: String, _ seen: [Event]) throws -> [String] {
        let comparison = CallbackComparison(
            expected: try expected(callbacks), seen: seen, captures: [:])
        return comparison.captured() == nil ? comparison.lines().map(\.signed) : []
    }

    @Test("equal lists have no difference")
    func equal() throws {
        let wanted =
            #"["flow_did_appear", {"analytic":"flow_screen_showed","params":{"instanceId":"a"}}]"#
        #expect(try lines(wanted, [appeared, screen("a")]).isEmpty)
        #expect(try lines("[]", []).isEmpty)
    }

    @Test("a missing one is marked -, an unexpected one +, what fits stands between")
    func moved() throws {
        #expect(
            try lines(#"["flow_did_appear", "flow_did_disappear"]"#, [gone, appeared]) == [
                "  - flow_did_appear", "    flow_did_disappear", "  + flow_did_appear",
            ])
        #expect(try lines("[]", [gone]) == ["  + flow_did_disappear"])
        #expect(try lines(#"["flow_did_appear"]"#, []) == ["  - flow_did_appear"])
    }

    @Test("two events of one kind are set against each other, and the member is named")
    func member() throws {
        let wanted =
            #"["flow_did_appear", {"analytic":"flow_screen_showed","params":{"instanceId":"b"}}]"#
        #expect(
            try lines(wanted, [appeared, gone, screen("a")]) == [
                "    flow_did_appear",
                #"  - analytic flow_screen_showed {"instanceId": "b"}"#,
                "  + flow_did_disappear",
                #"  + analytic flow_screen_showed {"instanceId": "a"}"#,
                #"      params.instanceId: expected "b", seen "a""#,
            ])
    }

    @Test("the event around a callback can be looked at")
    func around() throws {
        var event = appeared
        event.viewId = "V"
        event.timeMs = 5
        #expect(try lines(#"[{"flow_did_appear":{},"view_id":"V","time_ms":5}]"#, [event]).isEmpty)
        let wrong = try lines(#"[{"flow_did_appear":{},"time_ms":6}]"#, [event])
        #expect(wrong.last == "      time_ms: expected 6, seen 5")
    }
}
