import BridgeProtocol
import Foundation
import Glibc
import Testing

/// What a broker that was killed leaves to the next one, seen from outside.
@Suite("A broker with a store that is killed and started again")
final class RestartTests {
    let folder = Daemon.makeFolder()

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var store: [String] { ["--store", folder + "/store.db"] }

    private func start(_ arguments: [String] = []) throws -> Daemon {
        try Daemon(store + arguments, in: folder)
    }

    private func kill(_ daemon: Daemon) throws {
        daemon.send(SIGKILL)
        #expect(try daemon.wait() == -SIGKILL)
    }

    @Test(
        "GEN-11 what was activated stays so: profile, variation, clock, sequence; row 1 no manual step",
        arguments: [WireMode.binary, .line], ["process", "power"])
    func killed(mode: WireMode, durability: String) throws {
        let first = try start(["--durability", durability])
        var client = try first.client(mode)
        let created = try client.open {
            $0.device = "phone"
            $0.locale = "es-MX"
            $0.timeZone = "Europe/Madrid"
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = 1_750_000_000_000
            }
        }
        try client.activate(customerUserID: "ana")
        try client.update {
            $0.email = "ana@example.com"
            $0.customAttributes = [
                with(CustomAttribute()) {
                    $0.key = "plan"
                    $0.change = .string("gold")
                }
            ]
        }
        let flow = try client.getFlow("onboarding")
        _ = try client.advance(ms: 90_000)
        let profile = try client.profile()
        let last = try client.status().devices.first?.lastSequence ?? 0
        #expect(last > 1)
        try kill(first)

