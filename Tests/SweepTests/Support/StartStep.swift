import BridgeCatalog
import BridgeStore
import CLinux
import CSystemFaults
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

/// Why a step of a start was not done.
struct StepRefusal {
    let text: String
    /// The broker says that starting again cannot help (exit code 78).
    var isLasting = false
}

/// A step of a broker's start, alone, while a system call fails.
struct StartStep: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Does it once, in an empty folder; what is wrong besides goes to the list.
    let run: @Sendable (_ folder: String, _ faults: inout [String]) -> StepRefusal?
    /// Soft failures that it may tell: it never waits, or has no second try.
    var tells: [fb_fault_kind] = []
    /// Whose failure leaves something where it was, and nothing can be done about it.
    var leaves: [String] = []

    static let all = [
        catalog, privateSocket, passedSocket, notify, parent, signals, output, storePath,
    ]

    /// A folder of a catalog is read whole, or refused.
    static let catalog = StartStep("the catalog's folder", tells: [FB_FAULT_EAGAIN]) { _, faults in
        let report = CatalogLoader.load(folder: exampleCatalog)
        guard let catalog = report.catalog else {
            return StepRefusal(text: report.errors.map(\.description).joined(separator: "; "))
        }
        let found = [catalog.placements.count, catalog.flows.count, catalog.onboardings.count]
        if found != wholeCatalog { faults.append("a catalog of \(found), not of \(wholeCatalog)") }
        return nil
    }

    private static let exampleCatalog = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../examples/catalog").standardized.path

    private static let wholeCatalog: [Int] = {
        guard let catalog = CatalogLoader.load(folder: exampleCatalog).catalog else { return [] }
        return [catalog.placements.count, catalog.flows.count, catalog.onboardings.count]
    }()

    /// `--socket auto`: nothing stays, also when it comes to nothing.
    static let privateSocket = StartStep(
        "a private socket", leaves: ["lstat", "unlink", "rmdir"]
    ) { folder, _ in
        attempt { () throws(TransportError) in
            let listener = try Listener.openPrivate { name in
                ["XDG_RUNTIME_DIR", "TMPDIR"].contains(name) ? folder : nil
            }
            withExtendedLifetime(listener) {}
        }
    }

    /// A socket of the service manager's, which stays open when it cannot be taken over.
    static let passedSocket = StartStep("a passed socket") { folder, faults in
        let fd = Linux.listen(folder + "/p")
        defer { unlink(folder + "/p") }
        let refusal = attempt { () throws(TransportError) in
            let listener = try Listener(passed: fd, name: "web")
            withExtendedLifetime(listener) {}
        }
        let isOpen = fcntl(fd, F_GETFD) >= 0
        if isOpen != (refusal != nil) { faults.append("open: \(isOpen)") }
        if isOpen { close(fd) }
        return refusal
    }

    /// What the service manager is told comes whole.
    static let notify = StartStep("READY=1", tells: [FB_FAULT_EAGAIN]) { folder, faults in
        let fd = Linux.receive(folder + "/n")
        defer {
            close(fd)
            unlink(folder + "/n")
        }
        let result = fb_datagram_send(folder + "/n", "READY=1")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = recv(fd, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if result < 0 { return StepRefusal(text: errorText(result)) }
        if bytes.prefix(max(count, 0)) != Array("READY=1".utf8)[...] { faults.append("untold") }
        return nil
    }

    /// `--exit-with-parent`.
    static let parent = StartStep("the parent's end") { _, _ in
        attempt { () throws(TransportError) in
            let parent = try ParentProcess()
            withExtendedLifetime(parent) {}
        }
    }

    /// SIGTERM is read, however it is disturbed.
    static let signals = StartStep("signals", tells: [FB_FAULT_EAGAIN]) { _, faults in
        let fd = fb_signal_descriptor()
        guard fd >= 0 else { return StepRefusal(text: errorText(fd)) }
        defer { fb_close(fd) }
        pthread_kill(pthread_self(), SIGTERM)
        let number = fb_signal_next(fd)
        return number == SIGTERM ? nil : StepRefusal(text: "\(number) was read")
    }

    /// The line that says that it is ready, or of the log, comes whole.
    static let output = StartStep("a line of output", tells: [FB_FAULT_EAGAIN]) { _, faults in
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        defer { for end in ends { close(end) } }
        let line = Array("{\"ready\":true}\n".utf8)
        let result = fb_write_all(ends[1], line, line.count)
        if result < 0 { return StepRefusal(text: errorText(result)) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(ends[0], &bytes, bytes.count)
        if Array(bytes.prefix(max(count, 0))) != line { faults.append("\(count) bytes came") }
        return nil
    }

    /// The store's standard place, made or found.
    static let storePath = StartStep("the store's folder") { folder, faults in
        do throws(StoreFault) {
            let path = try StorePath.standard { $0 == "XDG_STATE_HOME" ? folder + "/a" : nil }
            if path != folder + "/a/flowbridge/store.db" { faults.append(path) }
            return nil
        } catch {
            return StepRefusal(text: error.message)
        }
    }

    private init(
        _ description: String, tells: [fb_fault_kind] = [], leaves: [String] = [],
        run: @escaping @Sendable (_ folder: String, _ faults: inout [String]) -> StepRefusal?
    ) {
        (testDescription, self.tells, self.leaves) = (description, tells, leaves)
        self.run = run
    }

    private static func attempt(_ work: () throws(TransportError) -> Void) -> StepRefusal? {
        do throws(TransportError) {
            try work()
            return nil
        } catch {
            return StepRefusal(text: error.description, isLasting: error.isConfiguration)
        }
    }
}

/// Sockets that no table of faults is under.
private enum Linux {
    static func listen(_ path: String) -> Int32 {
        let fd = bound(path, SOCK_STREAM)
        Glibc.listen(fd, 8)
        return fd
    }

    static func receive(_ path: String) -> Int32 { bound(path, SOCK_DGRAM) }

    private static func bound(_ path: String, _ type: __socket_type) -> Int32 {
        let fd = socket(AF_UNIX, Int32(type.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return fd
    }
}
