import BridgeProtocol
import FlowEngine
import SDKCore
import Testing

@testable import BridgeBroker

@Suite("Analytic events written straight are the events of the schema")
struct AnalyticEventWriterTests {
    private static let texts = [
        "", "a", "jane@example.com", "👩‍👩‍👦‍👦", "\u{2028}\u{0}\"\\",
        String(repeating: "\u{1}", count: 32_768),
        String(repeating: "é", count: 300),
    ]

    private static let events: [AnalyticEvent] =
        [
            .screenShowed(instanceID: "scr_registration", order: 0, isLast: false),
            .screenShowed(instanceID: "", order: 300, isLast: true),
            .userInput(
                instanceID: "s", elementID: "e", type: .toggle, value: .bool(true)),
            .userInput(instanceID: "s", elementID: "e", type: .toggle, value: .bool(false)),
            .userInput(
                instanceID: "s", elementID: "e", type: .multiChoice,
                value: .items(ids: [], titles: [])),
            .userInput(
                instanceID: "s", elementID: "e", type: .multiChoice,
                value: .items(
                    ids: (0..<500).map { "id\($0)" }, titles: (0..<500).map { "Title \($0)" })),
            .own(name: "mine", params: [:]),
            .own(
                name: "mine",
                params: [
                    "b": .bool(false), "a": .integer(.min), "z": .double(2.5), "ü": .string(""),
                    "list": .strings(["x", "", "y"]), "none": .strings([]),
                ]),
        ]
        + texts.map {
            .userInput(instanceID: "s", elementID: "e", type: .textInput, value: .text($0))
        }
        + [0, 1, -1, 127, 128, 16_384, .max, .min, 645_408_000_000].map {
            .userInput(instanceID: "s", elementID: "e", type: .datePicker, value: .integer($0))
        }

    @Test("IN-2 IN-3 NAV-3 the bytes are those of the encoder", arguments: events)
    func sameBytes(event: AnalyticEvent) throws {
        let view = ViewID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
        for (sequence, timeMs) in [(1, 1), (300, -1), (UInt64.max, Int64.min)] as [(UInt64, Int64)]
        {
            let writer = AnalyticEventWriter()
            let written = Array(
                writer.write(
                    event,
                    AnalyticEventWriter.Envelope(
                        sequence: sequence, device: "phone", view: view, timeMs: timeMs,
                        zone: "Europe/Madrid")))
            var wanted = Event()
            wanted.sequence = sequence
            wanted.device = "phone"
            wanted.viewId = view.description
            wanted.timeMs = timeMs
            wanted.timeZone = "Europe/Madrid"
            wanted.kind = .didReceiveAnalyticEvent(DidReceiveAnalyticEvent(event))
            let buffer = ByteBuffer()
            WireCoder().encodeEvent(wanted, into: buffer)
            // A NUL cannot be typed (GEN-13) and is no text of libprotobuf-c.
            if case .userInput(_, .text(let text)) = event, text.contains("\u{0}") {
                continue
            }
            let decoded = try written.withUnsafeBytes { try WireCoder().decodeEvent($0) }
            #expect(decoded == wanted)
            #expect(written == Array(buffer.readable))
        }
    }
}
