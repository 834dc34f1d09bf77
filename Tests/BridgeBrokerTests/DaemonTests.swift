import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// The program itself, started as a process of its own.
@Suite("flowbridged as a process")
struct DaemonTests {
    private func kind(_ path: String) -> fb_file_info {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info
    }

    @Test(
        "it says in one line that it serves; SIGTERM ends it and removes its socket",
        arguments: [SIGTERM, SIGINT])
    func readyAndStop(signal: Int32) throws {
        let daemon = try Daemon()
        let start = "{\"ready\":true,\"socket\":\"\(daemon.socket)\",\"pid\":\(daemon.pid),"
        #expect(daemon.readyLine.hasPrefix(start + "\"version\":\""))
        let socket = kind(daemon.socket)
        #expect(socket.kind == FB_FILE_SOCKET)
        #expect(socket.mode & 0o777 == 0o600)
        let client = try daemon.client(.line)
        #expect(try client.status().pid == daemon.pid)
        #expect(try client.status().socketPath == daemon.socket)
        daemon.send(signal)
        #expect(try daemon.wait() == 0)
        #expect(kind(daemon.socket).kind == FB_FILE_NONE)
        #expect(try client.nextFrame() == nil)
    }

    @Test(
        "SIGTERM finishes a burst that was sent before, and flushes it",
        arguments: [WireMode.binary, .line])
    func burstBeforeStop(mode: WireMode) throws {
        let daemon = try Daemon()
        let client = try daemon.client(mode)
        try client.expectServed()
        // Everything waits in the socket before the broker runs again: more than one read takes.
        daemon.send(SIGSTOP)
        let buffer = ByteBuffer()
        let ids = UInt64(1_001)...1_100
        for id in ids {
            var frame = ClientFrame()
            frame.id = id
            frame.body = .ping(
                with(PingRequest()) { $0.payload = [UInt8](repeating: 7, count: 1_000) })
            try WireCoder().encode(frame, mode: mode, into: buffer)
        }
        try client.wire.send(Array(buffer.readable))
        daemon.send(SIGTERM)
        daemon.send(SIGCONT)
        #expect(try client.untilClosed().map(\.id) == Array(ids))
        #expect(try daemon.wait() == 0)
    }

