/// What all events of one input have in common (IN-2): one object in the tables of the document,
/// so that an event costs the same whatever its names are.
public final class InputIdentity: Sendable {
    /// Id of the screen that holds the element.
    public let instanceID: String
    /// Element ID of an input, Group ID of a choice or toggle (IN-5).
    public let elementID: String
    /// IN-9 to IN-19.
    public let type: InputElementType

    /// Makes an identity.
    public init(instanceID: String, elementID: String, type: InputElementType) {
        self.instanceID = instanceID
        self.elementID = elementID
        self.type = type
    }
}

extension InputIdentity: Equatable {
    /// Whether both name the same input.
    public static func == (a: InputIdentity, b: InputIdentity) -> Bool {
        a === b
            || a.type == b.type && a.elementID.isExactly(b.elementID)
                && a.instanceID.isExactly(b.instanceID)
    }
}
