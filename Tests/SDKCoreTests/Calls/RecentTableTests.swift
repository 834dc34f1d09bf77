import Testing

@testable import SDKCore

@Suite("The table of recent values")
struct RecentTableTests {
    @Test("as many values as the limit are kept; the one put in longest ago goes")
    func limit() {
        var table = RecentTable<Int>(limit: 3)
        for number in 0..<3 { table.put(number, name: "n\(number)") }
        #expect(table["n0"] == 0)
        table.put(3, name: "n3")
        #expect(table["n0"] == nil)
        #expect(table.values == [1, 2, 3])
        #expect(table.count == 3)
    }

    @Test("a value put in again is the newest, and takes no more room")
    func again() {
        var table = RecentTable<Int>(limit: 3)
        for number in 0..<3 { table.put(number, name: "n\(number)") }
        table.put(10, name: "n0")
        #expect(table.values == [1, 2, 10])
        table.put(3, name: "n3")
        #expect(table["n1"] == nil)
        #expect(table["n0"] == 10)
    }

    @Test("names are compared code point by code point")
    func exactNames() {
        var table = RecentTable<Int>(limit: 3)
        table.put(1, name: "\u{e9}")
        #expect(table["e\u{301}"] == nil)
        table.put(2, name: "e\u{301}")
        #expect(table["\u{e9}"] == 1)
    }

    @Test(
        "it does as a list would that is searched, in 10 000 random steps, seed 5",
        arguments: [1, 7, 8, 9, 20])
    func asAList(limit: Int) {
        var random = SeededGenerator(seed: 5, name: "recent")
        var table = RecentTable<Int>(limit: limit)
        var list: [(name: String, value: Int)] = []
        for step in 0..<10_000 {
            let name = "n\(Int.random(in: 0..<limit * 2, using: &random))"
            if Int.random(in: 0..<500, using: &random) == 0 {
                table.removeAll()
                list = []
            } else if Bool.random(using: &random) {
                list.removeAll { $0.name == name }
                if list.count == limit { list.removeFirst() }
                list.append((name, step))
                table.put(step, name: name)
            }
            #expect(table[name] == list.first { $0.name == name }?.value)
            #expect(table.values == list.map(\.value))
        }
    }
}