    @Test("SIGTERM waits for a waiting call within the grace", arguments: [WireMode.binary, .line])
    func waitingCallAtStop(mode: WireMode) throws {
        let daemon = try Daemon()
        let client = try daemon.client(mode)
        try client.openDevice("phone")
        try client.activate()
        try client.delay("get_flow", ms: 300)
        let id = try client.send(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        try client.waitForPending(1)
        daemon.send(SIGTERM)
        #expect(try client.untilClosed().map(\.id) == [id])
        #expect(try daemon.wait() == 0)
    }

    @Test(
        "SIGTERM ends at the end of the grace, whatever waits", arguments: [WireMode.binary, .line])
    func graceAtStop(mode: WireMode) throws {
        let daemon = try Daemon(["--limit", "shutdownGraceMs=100"])
        let client = try daemon.client(mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.delay("get_flow", ms: 1_000)
        try client.send(.getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        try client.waitForPending(1)
        let start = ContinuousClock.now
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(try client.untilClosed().isEmpty)
        #expect(kind(daemon.socket).kind == FB_FILE_NONE)
    }

    @Test("a second signal ends the grace")
    func secondSignal() throws {
        let daemon = try Daemon()
        let client = try daemon.client(.line)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.delay("get_flow", ms: 1_000)
        try client.send(.getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        try client.waitForPending(1)
        daemon.send(SIGTERM)
        // It answers still, so the first signal was taken.
        try client.expectServed()
        daemon.send(SIGINT)
        #expect(try daemon.wait() == 0)
    }

    @Test("row 3: a second broker at one socket ends with 1 and says who has it")
    func second() throws {
        let daemon = try Daemon()
        let second = try run(Daemon.program, ["--socket", daemon.socket])
        #expect(second.code == 1)
        #expect(second.output == "")
        #expect(
            second.errors.holds([
                "another flowbridged", daemon.socket, daemon.socket + ".lock", "pid \(daemon.pid)",
            ]), "\(second.errors)")
        #expect(second.errors.split(separator: "\n").count == 1)
        try daemon.client(.binary).expectServed()
    }

    @Test("row 1: after kill -9 it starts again at once")
    func killed() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Daemon(in: folder)
        first.send(SIGKILL)
        #expect(try first.wait() == -SIGKILL)
        #expect(kind(first.socket).kind == FB_FILE_SOCKET)
        let second = try Daemon(in: folder)
        try second.client(.line).expectServed()
    }

    @Test(
        "--check-catalog prints every fault as file#pointer and ends with 65, without faults with 0"
    )
    func checkCatalog() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sound = try run(
            Daemon.program, ["--check-catalog", root.path + "/examples/catalog"])
        #expect(sound.code == 0)
        #expect(sound.output.contains("3 placements, no faults"))
        #expect(sound.errors == "")
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = """
            {"placements":[{"id":"main","type":"flwo","audiences":[]},{"type":"flow","extra":1,
            "audiences":[{"name":"A","priority":0,"variations":[]}]}]}
            """
        try text.write(toFile: folder + "/placements.json", atomically: true, encoding: .utf8)
        let faulty = try run(Daemon.program, ["--check-catalog", folder])
        #expect(faulty.code == 65)
        let lines = faulty.output.split(separator: "\n")
        #expect(lines.filter { $0.contains("placements.json#/placements/") }.count >= 4)
        #expect(lines.contains { $0.contains("#/placements/0/type") && $0.contains("flwo") })
        #expect(String(lines.last ?? "").holds([folder, "faults"]))
        let serving = try run(Daemon.program, ["--socket", folder + "/s", "--catalog", folder])
        #expect(serving.code == 65)
        #expect(serving.errors.contains("placements.json#/placements/0/type"))
        let missing = try run(Daemon.program, ["--check-catalog", folder + "/none"])
        #expect(missing.code == 65)
        #expect(missing.output.contains("none"))
    }

    @Test("IN-71 --check-catalog names a silent group and ends with 0")
    func silentGroup() throws {
        let option = #"{"text":"no Element ID"}"#
        let group = #"{"type":"single_choice","group_id":"g","options":[\#(option)]}"#
        let folder = try CatalogFolder(CatalogFolder.shop("new"))
        try folder.write([
            "flows/shop_new.json": #"{"screens":[{"id":"s","elements":[\#(group)]}]}"#
        ])
        let result = try run(Daemon.program, ["--check-catalog", folder.path])
        #expect(result.code == 0, "\(result.output)")
        let line = result.output.split(separator: "\n").first { $0.contains("IN-65") } ?? ""
        #expect(String(line).holds(["flows/shop_new.json#/screens/0/elements/0", "warning:"]))
    }

    @Test("SIGHUP reads the catalog again; one with faults is refused and the old one stays")
    func hangup() throws {
        let folder = try CatalogFolder(CatalogFolder.shop("old"))
        let daemon = try Daemon(["--catalog", folder.path])
        let client = try daemon.client(.binary)
        #expect(try client.getFlow("shop").variationId == "var_old")
        try folder.write(CatalogFolder.shop("new"))
        try folder.remove("flows/shop_old.json")
        daemon.send(SIGHUP)
        try client.wait { _ in daemon.log.contains("event=catalog_loaded") }
        #expect(try client.getFlow("shop").variationId == "var_new")
        try folder.write(["products.json": "{"])
        daemon.send(SIGHUP)
        try client.wait { _ in daemon.log.contains("level=error event=catalog_refused") }
        #expect(daemon.log.holds(["folder=\(folder.path)", "products.json#"]))
        #expect(try client.getFlow("shop").variationId == "var_new")
    }

    @Test(
        "OB-14 GEN-7 a dropped message of an onboarding is one line in the log, without its values")
    func droppedMessage() throws {
        let daemon = try Daemon()
        let client = try daemon.client(.binary)
        let view = try client.makeOnboardingView("legacy_onboarding")
        try client.present(view)
        let message = #"{"type":"close","action_id":{"secret":"jane@example.com"},"meta":{}}"#
        #expect(try client.post(message, to: view) == false)
        let lines = daemon.log.split(separator: "\n").filter { $0.contains(view) }
        #expect(lines.count == 1)
        #expect(
            String(lines.first ?? "").holds([
                "level=notice event=onboarding_message_dropped device=default view=\(view) reason=",
                "meta.onboarding_id is missing",
            ]))
        #expect(!daemon.log.contains("secret") && !daemon.log.contains("jane"))
    }

    @Test("SIGHUP leaves the built-in sample as it is")
    func hangupOfSample() throws {
        let daemon = try Daemon()
        let client = try daemon.client(.binary)
        daemon.send(SIGHUP)
        try client.wait { _ in daemon.log.contains("event=catalog_kept") }
        #expect(try client.getFlow("premium_offer_1").variationId != "")
    }

