extension ErrorReply {
    /// The error as it travels.
    public init(_ error: BridgeError) {
        self.init()
        bridge = Bridge(rawValue: error.code.number)
        message = error.message
        field = error.field
        retryable = error.isRetryable
        catalogFaults = error.catalogFaults
        sdk = error.sdk.map(SdkError.init)
        preloadErrors = error.preloadErrors.map { preload in
            var entry = PreloadErrorsEntry()
            entry.key = preload.placementID
            entry.value = SdkError(preload.error)
            return entry
        }
    }

    /// The error as a client throws it. A class of fault that this version does not know counts as
    /// INTERNAL.
    public var bridgeError: BridgeError {
        if let sdk {
            var error = BridgeError(sdk: sdk.thrown, isRetryable: retryable)
            error.preloadErrors = preloadErrors.map {
                BridgeError.Preload(placementID: $0.key, error: $0.value.thrown)
            }
            return error
        }
        let code = BridgeError.Code(wireNumber: bridge.rawValue)
        var error = BridgeError(code, message, field: field, isRetryable: retryable)
        error.catalogFaults = catalogFaults
        return error
    }
}

extension SdkError {
    /// The error as it travels.
    init(_ error: BridgeError.SDK) {
        self.init()
        code = error.code
        name = error.name
        message = error.message
    }

    /// The error as a client throws it.
    fileprivate var thrown: BridgeError.SDK {
        BridgeError.SDK(code: code, name: name, message: message)
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
