import BridgeProtocol
import CLinux
import Glibc

/// One thread, one epoll: accepts, reads, hands frames to the handler, and writes.
///
/// Everything that a wake-up produced leaves in one write per connection at its end. Nothing here
/// blocks but the wait itself, and nothing waits for another thread.
public final class EventLoop: ConnectionTransport {
    /// Timers on the monotonic clock.
    public let timers: TimerQueue
    /// Monotonic nanoseconds of this wake-up.
    public var nowNs: UInt64 { timers.nowNs }
    /// The open connections, by descriptor.
    public internal(set) var connections: [Int32: Connection] = [:]

    let pool = BufferPool()
    let limits: Limits
    let access: AccessRule
    unowned let handler: any ConnectionHandler
    let poll: Int32
    /// The sockets that are listened at, by descriptor.
    var listeners: [Int32: Listener] = [:]
    var byDescriptor: [Connection?] = []
    var sources: [Int32: () -> Void] = [:]
    var dirty: [Connection] = []
    /// The other of two lists that take turns, so that neither is allocated anew.
    var flushing: [Connection] = []
    var toClose: [Int32] = []
    var perUid: [UInt32: Int] = [:]
    var connectionsMade: UInt64 = 0
    var ungreeted = 0
    var acceptBackoff = AcceptBackoff()
    /// What the queues of each user hold together.
    var queuedPerUid: [UInt32: Int] = [:]
    /// How many descriptors this process may have; nil: not known.
    public var descriptorsMax: Int64?
    /// The monotonic clock; a test may give another.
    var clock: () -> UInt64 = { fb_monotonic_ns() }
    var isSweeping = false
    /// How often the deadlines of connections are looked at, while any has one.
    let sweepStepNs: UInt64
    var stopAtNs: UInt64?
    /// After `stop`, until when a connection that sent nothing yet may begin.
    var firstFrameUntilNs: UInt64 = 0
    let chunk: UnsafeMutableRawBufferPointer
    private let ready: UnsafeMutableBufferPointer<fb_ready>

    /// Makes a loop that serves nothing yet.
    ///
    /// - Throws: when the kernel gives no epoll descriptor.
    public init(
        limits: Limits, access: AccessRule, handler: any ConnectionHandler, timers: TimerQueue
    ) throws(TransportError) {
        self.timers = timers
        timers.wake(atNs: fb_monotonic_ns())
        self.limits = limits
        self.access = access
        self.handler = handler
        let shortestMs = min(
            limits.firstByteMs, limits.helloMs, limits.unfinishedFrameMs, limits.queueSoftMs)
        sweepStepNs = min(max(shortestMs / 10, 5), 500) * 1_000_000
        poll = fb_poll_create()
        guard poll >= 0 else { throw TransportError(call: "epoll_create1", path: "", result: poll) }
        chunk = .allocate(byteCount: Int(limits.readChunkBytes), alignment: 16)
        ready = .allocate(capacity: 256)
        ready.initialize(repeating: fb_ready())
    }

    deinit {
        for connection in connections.values { fb_close(connection.fd) }
        for fd in toClose { fb_close(fd) }
        fb_close(poll)
        chunk.deallocate()
        ready.deallocate()
    }

    /// Begins to accept at one more socket.
    public func serve(_ listener: Listener) throws(TransportError) {
        try watch(listener.fd)
        listeners[listener.fd] = listener
    }

    /// Calls `action` whenever the descriptor is readable; the loop does not own it.
    public func addSource(fd: Int32, _ action: @escaping () -> Void) throws(TransportError) {
        sources[fd] = action
        try watch(fd)
    }

    /// Calls the action of `addSource` no more.
    public func removeSource(fd: Int32) {
        guard sources.removeValue(forKey: fd) != nil else { return }
        fb_poll_remove(poll, fd)
    }

    /// Delivers the results of a worker with the wake-ups of this loop.
    public func attach(_ worker: ThreadWorker) throws(TransportError) {
        try addSource(fd: worker.descriptor) { [unowned worker] in worker.deliverResults() }
    }

    /// Lets a connected descriptor in, as if it had been accepted. The loop owns it from now on.
    public func adopt(fd: Int32) {
        admit(fd)
    }

    /// Ends the loop: no new connections, what was asked is finished and sent, for at most the
    /// grace of `Limits.shutdownGraceMs`. A second call ends it at once.
    public func stop() {
        guard stopAtNs == nil else {
            stopAtNs = nowNs
            return
        }
        stopAtNs = nowNs + limits.shutdownGraceMs * 1_000_000
        let isPassed = listeners.values.contains { $0.isPassed }
        firstFrameUntilNs = isPassed ? nowNs + limits.shutdownFirstFrameMs * 1_000_000 : nowNs
        closeListeners()
    }

    /// Whether `stop` was called.
    public var isStopping: Bool { stopAtNs != nil }

    /// Serves until `stop` has been called and everything is out.
    public func run() {
        while !isFinished {
            turn(waitMs: waitMs)
        }
        for connection in Array(connections.values) { remove(connection, CloseReason.stopped) }
        closeDescriptors()
    }

    /// One wake-up: waits at most that long (-1: without limit), serves what is ready, flushes.
    public func turn(waitMs: Int32) {
        let count = fb_poll_wait(poll, ready.baseAddress, Int32(ready.count), waitMs)
        precondition(count >= 0, "epoll_wait: \(errorText(count))")
        let before = nowNs
        timers.wake(atNs: clock())
        forgiveStandstill(sinceNs: before)
        for place in 0..<Int(count) { serve(ready[place]) }
        timers.run()
        handler.wakeUpEnded()
        flush()
        if isStopping { endIdleConnections() }
        if !toClose.isEmpty { closeDescriptors() }
    }

    var waitMs: Int32 {
        if handler.wantsAnotherTurn { return 0 }
        if isStopping { return 10 }
        guard let next = timers.nextDeadlineNs else { return -1 }
        let now = clock()
        guard next > now else { return 0 }
        return Int32(clamping: (next - now + 999_999) / 1_000_000)
    }

    var isFinished: Bool {
        guard let stopAtNs else { return false }
        return connections.isEmpty || nowNs >= stopAtNs
    }

    private func serve(_ event: fb_ready) {
        let fd = event.token
        if Int(fd) < byDescriptor.count, let connection = byDescriptor[Int(fd)] {
            serve(connection, event.events)
        } else if listeners[fd] != nil {
            acceptAll(fd)
        } else if let source = sources[fd] {
            source()
        }
    }

    private func serve(_ connection: Connection, _ events: UInt32) {
        if events
            & (Poll.input | Poll.readHangup | Poll.hangup)
            != 0
        {
            read(connection)
        }
        if events & Poll.output != 0 { willWrite(connection) }
        if events & Poll.hangup != 0, connection.hasEndedInput {
            remove(connection, CloseReason.peerGone)
        }
    }

    private func watch(_ fd: Int32) throws(TransportError) {
        let result = fb_poll_add(poll, fd, fd, Poll.input)
        guard result >= 0 else { throw TransportError(call: "epoll_ctl", path: "", result: result) }
    }
}

/// The bits of a readiness event.
enum Poll {
    static let input = UInt32(FB_POLL_IN)
    static let output = UInt32(FB_POLL_OUT)
    static let hangup = UInt32(FB_POLL_HANGUP)
    static let readHangup = UInt32(FB_POLL_READ_HANGUP)
}
