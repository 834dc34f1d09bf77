import BridgeProtocol

/// What a call comes to: any answer of the broker, its errors included, or why there is none.
typealias CallOutcome = Result<ServerFrame.Body, BridgeError>

/// A request that was sent and has no answer yet.
struct PendingCall {
    /// Why this side gives up on the answer, at `dueNs`.
    enum Expiry {
        case deadline
        case cancelled
    }

    let method: MethodInfo
    let continuation: CheckedContinuation<CallOutcome, Never>
    /// Where the events of a `subscribe` go.
    let queue: EventQueue?
    var dueNs: UInt64?
    var expiry = Expiry.deadline

    /// The error of a call that this side gave up on.
    func expired(_ path: String) -> BridgeError {
        switch expiry {
        case .deadline:
            BridgeError(
                .deadlineExceeded,
                "\(method.name) had no answer from \(path) within its deadline; the broker was told "
                    + "to stop it", isRetryable: true)
        case .cancelled:
            BridgeError(.cancelled, "\(method.name) was cancelled by its caller")
        }
    }
}

/// The calls of one connection that wait, by id, with the nearest moment to look at them again.
struct CallTable {
    private var calls: [UInt64: PendingCall] = [:]
    /// No call is due before this one; `UInt64.max` when none has an end.
    private(set) var nearestDueNs = UInt64.max

    var isEmpty: Bool { calls.isEmpty }

    mutating func insert(_ call: PendingCall, id: UInt64) {
        calls[id] = call
        nearestDueNs = min(nearestDueNs, call.dueNs ?? .max)
    }

    mutating func take(_ id: UInt64) -> PendingCall? {
        calls.removeValue(forKey: id)
    }

    mutating func takeAll() -> [PendingCall] {
        defer { calls = [:] }
        nearestDueNs = .max
        return Array(calls.values)
    }

    /// Marks a call as cancelled: it still waits a moment for the broker's own answer. Returns
    /// false when it has been answered or was cancelled before.
    mutating func cancel(_ id: UInt64, dueNs: UInt64) -> Bool {
        guard var call = calls[id], call.expiry != .cancelled else { return false }
        call.expiry = .cancelled
        call.dueNs = min(call.dueNs ?? .max, dueNs)
        insert(call, id: id)
        return true
    }

    /// Takes out the calls that are due, with their ids.
    mutating func takeDue(nowNs: UInt64) -> [(id: UInt64, call: PendingCall)] {
        guard nearestDueNs <= nowNs else { return [] }
        let due = calls.filter { ($0.value.dueNs ?? .max) <= nowNs }
        for id in due.keys { calls[id] = nil }
        nearestDueNs = calls.values.reduce(.max) { min($0, $1.dueNs ?? .max) }
        return due.map { (id: $0.key, call: $0.value) }
    }
}
