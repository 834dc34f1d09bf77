import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// Who is let in, with peers of other users. Only root can play them.
@Suite(
    "flowbridged lets in its own user, root and the named ones",
    .enabled(if: geteuid() == 0, "only root can play other users"))
struct AccessTests {
    /// What a peer of that uid gets for a ping: the first line, or why it could not connect.
    private func ping(_ path: String, as uid: Int) throws -> String {
        let script = """
            import socket
            peer = socket.socket(socket.AF_UNIX)
            path = \"\(path)\"
            try:
                peer.connect("\\0" + path[1:] if path[0] == "@" else path)
                try:
                    peer.sendall(b'{"id":1,"ping":{}}\\n')
                except BrokenPipeError:
                    pass # refused already; why, it can read
                print(peer.makefile().readline(), end="")
            except OSError as error:
                print(error.strerror)
            """
        let result = try run(
            URL(fileURLWithPath: "/usr/bin/setpriv"),
            [
                "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", "/usr/bin/python3", "-c",
                script,
            ])
        #expect(result.errors == "")
        return result.output
    }

    private func mode(_ path: String) -> UInt32 {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info.mode & 0o777
    }

    @Test("at a path of mode 0600 others do not even connect; root does")
    func ownPath() throws {
        let daemon = try Daemon()
        chmod(daemon.folder, 0o755)
        #expect(mode(daemon.socket) == 0o600)
        #expect(try ping(daemon.socket, as: 65_534) == "Permission denied\n")
        #expect(try ping(daemon.socket, as: 0).contains("\"ping\""))
    }

    @Test("--allow-uid opens the socket's mode, lets in that uid and tells the others")
    func allowed() throws {
        let daemon = try Daemon(["--allow-uid", "65533"], prelude: "umask 0077")
        chmod(daemon.folder, 0o755)
        #expect(mode(daemon.socket) == 0o666)
        #expect(try ping(daemon.socket, as: 65_533).contains("\"ping\""))
        let refused = try ping(daemon.socket, as: 65_534)
        #expect(refused.holds(["PERMISSION_DENIED", "--allow-uid 65534"]), "\(refused)")
        #expect(daemon.log.holds(["event=refused", "uid=65534"]))
    }

    @Test("an abstract socket has no mode: the uid alone decides")
    func abstract() throws {
        let path = "@fbtest-\(UUID().uuidString)"
        let daemon = try Daemon(["--socket", path, "--allow-uid", "65533"])
        #expect(try ping(path, as: 0).contains("\"ping\""))
        #expect(try ping(path, as: 65_533).contains("\"ping\""))
        #expect(try ping(path, as: 65_534).contains("PERMISSION_DENIED"))
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    @Test("a broker of another user lets in that user and root")
    func otherOwner() throws {
        // It needs a folder of its own, and has to be able to run the program.
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = folder + "/flowbridged"
        try FileManager.default.copyItem(atPath: Daemon.program.path, toPath: program)
        chmod(program, 0o755)
        chmod(folder, 0o755)
        let path = "@fbtest-\(UUID().uuidString)"
        let broker = Process()
        let output = Pipe()
        broker.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        broker.arguments = [
            "--reuid=65533", "--regid=65533", "--clear-groups", program, "--socket", path,
            "--ephemeral", "--log-level", "error",
        ]
        broker.standardOutput = output
        try broker.run()
        defer { broker.terminate() }
        #expect(try output.line().contains("\"ready\":true"))
        #expect(try ping(path, as: 65_533).contains("\"ping\""))
        #expect(try ping(path, as: 0).contains("\"ping\""))
        #expect(try ping(path, as: 65_534).contains("PERMISSION_DENIED"))
    }
}
