import BridgeProtocol
import BridgeTransport

/// Answers of a session that wait until its own replays have come to the events that were recorded
/// before them: those that their requests caused come first (GEN-1).
///
/// Bounds: by what was read of the connection, which is not read from while they have more than
/// `heldBytesMax`.
struct PostponedAnswers {
    private struct Answer {
        /// Where its bytes end, counted from the first answer of all.
        let end: UInt64
        let waits: [Wait]
    }

    /// A replay, and the sequence that it has to pass.
    struct Wait {
        let subscription: Subscription
        let sequence: UInt64

        var isOver: Bool {
            guard !subscription.isDropped, let next = subscription.replayFrom else { return true }
            return next > sequence
        }
    }

    private let buffer = ByteBuffer()
    private var answers: [Answer] = []
    private var taken: UInt64 = 0

    var isEmpty: Bool { answers.isEmpty }

    /// Bytes that wait.
    var byteCount: Int { buffer.count }

    /// Adds the answer that `encode` writes.
    mutating func add(waitingFor waits: [Wait], _ encode: (ByteBuffer) -> Void) {
        encode(buffer)
        answers.append(Answer(end: taken + UInt64(buffer.count), waits: waits))
    }

    /// Moves answers that wait no more to where they are sent from, in their order; returns how
    /// many.
    mutating func release(to output: () -> ByteBuffer) -> Int {
        let released = answers.prefix { answer in answer.waits.allSatisfy(\.isOver) }
        guard let end = released.last?.end else { return 0 }
        let count = Int(end - taken)
        output().append(UnsafeRawBufferPointer(rebasing: buffer.readable.prefix(count)))
        buffer.consume(count)
        taken = end
        answers.removeFirst(released.count)
        return released.count
    }
}

extension Broker {
    /// The replays of a session that an answer written now comes behind; none for an answer that
    /// tells nothing of what happened.
    func replays(before methodIndex: Int, of session: ClientSession) -> [PostponedAnswers.Wait] {
        if replaying.isEmpty || Router.isReader(methodIndex) { return [] }
        return replaying.compactMap { subscription in
            guard subscription.session === session else { return nil }
            let wait = PostponedAnswers.Wait(
                subscription: subscription,
                sequence: events.lastSequence(of: subscription.device))
            return wait.isOver ? nil : wait
        }
    }

    /// Keeps an answer until the replays have come so far.
    func postpone(
        of session: ClientSession, until waits: [PostponedAnswers.Wait],
        _ encode: (ByteBuffer) -> Void
    ) {
        if session.postponed == nil {
            session.postponed = PostponedAnswers()
            postponing.append(session)
        }
        session.postponed?.add(waitingFor: waits, encode)
        notePostponed(session)
    }

    /// Writes the answers whose replays have come far enough.
    func releasePostponed() {
        if postponing.isEmpty { return }
        for session in postponing {
            let connection = session.connection
            let released = session.postponed?.release {
                hold(session)
                return connection.writableOutput()
            }
            connection.framesOut += UInt64(released ?? 0)
            if session.postponed?.isEmpty ?? true { session.postponed = nil }
            notePostponed(session)
        }
        postponing.removeAll { $0.postponed == nil }
    }

    /// Throws away the answers of a session that wait for its replays.
    func dropPostponed(of session: ClientSession) {
        guard session.postponed != nil else { return }
        session.postponed = nil
        notePostponed(session)
        postponing.removeAll { $0 === session }
    }

    private func notePostponed(_ session: ClientSession) {
        session.connection.postponedBytes = session.postponed?.byteCount ?? 0
        session.connection.settled()
    }
}
