import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeTransport
import CLinux
import Foundation

/// A real broker on a socket and a thread of its own.
///
/// Its thread exists before the test goes on: faults that a test has in its own threads do not
/// reach it.
package final class LiveBroker: Sendable {
    /// Serves with a loop until the end of the broker.
    package typealias Serving = (EventLoop) throws -> Void

    /// Where it listens.
    package let path: String
    private let folder = PrivateFolder()
    private let stopSignal: Int32
    private let ended = DispatchSemaphore(value: 0)

    /// Starts one with the sample catalog and the host's clock that keeps all in memory.
    package convenience init(limits: Limits = Limits()) {
        self.init { path, serve in
            guard let catalog = CatalogLoader.sample().catalog else {
                preconditionFailure("the sample catalog has faults")
            }
            let server = try Server(
                configuration: BrokerConfiguration(
                    limits: limits, catalog: catalog, catalogName: "sample", socketPath: path),
                access: AccessRule(), log: Log(level: .error, write: { _ in }))
            try serve(server.loop)
        }
    }

    /// Starts what a test makes.
    ///
    /// - Parameter run: called once, on the broker's thread, with the path of the socket; makes a
    ///   loop, serves with it and cleans up.
    package init(_ run: @escaping @Sendable (_ path: String, _ serve: Serving) throws -> Void) {
        path = folder.file("s")
        stopSignal = fb_event_create()
        let ready = DispatchSemaphore(value: 0)
        let (path, stopSignal, ended) = (path, stopSignal, ended)
        Thread.detachNewThread {
            do {
                try run(path) { loop in
                    try Self.listen(loop, path, stopSignal)
                    ready.signal()
                    loop.run()
                }
            } catch {
                preconditionFailure("the test broker did not start: \(error)")
            }
            ended.signal()
        }
        ready.wait()
    }

    deinit {
        stop()
        fb_close(stopSignal)
    }

    /// Ends the broker at once, whatever waits; returns when it is gone. Idempotent.
    package func stop() {
        fb_event_signal(stopSignal)
        ended.wait()
        ended.signal()
    }

    private static func listen(_ loop: EventLoop, _ path: String, _ stopSignal: Int32) throws {
        try loop.addSource(fd: stopSignal) { [unowned loop] in
            fb_event_clear(stopSignal)
            // The second ends the grace.
            loop.stop()
            loop.stop()
        }
        try loop.serve(Listener.open(at: SocketPath(path)))
    }
}
