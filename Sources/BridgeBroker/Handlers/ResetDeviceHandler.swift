import BridgeProtocol

/// `reset_device`: as if the app was removed and installed anew; the record and its subscriptions
/// go on.
enum ResetDeviceHandler {
    /// A closed device stays closed, and has nothing stored any more.
    ///
    /// - Throws: NOT_FOUND for a device that was never opened.
    static func handle(_ request: ResetDeviceRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.broker.reset(context.deviceOpenOrClosed(named: request.device))
        return .now(.resetDevice(ResetDeviceReply()))
    }
}
