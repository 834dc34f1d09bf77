/// What one input carries through the session while it is handled.
struct FlowTurn {
    /// Actions that one input may run: more is taken for a loop and reported as 4105.
    static let actionsMax = 1000
    /// How deep screens may open screens from their hooks.
    static let nestingMax = 32

    let environment: ViewEnvironment
    var effects: [ViewEffect]
    /// A close was performed: what is left of the actions is dropped (ACT-7).
    var isClosed = false
    var actionsLeft = FlowTurn.actionsMax
    var nesting = 0

    var now: Instant { environment.now }

    /// Takes one action from the budget; reports the loop once when none is left.
    mutating func spendAction() -> Bool {
        if isClosed { return false }
        guard actionsLeft > 0 else {
            isClosed = true
            fail(.scriptFault("more than \(FlowTurn.actionsMax) actions in one turn; they loop"))
            return false
        }
        actionsLeft -= 1
        return true
    }

    mutating func fail(_ error: ViewError) {
        effects.append(.failed(error))
    }
}

extension ViewError {
    /// 4105: a fault in a script or action of the flow (ACT-9).
    static func scriptFault(_ message: String) -> ViewError {
        ViewError(code: 4105, name: "jsException", message: message)
    }

    /// 4106: an action names a navigator that the flow has not (ACT-9).
    static func navigatorNotFound(_ id: String) -> ViewError {
        ViewError(
            code: 4106, name: "navigatorNotFound", message: "the flow has no navigator \"\(id)\"")
    }

    /// 4107: a URL that cannot be resolved (ACT-5).
    static func invalidURL(_ url: String) -> ViewError {
        ViewError(
            code: 4107, name: "invalidActionURL", message: "the URL \"\(url)\" cannot be resolved")
    }

    /// 4103: an element of a kind that nobody knows.
    static func unknownKind(_ kind: String, on screen: String) -> ViewError {
        ViewError(
            code: 4103, name: "wrongComponentType",
            message: "screen \"\(screen)\" has an element of the unknown kind \"\(kind)\"")
    }
}