    @Test(
        "a wrong command line ends with 2 and names the word",
        arguments: [
            "--sokcet x", "--limit", "--limit nolimit=1", "--limit queueSoftBytes=x",
            "--limit queueSoftBytes=1", "--log-level loud", "--allow-uid me", "word",
            "--max-frame 1",
        ])
    func usage(line: String) throws {
        let words = line.split(separator: " ").map { String($0) }
        let result = try run(Daemon.program, words)
        #expect(result.code == 2)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("flowbridged: "))
        // An unknown word by itself, a bad value with its option or its limit.
        let named = words.last?.split(separator: "=").first ?? ""
        #expect(result.errors.contains(named) || result.errors.contains(words[0]))
        #expect(result.errors.split(separator: "\n").count == 2)
        #expect(result.errors.hasSuffix("Try flowbridged --help.\n"))
    }

    @Test("--help and --version print and end with 0")
    func help() throws {
        let help = try run(Daemon.program, ["--help"])
        #expect(help.code == 0)
        #expect(help.output.holds(["Usage", "--socket", "--check-catalog", "nc -U -N"]))
        let version = try run(Daemon.program, ["-V"])
        #expect(version.code == 0)
        #expect(version.output.hasPrefix("flowbridged "))
    }

    @Test("row 6 row 7: a path of 108 bytes ends with 78 and says so")
    func longPath() throws {
        let path = "/tmp/" + String(repeating: "a", count: 103)
        let result = try run(Daemon.program, ["--socket", path])
        #expect(result.code == 78)
        #expect(result.errors.holds(["108", "107", path]))
    }

