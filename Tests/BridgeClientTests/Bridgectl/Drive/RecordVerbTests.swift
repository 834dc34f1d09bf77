import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("bridgectl: record", .shared)
struct RecordVerbTests {
    private let folder = PrivateFolder()
    private let broker: ChildBroker

    init() throws {
        broker = try ChildBroker.start(
            try ChildBroker.program(nil), catalog: nil, timeout: .seconds(20))
    }

    /// A recorder that watches already.
    private func recorder(_ file: String) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bridgectl.path)
        process.arguments = ["record", "-d", "phone", "-o", file, "-s", broker.socket]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        var said = ""
        while !said.contains("recording phone") {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            said += String(decoding: data, as: UTF8.self)
        }
        #expect(said.contains("Ctrl-C ends it"), "\(said)")
        return (process, errors)
    }

    private func connect() async throws -> BridgeClient {
        let client = try await BridgeClient.connect(path: broker.socket, clientName: "app")
        try await client.openDevice(with(OpenDeviceRequest()) { $0.device = "phone" })
        return client
    }

    private func show(_ client: BridgeClient, _ placement: String) async throws -> String {
        let flow = try await client.getFlow(placementId: placement)
        let configuration = try await client.getFlowConfiguration(of: flow)
        let view = try await client.createFlowController(
            configurationId: configuration.configurationId)
        try await client.present(viewId: view)
        return view
    }

    @Test("what another client does becomes a scenario that passes run at once")
    func session() async throws {
        defer { broker.stop() }
        let file = folder.file("session.json")
        let (process, _) = try recorder(file)
        let client = try await connect()
        try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_app" })
        let view = try await show(client, "onboarding")
        for gesture in [PerformRequest.Gesture].typing("Jane", into: "name") {
            try await client.perform(gesture, on: view)
        }
        let refused = await #expect(throws: BridgeError.self) {
            try await client.perform(.tap("nothing", option: "x"), on: view)
        }
        #expect(refused?.code == .notFound)
        try await client.dismiss(viewId: view)
        try await wait(client)
        try await client.updateProfile(
            with(UpdateProfileRequest()) {
                $0.firstName = "Jane"
                $0.customAttributes = [
                    with(CustomAttribute()) {
                        $0.key = "level"
                        $0.change = .double(3)
                    }
                ]
            })
        _ = try await client.getScreenOrNothing(view)
        try await client.closeDevice(with(CloseDeviceRequest()) { $0.device = "phone" })
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(#""activate": false"#))
        #expect(text.contains(#""show_flow": "onboarding""#), "\(text)")
        #expect(text.contains(#""type": "Jane""#))
        #expect(text.contains(#""error": {"bridge": "NOT_FOUND"}"#))
        #expect(text.contains(#""later": "get_flow_1""#))
        #expect(!text.contains("get_screen") && !text.contains("open_device"))
        let played = try await Bridgectl.run(["run", file])
        #expect(played.code == 0, "\(played.output)\n\(text)")
    }

    /// A call that waits for the clock of the device.
    private func wait(_ client: BridgeClient) async throws {
        try await client.setConditions(
            with(SetConditionsRequest()) {
                $0.calls = [
                    with(CallCondition()) {
                        $0.method = "get_flow"
                        $0.latencyMs = 1_500
                        $0.calls = 1
                    }
                ]
            })
        async let flow = client.getFlow(placementId: "premium_offer_1")
        while try await client.status().connections.allSatisfy(\.pending.isEmpty) {}
        try await client.advanceClock(with(AdvanceClockRequest()) { $0.byMs = 1_500 })
        #expect(try await flow.variationId == "var_premium_offer")
    }

    @Test("an interrupted recording is written; a device that was there is refused")
    func interrupted() async throws {
        defer { broker.stop() }
        let file = folder.file("short.json")
        let (process, _) = try recorder(file)
        let client = try await connect()
        try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_app" })
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        let played = try await Bridgectl.run(["run", file])
        #expect(played.code == 0, "\(played.output)")
        let again = try await Bridgectl.run(
            ["record", "-d", "phone", "-o", file, "-s", broker.socket])
        #expect(again.code == 64 + 5)
        #expect(again.errors.contains("was there before"))
        for words in [["record", "-d", "x"], ["record", "-o", "x"]] {
            #expect(try await Bridgectl.run(words, socket: broker.socket).code == 2)
        }
    }
}

extension BridgeClient {
    /// Looks at a view that may be gone.
    fileprivate func getScreenOrNothing(_ view: String) async throws -> GetScreenReply? {
        try? await getScreen(viewId: view)
    }
}
