import Testing

@testable import SDKCore

@Suite("View ids")
struct ViewIDTests {
    @Test("VW-1 an id prints as 36 upper-case characters and is read back")
    func roundTrip() {
        var generator = SeededGenerator(seed: 3, name: "d")
        for _ in 0..<1_000 {
            let id = generator.nextID()
            let text = id.description
            #expect(text.utf8.count == 36)
            #expect(text == text.uppercased())
            #expect(ViewID(text) == id)
        }
        let id = ViewID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        #expect(id.description == "01234567-89AB-CDEF-FEDC-BA9876543210")
    }

    @Test(
        "VW-1 no other spelling is read",
        arguments: [
            "", "x", "01234567-89ab-cdef-fedc-ba9876543210",
            "01234567-89AB-CDEF-FEDC-BA987654321", "01234567-89AB-CDEF-FEDC-BA98765432100",
            "0123456789ABCDEFFEDCBA9876543210", "01234567+89AB-CDEF-FEDC-BA9876543210",
            "01234567-89AB-CDEF-FEDC-BA987654321G", "{1234567-89AB-CDEF-FEDC-BA9876543210",
            "01234567-89AB-CDEF-FEDC-BA98765432é",
        ])
    func otherSpellings(text: String) {
        #expect(ViewID(text) == nil)
    }

    @Test("GEN-3 ids follow from seed and device name, and have the shape of version 4")
    func generator() {
        func ids(_ seed: UInt64, _ name: String) -> [ViewID] {
            var generator = SeededGenerator(seed: seed, name: name)
            return (0..<100).map { _ in generator.nextID() }
        }
        #expect(ids(1, "a") == ids(1, "a"))
        #expect(Set(ids(1, "a") + ids(2, "a") + ids(1, "b") + ids(0, "")).count == 400)
        for id in ids(9, "device") {
            let text = Array(id.description)
            #expect(text[14] == "4")
            #expect("89AB".contains(text[19]))
        }
    }
}
