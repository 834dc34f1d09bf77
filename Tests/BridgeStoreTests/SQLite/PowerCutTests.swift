import CPowerCut
import Foundation
import Testing

@testable import BridgeStore

extension DiskFaultTests {
    /// How many cuts are tried: `FLOWBRIDGE_POWER_CUTS`, else a short run.
    private static var cuts: Int {
        ProcessInfo.processInfo.environment["FLOWBRIDGE_POWER_CUTS"].flatMap { Int($0) } ?? 30
    }

    @Test("row 38: a power cut at any moment loses nothing that power mode has acknowledged")
    func powerCuts() throws {
        let outcome = try Self.cut(.power, times: Self.cuts, seed: 20_251)
        #expect(outcome.lost == 0)
        #expect(outcome.damaged == 0)
        #expect(outcome.acknowledged > 0)
        print(
            "power cuts: \(Self.cuts), seed 20251, acknowledged \(outcome.acknowledged), "
                + "lost \(outcome.lost), doubled or damaged \(outcome.damaged)")
    }

    @Test("without the sync the same cuts lose something, and never damage the file")
    func control() throws {
        let outcome = try Self.cut(.process, times: 24, seed: 20_252)
        #expect(outcome.lost > 0)
        #expect(outcome.damaged == 0)
    }

    private struct Outcome {
        var acknowledged: UInt64 = 0
        var lost: UInt64 = 0
        var damaged = 0
    }

    /// Cuts the power of stores again and again; each lives through several cuts.
    private static func cut(
        _ durability: Durability, times: Int, seed: UInt64
    ) throws -> Outcome {
        var random = SplitMix(state: seed)
        var outcome = Outcome()
        var life = PowerCutLife()
        for turn in 0..<times {
            if turn % 8 == 0 { life = PowerCutLife() }
            fb_disk_reset()
            fb_disk_cut_at(
                UInt64.random(in: 1...120, using: &random), random.next(),
                UInt32.random(in: 0...100, using: &random))
            let before = life.acknowledged
            try life.run(durability, &random)
            fb_disk_reset()
            outcome.acknowledged += life.acknowledged - before
            let verdict = try life.check()
            outcome.lost += verdict.lost
            outcome.damaged += verdict.isDamaged ? 1 : 0
        }
        return outcome
    }
}

/// A store, what it acknowledged, and the outside view of what it holds after a cut.
private final class PowerCutLife {
    private let folder = StoreFolder()
    /// The n-th batch holds event n and makes the profile's version n.
    private(set) var acknowledged: UInt64 = 0

    func run(_ durability: Durability, _ random: inout SplitMix) throws {
        let store: SQLiteStore
        do {
            store = try folder.open(durability, vfs: String(cString: fb_disk_name()))
        } catch {
            return
        }
        let log = store.events.log(named: "device")
        var next = store.events.bounds(of: log).nextSequence
        let first = next
        while store.fault == nil {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                try store.append("event \(next)", to: log)
                try store.profiles.store(
                    Array("\(next)".utf8), id: "p", expecting: store.profiles.version(of: "p"))
                store.seal()
                next += 1
            }
            store.waitUntilIdle()
            acknowledged = max(acknowledged, first - 1 + store.savedTicket)
        }
        store.close()
    }

    func check() throws -> (lost: UInt64, isDamaged: Bool) {
        let answer = try folder.shell(
            "PRAGMA integrity_check; "
                + "SELECT count(*), coalesce(max(sequence), 0), coalesce(min(sequence), 1), "
                + "count(DISTINCT event), (SELECT coalesce(max(version), 0) FROM profiles), "
                + "coalesce(sum(event != CAST('event ' || sequence AS BLOB)), 0) "
                + "FROM recorded_events"
        ).split(separator: "\n")
        guard answer.contains("ok") else { return (0, true) }
        // A power that was cut before the tables were there left an empty file.
        let hasTables = !answer.contains { $0.contains("no such table") }
        let numbers =
            hasTables
            ? answer[1].split(separator: "|").compactMap { UInt64($0) } : [0, 0, 1, 0, 0, 0]
        let count = numbers[0]
        let isDamaged = numbers != [count, count, 1, count, count, 0]
        let lost = acknowledged > count ? acknowledged - count : 0
        // What is lost is counted once.
        acknowledged = min(acknowledged, count)
        return (lost, isDamaged)
    }
}
