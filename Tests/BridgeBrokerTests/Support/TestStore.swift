import BridgeBroker
import BridgeProtocol
import BridgeStore
import Foundation

/// The store of a test broker: memory, or a file of its own where `FLOWBRIDGE_TEST_STORE` asks for
/// it, so that the whole suite runs over a store on disk.
///
/// - `sqlite`: as the program does it.
/// - `sqlite-cold`: nothing saved stays in memory, so that each read of the record goes to the file.
enum TestStore {
    static let kind = ProcessInfo.processInfo.environment["FLOWBRIDGE_TEST_STORE"] ?? ""

    static func make(_ limits: Limits, in folder: String) throws -> (any Store)? {
        if kind.isEmpty { return nil }
        var limits = limits.store
        if kind == "sqlite-cold" { limits.tailBytesMax = 0 }
        return try SQLiteStore(
            path: folder + "/store.db", durability: .process, limits: limits)
    }
}
