extension ErrorReply {
    /// The error as it travels.
    public init(_ error: BridgeError) {
        self.init()
        bridge = Bridge(rawValue: error.code.number)
        message = error.message
        field = error.field
        retryable = error.isRetryable
        catalogFaults = error.catalogFaults
        if let thrown = error.sdk {
            var sdk = SdkError()
            sdk.code = thrown.code
            sdk.name = thrown.name
            sdk.message = thrown.message
            self.sdk = sdk
        }
    }

    /// The error as a client throws it. A class of fault that this version does not know counts as
    /// INTERNAL; `preload_errors` stays with the reply.
    public var bridgeError: BridgeError {
        if let sdk {
            let thrown = BridgeError.SDK(code: sdk.code, name: sdk.name, message: sdk.message)
            return BridgeError(sdk: thrown, isRetryable: retryable)
        }
        let code = BridgeError.Code(wireNumber: bridge.rawValue)
        var error = BridgeError(code, message, field: field, isRetryable: retryable)
        error.catalogFaults = catalogFaults
        return error
    }
}

extension BridgeError.Code {
    /// Every class of fault, in the order of their numbers.
    public static let all: [BridgeError.Code] = [
        .none, .invalidFrame, .unknownMethod, .invalidArgument, .notFound, .wrongState,
        .limitExceeded, .deadlineExceeded, .cancelled, .unavailable, .permissionDenied, .internal,
    ]

    /// The class with this number; INTERNAL for a number that this version does not know.
    init(wireNumber number: Int32) {
        self = BridgeError.Code.all.first { $0.number == number } ?? .internal
    }
}