    @Test("row 5: what is no socket at the path is left alone and named")
    func notASocket() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "keep".write(toFile: folder + "/s", atomically: true, encoding: .utf8)
        let result = try run(Daemon.program, ["--socket", folder + "/s"])
        #expect(result.code == 78)
        #expect(result.errors.holds([folder + "/s", "a regular file"]))
        #expect(try String(contentsOfFile: folder + "/s", encoding: .utf8) == "keep")
    }

    @Test("row 41: without XDG_RUNTIME_DIR it serves in a folder of its own, 0700 under any umask")
    func noRuntimeFolder() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try Daemon(
            in: folder, environment: ["TMPDIR": folder], prelude: "umask 0177")
        let own = "\(folder)/flowbridge-\(geteuid())"
        #expect(daemon.readyLine.contains("\"socket\":\"\(own)/bridge.sock\""))
        #expect(kind(own).mode & 0o777 == 0o700)
        let client = TestClient(wire: try SocketWire(path: own + "/bridge.sock"), mode: .line)
        try client.expectServed()
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
        // Somebody else could have made it: then it is not used.
        chmod(own, 0o755)
        let refused = try run(Daemon.program, [], environment: ["TMPDIR": folder])
        #expect(refused.code == 78)
        #expect(refused.errors.holds([own, "0700", "0755"]), "\(refused.errors)")
    }

    @Test("the one-liner: echo and nc print exactly one line")
    func oneLiner() throws {
        let daemon = try Daemon()
        let result = try run(
            URL(fileURLWithPath: "/bin/sh"),
            [
                "-c",
                "echo '{\"id\":1,\"getFlow\":{\"placementId\":\"onboarding\"}}' | nc -U -N \(daemon.socket)",
            ])
        #expect(result.code == 0)
        #expect(result.output.hasSuffix("\n"))
        #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(
            result.output.hasPrefix(#"{"id":"1","getFlow":{"flow":{"placement":{"id":"onboarding""#)
        )
    }

    @Test("row 20 row 21: after its peers are killed it holds no descriptor of theirs and idles")
    func killedPeers() throws {
        let daemon = try Daemon()
        let client = try daemon.client(.line)
        try client.openDevice("phone")
        try client.activate()
        let base = try daemon.descriptors()
        let peers = try (0..<10).map { _ in
            let peer = Process()
            peer.executableURL = URL(fileURLWithPath: "/usr/bin/nc")
            peer.arguments = ["-U", daemon.socket]
            let input = Pipe()
            peer.standardInput = input
            peer.standardOutput = FileHandle.nullDevice
            try peer.run()
            input.fileHandleForWriting.write(
                Data("{\"id\":1,\"subscribe\":{\"device\":\"phone\"}}\n{\"id\":2,\"pi".utf8))
            return (peer, input)
        }
        try client.wait { $0.connections.count { $0.subscriptions == 1 } == 10 }
        #expect(try daemon.descriptors() == base + 10)
        for (peer, _) in peers { Glibc.kill(peer.processIdentifier, SIGKILL) }
        try client.wait { $0.connections.count == 1 }
        // Descriptors close at the end of the wake-up that said so.
        try client.expectServed()
        #expect(try daemon.descriptors() == base)
        // A waiting call marks the time: half a second of the broker's own clock.
        try client.delay("get_flow", ms: 500)
        let before = try daemon.ticks()
        try client.call(.getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        #expect(try daemon.ticks() - before < 10)
        for (peer, _) in peers { peer.waitUntilExit() }
    }

    @Test("row 24 row 25: out of descriptors it backs off, idles, and recovers")
    func outOfDescriptors() throws {
        let daemon = try Daemon(
            ["--limit", "reservedDescriptors=0"], prelude: "ulimit -n 32")
        let client = try daemon.client(.line)
        try client.openDevice("phone")
        try client.activate()
        try client.delay("get_flow", ms: 500)
        var wires = try (0..<64).map { _ in try daemon.connect() }
        let before = try daemon.ticks()
        try client.call(.getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        #expect(try daemon.ticks() - before < 15)
        wires = []
        _ = wires
        try daemon.client(.binary).expectServed()
    }

    @Test(
        "row 11: a burst of requests in one read cannot fill the memory with answers",
        arguments: [WireMode.binary, .line])
    func answerBurst(mode: WireMode) throws {
        let daemon = try Daemon()
        let other = try daemon.client(mode)
        let slow = try daemon.client(mode)
        let before = try daemon.peakKiB()
        let request =
            mode == .binary
            ? ProtoBytes.request(1, 13) : Array("{\"id\":1,\"describe\":{}}\n".utf8)
        // Each answer takes some 30 KiB; none is read.
        try? slow.wire.send((0..<4_000).flatMap { _ in request })
        try other.wait { $0.connections.count == 1 }
        #expect(try daemon.peakKiB() - before < 32 << 10)
        try daemon.client(.line).expectServed()
    }

    @Test("GEN-7: no typed value, e-mail or attribute value is in the log, at any level")
    func privateValues() throws {
        let daemon = try Daemon(["--log-level", "debug"])
        let secrets = ["Zaphod", "zaphod@example.com", "0555-4711", "s3cr3t-pass", "attribute-42"]
        for mode in [WireMode.binary, .line] {
            let client = try daemon.client(mode)
            try client.openDevice("phone-\(mode)", manualAtMs: 0)
            try client.activate(customerUserID: "")
            let view = try client.makeFlowView("onboarding")
            try client.subscribe()
            try client.present(view)
            for (field, text) in zip(["name", "email", "phone", "password"], secrets) {
                try client.focus(view, field)
                try client.enter(view, field, text)
                // Refused ones, too.
                for bad in [
                    "\(text)\n", "\(text)\u{7}", text + String(repeating: "x", count: 33_000),
                ] {
                    #expect(throws: BridgeError.self) { try client.enter(view, field, bad) }
                }
            }
            try client.update {
                $0.firstName = secrets[0]
                $0.email = secrets[1]
                $0.phoneNumber = secrets[2]
                $0.customAttributes = [
                    with(CustomAttribute()) {
                        $0.key = "k"
                        $0.change = .string(secrets[4])
                    }
                ]
            }
            for bad in [secrets[4] + String(repeating: "x", count: 60)] {
                #expect(throws: BridgeError.self) {
                    try client.update {
                        $0.birthday = secrets[2]
                        $0.customAttributes = [
                            with(CustomAttribute()) {
                                $0.key = "k"
                                $0.change = .string(bad)
                            }
                        ]
                    }
                }
            }
        }
        let talk = LineTalk(try daemon.connect())
        var errors = ""
        for line in [
            "{\"id\":1,\"updateProfile\":{\"email\":[\"\(secrets[1])\"]}}",
            "{\"id\":1,\"updateProfile\":{\"email\":\"\(secrets[1])\u{1}\"}}",
            "{\"id\":1,\"updateProfile\":{\"email\":\"\(secrets[1])\\u0000\"}}",
            "{\"id\":1,\"updateProfile\":{\"email\":\"\(secrets[1])\" oops}}",
            "{\"id\":1,\"updateProfile\":{\"attStatus\":\"\(secrets[0])\"}}",
            "{\"id\":1,\"updateProfile\":{\"birthday\":\"\(secrets[2])\"}}",
            "{\"id\":1,\"perform\":{\"enterText\":{\"text\":\"\(secrets[3])\"}}}",
        ] { errors += try talk.ask(line) }
        let bare = LineTalk(try daemon.connect())
        try bare.send("\(secrets[0]) \(secrets[1])\n")
        _ = try bare.untilClosed()
        daemon.send(SIGTERM)
        #expect(try daemon.wait() == 0)
        let log = daemon.log
        #expect(log.contains("event=request"))
        for secret in secrets {
            #expect(!log.contains(secret), "\(secret)")
            #expect(!errors.contains(secret), "\(secret)")
        }
    }
}
