import BridgeProtocol

/// Writes down frames for a monitor, beside the loop.
struct FrameRenderer: Sendable {
    /// How a monitor wants its frames.
    struct Form: Sendable {
        var mode: WireMode
        var showsValues: Bool
        var hasHeadersOnly: Bool
        var isRaw: Bool
        /// Bytes of text or raw bytes of one frame.
        var sizeMax: Int
    }

    /// One frame and where it stands among those that may match.
    struct Entry: Sendable {
        let frame: SeenFrame
        let number: UInt64
        let dropped: UInt64
    }

    /// Bytes for the monitor's connection and how many frames they are.
    struct Output: Sendable {
        var bytes: [UInt8] = []
        var frames = 0
    }

    let filter: FrameFilter
    let form: Form

    /// Writes the frames that the filter lets through.
    func render(_ entries: [Entry]) -> Output {
        let (reader, writer) = (WireCoder(), WireCoder())
        let buffer = ByteBuffer()
        var output = Output()
        var dropped: UInt64 = 0
        for entry in entries {
            dropped += entry.dropped
            let content = FrameContent(
                entry.frame, reader, showsValues: form.showsValues,
                needsText: !form.isRaw && !form.hasHeadersOnly)
            guard filter.passes(entry.frame, content) else { continue }
            var told = message(entry, content)
            told.dropped = dropped
            dropped = 0
            writer.encode(.monitored(told), id: 0, mode: form.mode, into: buffer)
            output.frames += 1
        }
        if dropped > 0 {
            writer.encode(Self.dropped(dropped), id: 0, mode: form.mode, into: buffer)
            output.frames += 1
        }
        output.bytes = Array(buffer.readable)
        return output
    }

    /// Tells that frames were left out, and nothing else.
    static func dropped(_ count: UInt64) -> ServerFrame.Body {
        .monitored(with(MonitoredFrame()) { $0.dropped = count })
    }

    private func message(_ entry: Entry, _ content: FrameContent) -> MonitoredFrame {
        let frame = entry.frame
        return with(MonitoredFrame()) {
            $0.number = entry.number
            $0.realtimeNs = frame.realtimeNs
            $0.monotonicNs = frame.monotonicNs
            $0.direction = frame.isRequest ? .toBroker : .fromBroker
            $0.connectionId = frame.connection
            $0.pid = frame.pid
            $0.uid = frame.uid
            $0.clientName = frame.clientName
            $0.mode = frame.mode == .binary ? "binary" : "line"
            $0.device = content.device
            $0.kind = frame.kind.rawValue
            $0.name = content.name
            $0.id = frame.id
            $0.size = UInt32(clamping: frame.bytes.count)
            $0.redacted = !form.showsValues
            if form.hasHeadersOnly { return }
            if form.isRaw {
                $0.raw = Array(frame.bytes.prefix(form.sizeMax))
            } else if let text = content.text {
                $0.textSize = UInt32(clamping: text.utf8.count)
                $0.text = text.cut(atBytes: form.sizeMax)
            }
        }
    }
}
