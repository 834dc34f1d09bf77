/// Why a gesture was impossible. It changed nothing and caused no effect (GEN-6).
public struct GestureRefusal: Error, Sendable, Equatable {
    /// The class of the refusal, as the bridge reports it.
    public enum Reason: Sendable, Hashable {
        /// NOT_FOUND: no such element, option, tab or product; the message lists what there is.
        case notFound
        /// WRONG_STATE: there, but not possible now.
        case wrongState
        /// INVALID_ARGUMENT: the value itself is impossible.
        case invalidArgument
        /// LIMIT_EXCEEDED: the value is too large (GEN-13).
        case limitExceeded
    }

    /// Its class.
    public var reason: Reason
    /// Names the element and the reason; never a typed value (GEN-7).
    public var message: String
    /// The field of the gesture at fault, such as `element_id`.
    public var field: String

    /// Makes a refusal.
    public init(_ reason: Reason, _ message: String, field: String = "element_id") {
        self.reason = reason
        self.message = message
        self.field = field
    }
}
