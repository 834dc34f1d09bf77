import BridgeProtocol

/// Reads frames from whatever holds them: pcapng, lines of JSON, frames as they are on the wire, or
/// their bytes in hexadecimal digits.
enum CaptureReader {
    /// All frames, in order.
    ///
    /// - Throws: what is wrong and where.
    static func read(
        _ bytes: [UInt8], _ name: String, _ side: FrameSide?
    ) throws(Exit) -> [CaptureRecord] {
        switch bytes.first {
        case nil: return []
        case 0x0A where bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]):
            return try PcapngReader.read(bytes, name)
        case 0: return try frames(bytes, name, side)
        default:
            let text = String(decoding: bytes, as: UTF8.self)
            if text.first(where: { !$0.isWhitespace }) == "{" { return try lines(text, name, side) }
            return try frames(try hex(text, name), name, side)
        }
    }

    private static func lines(
        _ text: String, _ name: String, _ side: FrameSide?
    ) throws(Exit) -> [CaptureRecord] {
        var records: [CaptureRecord] = []
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() where !line.allSatisfy(\.isWhitespace) {
            let place = "\(name), line \(index + 1)"
            let node: JSONNode
            do throws(JSONTreeFault) {
                node = try JSONTreeReader.read(String(line))
            } catch {
                throw .failure("\(place), column \(error.column): \(error.message)")
            }
            if node["kind"] != nil || node["dropped"] != nil {
                records.append(CaptureRecord(line: node))
            } else {
                records.append(try record(Array(line.utf8), .line, side, place))
            }
        }
        return records
    }

    private static func frames(
        _ bytes: [UInt8], _ name: String, _ side: FrameSide?
    ) throws(Exit) -> [CaptureRecord] {
        var records: [CaptureRecord] = []
        var at = 0
        while at < bytes.count {
            let place = "\(name), byte \(at)"
            guard at + 4 <= bytes.count else {
                throw .failure("\(place): \(bytes.count - at) bytes are left, no whole frame")
            }
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, at + 4 + length <= bytes.count else {
                throw .failure(
                    "\(place): a frame of \(length) bytes, and \(bytes.count - at - 4) are left")
            }
            let frame = Array(bytes[at + 4..<at + 4 + length])
            records.append(try record(frame, .binary, side, place))
            at += 4 + length
        }
        return records
    }

    private static func record(
        _ bytes: [UInt8], _ mode: WireMode, _ side: FrameSide?, _ place: String
    ) throws(Exit) -> CaptureRecord {
        do {
            let (text, side) = try FrameDecoding.json(bytes, mode, side)
            return CaptureRecord(
                try JSONTreeReader.read(text), isFromClient: side == .client)
        } catch let error as Exit {
            throw .failure("\(place): \(error.message)")
        } catch {
            throw .failure("\(place): \(error)")
        }
    }

    /// Digits in any grouping; from `#` to the end of a line is a comment.
    private static func hex(_ text: String, _ name: String) throws(Exit) -> [UInt8] {
        var digits: [UInt8] = []
        for line in text.split(whereSeparator: \.isNewline) {
            for character in line.prefix(while: { $0 != "#" }) where !character.isWhitespace {
                guard let digit = character.hexDigitValue else {
                    throw .failure(
                        "\(name): neither pcapng, nor JSON, nor frames, nor hexadecimal digits")
                }
                digits.append(UInt8(digit))
            }
        }
        guard digits.count % 2 == 0 else { throw .failure("\(name): half a byte at the end") }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
