import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeTransport
import CLinux
import Foundation

@testable import BridgeClient

/// A real broker with the sample catalog, on a thread and a socket of its own.
final class LiveBroker: Sendable {
    let path: String
    private let folder = PrivateFolder()
    private let stopSignal: Int32
    private let ended = Gate()

    init(limits: Limits = Limits()) {
        path = folder.file("s")
        stopSignal = fb_event_create()
        let ready = Gate()
        let (path, stopSignal, ended) = (path, stopSignal, ended)
        Thread.detachNewThread {
            Self.serve(path, limits, stopSignal, ready)
            ended.open()
        }
        ready.wait()
    }

    deinit {
        stop()
        fb_close(stopSignal)
    }

    /// Ends the broker at once, whatever waits; returns when it is gone.
    func stop() {
        fb_event_signal(stopSignal)
        ended.wait()
        ended.open()
    }

    func client(_ change: (inout ClientOptions) -> Void = { _ in }) async throws -> BridgeClient {
        var options = ClientOptions(clientName: "test")
        change(&options)
        return try await BridgeClient.connect(path: path, options: options)
    }

    private static func serve(_ path: String, _ limits: Limits, _ stopSignal: Int32, _ ready: Gate)
    {
        do {
            guard let catalog = CatalogLoader.sample().catalog else {
                preconditionFailure("the sample catalog has faults")
            }
            let configuration = BrokerConfiguration(
                limits: limits, catalog: catalog, catalogName: "sample", socketPath: path)
            let server = try Server(
                configuration: configuration, access: AccessRule(),
                log: Log(level: .error, write: { _ in }))
            try server.loop.addSource(fd: stopSignal) { [unowned loop = server.loop] in
                fb_event_clear(stopSignal)
                loop.stop()
                loop.stop()
            }
            try server.loop.serve(Listener.open(at: SocketPath(path)))
            ready.open()
            server.loop.run()
        } catch {
            preconditionFailure("the test broker did not start: \(error)")
        }
    }
}

extension BridgeClient {
    /// Fetches, makes and presents the flow of a placement; returns the view's id.
    func showFlow(_ placement: String = "onboarding") async throws(BridgeError) -> String {
        let flow = try await getFlow(placementId: placement)
        let configuration = try await getFlowConfiguration(of: flow)
        let view = try await createFlowController(configurationId: configuration.configurationId)
        try await present(viewId: view)
        return view
    }

    /// Opens a device whose clock stands still, and activates the SDK on it.
    func openManualDevice(_ name: String = "test") async throws(BridgeError) {
        let request = with(OpenDeviceRequest()) {
            $0.device = name
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = 1_750_000_000_000
            }
        }
        try await openDevice(request)
        try await activate(with(ActivateRequest()) { $0.apiKey = "public_live_test" })
    }
}
