import BridgeStore
import CSystemFaults
import Foundation
import Testing

/// What came of a sweep over a store that opens, saves and closes.
struct StoreSweep {
    private(set) var cases = 0
    private(set) var faults: [String] = []
    private let kind: fb_fault_kind
    private var refused = 0

    /// - Parameter without: a guard that is taken away.
    init(_ kind: fb_fault_kind, in folder: String, without guards: fb_guard = FB_GUARD_NONE) {
        self.kind = kind
        var n: UInt64 = 1
        while n < 500, run(n, folder + "/store.db", guards) {
            n += 1
            // A new file each other time: making one and finding one are two ways.
            if n % 2 == 0 { try? FileManager.default.removeItem(atPath: folder + "/store.db") }
        }
    }

    /// False when the n-th call was not reached.
    private mutating func run(_ n: UInt64, _ path: String, _ guards: fb_guard) -> Bool {
        fb_faults_begin(kind, n, 1)
        fb_faults_without(guards)
        let isOpened = openStore(path)
        let met = fb_faults_met().map { String(cString: $0) }
        let left = fb_faults_descriptors()
        fb_faults_end()
        let what = "store, \(kind.name), call \(n) (\(met ?? "none"))"
        if left != 0 { faults.append("\(what): \(left) left open") }
        if !isOpened {
            refused += 1
            // No thread is no soft failure, and a file never says EAGAIN.
            if met == nil || softKinds.contains(kind) && kind != FB_FAULT_EAGAIN {
                faults.append("\(what): refused")
            }
            // What is there stays good.
            if !openStore(path) { faults.append("\(what): the store is of no use after it") }
        }
        if met != nil { cases += 1 }
        return met != nil
    }

    /// False when the store does not open; a fault is its own and has a text.
    private mutating func openStore(_ path: String) -> Bool {
        do throws(StoreFault) {
            let store = try SQLiteStore(path: path, durability: .process)
            store.close()
            return true
        } catch {
            if error.message.isEmpty { faults.append("a fault without a text") }
            return false
        }
    }

    /// Prints what was counted and records what was found.
    func report() {
        for fault in faults { Issue.record("\(fault)") }
        print("store, \(kind.name): \(cases) cases: \(refused) refused")
        fflush(nil)
    }
}
