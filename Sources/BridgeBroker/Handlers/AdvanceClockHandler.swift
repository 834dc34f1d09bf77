import BridgeProtocol

/// `advance_clock`: moves a manual clock, and lets happen what falls due on the way.
enum AdvanceClockHandler {
    /// - Throws: INVALID_ARGUMENT for a negative span or one past the year 9999, WRONG_STATE for a
    ///   device whose clock is real, LIMIT_EXCEEDED when more falls due on the way than
    ///   `dueInstantsMax`; the clock stands where it came to then.
    static func handle(_ request: AdvanceClockRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let device = try context.device(named: request.device)
        guard request.byMs >= 0 else {
            throw BridgeError(
                .invalidArgument, "by_ms \(request.byMs): 0 or more; time never goes back",
                field: "advance_clock.by_ms")
        }
        guard device.clock.isManual else {
            throw BridgeError(
                .wrongState,
                "the clock of \(device.name) is real; open a device with clock.kind MANUAL to move it"
            )
        }
        let broker = context.broker
        let target = broker.now(of: device).advanced(byMs: request.byMs)
        guard DeviceClock.range.contains(target.ms) else {
            throw BridgeError(
                .invalidArgument,
                "by_ms \(request.byMs) passes the end of the year 9999, which is "
                    + "\(DeviceClock.range.upperBound)", field: "advance_clock.by_ms")
        }
        guard broker.advance(device, to: target) else {
            throw BridgeError(
                .limitExceeded,
                "dueInstantsMax: something fell due at \(broker.limits.dueInstantsMax) instants; the "
                    + "clock stands at \(broker.now(of: device).ms), \(target.ms) was asked for: "
                    + "advance it again", field: "advance_clock.by_ms")
        }
        return .now(.advanceClock(with(AdvanceClockReply()) { $0.timeMs = target.ms }))
    }
}
