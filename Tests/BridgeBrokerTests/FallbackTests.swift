import BridgeProtocol
import Foundation
import Testing

@Suite("Fallback files through the wire")
struct FallbackTests {
    private let folder: FallbackFolder

    init() throws {
        folder = try FallbackFolder()
    }

    private func start(_ wire: Wire, _ limits: Limits = Limits()) throws -> TestBroker {
        TestBroker.start(wire, TestSetup(limits: limits, catalog: TestCatalogs.quiz))
    }

    private func phone(
        _ broker: TestBroker, _ wire: Wire, _ name: String = "phone", atMs: Int64 = 0
    ) throws -> TestClient {
        let client = try broker.client(wire.mode)
        try client.openDevice(name, manualAtMs: atMs)
        return client
    }

    private func set(_ path: String) -> ClientFrame.Body {
        .setFallback(with(SetFallbackRequest()) { $0.source = .path(path) })
    }

    private func set(content: String) -> ClientFrame.Body {
        .setFallback(with(SetFallbackRequest()) { $0.source = .content(Array(content.utf8)) })
    }

    private let main = FallbackFolder.text(
        [("main", "var_file", "file_v1")], documents: [("file_v1", FallbackFolder.document)])

    @Test(
        "UC-51 PL-70 PL-74 FC-8 the first start without network: the flow of the file, and its view",
        arguments: Wire.allCases)
    func firstStart(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.subscribe()
        _ = client.takeEvents()
        try client.call(set(try folder.write(main)))
        try client.setOffline(true)
        try client.activate()
        #expect(client.takeEvents().isEmpty, "no callback yet")
        let fetch = try client.send(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "main" }))
        try client.advance(ms: 4_499)
        #expect(try client.status().connections.flatMap(\.pending).count == 1)
        try client.advance(ms: 1)
        guard case .getFlow(let got) = try client.answer(to: fetch), let flow = got.flow else {
            throw Unexpected("no flow")
        }
        #expect(flow.variationId == "var_file")
        #expect(flow.hasViewConfiguration)
        let configured = try client.call(
            .getFlowConfiguration(
                with(GetFlowConfigurationRequest()) {
                    $0.variationId = flow.variationId
                    $0.locale = "de"
                }))
        guard case .getFlowConfiguration(let configuration) = configured else {
            throw Unexpected(configured)
        }
        #expect(configuration.id == "file_v1")
        #expect(configuration.locale == "en", "FC-9")
        let view = try client.createFlowView(configuration.configurationId)
        try client.present(view)
        #expect(try client.screen(view).screens.map(\.screenId) == ["scr_file"])
        try client.tapButton(view, "close")
        _ = client.takeEvents()
        try client.setOffline(false)
        try client.advance(ms: 100)
        guard case .didLoadLatestProfile? = client.takeEvents().first?.kind else {
            throw Unexpected("no profile")
        }
        #expect(try client.getFlow("main").variationId == "var_flow_all", "targeted content")
    }

    @Test("PL-70 pipelined, a fetch behind the file waits for it", arguments: Wire.allCases)
    func pipelined(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        try client.setOffline(true)
        let path = try folder.write(main)
        let file = try client.send(set(path))
        let fetch = try client.send(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "main" }))
        _ = try client.answer(to: file)
        guard case .getFlow(let got) = try client.answer(to: fetch) else {
            throw Unexpected("no flow")
        }
        #expect(got.flow?.variationId == "var_file")
    }

    @Test(
        "PL-72 PL-73 field case 13 a refused file: its code, and the former one stays in force",
        arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        try client.call(set(try folder.write(main)))
        let builder = String(repeating: "x", count: 1_500_000 / 7)
        let older = (1...7).map { "\"p\($0)\":{\"data\":[{\"paywall_builder\":\"\(builder)\"}]}" }
        let olderFile = try folder.write(
            "{\"data\":{\(older.joined(separator: ","))},\"meta\":{\"version\":9,"
                + "\"response_created_at\":1}}", "older.json")
        let cases: [(ClientFrame.Body, Int32, String)] = [
            (set(olderFile), 2006, "meta.version is 9, 10 is read here"),
            (
                set(content: #"{"meta":{"version":11,"response_created_at":1}}"#), 2006,
                "newer SDK"
            ),
            (set("fallback.json"), 3001, "absolute path"),
            (set("https://example.com/f.json"), 3001, "absolute path"), (set(""), 3001, "local"),
            (set(folder.path), 2006, "no regular file"),
            (set(folder.path + "/none.json"), 2006, "cannot read"),
            (set(content: "{\"meta\":"), 2006, "line 1"), (set(content: "{}"), 2006, "meta"),
            (set(content: ""), 2006, "line 1"),
        ]
        for (body, code, says) in cases {
            let error = try client.refusal(body)
            #expect(error.sdk?.code == code)
            #expect(!error.isRetryable)
            #expect(error.message.contains(says), "\(error.message)")
        }
        let nothing = try client.refusal(.setFallback(SetFallbackRequest()))
        #expect(nothing.code == .invalidArgument)
        try client.setOffline(true)
        #expect(try client.getFlow("main").variationId == "var_file")
    }

    @Test(
        "PL-55 PL-74 PL-75 field case 15 a real file without placements: set, and 2005 offline",
        arguments: Wire.allCases)
    func empty(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        try client.setOffline(true)
        for ids in [#","developer_ids":[]"#, "", #","developer_ids":["main"]"#] {
            let meta = "{\"version\":10,\"response_created_at\":1779548581818\(ids)}"
            try client.call(set(content: "{\"data\":{},\"meta\":\(meta)}"))
            let error = try client.refusal(
                .getFlow(with(GetFlowRequest()) { $0.placementId = "main" }))
            #expect(error.sdk?.code == 2005)
        }
    }

    @Test(
        "PL-46 PL-55 PL-77 field case 25 the newer one of cache and file", arguments: Wire.allCases)
    func newer(wire: Wire) throws {
        let client = try phone(try start(wire), wire, atMs: 1_000)
        try client.activate()
        #expect(try client.getFlow("main").variationId == "var_flow_all")
        for (createdAt, expected) in [(2_000, "var_file"), (500, "var_flow_all")] {
            let meta = "{\"version\":10,\"response_created_at\":\(createdAt)}"
            let text = FallbackFolder.text([("main", "var_file", "file_v1")], meta: meta)
            try client.call(set(content: text))
            try client.setOffline(true)
            #expect(try client.getFlow("main").variationId == expected)
        }
        try client.call(
            set(content: FallbackFolder.text([("main", "var_file", "file_v1")])))
        try client.setOffline(false)
        try client.advance(ms: 2_000)
        #expect(try client.getFlow("main").variationId == "var_flow_all")
        try client.setOffline(true)
        #expect(try client.getFlow("main").variationId == "var_flow_all", "fetched at 3 000")
    }

    @Test(
        "PL-76 placement IDs with a slash, a tilde and other letters", arguments: Wire.allCases)
    func anyID(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        let ids = ["a/b", "a~1b", "người", "e\u{301}"]
        try client.call(set(content: FallbackFolder.text(ids.map { ($0, "var_\($0)", "v") })))
        for id in ids {
            #expect(try client.getFlow(id).variationId.utf8.elementsEqual("var_\(id)".utf8))
        }
        let other = ClientFrame.Body.getFlow(with(GetFlowRequest()) { $0.placementId = "\u{e9}" })
        #expect(try client.refusal(other).sdk?.code == 2003)
    }

    @Test(
        "FC-7 FC-8 documents of a file that cannot be shown are 2006", arguments: Wire.allCases)
    func documents(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        try client.setOffline(true)
        let text = FallbackFolder.text(
            [("twice", "v1", "double"), ("real", "v2", "foreign"), ("gone", "v3", "absent")],
            documents: [
                ("double", #"{"locales":["en","en"],"screens":[{"id":"s"}]}"#),
                ("foreign", #"{"format":"5.0.0","screens":{}}"#),
            ])
        try client.call(set(content: text))
        for (placement, code, says) in [
            ("twice", 2006, "FC-7"), ("real", 2006, "builder"), ("gone", 2005, "network"),
        ] as [(String, Int32, String)] {
            let flow = try client.getFlow(placement)
            #expect(flow.hasViewConfiguration)
            let error = try client.refusal(
                .getFlowConfiguration(
                    with(GetFlowConfigurationRequest()) { $0.variationId = flow.variationId }))
            #expect(error.sdk?.code == code)
            #expect(error.message.contains(says), "\(error.message)")
        }
    }

    @Test(
        "fallbackFileBytesMax: as many bytes as allowed; devices with the same file share it",
        arguments: Wire.allCases)
    func bytesMax(wire: Wire) throws {
        let texts = ["a", "b", "c"].map { FallbackFolder.text([($0, "var_\($0)", "v")]) }
        var limits = Limits()
        limits.fallbackFileBytesMax = UInt64(texts[0].utf8.count * 2)
        let broker = try start(wire, limits)
        let devices = try (1...4).map { try phone(broker, wire, "phone\($0)") }
        try devices[0].call(set(content: texts[0]))
        try devices[1].call(set(content: texts[0]))
        try devices[2].call(set(content: texts[1]))
        let error = try devices[3].refusal(set(content: texts[2]))
        #expect(error.code == .limitExceeded)
        #expect(error.message.contains("fallbackFileBytesMax"))
        try devices[2].call(.closeDevice(with(CloseDeviceRequest()) { $0.device = "phone3" }))
        try devices[3].call(set(content: texts[2]))
    }

    @Test("GEN-11 PL-70 each process of an app sets its own file", arguments: Wire.allCases)
    func restarted(wire: Wire) throws {
        let client = try phone(try start(wire), wire)
        try client.activate()
        try client.call(set(content: main))
        try client.call(.closeDevice(with(CloseDeviceRequest()) { $0.device = "phone" }))
        try client.openDevice("phone")
        try client.activate()
        try client.setOffline(true)
        let fetch = ClientFrame.Body.getFlow(with(GetFlowRequest()) { $0.placementId = "main" })
        #expect(try client.refusal(fetch).sdk?.code == 2005)
    }

    @Test(
        "PL-70 ID-34 a file does not activate the device that activates itself",
        arguments: Wire.allCases)
    func defaultDevice(wire: Wire) throws {
        let client = try start(wire).client(wire.mode)
        try client.call(set(content: main))
        guard
            case .listDevices(let listed) = try client.call(.listDevices(ListDevicesRequest()))
        else { throw Unexpected("no list") }
        #expect(listed.devices.map(\.activated) == [false])
    }
}
