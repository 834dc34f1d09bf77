import BridgeProtocol

/// A scenario: a device, steps on it, and what has to come of each.
struct Scenario: Sendable {
    /// The file as it was named on the command line.
    let file: String
    let name: String
    /// The folder of its catalog from the root on; nil: the built-in sample.
    let catalog: String?
    /// `open_device`, but for the device's name if the file gives none.
    let device: JSONNode
    /// `activate`, before the first step; nil: the steps do it, or nobody.
    let activation: JSONNode?
    /// `set_conditions`, before the first step.
    let conditions: JSONNode?
    /// Kinds of events that are not looked at.
    let ignoredKinds: Set<String>
    /// How long a step may take; nil: as `--timeout` says.
    let timeout: Duration?
    let steps: [Step]

    /// Another catalog during a scenario would reach everybody on the same broker.
    var needsOwnBroker: Bool {
        steps.contains { step in
            if case .call(let method, _, _) = step.action {
                method.name == "load_catalog"
            } else {
                false
            }
        }
    }
}

/// One step of a scenario.
struct Step: Sendable {
    /// What is done.
    enum Action: Sendable {
        /// Nothing: only expectations.
        case look
        /// A method with its request; `later`: it may wait, and `await` has its end.
        case call(MethodInfo, JSONNode, later: String?)
        case await(String)
        /// Fetches, makes and presents the view of a placement, and gives it a name.
        case show(ViewInfo.Kind, placement: String, locale: String, actions: String, name: String?)
        /// `perform` once a gesture.
        case gestures([JSONNode])
        case advance(ms: Int64)
        case answer(JSONNode, question: String?)
    }

    let line: Int
    /// As people read it: `type "Jane" into "name"`.
    let title: String
    let action: Action
    /// The view that it is about: `$name` without the sign; nil: the one shown last.
    let view: String?
    /// The callbacks; nil: whatever comes.
    let callbacks: [ExpectedCallback]?
    let reply: Pattern?
    let error: Pattern?
    let screen: Pattern?
    let profile: Pattern?
}

/// A callback that a step has to bring.
struct ExpectedCallback: Sendable {
    /// A member name of `Event.kind`.
    let kind: String
    /// Of its content; nil: not looked at.
    let content: Pattern?
    /// Of the event around it.
    let around: [(name: String, pattern: Pattern)]
    /// As the file has it.
    let written: JSONNode
}

/// What is wrong in a scenario file, and where.
struct ScenarioFault: Error {
    let line: Int
    /// Such as `steps[3].into`; empty: the whole file.
    let path: String
    let message: String

    init(line: Int, _ path: String, _ message: String) {
        self.line = line
        self.path = path
        self.message = message
    }

    init(_ node: JSONNode, _ path: String, _ message: String) {
        self.init(line: node.line, path, message)
    }

    /// `FILE:LINE: PATH: MESSAGE`.
    func text(_ file: String) -> String {
        "\(file):\(line): \(path.isEmpty ? "" : path + ": ")\(message)"
    }
}
