import BridgeProtocol
import GoldenFrames
import Testing

@Suite("A broker answers every change of a golden request as documented, and stays")
struct LiveBrokerTests {
    private let hello = framed([0x08, 0x01, 0x52, 0x02, 0x08, 0x01])
    private let ping = framed([0x08] + varint(999_999) + [0x62, 0x00])

    @Test("every flipped bit of a request, with a ping behind it, and every truncation")
    func frames() {
        let broker = SweepBroker()
        var seen: [String: Int] = [:]
        for golden in GoldenFrame.all where golden.isRequest {
            for (bit, changed) in flips(of: golden.frame).enumerated() {
                let answers = broker.answers(to: hello + changed + ping)
                // A longer length may take the ping for its own end.
                let verdict = verdict(answers, "\(golden), bit \(bit)", mayLosePing: bit < 32)
                seen[verdict, default: 0] += 1
            }
            for count in 1..<golden.frame.count {
                let answers = broker.answers(to: hello + golden.frame[..<count])
                seen[verdict(answers, "\(golden) cut at \(count)"), default: 0] += 1
            }
        }
        report("requests", seen)
        expectServing(broker)
    }

    @Test("every flipped bit and every truncation of a line, with a ping behind it")
    func lines() {
        let broker = SweepBroker()
        let ping = Array("\n{\"id\":999999,\"ping\":{}}\n".utf8)
        var seen: [String: Int] = [:]
        for golden in GoldenFrame.all where golden.isRequest {
            let line = Array(golden.line.utf8)
            let cut = line.indices.map { Array(line[..<$0]) }
            for (place, changed) in (flips(of: line) + cut).enumerated() {
                let answers = broker.answers(to: changed + ping)
                seen[verdict(answers, "\(golden), change \(place)"), default: 0] += 1
            }
        }
        report("lines", seen)
        expectServing(broker)
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
        _ answers: [ServerFrame]?, _ what: String, mayLosePing: Bool = false
    ) -> String {
        guard let answers else {
            Issue.record("\(what): what came back is no frames")
            return "lost"
        }
        if answers.contains(where: { $0.bridgeCode == .internal }) {
            Issue.record("\(what): INTERNAL")
        }
        if answers.contains(where: { $0.id == 999_999 && $0.bridgeCode == nil }) { return "served" }
        if mayLosePing, answers.count == 2 { return "served" }
        guard let last = answers.last, last.id == 0, last.bridgeCode == .invalidFrame else {
            Issue.record("\(what): neither served nor told why: \(answers.dropFirst())")
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
}
