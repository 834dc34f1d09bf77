import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// What programs rely on that start a broker of their own: one ready line, a private socket, and
/// an end with the program.
@Suite("flowbridged started by another program")
struct SpawnTests {
    private struct ReadyLine: Decodable {
        let ready: Bool
        let socket: String
        let pid: Int32
        let version: String

        init(_ text: String) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        }
    }

    private func look(_ path: String) -> fb_file_info {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info
    }

    private func entries(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            !$0.hasPrefix("log-")
        }
    }

    @Test("the ready line has the socket, the pid and the version, and is all of standard output")
    func readyLine() throws {
        let daemon = try Daemon()
        let line = try ReadyLine(daemon.readyLine)
        #expect(line.ready)
        #expect(line.socket == daemon.socket)
        #expect(line.pid == daemon.pid)
        let version = try run(Daemon.program, ["--version"]).output
        #expect(version == "flowbridged \(line.version)\n")
        try daemon.client(.line).expectServed()
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(try daemon.restOfOutput() == "")
    }

    @Test("row 41: --socket=auto is a fresh folder of mode 0700 that goes with the broker")
    func privateSocket() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemons = try (0..<2).map { _ in
            try Daemon(
                ["--socket=auto"], in: folder, environment: ["XDG_RUNTIME_DIR": folder],
                prelude: "umask 0")
        }
        let paths = try daemons.map { try ReadyLine($0.readyLine).socket }
        #expect(Set(paths).count == 2)
        for (daemon, path) in zip(daemons, paths) {
            let own = (path as NSString).deletingLastPathComponent
            #expect((own as NSString).deletingLastPathComponent == folder)
            #expect(look(own).mode == 0o700)
            #expect(look(path).kind == FB_FILE_SOCKET)
            #expect(look(path).mode & 0o777 == 0o600)
            #expect(try entries(own) == ["bridge.sock"])
            try TestClient(wire: SocketWire(path: path), mode: .line).expectServed()
            daemon.send(SIGTERM)
            #expect(try daemon.wait() == 0)
        }
        #expect(try entries(folder) == [])
    }

    @Test(
        "--socket=auto takes the temporary folder when the runtime folder is missing or too long",
        arguments: ["/nowhere/at/all", "/tmp/" + String(repeating: "r", count: 90)])
    func privateSocketElsewhere(runtime: String) throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let isLong = runtime.utf8.count > 80
        if isLong { mkdir(runtime, 0o700) }
        defer { if isLong { rmdir(runtime) } }
        let daemon = try Daemon(
            ["--socket=auto"], in: folder,
            environment: ["XDG_RUNTIME_DIR": runtime, "TMPDIR": folder])
        #expect(try ReadyLine(daemon.readyLine).socket.hasPrefix(folder + "/flowbridge-"))
        if isLong { #expect(try entries(runtime) == []) }
    }

    @Test("--socket=auto ends with an error that names the folder when none can be made")
    func noPrivateSocket() throws {
        let result = try run(
            Daemon.program, ["--socket=auto", "--ephemeral"],
            environment: ["XDG_RUNTIME_DIR": "/nowhere", "TMPDIR": "/nowhere/either"])
        #expect(result.code == 78)
        #expect(result.output == "")
        #expect(result.errors.holds(["mkdtemp /nowhere/either/flowbridge-", "No such file"]))
    }

    /// A shell that starts a broker in the background and waits; the broker shares its output.
    private func orphan(_ flag: String) throws -> (shell: Process, output: Pipe, broker: ReadyLine)
    {
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", "\"$0\" --socket=auto --ephemeral --log-level error \(flag) & wait",
            Daemon.program.path,
        ]
        shell.standardOutput = output
        try shell.run()
        return (shell, output, try ReadyLine(output.line()))
    }

    @Test(
        "--exit-with-parent: when the parent is killed the broker ends and removes its socket",
        arguments: ["--exit-with-parent", "--exit-with-parent=$$"])
    func exitWithParent(flag: String) throws {
        let (shell, output, broker) = try orphan(flag)
        #expect(look(broker.socket).kind == FB_FILE_SOCKET)
        Glibc.kill(shell.processIdentifier, SIGKILL)
        // The broker held the only other end.
        #expect(try output.rest() == "")
        #expect(look((broker.socket as NSString).deletingLastPathComponent).kind == FB_FILE_NONE)
    }

    @Test("without --exit-with-parent a broker outlives its parent")
    func outlivesParent() throws {
        let (shell, output, broker) = try orphan("")
        Glibc.kill(shell.processIdentifier, SIGKILL)
        let parent = "PPid:\t\(shell.processIdentifier)\n"
        while try String(contentsOfFile: "/proc/\(broker.pid)/status", encoding: .utf8)
            .contains(parent)
        { sched_yield() }
        try TestClient(wire: SocketWire(path: broker.socket), mode: .line).expectServed()
        Glibc.kill(broker.pid, SIGTERM)
        #expect(try output.rest() == "")
    }

    @Test("--exit-with-parent follows the parent, not the thread of it that started the broker")
    func threadOfParent() throws {
        let started = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var (daemon, thread): (Daemon?, String) = (nil, "")
        Thread.detachNewThread {
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/thread-self")
            thread = link ?? ""
            daemon = try? Daemon(["--exit-with-parent"])
            started.signal()
        }
        started.wait()
        #expect(thread.contains("/task/"))
        while look("/proc/\(thread)").kind != FB_FILE_NONE { sched_yield() }
        let running = try #require(daemon)
        try running.client(.line).expectServed()
        running.send(SIGTERM)
        #expect(try running.wait() == 0)
    }

    @Test("--exit-with-parent=PID ends at once when PID is not the parent, or not any more")
    func otherParent() throws {
        let stranger = try run(
            Daemon.program, ["--socket=auto", "--ephemeral", "--exit-with-parent=1"])
        #expect(stranger.code == 1)
        #expect(stranger.output == "")
        #expect(stranger.errors.holds(["process 1 is not the parent", "--exit-with-parent"]))
        // The inner shell kills its parent first, and is the broker afterwards.
        let late = try run(
            URL(fileURLWithPath: "/bin/sh"),
            [
                "-c",
                "sh -c 'p=$PPID; kill -9 $p; "
                    + "while grep -q \"^PPid:.$p$\" /proc/$$/status; do :; done; "
                    + "exec \"$0\" --socket=auto --ephemeral --exit-with-parent=$p' \"$0\" & wait",
                Daemon.program.path,
            ])
        #expect(late.output == "")
        #expect(late.errors.holds(["is not the parent of this broker, or not any more"]))
        let wrong = try run(Daemon.program, ["--exit-with-parent=me"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.holds(["--exit-with-parent=me"]))
    }
}

extension Pipe {
    /// The next line, without its end; what came before the end of the file if there is none.
    func line() throws -> String {
        try text { $0.last == 0x0A }.trimmingCharacters(in: .newlines)
    }

    /// All that comes until the last writer has closed.
    func rest() throws -> String { try text { _ in false } }

    private func text(until isEnough: ([UInt8]) -> Bool) throws -> String {
        let fd = fileHandleForReading.fileDescriptor
        var bytes: [UInt8] = []
        while !isEnough(bytes) {
            var state = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, sharedTimeoutMs) > 0 else { throw TestTimeout() }
            var byte: UInt8 = 0
            guard fb_read(fd, &byte, 1) == 1 else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
