import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// What stands in the way of a start is left as it is, and named.
@Suite("flowbridged starts, or says why not")
struct StartTests {
    private func look(_ path: String) -> fb_file_info {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info
    }

    /// Puts something at the path of the socket, or beside it. Returns the path in the way.
    private func obstruct(_ kind: String, _ folder: String) -> (atFault: String, touched: String) {
        let socket = folder + "/s"
        switch kind {
        case "a regular file": fb_close(open(socket, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        case "a folder": mkdir(socket, 0o700)
        case "a pipe": mkfifo(socket, 0o600)
        case "a link to a file", "a link to a socket", "a link to nothing":
            let target = folder + "/target"
            if kind == "a link to a file" {
                fb_close(open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            } else if kind == "a link to a socket" {
                fb_close(fb_socket_listen(target, 1))
            }
            symlink(target, socket)
            return (socket, target)
        case "a socket of somebody else":
            fb_close(fb_socket_listen(socket, 1))
            chown(socket, 65_534, 65_534)
        case "a link at the lock":
            let target = folder + "/target"
            fb_close(open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            symlink(target, socket + ".lock")
            return (socket + ".lock", target)
        case "a folder at the lock":
            mkdir(socket + ".lock", 0o700)
            return (socket + ".lock", socket + ".lock")
        default: break
        }
        return (socket, socket)
    }

    @Test(
        "row 5 row 7: what is no stale socket of ours at the path or its lock is left alone: 78",
        arguments: [
            "a regular file", "a folder", "a pipe", "a link to a file", "a link to a socket",
            "a link to nothing", "a socket of somebody else", "a link at the lock",
            "a folder at the lock",
        ])
    func obstructed(kind: String) throws {
        guard kind != "a socket of somebody else" || geteuid() == 0 else {
            print("skipped: only root can give a socket to somebody else")
            return
        }
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (atFault, touched) = obstruct(kind, folder)
        let before = (look(atFault), look(touched))
        let result = try run(Daemon.program, ["--socket", folder + "/s", "--ephemeral"])
        #expect(result.code == 78)
        #expect(result.output == "")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.errors.contains(atFault), "\(result.errors)")
        for (was, path) in [(before.0, atFault), (before.1, touched)] {
            let now = look(path)
            #expect(now.kind == was.kind && now.inode == was.inode && now.size == was.size)
            #expect(now.uid == was.uid && now.mode == was.mode)
        }
    }

    @Test("a folder that is not there, or not to be written to, ends with 78 and its name")
    func folders() throws {
        for folder in ["/nowhere/at/all", "/proc/self"] {
            let result = try run(Daemon.program, ["--socket", folder + "/s", "--ephemeral"])
            #expect(result.code == 78)
            #expect(result.errors.contains(folder + "/s"), "\(result.errors)")
        }
    }

    @Test("row 6: a path of 107 bytes serves, with its lock beside it")
    func longestPath() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = String(repeating: "s", count: 107 - folder.utf8.count - 1)
        let daemon = try Daemon(["--socket", "\(folder)/\(name)"], in: folder)
        try TestClient(wire: SocketWire(path: "\(folder)/\(name)"), mode: .line).expectServed()
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(look("\(folder)/\(name)").kind == FB_FILE_NONE)
    }

    @Test("row 26: the soft limit of descriptors is raised to the hard one")
    func softLimit() throws {
        let daemon = try Daemon(prelude: "ulimit -Sn 40; ulimit -Hn 2000")
        let limits = try String(contentsOfFile: "/proc/\(daemon.pid)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        #expect(line?.split(separator: " ").filter { $0 == "2000" }.count == 2)
        let few = try Daemon(prelude: "ulimit -n 300")
        try few.client(.line).expectServed()
        #expect(few.log.holds(["event=few_descriptors", "wanted=1056", "given=300"]))
        #expect(!daemon.log.contains("few_descriptors"))
    }

    @Test(
        "row 26: when descriptors run short newcomers are told, and the broker can read a catalog")
    func reserved() throws {
        let folder = try CatalogFolder(CatalogFolder.shop("new"))
        let daemon = try Daemon(prelude: "ulimit -n 64")
        let client = try daemon.client(.line)
        try client.expectServed()
        let before = try daemon.descriptorNumbers()
        var wires = try (0..<64).map { _ in try daemon.connect() }
        let told = LineTalk(try daemon.connect())
        let text = try told.untilClosed().joined()
        #expect(text.contains("reservedDescriptors"), "\(text)")
        #expect(try daemon.descriptorNumbers().subtracting(before).allSatisfy { $0 < 64 - 32 })
        try client.call(.loadCatalog(with(LoadCatalogRequest()) { $0.path = folder.path }))
        wires.removeAll()
        let start = ContinuousClock.now
        while true {
            if let next = try? daemon.client(.binary), (try? next.expectServed()) != nil { break }
            try #require(ContinuousClock.now - start < .seconds(2))
        }
        #expect(wires.isEmpty)
    }

    @Test("row 24: descriptors run out and are freed: it serves again within two seconds")
    func outAndBack() throws {
        let daemon = try Daemon(
            ["--limit", "reservedDescriptors=0"], prelude: "ulimit -n 40")
        var wires = try (0..<100).map { _ in try daemon.connect() }
        let client = TestClient(wire: wires[0], mode: .line)
        try client.expectServed()
        #expect(try daemon.descriptorNumbers().isSuperset(of: 0..<40))
        wires.removeLast(wires.count - 1)
        let start = ContinuousClock.now
        try daemon.client(.binary).expectServed()
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(wires.count == 1)
    }
}
