/// An error that the SDK itself would have thrown: `AdaptyError`, or `AdaptyUIError` for 4xxx.
public struct AdaptyError: Error, Sendable, Equatable {
    /// Code and name of the ERR table.
    public struct Code: Sendable, Hashable {
        public let number: Int32
        public let name: String

        public static let notActivated = Code(number: 2002, name: "notActivated")
        public static let badRequest = Code(number: 2003, name: "badRequest")
        public static let serverError = Code(number: 2004, name: "serverError")
        public static let networkFailed = Code(number: 2005, name: "networkFailed")
        public static let decodingFailed = Code(number: 2006, name: "decodingFailed")
        public static let wrongParam = Code(number: 3001, name: "wrongParam")
        public static let activateOnceError = Code(number: 3005, name: "activateOnceError")
        public static let profileWasChanged = Code(number: 3006, name: "profileWasChanged")
        public static let operationInterrupted = Code(number: 9000, name: "operationInterrupted")
        public static let adaptyNotActivated = Code(number: 4002, name: "adaptyNotActivated")
        public static let adaptyUINotActivated = Code(number: 4003, name: "adaptyUINotActivated")
    }

    public var code: Code
    /// What was wrong, which value, which rule (ERR-1).
    public var message: String

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
