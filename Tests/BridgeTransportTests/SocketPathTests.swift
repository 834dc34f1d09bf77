import BridgeTransport
import CLinux
import Foundation
import Testing

/// A private folder that goes with the test.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/fbtest-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

@Suite("The socket is where the rules say, and only one broker serves it")
struct SocketPathTests {
    @Test("without a flag the environment decides")
    func standard() throws {
        func path(_ environment: [String: String]) throws -> String {
            try SocketPath.standard { environment[$0] }.path
        }
        #expect(
            try path(["FLOWBRIDGE_SOCKET": "/x/y.sock", "XDG_RUNTIME_DIR": "/run/1"]) == "/x/y.sock"
        )
        #expect(try path(["XDG_RUNTIME_DIR": "/run/1"]) == "/run/1/flowbridge/bridge.sock")
        #expect(try path([:]) == "/tmp/flowbridge-\(geteuid())/bridge.sock")
        #expect(try path(["TMPDIR": "/var/tmp"]) == "/var/tmp/flowbridge-\(geteuid())/bridge.sock")
    }

    @Test("107 bytes pass, 108 are refused with length and limit (reliability 6, 7)")
    func length() throws {
        let most = "/" + String(repeating: "a", count: 106)
        #expect(try SocketPath(most).path == most)
        let error = #expect(throws: TransportError.self) { try SocketPath(most + "a") }
        #expect(error?.isConfiguration == true)
        #expect(error?.description.contains("108") == true)
        #expect(error?.description.contains("107") == true)
    }

    @Test("the folder is made 0700 and the socket 0600")
    func modes() throws {
        let folder = TemporaryFolder()
        let path = try SocketPath("\(folder.path)/flowbridge/bridge.sock")
        let listener = try Listener.open(at: path)
        #expect(look("\(folder.path)/flowbridge").mode == 0o700)
        #expect(look(path.path).mode == 0o600)
        #expect(look(path.path).kind == FB_FILE_SOCKET)
        _ = consume listener
        #expect(look(path.path).kind == FB_FILE_NONE)
    }

    @Test("a folder that others may enter is refused (reliability 41)")
    func openFolder() throws {
        let folder = TemporaryFolder()
        mkdir("\(folder.path)/flowbridge", 0o755)
        chmod("\(folder.path)/flowbridge", 0o755)
        let error = fault(at: "\(folder.path)/flowbridge/bridge.sock")
        #expect(error?.isConfiguration == true)
        #expect(error?.description.contains("0700") == true)
    }

    @Test("a stale socket is replaced (reliability 1)")
    func stale() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/s"
        let dead = fb_socket_listen(path, 1)
        fb_close(dead)
        #expect(look(path).kind == FB_FILE_SOCKET)
        #expect(fault(at: path) == nil)
    }

    @Test("a second broker is told who serves (reliability 2, 3)")
    func second() throws {
        let folder = TemporaryFolder()
        let listener = try Listener.open(at: SocketPath("\(folder.path)/s"))
        let error = fault(at: "\(folder.path)/s")
        #expect(error?.description.contains("another flowbridged serves") == true)
        #expect(look("\(folder.path)/s").kind == FB_FILE_SOCKET)
        _ = consume listener
    }

    @Test("a live socket without the lock is left alone (reliability 3, 4)")
    func live() throws {
        let folder = TemporaryFolder()
        let other = fb_socket_listen("\(folder.path)/s", 1)
        defer { fb_close(other) }
        #expect(fault(at: "\(folder.path)/s")?.description.contains("without the lock") == true)
        #expect(look("\(folder.path)/s").kind == FB_FILE_SOCKET)
    }

    @Test(
        "anything that is no socket is left alone and named (reliability 5)",
        arguments: ["regular file", "folder", "symbolic link"])
    func foreign(kind: String) throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/s"
        switch kind {
        case "regular file":
            _ = FileManager.default.createFile(atPath: path, contents: Data("x".utf8))
        case "folder": mkdir(path, 0o700)
        default: symlink("/etc/passwd", path)
        }
        let before = look(path)
        let error = fault(at: path)
        #expect(error?.isConfiguration == true)
        #expect(error?.description.contains(kind) == true)
        #expect(look(path).inode == before.inode)
    }

    @Test("an abstract socket needs no file")
    func abstract() throws {
        let name = "@flowbridge-test-\(getpid())"
        let listener = try Listener.open(at: SocketPath(name))
        let fd = fb_socket_connect(name)
        #expect(fd >= 0)
        fb_close(fd)
        #expect(fault(at: name)?.description.contains("in use") == true)
        _ = consume listener
    }

    private func look(_ path: String) -> fb_file_info {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info
    }

    private func fault(at path: String) -> TransportError? {
        do {
            _ = try Listener.open(at: SocketPath(path))
            return nil
        } catch {
            return error
        }
    }
}
