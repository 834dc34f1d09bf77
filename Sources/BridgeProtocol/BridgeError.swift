// Two classes of faults:
//  - protocol errors close the connection after the error was sent (`WireFault.undecodable`);
//  - request errors are answered and the connection stays (`BridgeError`).
// Programming errors are preconditions with a text.

/// A fault as it travels: of the bridge, or what the SDK itself would have thrown.
///
/// Equality is by code, so that tests need not repeat texts.
public struct BridgeError: Error, Sendable, Equatable {
    /// The class of a fault of the bridge; numbers as in `flowbridge.v1.Error.Bridge`.
    public struct Code: Sendable, Hashable {
        /// The number on the wire.
        public let number: Int32
        /// The name on the wire.
        public let name: String

        /// The error is the SDK's: see `BridgeError.sdk`.
        public static let none = Code(number: 0, name: "NONE")
        /// Bytes that are no frame; the connection closes.
        public static let invalidFrame = Code(number: 1, name: "INVALID_FRAME")
        /// No such method, or one that is not built yet.
        public static let unknownMethod = Code(number: 2, name: "UNKNOWN_METHOD")
        /// A value that can never be right.
        public static let invalidArgument = Code(number: 3, name: "INVALID_ARGUMENT")
        /// A name that names nothing here.
        public static let notFound = Code(number: 4, name: "NOT_FOUND")
        /// Possible in general, but not now.
        public static let wrongState = Code(number: 5, name: "WRONG_STATE")
        /// A limit of `Limits` was met.
        public static let limitExceeded = Code(number: 6, name: "LIMIT_EXCEEDED")
        /// The request's deadline passed; the work stopped.
        public static let deadlineExceeded = Code(number: 7, name: "DEADLINE_EXCEEDED")
        /// The request was cancelled.
        public static let cancelled = Code(number: 8, name: "CANCELLED")
        /// The broker is stopping or cannot serve now.
        public static let unavailable = Code(number: 9, name: "UNAVAILABLE")
        /// The peer may not talk to this broker.
        public static let permissionDenied = Code(number: 10, name: "PERMISSION_DENIED")
        /// A fault of the broker itself.
        public static let `internal` = Code(number: 11, name: "INTERNAL")
    }

    /// An error of the SDK, by the ERR table of the rules.
    public struct SDK: Sendable, Equatable {
        /// Such as 2002.
        public var code: Int32
        /// Such as `notActivated`.
        public var name: String
        /// What was wrong, which value, which rule.
        public var message: String

        /// Makes an SDK error.
        public init(code: Int32, name: String, message: String) {
            self.code = code
            self.name = name
            self.message = message
        }
    }

    /// What one placement of several failed with (PL-59).
    public struct Preload: Sendable, Equatable {
        /// As asked for, trimmed.
        public var placementID: String
        /// What fetching it would have thrown.
        public var error: SDK

        /// Makes an entry.
        public init(placementID: String, error: SDK) {
            self.placementID = placementID
            self.error = error
        }
    }

    /// `none` when the error is the SDK's.
    public var code: Code
    /// What the SDK would have thrown, if it is that.
    public var sdk: SDK?
    /// What, which value, which limit, what to do. Never holds a value typed by a user.
    public var message: String
    /// Dotted path of the field at fault, or empty.
    public var field: String
    /// Whether the same request may work later.
    public var isRetryable: Bool
    /// Of `preload_flows`: the placements that failed.
    public var preloadErrors: [Preload] = []

    /// What is wrong in a catalog that was not taken.
    public var catalogFaults: [CatalogFault] = []

    /// Makes a fault of the bridge.
    public init(_ code: Code, _ message: String, field: String = "", isRetryable: Bool = false) {
        self.code = code
        self.sdk = nil
        self.message = message
        self.field = field
        self.isRetryable = isRetryable
    }

    /// Makes an error of the SDK.
    public init(sdk: SDK, isRetryable: Bool) {
        self.code = .none
        self.sdk = sdk
        self.message = sdk.message
        self.field = ""
        self.isRetryable = isRetryable
    }

    /// By code alone, of the bridge or of the SDK.
    public static func == (a: BridgeError, b: BridgeError) -> Bool {
        a.code == b.code && a.sdk?.code == b.sdk?.code
    }
}
