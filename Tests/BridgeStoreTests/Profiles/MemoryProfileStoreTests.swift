import Testing

@testable import BridgeStore

@Suite("Profiles in memory")
struct MemoryProfileStoreTests {
    @Test("a record is stored once under version 1 and changed under the version that was read")
    func versions() throws {
        let store = MemoryProfileStore<[UInt8]>()
        #expect(store.load("p") == nil)
        #expect(try store.store([1], id: "p", expecting: 0) == 1)
        #expect(try store.store([2], id: "p", expecting: 1) == 2)
        #expect(store.load("p")?.record == [2])
        #expect(store.load("p")?.version == 2)
        #expect(store.count == 1)
    }

    @Test("who comes second is told the version that won, and changes nothing")
    func conflicts() throws {
        let store = MemoryProfileStore<String>()
        try store.store("a", id: "p", expecting: 0)
        #expect(throws: ProfileStoreError.versionConflict(expected: 0, stored: 1)) {
            try store.store("b", id: "p", expecting: 0)
        }
        #expect(throws: ProfileStoreError.versionConflict(expected: 2, stored: 1)) {
            try store.store("b", id: "p", expecting: 2)
        }
        #expect(throws: ProfileStoreError.versionConflict(expected: 1, stored: 0)) {
            try store.store("b", id: "q", expecting: 1)
        }
        #expect(store.load("p")?.record == "a")
        #expect(store.load("q") == nil)
    }

    @Test("ids are compared code point by code point")
    func ids() throws {
        let store = MemoryProfileStore<Int>()
        try store.store(1, id: "\u{e9}", expecting: 0)
        try store.store(2, id: "e\u{301}", expecting: 0)
        #expect(store.load("\u{e9}")?.record == 1)
    }
}
