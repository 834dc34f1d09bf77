import BridgeProtocol
import BridgeTransport

/// One connection that watches the others, and the frames that wait for it.
///
/// Bounds: `Limits.monitorQueueBytes` of frames; what comes while it is full is left out and
/// counted.
final class Monitor {
    let session: ClientSession
    let renderer: FrameRenderer
    private let queueBytesMax: Int
    private var entries: [FrameRenderer.Entry] = []
    private var queuedBytes = 0
    private var dropped: UInt64 = 0
    private var number: UInt64 = 0
    /// Its frames are being written down.
    private var isRendering = false
    private var isOver = false

    /// Memory that a frame takes beside its bytes.
    private static let frameBytes = 256
    /// Bytes and frames that are written down at a time.
    private static let batchBytes = 256 << 10
    private static let batchFrames = 512
    /// While more is queued on the connection, no more is written down.
    private static let roomBytes = 256 << 10

    init(_ session: ClientSession, _ renderer: FrameRenderer, queueBytesMax: Int) {
        self.session = session
        self.renderer = renderer
        self.queueBytesMax = queueBytesMax
    }

    /// Keeps a frame for the connection, or counts it as left out.
    func add(_ frame: SeenFrame) {
        number += 1
        let bytes = frame.bytes.count + Self.frameBytes
        guard queuedBytes + bytes <= queueBytesMax else {
            dropped += 1
            return
        }
        queuedBytes += bytes
        entries.append(FrameRenderer.Entry(frame: frame, number: number, dropped: dropped))
        dropped = 0
    }

    /// Whether there is something to send, and room for it.
    var canFeed: Bool {
        let connection = session.connection
        return !isRendering && !connection.isClosing && (!entries.isEmpty || dropped > 0)
            && connection.queuedBytes < Self.roomBytes
    }

    /// Has the next frames written down beside the loop and sends them.
    func feed(_ worker: any Worker, _ coder: WireCoder) {
        guard !entries.isEmpty else { return tellDropped(coder) }
        let batch = takeBatch()
        isRendering = true
        do throws(BridgeError) {
            let renderer = renderer
            try worker.run({ renderer.render(batch) }) { [self] output in
                isRendering = false
                send(output)
            }
        } catch {
            isRendering = false
            dropped += batch.reduce(0) { $0 + $1.dropped + 1 }
        }
    }

    /// Sends nothing any more.
    func end() {
        isOver = true
        entries = []
        dropped = 0
    }

    private func takeBatch() -> [FrameRenderer.Entry] {
        var count = 0
        var bytes = 0
        while count < min(entries.count, Self.batchFrames), bytes < Self.batchBytes {
            bytes += entries[count].frame.bytes.count + Self.frameBytes
            count += 1
        }
        let batch = Array(entries[..<count])
        entries.removeFirst(count)
        queuedBytes -= bytes
        return batch
    }

    private func send(_ output: FrameRenderer.Output) {
        guard !isOver, output.frames > 0 else { return }
        output.bytes.withUnsafeBytes { session.connection.writableOutput().append($0) }
        session.connection.framesOut += UInt64(output.frames)
    }

    private func tellDropped(_ coder: WireCoder) {
        guard let mode = session.connection.mode else { return }
        coder.encode(
            FrameRenderer.dropped(dropped), id: 0, mode: mode,
            into: session.connection.writableOutput())
        session.connection.framesOut += 1
        dropped = 0
    }
}
