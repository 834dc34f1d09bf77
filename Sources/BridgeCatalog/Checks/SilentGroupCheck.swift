import FlowEngine

/// Names the groups of a flow that never report (IN-71).
struct SilentGroupCheck {
    /// The elements as they stand in the file, by index of screen and of element.
    let elements: [[JSONCursor]]

    /// Warns of every silent group, with its reason.
    func run(_ groups: [SilentGroup]) {
        for group in groups {
            elements[group.screen][group.element].warn(
                "this group reports nothing (\(group.rule)): \(group.reason)")
        }
    }
}
