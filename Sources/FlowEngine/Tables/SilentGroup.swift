/// A choice or toggle that never reports, and why (IN-64 to IN-70).
///
/// The catalog loader shows these as warnings (IN-71).
public struct SilentGroup: Sendable, Equatable {
    /// Index in `FlowContent.screens`.
    public let screen: Int
    /// Index in `ScreenDocument.elements`.
    public let element: Int
    /// The rule that silences it, such as `IN-65`: the first one that applies.
    public let rule: String
    /// What is wrong, in words for the author of the flow.
    public let reason: String

    /// Makes a note of a silent group.
    public init(screen: Int, element: Int, rule: String, reason: String) {
        self.screen = screen
        self.element = element
        self.rule = rule
        self.reason = reason
    }
}
