import BridgeCatalog
import BridgeProtocol
import Testing

@testable import FlowEngine

private let depths = [29, 30, 31, 32, 33, 64, 65, 100, 512, 513, 10_000, 100_000]

/// The smallest stack on which all of it has to pass: a thirty-second of what the threads have.
private let stackBytes = 256 << 10

/// What is nested in JSON: opening and closing text of a level.
enum Nesting: CaseIterable, Sendable {
    case lists, objects, mixed

    func text(_ depth: Int, _ core: String = "1") -> String {
        let (open, close) =
            switch self {
            case .lists: ("[", "]")
            case .objects: (#"{"a":"#, "}")
            case .mixed: (#"[{"a":"#, "}]")
            }
        let levels = self == .mixed ? depth / 2 : depth
        let core = self == .mixed && depth % 2 == 1 ? "[\(core)]" : core
        return String(repeating: open, count: levels) + core
            + String(repeating: close, count: levels)
    }
}

@Suite("However deep the input nests, the stack is enough and the verdict is documented")
struct NestingTests {
    @Test("a line towards the broker", arguments: depths, Nesting.allCases)
    func requests(_ depth: Int, nesting: Nesting) throws {
        try request(depth, nesting, seen: depth)
    }

    /// - Parameter seen: how many of the levels the decoder looks at.
    private func request(_ depth: Int, _ nesting: Nesting, seen: Int) throws {
        let text = nesting.text(seen)
        let line = #"{"id":5,"getFlow":{"placementId":\#(text)}}"# + "\n"
        let ping = #"{"id":6,"ping":{}}"# + "\n"
        let answers = try onStack(ofBytes: stackBytes) {
            SweepBroker().answers(to: Array((line + ping).utf8))
        }
        #expect(answers?.map(\.id) == [5, 6])
        #expect(answers?.first?.bridgeCode == .invalidArgument)
        guard case .error(let error) = answers?.first?.body else { return }
        // The frame and the method are two levels.
        #expect(error.message.contains("32 levels") == (depth + 2 > 32), "\(error.message)")
    }

    @Test("a line that never closes what it opens", arguments: depths, Nesting.allCases)
    func unclosed(_ depth: Int, nesting: Nesting) throws {
        let text = nesting.text(depth).prefix { $0 != "1" }
        let lines =
            #"{"id":5,"getFlow":{"placementId":\#(text)"# + "\n" + #"{"id":6,"ping":{}}"# + "\n"
        let answers = try onStack(ofBytes: stackBytes) {
            SweepBroker().answers(to: Array(lines.utf8))
        }
        #expect(answers?.count == 2)
        #expect(answers?.first?.bridgeCode == .invalidArgument)
        #expect(answers?.last?.id == 6)
    }

    @Test("unknown messages in a frame towards the broker", arguments: depths)
    func frames(_ depth: Int) throws {
        var inner: [UInt8] = [0x08, 0x01]
        for _ in 0..<depth where inner.count < 900_000 { inner = delimited(15, inner) }
        let hello = framed([0x08, 0x01, 0x52, 0x02, 0x08, 0x01])
        // In a known message an unknown field is passed over; where a text belongs it is no UTF-8
        // or a text; as the method it is unknown.
        let given =
            hello + framed([0x08, 0x05] + delimited(12, inner))
            + framed([0x08, 0x06] + delimited(999, inner)) + framed([0x08, 0x07, 0x62, 0x00])
        let answers = try onStack(ofBytes: stackBytes) { SweepBroker().answers(to: given) }
        #expect(answers?.map(\.id) == [1, 5, 6, 7])
        #expect(answers?[1].bridgeCode == nil)
        #expect(answers?[2].bridgeCode == .unknownMethod)
    }

    @Test("a line towards a client, which skips what it does not know", arguments: depths)
    func answers(_ depth: Int) throws {
        try answer(depth, seen: depth)
    }

    private func answer(_ depth: Int, seen: Int) throws {
        let text = Nesting.mixed.text(seen)
        let line = Array(#"{"id":"5","ping":{},"newer":\#(text)}"#.utf8)
        let code = try onStack(ofBytes: stackBytes) { () -> BridgeError.Code? in
            switch Reading().verdicts([(line + [0x0A])[...]], isRequest: false)[0] {
            case .answer(let frame) where frame.id == 5: nil
            case .refused(_, let code): code
            default: .internal
            }
        }
        #expect(code == (depth + 1 > 32 ? .invalidArgument : nil))
    }

    @Test("a message of an onboarding", arguments: depths, Nesting.allCases)
    func onboardingMessages(_ depth: Int, nesting: Nesting) throws {
        try message(depth, nesting, seen: depth)
    }

    private func message(_ depth: Int, _ nesting: Nesting, seen: Int) throws {
        let text =
            #"{"type":"close","action_id":"x","extra":\#(nesting.text(seen)),"meta":"#
            + #"{"onboarding_id":"o","screen_cid":"s","screen_index":0,"total_screens":1}}"#
        let isRead = try onStack(ofBytes: stackBytes) { () -> Bool in
            do {
                _ = try OnboardingMessage(json: text)
                return true
            } catch {
                return false
            }
        }
        // jansson reads 2 048 levels; what is deeper is no JSON for it, and dropped (OB-14).
        #expect(isRead == (depth < 2_048))
    }

    @Test("a file of a catalog", arguments: depths, Nesting.allCases)
    func catalogs(_ depth: Int, nesting: Nesting) throws {
        let bytes = Array(#"{"format":1,"placements":\#(nesting.text(depth))}"#.utf8)
        let report = try onStack(ofBytes: stackBytes) {
            CatalogLoader.load(files: [("placements.json", bytes)])
        }
        #expect(report.catalog == nil)
        #expect(!report.faults.isEmpty)
    }

    @Test("a fallback file", arguments: depths, Nesting.allCases)
    func fallbacks(_ depth: Int, nesting: Nesting) throws {
        try fallback(depth, nesting, seen: depth)
    }

    private func fallback(_ depth: Int, _ nesting: Nesting, seen: Int) throws {
        let meta = #"{"version":10,"response_created_at":0}"#
        let bytes = Array(#"{"meta":\#(meta),"data":{"x":\#(nesting.text(seen))}}"#.utf8)
        let isRead = try onStack(ofBytes: stackBytes) { () -> Bool in
            do throws(FallbackFault) {
                _ = try FallbackLoader.load(bytes)
                return true
            } catch {
                return false
            }
        }
        // The limit is for each part of the file.
        #expect(isRead == (depth <= CatalogLimits.fallbackDepthMax))
    }

    // MARK: Without a guard

    @Test("control: a decoder that does not count levels is seen", arguments: Nesting.allCases)
    func control(_ nesting: Nesting) throws {
        // It makes of much what the one with the guard makes of little.
        withKnownIssue("a line") { try request(33, nesting, seen: 2) }
        withKnownIssue("an answer") { try answer(33, seen: 2) }
        withKnownIssue("a message") { try message(10_000, nesting, seen: 2) }
        withKnownIssue("a fallback file") { try fallback(513, nesting, seen: 2) }
    }
}
