import BridgeProtocol
import Foundation
import Testing

/// How far a client of the broker is when it goes without a word.
enum ClientStage: CaseIterable {
    case connected, inFrame, greeted, opened, subscribed, waiting, watching, unread, refused, faulty

    /// Brings a client there.
    func reach(_ client: TestClient, _ device: String) throws {
        let body: ClientFrame.Body = .getFlow(
            with(GetFlowRequest()) { $0.placementId = "onboarding" })
        switch self {
        case .connected: return
        case .inFrame: try client.wire.send(client.mode == .binary ? [0, 0] : Array("{\"id".utf8))
        case .greeted, .opened, .subscribed, .waiting, .watching, .unread, .refused, .faulty:
            if client.mode == .binary { try client.hello() } else { try client.expectServed() }
        }
        switch self {
        case .connected, .inFrame, .greeted: return
        case .opened: try client.openDevice(device)
        case .subscribed: try client.subscribe()
        case .waiting:
            try client.openDevice(device, manualAtMs: 0)
            try client.activate()
            try client.delay("get_flow", ms: 3_600_000)
            try client.send(body)
            try client.waitForPending(1)
        case .watching:
            try client.openDevice(device, manualAtMs: 0)
            try client.activate()
            try client.present(client.makeFlowView("onboarding"))
        case .unread: for _ in 0..<20 { try client.send(.describe(DescribeRequest())) }
        case .refused: try client.send(.hello(with(HelloRequest()) { $0.protocolMajor = 9 }))
        case .faulty: try client.wire.send(Array("\u{0}\u{FFFF}no frame\n".utf8))
        }
    }
}

@Suite("Clients of a broker that are killed")
struct BrokerKilledClientTests {
    /// How often each state is tried; `FLOWBRIDGE_CLIENT_KILLS=100` is the long form.
    static let rounds =
        ProcessInfo.processInfo.environment["FLOWBRIDGE_CLIENT_KILLS"].flatMap { Int($0) } ?? 5

    @Test(
        "row 20 row 21: in every state: its descriptor is free, its calls are gone, others are served",
        arguments: ClientStage.allCases, [WireMode.binary, .line])
    func killed(stage: ClientStage, mode: WireMode) throws {
        let daemon = try Daemon()
        let observer = try daemon.client(.line)
        try observer.expectServed()
        let base = try daemon.descriptors()
        for round in 0..<Self.rounds {
            try stage.reach(
                TestClient(wire: daemon.connect(), mode: mode), "phone-\(round)")
            try observer.wait { $0.connections.count == 1 }
        }
        // Descriptors close at the end of the wake-up that said so.
        try observer.expectServed()
        #expect(try daemon.descriptors() == base)
        #expect(try observer.status().connections.first?.pending.isEmpty == true)
        try daemon.client(mode).expectServed()
    }
}
