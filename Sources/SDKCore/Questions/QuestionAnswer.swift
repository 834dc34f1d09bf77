import FlowEngine

/// How a permission was decided (ACT-42).
public enum PermissionStatus: Sendable, Hashable {
    case granted, denied, unavailable
}

/// What the app says in observer mode (ACT-47).
public enum ObserverStep: Sendable, Hashable {
    case started, finished
}

/// An answer to a question; the cases fit the kinds of questions.
public enum QuestionAnswer: Sendable, Equatable {
    case retry(Bool)
    /// With an optional detail, empty without.
    case permission(PermissionStatus, detail: String = "")
    case alert(actionID: String)
    case observer(ObserverStep)

    /// The answer as events tell it: `yes`, `no`; `granted`, `denied`, `unavailable`, with `: ` and
    /// the detail behind it; the id of an alert's action; `started`, `finished`.
    public var text: String {
        switch self {
        case .retry(let isWanted): isWanted ? "yes" : "no"
        case .permission(let status, let detail):
            detail.isEmpty ? "\(status)" : "\(status): \(detail)"
        case .alert(let id): id
        case .observer(let step): "\(step)"
        }
    }

    /// Whether it can be the answer to such a question.
    func fits(_ kind: QuestionKinds) -> Bool {
        switch self {
        case .retry: kind == .retry
        case .permission: kind == .permission
        case .alert: kind == .alert
        case .observer: kind == .observerPurchase || kind == .observerRestore
        }
    }
}

extension QuestionKinds {
    /// What a question of that kind is, and the member of `answer` that it wants.
    var wanted: String {
        switch self {
        case .retry: "asks whether to load products again: answer with retry"
        case .permission: "asks for a permission: answer with permission"
        case .alert: "is an alert: answer with alert_action_id"
        default: "is the app's to carry out: answer with observer"
        }
    }
}

extension PermissionStatus {
    /// The flow's own result.
    var result: RequestResult {
        switch self {
        case .granted: .granted
        case .denied: .denied
        case .unavailable: .unavailable
        }
    }
}
