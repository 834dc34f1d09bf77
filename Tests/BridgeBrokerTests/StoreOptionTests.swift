import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// Where the store is, who may have it, and what a broker says that cannot.
@Suite("The store of flowbridged")
final class StoreOptionTests {
    let folder = Daemon.makeFolder()

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var file: String { folder + "/store.db" }

    private func mode(_ path: String) -> UInt32 {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info.kind == FB_FILE_NONE ? 0 : info.mode & 0o777
    }

    @Test(
        "the standard file is in the user's state folder: 0700 and 0600 under any umask",
        arguments: [
            (["XDG_STATE_HOME": "state"], "state/flowbridge"),
            (["HOME": "home"], "home/.local/state/flowbridge"),
            (["XDG_STATE_HOME": "", "HOME": "home"], "home/.local/state/flowbridge"),
        ])
    func standard(variables: [String: String], expected: String) throws {
        var environment = ["XDG_RUNTIME_DIR": folder]
        for (name, value) in variables {
            environment[name] = value.isEmpty ? "" : folder + "/" + value
        }
        environment["FLOWBRIDGE_SOCKET"] = folder + "/s"
        let daemon = try Daemon(
            ["--durability", "power"], in: folder, environment: environment, prelude: "umask 0")
        let store = try #require(try daemon.client(.line).status().store)
        #expect(store.path == folder + "/" + expected + "/store.db")
        #expect(mode(folder + "/" + expected) == 0o700)
        #expect(mode(store.path) == 0o600)
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
    }

    @Test("without a home, and with a folder that others may enter, it ends with 78 and says so")
    func noHome() throws {
        let environment = ["FLOWBRIDGE_SOCKET": folder + "/s"]
        let homeless = try run(Daemon.program, [], environment: environment)
        #expect(homeless.code == 78)
        #expect(homeless.errors.holds(["HOME", "--store", "--ephemeral"]))
        let open = folder + "/flowbridge"
        #expect(mkdir(open, 0o755) == 0)
        // Another test may have changed the umask for a moment.
        #expect(chmod(open, 0o755) == 0)
        let refused = try run(
            Daemon.program, [],
            environment: environment.merging(["XDG_STATE_HOME": folder]) { $1 })
        #expect(refused.code == 78)
        #expect(refused.errors.holds([open, "0700", "--store"]))
    }

    @Test("a second broker with the same store ends with 1, naming the file and the first")
    func second() throws {
        let first = try Daemon(["--store", file], in: folder)
        let second = try run(
            Daemon.program, ["--socket", folder + "/other", "--store", file])
        #expect(second.code == 1)
        #expect(second.errors.holds([file, "pid \(first.pid)", "--store"]))
        #expect(try first.client(.binary).status().store?.path == file)
        first.send(SIGKILL)
        #expect(try first.wait() == -SIGKILL)
        let third = try Daemon(["--store", file], in: folder)
        #expect(try third.client(.line).status().pid == third.pid)
    }

    @Test(
        "what is no store is left alone: the broker ends with 78 and names it",
        arguments: ["not a database at all", "SQLite format 3\0 but no more"])
    func foreign(contents: String) throws {
        try contents.write(toFile: file, atomically: true, encoding: .utf8)
        let result = try run(Daemon.program, ["--socket", folder + "/s", "--store", file])
        #expect(result.code == 78)
        #expect(result.errors.contains(file))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == contents)
    }

    @Test("a store of a newer program is refused with both versions")
    func tooNew() throws {
        let first = try Daemon(["--store", file], in: folder)
        first.send(SIGTERM)
        #expect(try first.wait() == 0)
        let shell = URL(fileURLWithPath: "/usr/bin/sqlite3")
        #expect(try run(shell, [file, "UPDATE flowbridge_store SET version = 4711"]).code == 0)
        let result = try run(Daemon.program, ["--socket", folder + "/s", "--store", file])
        #expect(result.code == 78)
        #expect(result.errors.holds([file, "version 4711", "up to "]))
    }

    @Test(
        "a read-only file is refused by name",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func readOnly() throws {
        let first = try Daemon(["--store", file], in: folder)
        first.send(SIGTERM)
        #expect(try first.wait() == 0)
        // Root may write all files, so another user asks.
        let bridge = folder + "/b"
        #expect(mkdir(bridge, 0o777) == 0)
        #expect(chmod(bridge, 0o777) == 0 && chmod(folder, 0o755) == 0 && chmod(file, 0o444) == 0)
        let lock = file + ".lock"
        #expect(chmod(lock, 0o666) == 0)
        let words = ["--socket", bridge + "/s", "--store", file]
        let result =
            geteuid() == 0
            ? try run(
                URL(fileURLWithPath: "/usr/bin/setpriv"),
                ["--reuid", "65534", "--regid", "65534", "--clear-groups", Daemon.program.path]
                    + words)
            : try run(Daemon.program, words)
        #expect(result.code == 78)
        #expect(result.errors.holds([file, "writable"]))
    }

    @Test(
        "row 34: on a full disk it reads on, refuses changes, and resumes by itself",
        arguments: [WireMode.binary, .line])
    func full(mode: WireMode) throws {
        let daemon = try Daemon(
            ["--store", file], in: folder, prelude: "trap '' XFSZ; ulimit -S -f 1024")
        let client = try daemon.client(mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        var acknowledged = 0
        let failure = #expect(throws: (any Error).self) {
            while acknowledged < 10_000 {
                try client.update { $0.firstName = "\(acknowledged + 1)" }
                acknowledged += 1
            }
        }
        #expect(failure != nil)
        #expect(acknowledged > 10)
        let other = try daemon.client(mode)
        try other.wait { $0.store?.fault != "" }
        #expect(try other.status().store?.fault.contains(file) == true)
        let refused = #expect(throws: BridgeError.self) {
            try other.update { $0.firstName = "never" }
        }
        #expect(refused?.code == .unavailable)
        #expect(refused?.message.contains(file) == true)
        #expect(refused?.isRetryable == true)
        #expect(try other.record("phone").count >= acknowledged + 2)
        #expect(daemon.log.split(separator: "\n").count { $0.contains("store_fault") } == 1)

        let unlimited = try run(
            URL(fileURLWithPath: "/usr/bin/prlimit"),
            ["--pid", "\(daemon.pid)", "--fsize=unlimited:unlimited"])
        #expect(unlimited.code == 0)
        try other.wait { $0.store?.fault == "" }
        try other.openDevice("phone")
        try other.update { $0.firstName = "after" }
        #expect(daemon.log.contains("store_resumed"))
        daemon.send(SIGKILL)
        #expect(try daemon.wait() == -SIGKILL)
        let second = try Daemon(["--store", file], in: folder)
        let next = try second.client(mode)
        try next.openDevice("phone")
        #expect(try next.inspectProfile().firstName == "after")
        let record = try next.record()
        #expect(record.map(\.sequence) == Array(1...UInt64(record.count)))
        #expect(record.count >= acknowledged + 3)
    }

    @Test("--ephemeral with a store or a promise, and an unknown level, are usage faults")
    func usage() throws {
        for words in [
            ["--ephemeral", "--store", file], ["--ephemeral", "--durability", "power"],
            ["--durability", "always"],
        ] {
            let result = try run(Daemon.program, words)
            #expect(result.code == 2)
            #expect(result.errors.holds([words[0]]))
        }
        #expect(mode(file) == 0)
    }
}
