import CLinux
import Foundation
import Glibc

/// Stands in for systemd: holds a listening socket and the one for notices, and starts brokers.
final class ServiceBroker {
    let folder = Daemon.makeFolder()
    let sockets: [String]
    private let listening: [Int32]
    private let notices: Int32
    private var pid: Int32 = 0

    init(sockets names: [String] = ["s"]) {
        let folder = folder
        sockets = names.map { $0.hasPrefix("@") ? $0 : "\(folder)/\($0)" }
        // Far from the descriptors that they get in the broker.
        listening = sockets.map { path in
            let fd = fb_socket_listen(path, 4_096)
            defer { fb_close(fd) }
            return fcntl(fd, F_DUPFD_CLOEXEC, 200)
        }
        notices = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: "\(folder)/notify".utf8)
        }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(notices, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit {
        if pid > 0 {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        for fd in listening + [notices] { fb_close(fd) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts a broker with the sockets as descriptors 3 and up. Its log is in `log`.
    func start(
        _ arguments: [String] = ["--ephemeral"], environment: [String: String] = [:],
        names: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, fd) in listening.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, fd, Int32(3 + place))
        }
        let log = open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { fb_close(log) }
        for stream in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, log, stream) }
        // Only the process itself knows its pid; a shell becomes it.
        let words =
            [
                "/bin/sh", "-c", "LISTEN_PID=$$ exec \"$0\" \"$@\"", Daemon.program.path,
            ] + arguments
        var variables = [
            "LISTEN_FDS": String(listening.count), "NOTIFY_SOCKET": folder + "/notify",
            "PATH": "/usr/bin:/bin",
        ]
        if let names { variables["LISTEN_FDNAMES"] = names }
        variables.merge(environment) { $1 }
        let vector = words.map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in vector + settings { free(text) } }
        guard posix_spawn(&pid, "/bin/sh", &actions, nil, vector, settings) == 0 else {
            throw TestTimeout()
        }
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// The exit code of the broker's end.
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        pid = 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// The next notice, by its keys.
    func notice() throws -> [String: String] {
        var state = pollfd(fd: notices, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, sharedTimeoutMs) > 0 else { throw TestTimeout() }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = max(0, fb_read(notices, &bytes, bytes.count))
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), String(parts.last ?? ""))
            }, uniquingKeysWith: { $1 })
    }

    /// Reads notices until one has the key.
    func notice(_ key: String) throws -> [String: String] {
        while true {
            let notice = try notice()
            if notice[key] != nil { return notice }
        }
    }

    var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }
}
