import Glibc

/// How a client connects, and what it may hold.
public struct ClientOptions: Sendable {
    /// Shown by the broker's `status`; up to 128 bytes make sense.
    public var clientName: String
    /// For calls that name no deadline of their own; nil: they wait without limit.
    public var deadline: Duration?
    /// From the first attempt to connect to the broker's welcome.
    public var connectDeadline: Duration = .seconds(5)
    /// Users whose broker is trusted, by uid: this process's own and root.
    ///
    /// Source: protocol.md section 1.
    public var trustedUids: Set<UInt32> = [geteuid(), 0]
    /// Events that one subscription keeps for a consumer that is slower than the broker.
    public var bufferedEventsMax = 8_192
    /// Bytes of frames that one subscription keeps, likewise.
    public var bufferedEventBytesMax = 16 << 20
    /// Bytes of requests that wait for a broker that does not read.
    public var queuedRequestBytesMax = 64 << 20

    /// Makes the defaults.
    public init(clientName: String, deadline: Duration? = nil) {
        self.clientName = clientName
        self.deadline = deadline
    }

    /// What a call may take beyond its deadline until this side gives up on the answer. The broker
    /// counts on the clock of the device, which may stand still; this side does not.
    static let deadlineGraceNs: UInt64 = 50_000_000
    /// What a cancelled call waits for the broker's own answer to it.
    static let cancelGraceNs: UInt64 = 100_000_000
    /// The protocol that this client speaks.
    public static let protocolMajor: UInt32 = 1
    /// Its minor version: newer fields and methods only.
    public static let protocolMinor: UInt32 = 1
}
