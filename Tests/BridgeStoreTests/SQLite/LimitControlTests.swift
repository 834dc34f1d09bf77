import Testing

@testable import BridgeStore

/// With a limit out of reach what it keeps out has to be let in: else its test shows nothing.
@Suite("A limit of the store that is taken away is missed")
struct StoreLimitControlTests {
    private let folder = StoreFolder()

    @Test(
        "eventBytesMax: the oldest events go, and without it they stay", arguments: [true, false])
    func bytes(isGuarded: Bool) throws {
        let store = try folder.open(bytesMax: isGuarded ? 4_096 : 256 << 20)
        let log = store.events.log(named: "device")
        for _ in 0..<10 { try store.append(String(repeating: "x", count: 1_000), to: log) }
        #expect((store.events.usage.bytes <= 4_096) == isGuarded)
        #expect((store.events.usage.trimmedEvents > 0) == isGuarded)
    }

    @Test(
        "recentEventBytesMax: saved events leave the memory, and without it they stay",
        arguments: [true, false])
    func recent(isGuarded: Bool) throws {
        let store = try folder.open(tailBytesMax: isGuarded ? 0 : 64 << 20)
        let log = store.events.log(named: "device")
        for _ in 0..<500 { try store.append(String(repeating: "x", count: 1_000), to: log) }
        try store.save()
        #expect((store.events.residentSequence(of: log) > 1) == isGuarded)
    }

    @Test(
        "unsavedBytesMax: what waits to be saved is told, and without it is not",
        arguments: [true, false])
    func unsaved(isGuarded: Bool) throws {
        var limits = StoreLimits()
        limits.unsavedBytesMax = isGuarded ? 1_000 : 1 << 30
        let store = try SQLiteStore(path: folder.file, durability: .process, limits: limits)
        let log = store.events.log(named: "device")
        try store.append(String(repeating: "x", count: 2_000), to: log)
        store.seal()
        #expect(store.isBehind == isGuarded)
        store.waitUntilIdle()
    }
}
