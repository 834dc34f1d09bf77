import BridgeProtocol
import GoldenFrames
import Testing

@Suite("A broker answers every change of a golden request as documented, and stays")
struct LiveBrokerTests {
    private let hello = framed([0x08, 0x01, 0x52, 0x02, 0x08, 0x01])
    private let ping = framed([0x08] + varint(999_999) + [0x62, 0x00])

    /// What a broker answers to those bytes.
    private typealias Answering = ([UInt8]) -> [ServerFrame]?

    @Test("every flipped bit of a request, with a ping behind it, and every truncation")
    func frames() {
        let broker = SweepBroker()
        let seen = change(GoldenFrame.all.filter(\.isRequest), broker.answers)
        report("requests", seen)
        expectServing(broker)
    }

    private func change(
        _ frames: [GoldenFrame], _ answering: Answering, _ findings: Findings = Findings()
    ) -> [String: Int] {
        var seen: [String: Int] = [:]
        for golden in frames {
            for (bit, changed) in flips(of: golden.frame).enumerated() {
                let answers = answering(hello + changed + ping)
                // A longer length may take the ping for its own end.
                let verdict = verdict(
                    answers, "\(golden), bit \(bit)", findings, mayLosePing: bit < 32)
                seen[verdict, default: 0] += 1
            }
            for count in 1..<golden.frame.count {
                let answers = answering(hello + golden.frame[..<count])
                seen[verdict(answers, "\(golden) cut at \(count)", findings), default: 0] += 1
            }
        }
        return seen
    }

    @Test("every flipped bit and every truncation of a line, with a ping behind it")
    func lines() {
        let broker = SweepBroker()
        let seen = changeLines(GoldenFrame.all.filter(\.isRequest), broker.answers)
        report("lines", seen)
        expectServing(broker)
    }

    private func changeLines(
        _ frames: [GoldenFrame], _ answering: Answering, _ findings: Findings = Findings()
    ) -> [String: Int] {
        let ping = Array("\n{\"id\":999999,\"ping\":{}}\n".utf8)
        var seen: [String: Int] = [:]
        for golden in frames {
            let line = Array(golden.line.utf8)
            let cut = line.indices.map { Array(line[..<$0]) }
            for (place, changed) in (flips(of: line) + cut).enumerated() {
                let answers = answering(changed + ping)
                seen[verdict(answers, "\(golden), change \(place)", findings), default: 0] += 1
            }
        }
        return seen
    }

    private func flips(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<bytes.count * 8).map { bit in
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            return changed
        }
    }

    /// Either the ping is answered, or the last words are an INVALID_FRAME without an id.
    private func verdict(
        _ answers: [ServerFrame]?, _ what: String, _ findings: Findings, mayLosePing: Bool = false
    ) -> String {
        guard let answers else {
            findings.add("\(what): what came back is no frames")
            return "lost"
        }
        if answers.contains(where: { $0.bridgeCode == .internal }) {
            findings.add("\(what): INTERNAL")
        }
        if answers.contains(where: { $0.id == 999_999 && $0.bridgeCode == nil }) { return "served" }
        if mayLosePing, answers.count == 2 { return "served" }
        guard let last = answers.last, last.id == 0, last.bridgeCode == .invalidFrame else {
            findings.add("\(what): neither served nor told why: \(answers.dropFirst())")
            return "lost"
        }
        return "closed"
    }

    private func report(_ what: String, _ seen: [String: Int]) {
        let total = seen.values.reduce(0, +)
        print("changed \(what): \(total) cases: \(seen.sorted { $0.key < $1.key })")
        #expect(total > 10_000)
        #expect(seen["lost"] == nil)
        #expect(seen["served"] != nil && seen["closed"] != nil)
    }

    private func expectServing(_ broker: SweepBroker) {
        #expect(broker.answers(to: hello + ping)?.last?.id == 999_999)
    }

    // MARK: Without a guard

    /// What a broker without it would say, made of what the one with it says.
    private static let missing:
        [(guards: String, change: @Sendable ([ServerFrame]) -> [ServerFrame])] = [
            ("it tells why it closes", { $0.last?.id == 0 ? $0.dropLast() : $0 }),
            ("bad input is no fault of its own", { $0.map(\.asInternal) }),
            ("it serves what comes behind", { $0.filter { $0.id != 999_999 } }),
        ]

    @Test("control: a broker that lacks one of three guards is seen", arguments: 0..<3)
    func control(_ place: Int) throws {
        let broker = SweepBroker()
        let answering: Answering = { broker.answers(to: $0).map(Self.missing[place].change) }
        let golden = try #require(GoldenFrame.all.first { $0.isRequest })
        let name = Self.missing[place].guards
        Findings.expectSome("frames, \(name)") { _ = change([golden], answering, $0) }
        Findings.expectSome("lines, \(name)") { _ = changeLines([golden], answering, $0) }
    }
}

extension ServerFrame {
    /// The same with INTERNAL where the bridge has refused something.
    fileprivate var asInternal: ServerFrame {
        guard case .error(var error) = body, error.sdk == nil else { return self }
        error.bridge = .internal
        var frame = self
        frame.body = .error(error)
        return frame
    }
}
