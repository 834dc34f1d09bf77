import BridgeProtocol

/// The blocks of a pcapng file: one interface of link type USER0, one packet a frame.
///
/// A packet is a head of 24 bytes and the frame. The head: `FB`, the version 1, flags (1: the frame
/// is JSON text; 2: values are hidden; 4: line mode; 8: to the broker), the connection (8 bytes),
/// pid (4), uid (4), bytes of the whole frame (4); big-endian. All that `monitor --traffic` tells of
/// the frame is in the comment of the packet, as JSON.
/// Source: draft-ietf-opsawg-pcapng.
enum Pcapng {
    static let linkType: UInt16 = 147
    static let headBytes = 24

    /// Flags of the head.
    enum Flag {
        static let text: UInt8 = 1
        static let redacted: UInt8 = 2
        static let line: UInt8 = 4
        static let toBroker: UInt8 = 8
    }

    /// What a file begins with.
    static func beginning(version: String) -> [UInt8] {
        var section = Block(0x0A0D_0D0A)
        section.u32(0x1A2B_3C4D)
        section.u16(1)
        section.u16(0)
        section.u64(UInt64.max)
        section.option(4, Array("bridgectl \(version)".utf8))
        var interface = Block(1)
        interface.u16(linkType)
        interface.u16(0)
        interface.u32(0)
        interface.option(2, Array("flowbridge".utf8))
        interface.option(9, [9])  // nanoseconds
        return section.closed + interface.closed
    }

    /// One frame.
    static func packet(_ frame: MonitoredFrame) -> [UInt8] {
        let payload = frame.raw.isEmpty ? Array(frame.text.utf8) : frame.raw
        let whole = frame.raw.isEmpty && !frame.text.isEmpty ? Int(frame.textSize) : Int(frame.size)
        let data = head(frame, isText: frame.raw.isEmpty) + payload
        var block = Block(6)
        block.u32(0)
        block.u32(UInt32(truncatingIfNeeded: frame.realtimeNs >> 32))
        block.u32(UInt32(truncatingIfNeeded: frame.realtimeNs))
        block.u32(UInt32(data.count))
        block.u32(UInt32(headBytes + max(whole, payload.count)))
        block.bytes(data)
        block.option(1, Array(FrameLine(with(frame) { $0.text = "" }).json.utf8))
        block.option(2, Block.little(frame.direction == .toBroker ? UInt32(1) : 2))
        if frame.dropped > 0 { block.option(4, Block.little(frame.dropped)) }
        return block.closed
    }

    private static func head(_ frame: MonitoredFrame, isText: Bool) -> [UInt8] {
        var flags: UInt8 = 0
        if isText { flags |= Flag.text }
        if frame.redacted { flags |= Flag.redacted }
        if frame.mode == "line" { flags |= Flag.line }
        if frame.direction == .toBroker { flags |= Flag.toBroker }
        var head: [UInt8] = [0x46, 0x42, 1, flags]
        head += Block.big(frame.connectionId)
        head += Block.big(UInt32(bitPattern: frame.pid))
        head += Block.big(frame.uid)
        head += Block.big(frame.size)
        return head
    }

    /// A block while it is written.
    struct Block {
        private let type: UInt32
        private var body: [UInt8] = []
        private var hasOptions = false

        init(_ type: UInt32) {
            self.type = type
        }

        mutating func u16(_ value: UInt16) { body += Self.little(value) }
        mutating func u32(_ value: UInt32) { body += Self.little(value) }
        mutating func u64(_ value: UInt64) { body += Self.little(value) }

        /// Filled up to four bytes.
        mutating func bytes(_ bytes: [UInt8]) {
            body += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
        }

        mutating func option(_ code: UInt16, _ value: [UInt8]) {
            hasOptions = true
            let value = value.prefix(Int(UInt16.max))
            u16(code)
            u16(UInt16(value.count))
            bytes(Array(value))
        }

        /// With its type and its length at both ends.
        var closed: [UInt8] {
            let end: [UInt8] = hasOptions ? [0, 0, 0, 0] : []
            let length = Self.little(UInt32(12 + body.count + end.count))
            return Self.little(type) + length + body + end + length
        }

        static func little<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }

        static func big<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
    }
}
