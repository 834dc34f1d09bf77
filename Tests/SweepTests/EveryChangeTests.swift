import BridgeProtocol
import Testing

/// Every place at which the bytes of a frame can be split, cut or changed, without exception.
@Suite("Every split, cut and flipped bit of every golden frame has a documented verdict")
struct EveryChangeTests {
    private let subjects = Subject.golden + Subject.examples

    @Test("two frames are the same two frames in whatever pieces they come")
    func splits() {
        let reading = Reading()
        var cases = 0
        for subject in subjects {
            for bytes in [subject.frame, subject.line] where bytes.count <= 400 {
                let twice = bytes + bytes
                let whole = reading.verdicts([twice[...]], isRequest: subject.isRequest)
                #expect(whole.count == 2, "\(subject)")
                for first in 0...bytes.count {
                    for size in pieceSizes(bytes.count) where first + size <= twice.count {
                        cases += 1
                        let pieces = [
                            twice[..<first], twice[first..<first + size], twice[(first + size)...],
                        ]
                        let found = reading.verdicts(pieces, isRequest: subject.isRequest)
                        // A NaN equals nothing.
                        if found != whole && "\(found)" != "\(whole)" {
                            Issue.record("\(subject) split at \(first) and \(first + size)")
                        }
                    }
                }
            }
        }
        print("splits: \(cases) cases")
        #expect(cases > 100_000)
    }

    private func pieceSizes(_ count: Int) -> [Int] {
        [0, 1, 3, 4, count - 1, count]
    }

    @Test("every truncation is an unfinished frame, or a line with a verdict")
    func truncations() throws {
        let reading = Reading()
        var (frames, lines) = (Tally(), Tally())
        for subject in subjects {
            for count in subject.frame.indices {
                let found = reading.verdicts(
                    [subject.frame[..<count]], isRequest: subject.isRequest)
                frames.count(found)
                #expect(found == [count == 0 ? .nothing : .framing], "\(subject) cut at \(count)")
            }
            for count in 0..<subject.line.count - 1 {
                let found = reading.verdicts(
                    [subject.line[..<count]], isRequest: subject.isRequest)
                lines.count(found)
                try check(reading, found, "\(subject): line cut at \(count)")
                let whole = found.contains { if case .refused = $0 { false } else { true } }
                #expect(!whole || count < 2, "\(subject): line cut at \(count)")
            }
        }
        print("truncated frames: \(frames)\ntruncated lines: \(lines)")
    }

    @Test("every flipped bit of a frame has a documented verdict, also in its length")
    func flippedBits() throws {
        let tally = try flip(subjects.map { ($0.description, $0.frame, $0.isRequest) })
        print("flipped bits of frames: \(tally)")
        #expect(tally.total > 90_000)
    }

    @Test("every flipped bit of a line has a documented verdict")
    func flippedBitsOfLines() throws {
        let tally = try flip(Subject.golden.map { ($0.description, $0.line, $0.isRequest) })
        print("flipped bits of lines: \(tally)")
        #expect(tally.total > 90_000)
    }

    private func flip(
        _ all: [(name: String, bytes: [UInt8], isRequest: Bool)]
    ) throws -> Tally {
        let reading = Reading()
        var tally = Tally()
        for (name, bytes, isRequest) in all {
            var changed = bytes
            for bit in 0..<bytes.count * 8 {
                changed[bit / 8] ^= 1 << (bit % 8)
                defer { changed[bit / 8] ^= 1 << (bit % 8) }
                let found = reading.verdicts([changed[...]], isRequest: isRequest)
                tally.count(found)
                try check(reading, found, "\(name), bit \(bit)")
            }
        }
        return tally
    }

    /// Decoded frames say the same after another way there and back; a refusal has a code of the
    /// documented ones.
    private func check(_ reading: Reading, _ found: [Verdict], _ what: String) throws {
        for verdict in found {
            if case .refused(_, let code) = verdict, !Verdict.codes.contains(code) {
                Issue.record("\(what): refused with \(code.name)")
            }
            if let difference = try reading.difference(verdict) {
                Issue.record("\(what): \(difference)")
            }
        }
    }
}
