/// An error that the SDK itself would have thrown: `AdaptyError`, or `AdaptyUIError` for 4xxx.
public struct AdaptyError: Error, Sendable, Equatable {
    /// Code and name of the ERR table.
    public struct Code: Sendable, Hashable {
        /// The number apps compare with.
        public let number: Int32
        /// The name of that number, in camel case.
        public let name: String

        /// Before `activate`, or status 401 or 403.
        public static let notActivated = Code(number: 2002, name: "notActivated")
        /// The backend knows no such thing, or status 4xx.
        public static let badRequest = Code(number: 2003, name: "badRequest")
        /// Status 429, 499 or 5xx.
        public static let serverError = Code(number: 2004, name: "serverError")
        /// No network, or no answer in time.
        public static let networkFailed = Code(number: 2005, name: "networkFailed")
        /// Broken content.
        public static let decodingFailed = Code(number: 2006, name: "decodingFailed")
        /// A rule of attributes, configurations or views was broken.
        public static let wrongParam = Code(number: 3001, name: "wrongParam")
        /// A second `activate`.
        public static let activateOnceError = Code(number: 3005, name: "activateOnceError")
        /// The profile was switched during the call.
        public static let profileWasChanged = Code(number: 3006, name: "profileWasChanged")
        /// `logout` on an anonymous profile.
        public static let unidentifiedUserLogout = Code(
            number: 3020, name: "unidentifiedUserLogout")
        /// The call was cancelled.
        public static let operationInterrupted = Code(number: 9000, name: "operationInterrupted")
        /// An onboarding call without AdaptyUI.
        public static let adaptyNotActivated = Code(number: 4002, name: "adaptyNotActivated")
        /// A flow call without AdaptyUI.
        public static let adaptyUINotActivated = Code(number: 4003, name: "adaptyUINotActivated")
    }

    /// What kind of error, as the ERR table has it.
    public var code: Code
    /// What was wrong, which value, which rule (ERR-1).
    public var message: String
    /// What single placements failed with, in the order asked for (PL-59).
    public var preloadErrors: [PreloadError] = []

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether the same call may work later (ERR-4).
    public var isRetryable: Bool {
        [2004, 2005, 1002, 3006, 7].contains(code.number)
    }
}

/// Why one placement could not be preloaded (PL-59).
public struct PreloadError: Sendable, Equatable {
    /// Trimmed.
    public let placementID: String
    /// What a fetch of it would have thrown.
    public let error: AdaptyError
}
