import BridgeBroker
import BridgeProtocol
import BridgeTransport
import CLinux
import Dispatch
import Foundation

/// A real broker with the sample catalog on a socket and a thread of its own, which no fault of
/// other threads reaches.
final class ThreadBroker: Sendable {
    let path: String
    private let stopSignal: Int32
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to serve in a folder.
    init(folder: String) {
        path = folder + "/b"
        stopSignal = fb_event_create()
        let ready = DispatchSemaphore(value: 0)
        let (path, stopSignal, ended) = (path, stopSignal, ended)
        Thread.detachNewThread {
            Self.serve(path, stopSignal, ready)
            ended.signal()
        }
        ready.wait()
    }

    deinit {
        fb_event_signal(stopSignal)
        ended.wait()
        fb_close(stopSignal)
    }

    private static func serve(_ path: String, _ stopSignal: Int32, _ ready: DispatchSemaphore) {
        do {
            guard let catalog = Conversation.catalog else {
                preconditionFailure("the sample catalog has faults")
            }
            let server = try Server(
                configuration: BrokerConfiguration(
                    catalog: catalog, catalogName: "sample", socketPath: path),
                access: AccessRule(), log: Log(level: .error, write: { _ in }))
            try server.loop.addSource(fd: stopSignal) { [unowned loop = server.loop] in
                fb_event_clear(stopSignal)
                loop.stop()
                loop.stop()
            }
            try server.loop.serve(Listener.open(at: SocketPath(path)))
            ready.signal()
            server.loop.run()
        } catch {
            preconditionFailure("the broker did not start: \(error)")
        }
    }
}
