/// A flow made ready to run: its content and the tables that all of its sessions share.
public final class FlowDocument: Sendable {
    /// The content it was made from.
    public let content: FlowContent
    /// The groups that never report, in the order of the screens (IN-71).
    public let silentGroups: [SilentGroup]

    /// Makes the tables; their cost grows with the size of the flow, that of a gesture does not.
    public init(_ content: FlowContent) {
        self.content = content
        self.silentGroups = []
    }

    /// The index of a locale id, compared exactly (FC-2); nil: a miss, which means the default.
    public func localeIndex(of id: String) -> Int? {
        content.locales.firstIndex { $0.id.utf8.elementsEqual(id.utf8) }
    }
}
