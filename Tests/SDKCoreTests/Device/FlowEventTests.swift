import FlowEngine
import Testing

@testable import SDKCore

/// What the backend hears of a flow's own events (NAV-15, NAV-16).
struct FlowEventTests {
    private func bench(_ params: [String: ParamValue]) throws -> (Bench, ViewID) {
        let button = Samples.button("send", [.sendEvent(name: "plan_seen", params: params)])
        let content = FlowContent(
            id: "own-v1", screens: [ScreenDocument(id: "scr", elements: [button])])
        var bench = Bench(
            catalog: Catalog(
                placements: [
                    PlacementDocument(
                        id: "main", type: .flow,
                        audiences: [
                            Samples.audience(
                                "All", versionID: "pav", isAllUsers: true,
                                variations: [Samples.variation("v", version: "own-v1")])
                        ])
                ], flows: ["own-v1": content], onboardings: [:], products: [:]))
        let view = try bench.createFlow()
        _ = try bench.present(view)
        return (bench, view)
    }

    @Test(
        "NAV-15 NAV-16 a flow's own event is a flow_event of its name, without the reserved keys",
        arguments: [
            (
                ["instanceId": .string("scr_b"), "isCustomerEvent": .bool(true), "n": .integer(3)],
                ["screen_id": .string("scr_b"), "n": .integer(3)]
            ),
            (
                ["name": .string("other"), "isBackendEvent": .bool(true), "x": .bool(false)],
                ["x": .bool(false)]
            ),
            (
                ["screen_id": .string("a"), "instanceId": .string("b")],
                ["screen_id": .string("a")]
            ),
        ] as [([String: ParamValue], [String: ParamValue])])
    func form(params: [String: ParamValue], told: [String: ParamValue]) throws {
        var (bench, view) = try bench(params)
        _ = try bench.perform(.tapButton("send"), on: view)
        let event = try #require(bench.backend.events(limit: 10).last?.event)
        var expected = told
        expected["event_type"] = .string("plan_seen")
        expected["variation_id"] = .string("v")
        expected["flow_version_id"] = .string("own-v1")
        #expect(event == BackendEvent(name: "flow_event", properties: expected))
    }

    @Test("NAV-15 an event that is not for the backend is not told to it")
    func notForBackend() throws {
        var (bench, view) = try bench(["isBackendEvent": .bool(false)])
        let before = bench.backend.events(limit: 10).count
        #expect(try bench.perform(.tapButton("send"), on: view) == [])
        #expect(bench.backend.events(limit: 10).count == before)
    }
}