        let second = try start(["--durability", durability])
        client = try second.client(mode)
        let status = try client.status()
        let device = try #require(status.devices.first)
        #expect(status.store?.kind == "sqlite")
        #expect(status.store?.path == folder + "/store.db")
        #expect(status.store?.events == last)
        #expect(status.store?.fault == "")
        #expect(status.durability == durability)
        #expect(device.activated)
        #expect(device.lastSequence == last)
        #expect(device.timeMs == 1_750_000_090_000)
        #expect(device.locale == "es-MX")
        #expect(device.timeZone == "Europe/Madrid")
        #expect(device.randomSeed == created.info?.randomSeed)
        let attached = try client.open { $0.device = "phone" }
        #expect(!attached.created)
        #expect(!attached.reopened)
        #expect(throws: BridgeError.self, "activated once already") { try client.activate() }
        #expect(try client.profile() == profile)
        #expect(try client.inspectProfile().email == "ana@example.com")
        #expect(try client.getFlow("onboarding").variationId == flow.variationId)
        try client.subscribe()
        try client.update { $0.firstName = "Ana" }
        #expect(try client.events(count: 1).map(\.sequence) == [last + 1])
    }

    @Test(
        "the record is read and replayed across restarts, with no gap and no double",
        arguments: [WireMode.binary, .line])
    func record(mode: WireMode) throws {
        var before: [Event] = []
        for round in 1...3 as ClosedRange<UInt64> {
            let daemon = try start()
            let client = try daemon.client(mode)
            try client.openDevice("phone", manualAtMs: 0)
            if round == 1 { try client.activate() }
            try client.subscribe(from: 1)
            let replayed = try client.events(count: before.count).map { event in
                with(event) { $0.subscriptionId = 0 }
            }
            if round > 1 { #expect(replayed == before, "round \(round)") }
            for number in 1...3 { try client.update { $0.firstName = "\(round)-\(number)" } }
            let page = try client.record()
            #expect(page.map(\.sequence) == Array(1...UInt64(page.count)))
            #expect(page.prefix(before.count) == before[...])
            #expect(page.count == before.count + (round == 1 ? 5 : 3))
            before = page
            try kill(daemon)
        }
    }

    @Test(
        "GEN-11 VW-23 views on screen are told as lost once, with no didDisappear",
        arguments: [WireMode.binary, .line])
    func viewsLost(mode: WireMode) throws {
        let first = try start()
        let client = try first.client(mode)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        let count = try client.record().count
        try kill(first)
        for round in 1...2 {
            let daemon = try start()
            let client = try daemon.client(mode)
            try client.openDevice("phone")
            #expect(try client.listViews().isEmpty)
            let record = try client.record()
            #expect(record.count == count + 1, "round \(round)")
            guard case .viewsLost(let lost) = record.last?.kind else {
                throw Unexpected(record.last as Any)
            }
            #expect(lost.viewIds == [view])
            #expect(lost.reason != "")
            #expect(record.allSatisfy { $0.kind?.isDisappearance == false })
            #expect(throws: BridgeError.self) { try client.present(view) }
            if round == 2 {
                let next = try client.makeFlowView("onboarding")
                #expect(next != view, "ids are drawn on")
            }
            try kill(daemon)
        }
    }

    @Test("GEN-11 ID-4 a closed device stays closed and finds its profile when it opens again")
    func closed() throws {
        let first = try start()
        var client = try first.client(.line)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        try client.update { $0.email = "kept@example.com" }
        let profile = try client.profile()
        try client.closeDevice()
        let last = try client.record("phone").last?.sequence ?? 0
        try kill(first)
        let second = try start()
        client = try second.client(.line)
        #expect(try client.status().devices.isEmpty)
        let opened = try client.open { $0.device = "phone" }
        #expect(opened.reopened)
        #expect(opened.info?.activated == false)
        #expect(try client.record().map(\.sequence) == Array(1...(last + 1)))
        try client.activate()
        #expect(try client.profile().profileId == profile.profileId)
        #expect(try client.inspectProfile().email == "kept@example.com")
    }

    @Test("SIGTERM leaves a store that the next broker takes over, and the shell reads")
    func stopped() throws {
        let first = try start()
        let client = try first.client(.line)
        try client.openDevice("phone", manualAtMs: 0)
        try client.activate()
        first.send(SIGTERM)
        #expect(try first.wait() == 0)
        let shell = URL(fileURLWithPath: "/usr/bin/sqlite3")
        let rows = try run(
            shell,
            [
                folder + "/store.db",
                "SELECT device, sequence FROM recorded_events; PRAGMA integrity_check;"
                    + "SELECT json_extract(CAST(record AS TEXT), '$.state.process.activation') "
                    + "IS NOT NULL FROM devices",
            ])
        #expect(rows.output == "phone|1\nphone|2\nok\n1\n")
        let second = try start()
        #expect(try second.client(.line).status().devices.map(\.device) == ["phone"])
    }

    @Test("--durability none keeps what was written in time, and --ephemeral keeps nothing")
    func withoutPromise() throws {
        let first = try start(["--durability", "none"])
        #expect(try first.client(.line).status().durability == "none")
        try first.client(.line).openDevice("phone")
        first.send(SIGTERM)
        #expect(try first.wait() == 0)
        let second = try start()
        #expect(try second.client(.line).status().devices.count == 1)
        second.send(SIGTERM)
        #expect(try second.wait() == 0)
        let third = try Daemon(["--ephemeral"], in: folder)
        let status = try third.client(.line).status()
        #expect(status.devices.isEmpty)
        #expect(status.store?.kind == "memory")
        #expect(status.durability == "none")
    }
}

extension TestClient {
    /// All recorded events of a device, page by page.
    func record(_ device: String = "") throws -> [Event] {
        var events: [Event] = []
        var next: UInt64 = 1
        while true {
            let reply = try call(
                .getEvents(
                    with(GetEventsRequest()) {
                        $0.device = device
                        $0.fromSequence = next
                    }))
            guard case .getEvents(let page) = reply else { throw Unexpected(reply) }
            events += page.events
            if page.atEnd { return events }
            next = page.nextFromSequence
        }
    }
}

extension Event.Kind {
    fileprivate var isDisappearance: Bool {
        if case .flowDidDisappear = self { true } else { false }
    }
}
