import BridgeProtocol
import FlowEngine
import SDKCore

extension Event.Kind {
    /// Questions, and their ends.
    init(_ callback: QuestionCallback) {
        switch callback {
        case .didFailLoadingProducts(let error, let question):
            self = .didFailLoadingProducts(
                with(DidFailLoadingProducts()) {
                    $0.error = SdkError(error)
                    $0.question = .init(question)
                })
        case .permission(let name, let arguments, let question):
            self = .permissionRequested(
                with(PermissionRequested()) {
                    $0.permission = name
                    $0.arguments = PermissionRequested.entries(arguments)
                    $0.question = .init(question)
                })
        case .alert(let alert, let question): self = .alertShown(AlertShown(alert, question))
        case .observerPurchase(let product, let question):
            self = .observerPurchaseRequested(
                with(ObserverPurchaseRequested()) {
                    $0.product = .init(product)
                    $0.question = .init(question)
                })
        case .observerRestore(let question):
            self = .observerRestoreRequested(
                with(ObserverRestoreRequested()) { $0.question = .init(question) })
        case .settled(let id, let answer, let isDefault):
            self = .questionSettled(
                with(QuestionSettled()) {
                    $0.questionId = id.description
                    $0.answer = answer
                    $0.byDefault = isDefault
                })
        }
    }
}

extension BridgeProtocol.Question {
    init(_ question: SDKCore.Question) {
        self.init()
        questionId = question.id.description
        deadlineMs = question.deadline.ms
        defaultAnswer = question.defaultAnswer
    }
}

extension PermissionRequested {
    /// In the order of their names (GEN-3).
    fileprivate static func entries(_ arguments: [String: String]) -> [ArgumentsEntry] {
        arguments.sorted { $0.key.precedesInBytes($1.key) }.map { key, value in
            with(ArgumentsEntry()) {
                $0.key = key
                $0.value = value
            }
        }
    }
}

extension AlertShown {
    fileprivate init(_ alert: ShownAlert, _ question: SDKCore.Question) {
        self.init()
        title = alert.title
        message = alert.message
        actions = alert.actions.map { action in
            with(AlertAction()) {
                $0.actionId = action.id
                $0.title = action.title
                $0.style = AlertAction.Style(rawValue: action.style.rawValue)
            }
        }
        self.question = .init(question)
    }
}

extension ScreenAlert {
    /// The open alert of a view, as `get_screen` shows it.
    init(_ alert: ShownAlert, _ question: SDKCore.Question) {
        self.init()
        questionId = question.id.description
        title = alert.title
        message = alert.message
        actions = alert.actions.map { action in
            with(ScreenOption()) {
                $0.optionId = action.id
                $0.title = action.title
                $0.enabled = true
            }
        }
    }
}

extension QuestionAnswer {
    /// - Throws: INVALID_ARGUMENT without an answer, and for a number that names none.
    init(_ answer: AnswerRequest.Answer?) throws(BridgeError) {
        switch answer {
        case .retry(let isWanted): self = .retry(isWanted)
        case .permission(let permission):
            self = .permission(
                try PermissionStatus(permission.status), detail: permission.detail)
        case .alertActionId(let id): self = .alert(actionID: id)
        case .observer(let observer): self = .observer(try ObserverStep(observer.step))
        case nil:
            throw BridgeError(
                .invalidArgument,
                "answer says nothing: give retry, permission, alert_action_id or observer",
                field: "answer.answer")
        }
    }
}

extension PermissionStatus {
    fileprivate init(_ status: PermissionAnswer.Status) throws(BridgeError) {
        switch status {
        case .granted: self = .granted
        case .denied: self = .denied
        case .unavailable: self = .unavailable
        default:
            throw BridgeError(
                .invalidArgument, "permission status \(status.rawValue): 0 to 2",
                field: "answer.permission.status")
        }
    }
}

extension ObserverStep {
    fileprivate init(_ step: ObserverAnswer.Step) throws(BridgeError) {
        switch step {
        case .started: self = .started
        case .finished: self = .finished
        default:
            throw BridgeError(
                .invalidArgument, "observer step \(step.rawValue): 0 or 1",
                field: "answer.observer.step")
        }
    }
}
