import BridgeProtocol

/// `logout` (ID-22, ID-23, ID-32, ID-33).
enum LogoutHandler {
    static func handle(_ context: RequestContext) throws(BridgeError) -> Reply {
        try context.start(.logout) { _ in .logout(LogoutReply()) }
    }
}
