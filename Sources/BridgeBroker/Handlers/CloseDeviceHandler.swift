import BridgeProtocol

/// `close_device`: ends the process of the app; what it stored stays (GEN-11, VW-23).
enum CloseDeviceHandler {
    /// A device that is closed stays so.
    ///
    /// - Throws: NOT_FOUND for a device that was never opened.
    static func handle(_ request: CloseDeviceRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        try context.broker.close(context.deviceOpenOrClosed(named: request.device))
        return .now(.closeDevice(CloseDeviceReply()))
    }
}
