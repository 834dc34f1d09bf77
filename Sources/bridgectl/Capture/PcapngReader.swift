import BridgeProtocol

/// Reads the pcapng files that `capture` writes, in either order of bytes.
struct PcapngReader {
    private let bytes: [UInt8]
    private let name: String
    private var at = 0
    private var isBig = false

    /// The frames of a whole file.
    ///
    /// - Throws: where a block is damaged, and for a capture of something else.
    static func read(_ bytes: [UInt8], _ name: String) throws(Exit) -> [CaptureRecord] {
        var reader = PcapngReader(bytes: bytes, name: name)
        var records: [CaptureRecord] = []
        while reader.at < bytes.count {
            if let record = try reader.block() { records.append(record) }
        }
        return records
    }

    private init(bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    private func damaged(_ what: String) -> Exit {
        .failure("\(name): \(what) at byte \(at); the file is damaged or cut")
    }

    private mutating func block() throws(Exit) -> CaptureRecord? {
        let type = try number(at, 4)
        if type == 0x0A0D_0D0A {
            isBig = false
            isBig = try number(at + 8, 4) != 0x1A2B_3C4D
        }
        let length = try number(at + 4, 4)
        guard length >= 12, length % 4 == 0, at + length <= bytes.count,
            try number(at + length - 4, 4) == length
        else { throw damaged("a block of \(length) bytes") }
        defer { at += length }
        if type == 1, try number(at + 8, 2) != Int(Pcapng.linkType) {
            throw .failure("\(name): link type \(try number(at + 8, 2)), 147 (USER0) is wanted")
        }
        return type == 6 ? try packet(length) : nil
    }

    private func packet(_ length: Int) throws(Exit) -> CaptureRecord {
        let count = try number(at + 20, 4)
        let start = at + 28
        let end = at + length - 4
        guard start + count <= end, count >= Pcapng.headBytes, bytes[start] == 0x46,
            bytes[start + 1] == 0x42, bytes[start + 2] == 1
        else { throw damaged("a packet that bridgectl did not write") }
        let flags = bytes[start + 3]
        let payload = Array(bytes[start + Pcapng.headBytes..<start + count])
        var record = CaptureRecord(headers: [])
        if let comment = try comment(start + (count + 3) / 4 * 4, end) {
            do {
                record = CaptureRecord(line: try JSONTreeReader.read(comment))
            } catch {
                throw damaged("a comment that is no JSON")
            }
        }
        let isWhole = try number(at + 24, 4) == count
        return filled(record, payload, flags, isWhole: isWhole)
    }

    private func filled(
        _ record: CaptureRecord, _ payload: [UInt8], _ flags: UInt8, isWhole: Bool
    ) -> CaptureRecord {
        var record = record
        guard !payload.isEmpty else { return record }
        let isText = flags & Pcapng.Flag.text != 0
        if isText, isWhole {
            record.frame = try? JSONTreeReader.read(String(decoding: payload, as: UTF8.self))
        } else if isWhole {
            let mode: WireMode = flags & Pcapng.Flag.line != 0 ? .line : .binary
            let side: FrameSide = flags & Pcapng.Flag.toBroker != 0 ? .client : .broker
            let text = try? FrameDecoding.json(payload, mode, side).text
            record.frame = text.flatMap { try? JSONTreeReader.read($0) }
        }
        if record.frame == nil {
            record.cut = isText ? String(decoding: payload, as: UTF8.self) : payload.hex
        }
        return record
    }

    private func comment(_ start: Int, _ end: Int) throws(Exit) -> String? {
        var at = start
        while at + 4 <= end {
            let (code, count) = (try number(at, 2), try number(at + 2, 2))
            guard at + 4 + count <= end else { throw damaged("an option of \(count) bytes") }
            if code == 0 { return nil }
            if code == 1 { return String(decoding: bytes[at + 4..<at + 4 + count], as: UTF8.self) }
            at += 4 + (count + 3) / 4 * 4
        }
        return nil
    }

    private func number(_ start: Int, _ count: Int) throws(Exit) -> Int {
        guard start + count <= bytes.count else { throw damaged("the end of the file") }
        let part = bytes[start..<start + count]
        return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    /// Two digits a byte.
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
