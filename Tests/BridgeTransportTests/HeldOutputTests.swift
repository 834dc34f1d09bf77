import Testing

@testable import BridgeTransport

@Suite("Output that is held")
struct HeldOutputTests {
    @Test("what is held for a ticket is let go with it or a later one, in order")
    func order() {
        var held = HeldOutput()
        #expect(held.start == nil)
        held.hold(from: 100, until: 1)
        held.hold(from: 150, until: 1)
        held.hold(from: 200, until: 3)
        held.hold(from: 250, until: 2)
        #expect(held.start == 100)
        held.release(upTo: 0)
        #expect(held.start == 100)
        held.release(upTo: 2)
        #expect(held.start == 200)
        held.hold(from: 300, until: 4)
        held.release(upTo: 9)
        #expect(held.start == nil)
        held.hold(from: 400, until: 10)
        held.removeAll()
        #expect(held.start == nil)
    }
}
