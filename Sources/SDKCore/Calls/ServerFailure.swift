/// Why a server gave nothing.
struct ServerFailure: Sendable {
    /// What the SDK makes of it (ERR-2).
    let error: AdaptyError
    /// Whether the fallback server is asked next: after no answer in time, 499 and 5xx (PL-52,
    /// PL-54).
    let leadsToFallback: Bool

    /// A failure that ends the asking (PL-54).
    init(_ error: AdaptyError) {
        self.init(error, leadsToFallback: false)
    }

    private init(_ error: AdaptyError, leadsToFallback: Bool) {
        self.error = error
        self.leadsToFallback = leadsToFallback
    }

    /// The device has no network.
    static func offline(_ method: String) -> ServerFailure {
        ServerFailure(AdaptyError(.networkFailed, "\(method): the device has no network"))
    }

    /// No answer came in time (PL-51).
    static func late(
        _ method: String, _ server: CallCondition.Server, afterMs span: Int64
    ) -> ServerFailure {
        ServerFailure(
            AdaptyError(
                .networkFailed, "\(method): no answer of the \(server.name) within \(span) ms"),
            leadsToFallback: true)
    }

    /// The failure of a server status (ERR-2); nil for success.
    init?(httpStatus: UInt32, method: String, _ server: CallCondition.Server) {
        let code: AdaptyError.Code
        switch httpStatus {
        case 0, 200..<300: return nil
        case 401, 403: code = .notActivated
        case 429, 499, 500..<600: code = .serverError
        case 400..<500: code = .badRequest
        default: code = .decodingFailed
        }
        self.init(
            AdaptyError(
                code, "\(method): the \(server.name) answered with status \(httpStatus)"),
            leadsToFallback: httpStatus == 499 || (500..<600).contains(httpStatus))
    }
}
