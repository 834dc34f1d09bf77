import CLinux
import Glibc

/// A broker that this program started for itself.
struct ChildBroker: Sendable {
    let pid: pid_t
    let socket: String

    /// Starts `flowbridged` on a private socket, with nothing kept on disk, and waits until it is
    /// ready. It ends with this program, however that ends.
    ///
    /// - Parameter catalog: a folder; nil: the built-in sample.
    /// - Throws: what it said when it ended instead, or that it was not ready in time.
    static func start(
        _ program: String, catalog: String?, timeout: Duration
    ) throws(Exit) -> ChildBroker {
        var words = [
            program, "--socket=auto", "--ephemeral", "--log-level", "error",
            "--exit-with-parent=\(getpid())",
        ]
        if let catalog { words += ["--catalog", catalog] }
        let log = try namelessFile()
        defer { fb_close(log) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .failure("pipe: \(errorText(errno))") }
        defer { fb_close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let pid = spawn(words, output: ends[1], log: log)
        fb_close(ends[1])
        guard pid > 0 else { throw .failure("\(program): \(errorText(-pid))") }
        if let socket = readySocket(ends[0], timeout) {
            return ChildBroker(pid: pid, socket: socket)
        }
        ChildBroker(pid: pid, socket: "").stop()
        let said = text(log)
        let reason = said.isEmpty ? "it was not ready within \(timeout.text)" : said
        throw .failure("\(program) did not start: \(reason)")
    }

    /// For what it says; gone with the last descriptor.
    private static func namelessFile() throws(Exit) -> Int32 {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((base + "/bridgectl-XXXXXX").utf8CString)
        let fd = mkstemp(&template)
        guard fd >= 0 else { throw .failure("\(base): no file for a log: \(errorText(errno))") }
        unlink(template)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        return fd
    }

    /// The beginning of what is in the file, without line ends behind it.
    private static func text(_ log: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = max(0, pread(log, &bytes, bytes.count, 0))
        var text = String(decoding: bytes[..<count], as: UTF8.self)[...]
        while text.last == "\n" { text = text.dropLast() }
        return String(text)
    }

    /// Ends it and waits for its end.
    func stop() {
        kill(pid, SIGTERM)
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    /// The program: as named, else beside this one, else on PATH.
    static func program(_ named: String?) throws(Exit) -> String {
        if let named {
            guard access(named, X_OK) == 0 else {
                throw .usage("--broker \(named): \(errorText(errno))")
            }
            return named
        }
        let own = FilePath.real("/proc/self/exe") ?? ""
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = [folder.joined(separator: "/")] + path.split(separator: ":").map(String.init)
        for folder in folders where access(folder + "/flowbridged", X_OK) == 0 {
            return folder + "/flowbridged"
        }
        throw .failure(
            "no flowbridged beside this program or on PATH; name one with --broker PATH, or a "
                + "running one with --socket PATH")
    }

    private static func spawn(_ words: [String], output: Int32, log: Int32) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, log, 2)
        var vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, words[0], &actions, nil, &vector, environ)
        return result == 0 ? pid : -result
    }

    /// The socket out of the line that says that it is ready; nil: it did not come in time, or the
    /// broker ended. What has come is read, however late it is looked at.
    static func readySocket(_ fd: Int32, _ timeout: Duration) -> String? {
        let due = fb_monotonic_ns() &+ UInt64(max(0, timeout / .nanoseconds(1)))
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while !line.contains(0x0A) {
            let now = fb_monotonic_ns()
            let waitMs = now < due ? Int32(clamping: (due - now) / 1_000_000 + 1) : 0
            var waiting = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, waitMs)
            if ready == 0, waitMs == 0 { return nil }
            if ready <= 0 { continue }
            guard fb_read(fd, &byte, 1) == 1 else { return nil }
            line.append(byte)
        }
        let ready = try? JSONTreeReader.read(String(decoding: line, as: UTF8.self))
        return ready?["ready"]?.bool == true ? ready?["socket"]?.text : nil
    }
}

/// The brokers of one run: one a catalog, started when it is first wanted.
actor BrokerFleet {
    private let program: String
    private let timeout: Duration
    private var brokers: [String: Result<ChildBroker, Exit>] = [:]

    init(program: String, timeout: Duration) {
        self.program = program
        self.timeout = timeout
    }

    /// The socket of a broker with the catalog of a scenario.
    func socket(for scenario: Scenario) throws(Exit) -> String {
        // Two scenarios may name the same device.
        let isAlone = scenario.needsOwnBroker || scenario.device["device"] != nil
        return try socket(
            catalog: scenario.catalog,
            key: (scenario.catalog ?? "") + (isAlone ? scenario.file : ""))
    }

    /// The socket of a broker with a catalog; nil: the sample. One a key.
    func socket(catalog: String?, key: String) throws(Exit) -> String {
        if let broker = brokers[key] { return try broker.get().socket }
        do throws(Exit) {
            let broker = try ChildBroker.start(program, catalog: catalog, timeout: timeout)
            brokers[key] = .success(broker)
            return broker.socket
        } catch {
            brokers[key] = .failure(error)
            throw error
        }
    }

    /// Ends all of them.
    func stop() {
        for broker in brokers.values { try? broker.get().stop() }
        brokers = [:]
    }
}
