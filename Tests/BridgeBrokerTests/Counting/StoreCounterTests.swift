import BridgeProtocol
import Foundation
import Testing

@Suite("status counts what the store saved")
struct StoreCounterTests {
    @Test("batches, rows and bytes rise with what is saved, and nothing waits in the end")
    func saved() throws {
        let folder = Daemon.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try Daemon(["--store", folder + "/store.db"])
        for mode in [WireMode.binary, .line] {
            let client = try daemon.client(mode)
            let before = try #require(try client.status().store)
            try client.openDevice("phone-\(mode)", manualAtMs: 0)
            try client.activate()
            try client.wait { $0.store?.batchesWaiting == 0 }
            let after = try #require(try client.status().store)
            #expect(after.kind == "sqlite")
            #expect(after.batches > before.batches)
            #expect(after.transactions > before.transactions)
            #expect(after.transactions <= after.batches)
            #expect(after.rows >= before.rows + 2)
            #expect(after.bytesWritten > before.bytesWritten + 100)
            #expect(after.faults == 0 && after.lastFault.isEmpty && after.fault.isEmpty)
            try client.call(.ping(PingRequest()))
            let idle = try #require(try client.status().store)
            #expect(idle.rows == after.rows)
        }
    }
}
