import BridgeProtocol

/// Who is at the other end, as the kernel says.
public struct PeerCredentials: Sendable, Equatable {
    /// Process id, 0 when unknown.
    public var pid: Int32
    /// User id.
    public var uid: UInt32

    /// Makes credentials.
    public init(pid: Int32, uid: UInt32) {
        self.pid = pid
        self.uid = uid
    }
}

/// What a transport tells about its connections. All calls come on the loop's thread.
public protocol ConnectionHandler: AnyObject {
    /// A peer was let in.
    func connectionOpened(_ connection: Connection)
    /// A whole frame came; `bytes` are valid during the call only.
    func connection(_ connection: Connection, received bytes: UnsafeRawBufferPointer)
    /// A peer was not let in. The handler writes the error; then the connection closes.
    func connection(_ connection: Connection, refused error: BridgeError)
    /// The bytes are no frames. The handler writes one error; then the connection closes.
    func connection(_ connection: Connection, failed fault: FramingFault)
    /// Whether requests of the connection wait for their answers.
    func hasPendingRequests(_ connection: Connection) -> Bool
    /// The connection is gone; `reason` is for the log.
    func connectionClosed(_ connection: Connection, reason: String)
    /// All that was ready has been served; what is written now still leaves with this wake-up.
    func wakeUpEnded()
    /// Whether `wakeUpEnded` has more to write as soon as the queues have room.
    var wantsAnotherTurn: Bool { get }
}

/// One connection: its mode, its unfinished input and its queue of output.
///
/// Belongs to one loop and is touched on its thread only. A connection without a descriptor is
/// the in-process one.
public final class Connection {
    /// Counts up over the life of the transport.
    public let id: UInt64
    /// Who is at the other end.
    public let peer: PeerCredentials
    /// Monotonic, nanoseconds.
    public let openedAtNs: UInt64
    let fd: Int32
    /// What the handler keeps with it.
    public var session: AnyObject?
    /// Caps frames either way; lowered by `hello`.
    public var frameBytesMax: Int

    let splitter = FrameSplitter()
    /// The mode once it is chosen; kept here, as it is asked for with every event.
    private var fixedMode: WireMode?
    private(set) var output: ByteBuffer?
    let transport: any ConnectionTransport
    private let pool: BufferPool

    var isOpen = true
    var isDirty = false
    var isWaitingForWrite = false
    var hasEndedInput = false
    var hasSentFrame = false
    /// Whether so much of its output is held that it is not read from.
    var isPaused = false
    var held = HeldOutput()
    /// Bytes of answers that the handler keeps back; they count as held ones.
    public var postponedBytes = 0
    /// Bytes that left the queue since the connection was opened.
    public internal(set) var sentBytes: UInt64 = 0
    /// Bytes that came since the connection was opened.
    public internal(set) var receivedBytes: UInt64 = 0
    /// The most bytes that were queued when some were to leave.
    public internal(set) var queueHighBytes = 0
    /// Bytes that were still queued when it ended.
    public internal(set) var queuedAtEnd = 0
    /// What of its queue is counted for its user.
    var accountedBytes = 0
    var overSoftSinceNs: UInt64?
    /// When the present stage (first byte, hello, unfinished frame) has to be over.
    var stageDeadlineNs: UInt64?
    var stage = ConnectionStage.firstByte
    /// Set once: nothing is read any more, and it closes when its output is out.
    public private(set) var closeReason: String?

    /// Frames received.
    public internal(set) var framesIn: UInt64 = 0
    /// Answers and events written.
    public var framesOut: UInt64 = 0

    init(
        id: UInt64, peer: PeerCredentials, openedAtNs: UInt64, fd: Int32, frameBytesMax: Int,
        transport: any ConnectionTransport
    ) {
        self.id = id
        self.peer = peer
        self.openedAtNs = openedAtNs
        self.fd = fd
        self.frameBytesMax = frameBytesMax
        self.transport = transport
        pool = transport.pool
    }

    /// Binary or line; nil until the first byte came.
    public var mode: WireMode? {
        if let fixedMode { return fixedMode }
        fixedMode = splitter.mode
        return fixedMode
    }

    /// Bytes that are queued and not yet taken by the kernel.
    public var queuedBytes: Int { output?.readable.count ?? 0 }

    /// Whether it takes no more input.
    public var isClosing: Bool { closeReason != nil }

    /// The queue to append frames to. They leave with the others of this wake-up.
    public func writableOutput() -> ByteBuffer {
        if !isDirty { transport.willWrite(self) }
        if let output { return output }
        let buffer = pool.take()
        output = buffer
        return buffer
    }

    /// Whether more events may be queued: it is not closing, and not over the soft limit with what
    /// the kernel does not take.
    public func hasRoom(_ limits: Limits) -> Bool {
        guard isOpen, closeReason == nil else { return false }
        // Most queues are so short that neither limit can be met.
        if queuedBytes <= Int(min(limits.queueSoftBytes, limits.queueHardBytes / 2)) { return true }
        guard heldBytes <= Int(limits.queueHardBytes) / 2 else { return false }
        if sendableBytes <= Int(limits.queueSoftBytes) { return true }
        transport.offer(self)
        return sendableBytes <= Int(limits.queueSoftBytes)
    }

    /// Reads no more, sends what is queued, then closes. Calling it again changes nothing.
    public func close(reason: String) {
        guard closeReason == nil else { return }
        closeReason = reason
        transport.willWrite(self)
    }

    /// The handler has greeted the peer: the deadline of `hello` no longer holds.
    public func greeted() {
        stage = .open
        stageDeadlineNs = nil
    }

    /// A request that waited was answered; an ended input may now end the connection.
    public func settled() {
        transport.willWrite(self)
    }

    /// Notes how full the queue is; to be called before bytes leave it.
    func noteQueue(_ bytes: Int) {
        if bytes > queueHighBytes { queueHighBytes = bytes }
    }

    func releaseOutput() {
        if let output { pool.put(output) }
        output = nil
    }
}

/// How far a connection has come.
enum ConnectionStage {
    case firstByte, hello, open, closing

    /// Why a connection that stays in it is closed.
    var expiry: String {
        switch self {
        case .firstByte: "sent nothing"
        case .hello: "sent no hello"
        case .open: "did not finish a frame"
        case .closing: "did not read its last frame"
        }
    }
}

/// What a connection asks of the transport that owns it.
protocol ConnectionTransport: AnyObject {
    var pool: BufferPool { get }
    /// The connection has something to flush or to settle at the end of this wake-up.
    func willWrite(_ connection: Connection)
    /// Sends what can be sent at once, if the connection is not known to be full.
    func offer(_ connection: Connection)
}
