import BridgeBroker
import BridgeStore
import CSystemFaults
import Foundation
import Testing

/// Fails the first, the second, … system call of each kind until a run completes without it.
@Suite("A system call that fails harms at most the connection that it was made for", .serialized)
struct SystemCallTests {
    /// Ways to fail after which everything goes on as if nothing had been.
    private static let soft: [fb_fault_kind] = [
        FB_FAULT_SHORT_READ, FB_FAULT_SHORT_WRITE, FB_FAULT_EINTR, FB_FAULT_EAGAIN,
    ]

    /// What was counted is seen also when a run has to be ended.
    private func report(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static let kinds = (0..<FB_FAULT_KINDS.rawValue).map { fb_fault_kind(rawValue: $0) }

    @Test("a broker in the midst of a conversation", arguments: kinds)
    func broker(_ kind: fb_fault_kind) throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = String(cString: fb_fault_name(kind))
        var met: [String: Int] = [:]
        var refused = 0
        var cut = 0
        var n: UInt64 = 1
        while true {
            let outcome = Conversation.run(kind, n, in: folder)
            let what = "\(name), call \(n) (\(outcome.met ?? "none"))"
            for fault in outcome.faults { Issue.record("\(what): \(fault)") }
            if outcome.appIsCut && outcome.otherIsCut { Issue.record("\(what): both are cut") }
            let isCut = outcome.appIsCut || outcome.otherIsCut
            let isHarmed = isCut || outcome.refusal != nil || outcome.isCatalogRefused
            // No thread is no soft failure, and a file never says EAGAIN.
            let isSoft =
                Self.soft.contains(kind) && outcome.met != "pthread_create"
                && !(kind == FB_FAULT_EAGAIN && outcome.isCatalogRefused)
            if isHarmed, outcome.met == nil || isSoft {
                Issue.record("\(what): something was refused, or somebody is cut")
            }
            guard let call = outcome.met else { break }
            met[call, default: 0] += 1
            if outcome.refusal != nil { refused += 1 }
            if isCut { cut += 1 }
            n += 1
            if n > 2_000 {
                Issue.record("\(name): no end")
                break
            }
        }
        let calls = met.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        report(
            "\(name): \(n - 1) cases: \(calls.joined(separator: ", ")); \(refused) starts refused, "
                + "\(cut) connections cut")
        #expect(n > 1)
    }

    @Test(
        "calls that fail three times in a row: the listener survives, nothing hangs or is left",
        arguments: kinds.filter { !soft.contains($0) })
    func threeTimes(_ kind: fb_fault_kind) throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = String(cString: fb_fault_name(kind))
        var n: UInt64 = 1
        while n < 2_000 {
            let outcome = Conversation.run(kind, n, times: 3, in: folder)
            // Three failures can keep the second start and the third client out, and the file in.
            let mayBe = ["start failed", "nobody is let in", "file is left"]
            for fault in outcome.faults where !mayBe.contains(where: fault.contains) {
                Issue.record("\(name), call \(n) (\(outcome.met ?? "none")): \(fault)")
            }
            if outcome.met == nil { break }
            n += 1
        }
        report("\(name), three times: \(n - 1) cases: to the end")
    }

    @Test("a store that opens, saves and closes", arguments: kinds)
    func store(_ kind: fb_fault_kind) throws {
        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = String(cString: fb_fault_name(kind))
        var n: UInt64 = 1
        var refused = 0
        while n < 500 {
            fb_faults_begin(kind, n, 1)
            let isOpened = openStore(folder + "/store.db")
            let met = fb_faults_met().map { String(cString: $0) }
            let left = fb_faults_descriptors()
            fb_faults_end()
            if left != 0 { Issue.record("\(name), \(met ?? ""), call \(n): \(left) left open") }
            if !isOpened {
                refused += 1
                // What is there stays good.
                if !openStore(folder + "/store.db") {
                    Issue.record(
                        "\(name), \(met ?? ""), call \(n): the store is of no use after it")
                }
            }
            guard met != nil else {
                if !isOpened { Issue.record("\(name): refused without a fault") }
                break
            }
            n += 1
            // A new file each other time: making one and finding one are two ways.
            if n % 2 == 0 { try? FileManager.default.removeItem(atPath: folder + "/store.db") }
        }
        report("store, \(name): \(n - 1) cases: \(refused) refused")
    }

    /// False when the store does not open; a fault is its own and has a text.
    private func openStore(_ path: String) -> Bool {
        do throws(StoreFault) {
            let store = try SQLiteStore(path: path, durability: .process)
            store.close()
            return true
        } catch {
            if error.message.isEmpty { Issue.record("a fault without a text") }
            return false
        }
    }

    private func makeFolder() throws -> String {
        var template = Array("/tmp/fbsweep-XXXXXX".utf8CString)
        return try #require(mkdtemp(&template).map { String(cString: $0) })
    }
}
