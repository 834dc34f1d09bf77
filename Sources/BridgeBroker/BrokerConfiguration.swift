import BridgeProtocol
import SDKCore

/// What a broker is started with.
public struct BrokerConfiguration: Sendable {
    /// The version of this program.
    public static let version = "0.1.0"
    /// The SDK release whose behaviour is mirrored.
    public static let sdkRelease = "4.0.0"
    /// The protocol that is spoken.
    public static let protocolMajor: UInt32 = 1
    /// Grows with each addition to the protocol.
    public static let protocolMinor: UInt32 = 1

    /// The version of Unicode by which graphemes are counted: that of the newest of these
    /// characters that the standard library knows.
    public static let unicodeVersion: String = {
        let newest: [Unicode.Scalar] = ["\u{11DB0}", "\u{1C89}", "\u{11F00}"]
        let age = newest.lazy.compactMap(\.properties.age).first
        return age.map { "\($0.major).\($0.minor)" } ?? ""
    }()

    /// Limits of connections, queues and the record.
    public var limits: Limits
    /// What the simulated backend serves.
    public var catalog: Catalog
    /// The absolute path of the folder that the catalog was read from, or `sample`.
    public var catalogName: String
    /// Shown by `status`; empty for the in-process transport.
    public var socketPath: String

    /// Makes a configuration.
    public init(
        limits: Limits = Limits(), catalog: Catalog, catalogName: String, socketPath: String = ""
    ) {
        self.limits = limits
        self.catalog = catalog
        self.catalogName = catalogName
        self.socketPath = socketPath
    }
}
