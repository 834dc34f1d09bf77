import BridgeProtocol
import Foundation
import Glibc
import Testing

/// What the next broker finds of that which is set on a device, and of what its app told.
@Suite("A restarted broker keeps conditions, fallback files and backend events")
final class RestartKeepsTests {
    let folder = Daemon.makeFolder()

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var store: String { folder + "/store.db" }

    private func start() throws -> Daemon { try Daemon(["--store", store], in: folder) }

    private func kill(_ daemon: Daemon) throws {
        daemon.send(SIGKILL)
        #expect(try daemon.wait() == -SIGKILL)
    }

    private func query(_ sql: String) throws -> String {
        let copy = folder + "/copy.db"
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
        }
        return try run(URL(fileURLWithPath: "/usr/bin/sqlite3"), [copy, sql]).output
    }

    @Test(
        "GEN-11 ERR-2 ACT-26 conditions hold on after a kill, for as many calls as are left",
        arguments: [WireMode.binary, .line])
    func conditions(mode: WireMode) throws {
        var daemon = try start()
        var client = try daemon.client(mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.setConditions {
            $0.purchasesForbidden = true
            $0.calls = [
                with(CallCondition()) {
                    $0.method = "update_profile"
                    $0.httpStatus = 503
                    $0.calls = 3
                },
                with(CallCondition()) {
                    $0.method = "get_flow"
                    $0.latencyMs = 700
                },
            ]
        }
        let update: ClientFrame.Body = .updateProfile(UpdateProfileRequest())
        #expect(try client.refusal(update).sdk?.code == 2004)
        for left in [2, 1] {
            try kill(daemon)
            daemon = try start()
            client = try daemon.client(mode)
            try client.openDevice("phone")
            #expect(try client.refusal(update).sdk?.code == 2004, "\(left) left")
        }
        try kill(daemon)
        daemon = try start()
        client = try daemon.client(mode)
        try client.openDevice("phone")
        try client.update { _ in }
        let fetch = try client.send(
            .getFlow(with(GetFlowRequest()) { $0.placementId = "onboarding" }))
        try client.advance(ms: 699)
        #expect(try client.status().connections.flatMap(\.pending).count == 1)
        try client.advance(ms: 1)
        _ = try client.answer(to: fetch)
        try client.setConditions { $0.clear = true }
        try kill(daemon)
        daemon = try start()
        client = try daemon.client(mode)
        try client.openDevice("phone")
        _ = try client.getFlow("onboarding")
        #expect(try client.status().connections.flatMap(\.pending).isEmpty)
    }

    private func set(_ variation: String) -> ClientFrame.Body {
        let text = FallbackFolder.text(
            [("main", variation, "v1")], documents: [("v1", FallbackFolder.document)])
        return .setFallback(
            with(SetFallbackRequest()) { $0.source = .content(Array(text.utf8)) })
    }

    private func fetch(_ client: TestClient) throws -> String {
        try client.activate()
        let id = try client.send(.getFlow(with(GetFlowRequest()) { $0.placementId = "main" }))
        try client.advance(ms: 60_000)
        guard case .getFlow(let got) = try client.answer(to: id) else { return "" }
        return got.flow?.variationId ?? ""
    }

    @Test(
        "GEN-11 PL-70 a fallback file stays in force after a kill, stored once for all who share it",
        arguments: [WireMode.binary, .line])
    func fallback(mode: WireMode) throws {
        let first = try start()
        let phones = ["a", "b", "c"]
        for name in phones {
            let client = try first.client(mode)
            try client.openDevice(name, manualAtMs: 0)
            try client.setOffline(true)
            try client.call(set(name == "c" ? "var_other" : "var_file"))
        }
        #expect(try query("SELECT id, version FROM fallback_files ORDER BY id") == "1|1\n2|1\n")
        try kill(first)
        let second = try start()
        for name in phones {
            let client = try second.client(mode)
            try client.openDevice(name)
            #expect(try fetch(client) == (name == "c" ? "var_other" : "var_file"))
        }
        #expect(try query("SELECT id, version FROM fallback_files ORDER BY id") == "1|1\n2|1\n")
        // Closing ends the process, and with it the file; another file takes the place of one.
        var client = try second.client(mode)
        try client.closeDevice("a")
        #expect(try query("SELECT count(*) FROM fallback_files") == "2\n")
        client = try second.client(mode)
        try client.openDevice("b")
        try client.call(set("var_third"))
        #expect(try query("SELECT id, version FROM fallback_files ORDER BY id") == "2|1\n3|1\n")
        try kill(second)
        let third = try start()
        client = try third.client(mode)
        try client.openDevice("a")
        #expect(throws: BridgeError.self, "a closed process kept its file") {
            try fetch(client)
        }
    }

    private func backendEvents(_ client: TestClient) throws -> [BackendEvent] {
        var events: [BackendEvent] = []
        var token = ""
        repeat {
            let reply = try client.call(
                .listBackendEvents(
                    with(ListBackendEventsRequest()) {
                        $0.pageSize = 2
                        $0.pageToken = token
                    }))
            guard case .listBackendEvents(let page) = reply else { throw Unexpected(reply) }
            events += page.events
            token = page.nextPageToken
        } while !token.isEmpty
        return events
    }

    @Test(
        "GEN-11 NAV-16 PL-30 backend events are listed across kills, and go on behind them",
        arguments: [WireMode.binary, .line])
    func events(mode: WireMode) throws {
        var expected: [BackendEvent] = []
        for round in 1...3 {
            let daemon = try start()
            let client = try daemon.client(mode)
            try client.openDevice("phone", manualAtMs: 5_000)
            #expect(try backendEvents(client) == expected, "round \(round)")
            if round == 1 { try client.activate() }
            let view = try client.makeFlowView("onboarding")
            try client.present(view)
            try client.focus(view, "name")
            try client.enter(view, "name", "Jane")
            try client.advance(ms: 1_000)
            try client.tapButton(view, "next")
            let now = try backendEvents(client)
            #expect(now.starts(with: expected))
            #expect(now.count >= expected.count + 2)
            expected = now
            try kill(daemon)
        }
        #expect(
            try query("SELECT count(*), min(number), max(number) FROM backend_events")
                == "\(expected.count)|1|\(expected.count)\n")
    }

    @Test("a store of version 1 opens with everything in it, and goes on")
    func versionOne() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/store-v1.sql")
        let made = try run(
            URL(fileURLWithPath: "/usr/bin/sqlite3"), [store, ".read \(script.path)"])
        #expect(made.code == 0)
        #expect(chmod(store, 0o600) == 0)
        let daemon = try start()
        let client = try daemon.client(.line)
        let status = try client.status()
        #expect(status.devices.map(\.device) == ["phone"])
        #expect(status.devices.first?.timeMs == 1_750_000_090_000)
        try client.openDevice("phone")
        let record = try client.record()
        #expect(record.map(\.sequence) == Array(1...7))
        guard case .viewsLost? = record.last?.kind else { throw Unexpected(record) }
        #expect(try client.profile().profileId == "56B8425E-2B77-45FF-9DC4-44C7EE228DFC")
        #expect(try client.profile().customerUserId == "ana")
        #expect(try client.inspectProfile().email == "ana@example.com")
        #expect(try client.getFlow("onboarding").variationId == "var_registration")
        #expect(try client.record("tablet").map(\.sequence) == [1, 2])
        let tablet = try daemon.client(.line).open { $0.device = "tablet" }
        #expect(tablet.reopened)
        try client.call(set("var_file"))
        try kill(daemon)
        #expect(try query("SELECT version FROM flowbridge_store") == "2\n")
        #expect(try query("SELECT count(*) FROM fallback_files") == "1\n")
        _ = try start()
    }
}
