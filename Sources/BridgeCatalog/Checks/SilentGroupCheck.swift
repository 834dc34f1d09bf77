import FlowEngine

/// Names the groups of a flow that never report (IN-71).
struct SilentGroupCheck {
    /// The elements as they stand in the file, by index of screen and of element.
    let elements: [[JSONCursor]]

    /// Warns of every silent group of the flow, with its reason.
    func run(_ flow: FlowContent) {
        for group in FlowDocument(flow).silentGroups {
            elements[group.screen][group.element].warn(
                "this group reports nothing (\(group.rule)): \(group.reason)")
        }
    }
}
