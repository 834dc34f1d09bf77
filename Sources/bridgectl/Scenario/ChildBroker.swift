import CLinux
import Glibc

/// A broker that this program started for itself.
struct ChildBroker: Sendable {
    let pid: pid_t
    let socket: String

    /// Starts `flowbridged` on a socket in a folder, with nothing kept on disk, and waits until it
    /// is ready.
    ///
    /// - Parameter catalog: a folder; nil: the built-in sample.
    /// - Throws: what it said when it ended instead, or that it was not ready in time.
    static func start(
        _ program: String, socket: String, catalog: String?, timeout: Duration
    ) throws(Exit) -> ChildBroker {
        let log = socket + ".log"
        var words = [
            program, "--socket", socket, "--ephemeral", "--log-level", "error",
            "--exit-with-parent",
        ]
        if let catalog { words += ["--catalog", catalog] }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .failure("pipe: \(errorText(errno))") }
        defer { fb_close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let pid = spawn(words, output: ends[1], log: log)
        fb_close(ends[1])
        guard pid > 0 else { throw .failure("\(program): \(errorText(-pid))") }
        let child = ChildBroker(pid: pid, socket: socket)
        if isReady(ends[0], timeout) { return child }
        child.stop()
        let said = (try? FilePath.text(log)) ?? ""
        let reason = said.isEmpty ? "it was not ready within \(timeout.text)" : said
        throw .failure("\(program) did not start: \(reason.trimmed)")
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

    private static func spawn(_ words: [String], output: Int32, log: String) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, words[0], &actions, nil, &vector, environ)
        return result == 0 ? pid : -result
    }

    /// Whether the line that says so came in time. An ended broker closes its output.
    private static func isReady(_ fd: Int32, _ timeout: Duration) -> Bool {
        let due = fb_monotonic_ns() &+ UInt64(max(0, timeout / .nanoseconds(1)))
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while !line.contains(0x0A) {
            let now = fb_monotonic_ns()
            guard now < due else { return false }
            var waiting = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Int32(clamping: (due - now) / 1_000_000 + 1)) <= 0 { continue }
            guard fb_read(fd, &byte, 1) == 1 else { return false }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self).contains("\"ready\":true")
    }
}

/// The text of an errno.
func errorText(_ error: Int32) -> String { String(cString: fb_error_text(error)) }

extension String {
    /// Without line ends behind it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == "\n" { text = text.dropLast() }
        return String(text)
    }
}

/// The brokers of one run: one a catalog, started when it is first wanted.
actor BrokerFleet {
    private let program: String
    private let folder: String
    private let timeout: Duration
    private var brokers: [String: Result<ChildBroker, Exit>] = [:]
    private var count = 0

    /// - Throws: when there is no program or no folder for sockets.
    init(program: String, timeout: Duration) throws(Exit) {
        self.program = program
        self.timeout = timeout
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((base + "/flowbridge-run-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .failure("\(base): no folder for sockets: \(errorText(errno))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The socket of a broker with the catalog of a scenario.
    func socket(for scenario: Scenario) throws(Exit) -> String {
        // Two scenarios may name the same device.
        let isAlone = scenario.needsOwnBroker || scenario.device["device"] != nil
        let own = isAlone ? " \(scenario.file)" : ""
        let key = (scenario.catalog ?? "") + own
        if let broker = brokers[key] { return try broker.get().socket }
        count += 1
        do throws(Exit) {
            let broker = try ChildBroker.start(
                program, socket: "\(folder)/b\(count)", catalog: scenario.catalog, timeout: timeout)
            brokers[key] = .success(broker)
            return broker.socket
        } catch {
            brokers[key] = .failure(error)
            throw error
        }
    }

    /// Ends all of them and removes their folder.
    func stop() {
        for broker in brokers.values { try? broker.get().stop() }
        brokers = [:]
        for name in FilePath.names(in: folder) ?? [] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
