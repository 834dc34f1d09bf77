import BridgeProtocol
import Testing

@testable import BridgeTransport

/// How far a client is when it is killed.
struct ClientState: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var isGreeted = false
    var endsInput = false
    var waits = false
    var answerBytes = 1
    var testDescription: String { name }

    private static let frame: [UInt8] = [0, 0, 0, 1, 7]

    static let all = [
        Self(name: "silent", bytes: []),
        Self(name: "after white space", bytes: [0x20, 0x0A]),
        Self(name: "after the first byte", bytes: [0]),
        Self(name: "after an opening brace", bytes: [0x7B]),
        Self(name: "in a length", bytes: [0, 0]),
        Self(name: "in a first frame", bytes: [0, 0, 0, 9, 1]),
        Self(name: "in a first line", bytes: Array("{\"id\"".utf8)),
        Self(name: "before its hello is read", bytes: frame),
        Self(name: "greeted", bytes: frame, isGreeted: true),
        Self(name: "in line mode", bytes: Array("{}\n".utf8)),
        Self(name: "in a later frame", bytes: frame + [0, 0, 1, 0, 4], isGreeted: true),
        Self(name: "with a waiting request", bytes: frame, isGreeted: true, waits: true),
        Self(name: "half-closed", bytes: frame, isGreeted: true, endsInput: true),
        Self(
            name: "half-closed with a waiting request", bytes: frame, isGreeted: true,
            endsInput: true, waits: true),
        Self(name: "half-closed in a frame", bytes: [0, 0, 0, 9, 1], endsInput: true),
        Self(name: "with unread answers", bytes: frame, isGreeted: true, answerBytes: 60_000),
        Self(name: "with a full queue", bytes: frame, isGreeted: true, answerBytes: 2 << 20),
        Self(
            name: "half-closed with a full queue", bytes: frame, isGreeted: true, endsInput: true,
            answerBytes: 2 << 20),
        Self(name: "after a framing fault, unread", bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8)),
        Self(name: "after too long a frame, unread", bytes: [0, 0xFF, 0xFF, 0xFF, 1]),
    ]
}

@Suite("Clients that are killed")
struct KilledClientTests {
    @Test(
        "row 21: killed in any state, a hundred times, nothing of a client is left",
        arguments: ClientState.all)
    func everyState(state: ClientState) throws {
        let bench = try LoopBench()
        let healthy = bench.connect()
        healthy.send([0, 0, 0, 1, 5])
        try bench.turn { bench.handler.frames.count == 1 }
        bench.handler.answer = { _ in [UInt8](repeating: 7, count: state.answerBytes) }
        for round in 1...100 {
            bench.handler.waiting = state.waits
            let peer = bench.connect()
            if state.waits { bench.handler.answer = { _ in [] } }
            peer.send(state.bytes)
            if state.endsInput { peer.endInput() }
            bench.loop.turn(waitMs: 0)
            if state.isGreeted {
                bench.loop.connections.values.max { $0.id < $1.id }?.greeted()
            }
            bench.loop.turn(waitMs: 0)
            peer.close()
            // Requests that wait are cancelled by the handler when it hears of the end.
            try bench.turn {
                if bench.loop.connections.count == 2 { bench.handler.waiting = state.waits }
                return bench.handler.closed.count == round
            }
        }
        #expect(bench.loop.connections.count == 1)
        #expect(bench.loop.byDescriptor.count { $0 != nil } == 1)
        #expect(bench.loop.toClose == [])
        #expect(bench.loop.perUid.values.reduce(0, +) == 1)
        #expect(bench.loop.ungreeted == 0)
        #expect(bench.loop.queuedPerUid.isEmpty)
    }
}
