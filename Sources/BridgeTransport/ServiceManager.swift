import CLinux
import Glibc

/// What the service manager is told about this process.
public enum ServiceState: Sendable, Equatable {
    /// It serves, after the start or a reload; the text is for people.
    case ready(String)
    /// SIGHUP came; `ready` follows.
    case reloading
    /// It is on its way out.
    case stopping(String)

    /// The lines of sd_notify(3).
    func message(nowNs: UInt64) -> String {
        switch self {
        case .ready(let status): "READY=1\nSTATUS=\(status)"
        case .reloading:
            "RELOADING=1\nMONOTONIC_USEC=\(nowNs / 1_000)\nSTATUS=reading the catalog"
        case .stopping(let status): "STOPPING=1\nSTATUS=\(status)"
        }
    }
}

/// The service manager that started this process, without its library: the sockets that it passed,
/// and where it wants to be told how things go. All of it may be missing.
///
/// Source: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3).
public final class ServiceManager {
    /// The sockets, in the order passed; they stay when this process ends.
    public let sockets: [Listener]
    private let notifySocket: String?
    private let watchdogUs: UInt64?
    private let send: (_ path: String, _ text: String) -> Int32

    /// The first descriptor that is passed.
    static let firstDescriptor: Int32 = 3

    /// Takes what the environment has for this process, and removes it there, so that no program
    /// started later takes it for its own.
    ///
    /// - Throws: when a passed descriptor is no listening stream socket of the Unix domain, and
    ///   when a variable makes no sense; both name what is wrong.
    public init(
        environment: ServiceEnvironment = ServiceEnvironment(),
        send: @escaping (_ path: String, _ text: String) -> Int32 = { fb_datagram_send($0, $1) }
    ) throws(TransportError) {
        defer { environment.removeAll() }
        self.send = send
        notifySocket = environment["NOTIFY_SOCKET"]
        watchdogUs = try Self.watchdog(environment)
        sockets = try Self.sockets(environment)
    }

    /// Tells a state; without a service manager nobody is told.
    ///
    /// Blocking: no. Returns why it could not be told.
    public func tell(_ state: ServiceState) -> TransportError? {
        tell(state.message(nowNs: fb_monotonic_ns()))
    }

    /// Says at half of the watchdog's span that the loop of these timers is alive: a loop that is
    /// stuck runs no timer.
    public func feedWatchdog(on timers: TimerQueue) {
        guard let watchdogUs else { return }
        _ = tell("WATCHDOG=1")
        timers.schedule(atNs: timers.nowNs + watchdogUs * 1_000 / 2) { [unowned self] in
            feedWatchdog(on: timers)
        }
    }

    private func tell(_ text: String) -> TransportError? {
        guard let notifySocket else { return nil }
        let result = send(notifySocket, text)
        return result < 0 ? TransportError(call: "notify", path: notifySocket, result: result) : nil
    }

    private static func watchdog(
        _ environment: ServiceEnvironment
    ) throws(TransportError) -> UInt64? {
        guard let span = environment["WATCHDOG_USEC"] else { return nil }
        if let pid = environment["WATCHDOG_PID"], pid != String(environment.pid) { return nil }
        guard let span = UInt64(span), (1...1_000_000_000_000).contains(span) else {
            throw TransportError(
                "WATCHDOG_USEC=\(span): microseconds from 1 to 1000000000000 are wanted",
                isConfiguration: true)
        }
        return span
    }

    private static func sockets(
        _ environment: ServiceEnvironment
    ) throws(TransportError) -> [Listener] {
        guard let text = environment["LISTEN_FDS"],
            environment["LISTEN_PID"] == String(environment.pid)
        else { return [] }
        guard let count = Int32(text), (0...Int32.max - firstDescriptor).contains(count) else {
            throw TransportError("LISTEN_FDS=\(text): a number is wanted", isConfiguration: true)
        }
        let names = environment["LISTEN_FDNAMES"]?.split(
            separator: ":", omittingEmptySubsequences: false)
        guard names == nil || names?.count == Int(count) else {
            throw TransportError(
                "LISTEN_FDNAMES has \(names?.count ?? 0) names for \(count) sockets",
                isConfiguration: true)
        }
        var sockets: [Listener] = []
        for place in 0..<count {
            let name = names.map { String($0[Int(place)]) } ?? "without a name"
            sockets.append(try Listener(passed: firstDescriptor + place, name: name))
        }
        return sockets
    }
}

/// The variables that service managers set.
public struct ServiceEnvironment {
    private let read: (String) -> String?
    private let remove: (String) -> Void
    let pid: Int32

    /// Those of this process, unless a test gives others.
    public init(
        pid: Int32 = getpid(), read: @escaping (String) -> String? = SocketPath.environment,
        remove: @escaping (String) -> Void = { unsetenv($0) }
    ) {
        self.pid = pid
        self.read = read
        self.remove = remove
    }

    /// nil for a missing variable and for an empty one.
    subscript(name: String) -> String? {
        read(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    static let names = [
        "LISTEN_FDS", "LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDNAMES", "NOTIFY_SOCKET",
        "WATCHDOG_USEC", "WATCHDOG_PID",
    ]

    func removeAll() {
        for name in Self.names { remove(name) }
    }
}

extension Listener {
    /// Takes a listening socket that the parent passed.
    ///
    /// - Throws: when it is anything else; the text names the descriptor and its name.
    convenience init(passed fd: Int32, name: String) throws(TransportError) {
        var bytes = [CChar](repeating: 0, count: Int(FB_SOCKET_NAME_BYTES))
        let isListening = fb_socket_is_listening(fd)
        guard isListening != 0, isListening != -EBADF else {
            throw TransportError(
                "descriptor \(fd) (\(name)) that the service manager passed is no listening stream "
                    + "socket of the Unix domain; look at ListenStream= of its socket unit",
                isConfiguration: true)
        }
        let results = [isListening, fb_socket_name(fd, &bytes), fb_keep_to_self(fd)]
        if let fault = results.first(where: { $0 < 0 }) {
            throw TransportError(
                "descriptor \(fd) (\(name)) that the service manager passed cannot be taken over: "
                    + errorText(fault), isConfiguration: false)
        }
        let path = String(
            decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.init(fd: fd, lock: -1, path: try SocketPath(path), isPassed: true)
    }
}
