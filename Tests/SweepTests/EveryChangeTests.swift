import BridgeProtocol
import CBridgeWire
import Testing

/// Every place at which the bytes of a frame can be split, cut or changed, without exception.
@Suite("Every split, cut and flipped bit of every golden frame has a documented verdict")
struct EveryChangeTests {
    private static let subjects = Subject.golden + Subject.examples

    @Test("two frames are the same two frames in whatever pieces they come")
    func splits() {
        #expect(split(Self.subjects) > 100_000)
    }

    private func split(
        _ subjects: [Subject], _ guards: ReadingGuards = ReadingGuards(),
        _ findings: Findings = Findings()
    ) -> Int {
        let reading = Reading(guards)
        var cases = 0
        for subject in subjects {
            for bytes in [subject.frame, subject.line] where bytes.count <= 400 {
                let twice = bytes + bytes
                let whole = reading.verdicts([twice[...]], isRequest: subject.isRequest)
                if whole.count != 2 { findings.add("\(subject): \(whole.count) frames") }
                for first in 0...bytes.count {
                    for size in pieceSizes(bytes.count) where first + size <= twice.count {
                        cases += 1
                        let pieces = [
                            twice[..<first], twice[first..<first + size], twice[(first + size)...],
                        ]
                        let found = reading.verdicts(pieces, isRequest: subject.isRequest)
                        // A NaN equals nothing.
                        if found != whole && "\(found)" != "\(whole)" {
                            findings.add("\(subject) split at \(first) and \(first + size)")
                        }
                    }
                }
            }
        }
        print("splits: \(cases) cases")
        return cases
    }

    private func pieceSizes(_ count: Int) -> [Int] {
        [0, 1, 3, 4, count - 1, count]
    }

    @Test("every truncation is an unfinished frame, or a line with a verdict")
    func truncations() throws {
        try truncate(Self.subjects)
    }

    private func truncate(
        _ subjects: [Subject], _ guards: ReadingGuards = ReadingGuards(),
        _ findings: Findings = Findings()
    ) throws {
        let reading = Reading(guards)
        var (frames, lines) = (Tally(), Tally())
        for subject in subjects {
            for count in subject.frame.indices {
                let found = reading.verdicts(
                    [subject.frame[..<count]], isRequest: subject.isRequest)
                frames.count(found)
                if found != [count == 0 ? .nothing : .framing] {
                    findings.add("\(subject) cut at \(count): \(found.map(\.sort))")
                }
            }
            for count in 0..<subject.line.count - 1 {
                let found = reading.verdicts(
                    [subject.line[..<count]], isRequest: subject.isRequest)
                lines.count(found)
                try check(reading, found, "\(subject): line cut at \(count)", findings)
                let whole = found.contains { if case .refused = $0 { false } else { true } }
                if whole, count >= 2 { findings.add("\(subject): line cut at \(count)") }
            }
        }
        print("truncated frames: \(frames)\ntruncated lines: \(lines)")
    }

    @Test("every flipped bit of a frame has a documented verdict, also in its length")
    func flippedBits() throws {
        let tally = try flip(Self.subjects.map { ($0.description, $0.frame, $0.isRequest) })
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
        _ all: [(name: String, bytes: [UInt8], isRequest: Bool)],
        _ guards: ReadingGuards = ReadingGuards(), _ findings: Findings = Findings()
    ) throws -> Tally {
        let reading = Reading(guards)
        var tally = Tally()
        for (name, bytes, isRequest) in all {
            var changed = bytes
            for bit in 0..<bytes.count * 8 {
                changed[bit / 8] ^= 1 << (bit % 8)
                defer { changed[bit / 8] ^= 1 << (bit % 8) }
                let found = reading.verdicts([changed[...]], isRequest: isRequest)
                tally.count(found)
                try check(reading, found, "\(name), bit \(bit)", findings)
            }
        }
        return tally
    }

    /// Decoded frames say the same after another way there and back; a refusal has a code of the
    /// documented ones.
    private func check(
        _ reading: Reading, _ found: [Verdict], _ what: String, _ findings: Findings
    ) throws {
        for verdict in found {
            if case .refused(_, let code) = verdict, !Verdict.codes.contains(code) {
                findings.add("\(what): refused with \(code.name)")
            }
            if let difference = try reading.difference(verdict) {
                findings.add("\(what): \(difference)")
            }
        }
    }

    // MARK: Without a guard

    @Test("control: a reader that does not keep what is left of a piece is seen")
    func splitControl() {
        Findings.expectSome("splits") {
            _ = split([Subject.golden[0]], ReadingGuards(keepsRest: false), $0)
        }
    }

    @Test("control: a reader that takes the end of a frame for granted is seen")
    func truncationControl() throws {
        try Findings.expectSome("truncations") {
            try truncate([Subject.golden[0]], ReadingGuards(tellsCut: false), $0)
        }
    }

    @Test("control: an enum number without a name that is let pass is seen in a flipped bit")
    func flippedBitControl() throws {
        let subject = try #require(Subject.examples.first { $0.line.holds("actionHandling") })
        try Findings.expectSome("flipped bits of a frame") {
            _ = try flip([("a frame", subject.frame, true)], .ignoring(FB_WIRE_ENUM), $0)
        }
    }

    @Test("control: a value that changes on its way through a mode is seen in a flipped bit")
    func flippedBitOfLineControl() throws {
        let subject = try #require(Subject.golden.first { $0.isRequest })
        try Findings.expectSome("flipped bits of a line") {
            _ = try flip([("a line", subject.line, true)], ReadingGuards(keepsID: false), $0)
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text)
    }
}
