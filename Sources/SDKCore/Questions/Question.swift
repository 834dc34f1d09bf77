import FlowEngine

/// What a question is about (ACT-40 to ACT-48).
public struct QuestionKinds: OptionSet, Sendable, Hashable {
    /// One bit a kind.
    public let rawValue: UInt8

    /// Makes a set of kinds from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `didFailLoadingProductsWith`: try again?
    public static let retry = QuestionKinds(rawValue: 1)
    /// A permission of the system.
    public static let permission = QuestionKinds(rawValue: 2)
    /// An alert, which the finger answers.
    public static let alert = QuestionKinds(rawValue: 4)
    /// Observer mode: the app buys by itself.
    public static let observerPurchase = QuestionKinds(rawValue: 8)
    /// Observer mode: the app restores by itself.
    public static let observerRestore = QuestionKinds(rawValue: 16)
}

/// A question as its event tells it: the first answer counts (ACT-50).
public struct Question: Sendable, Equatable {
    /// Drawn from the device's seed.
    public let id: ViewID
    /// On the device's clock (ACT-51).
    public let deadline: Instant
    /// What is taken for the answer at the deadline, as `QuestionAnswer.text` has it.
    public let defaultAnswer: String
}

/// An alert as it is shown (ACT-46).
public struct ShownAlert: Sendable, Equatable {
    /// Its title.
    public let title: String
    /// Its message, or empty.
    public let message: String
    /// At least one; the finger answers with the id of one.
    public let actions: [AlertActionDocument]

    /// The cancel action, else the last (ACT-46).
    var defaultActionID: String {
        (actions.first { $0.style == .cancel } ?? actions.last)?.id ?? ""
    }
}

/// A question that waits for its answer.
struct OpenQuestion: Sendable {
    let question: Question
    let view: ViewID
    let subject: QuestionSubject
    /// Observer questions: the app has said that it started (ACT-47).
    var isStarted = false
}

/// What a question is about, with what its answer is for.
enum QuestionSubject: Sendable {
    case retry
    /// `request`, here and below, is the number by which the flow waits for the result.
    case permission(request: Int32)
    case alert(ShownAlert)
    case observerPurchase(request: Int32)
    case observerRestore(request: Int32)

    var kind: QuestionKinds {
        switch self {
        case .retry: .retry
        case .permission: .permission
        case .alert: .alert
        case .observerPurchase: .observerPurchase
        case .observerRestore: .observerRestore
        }
    }

    /// The answer that is taken where none comes.
    var defaultAnswer: QuestionAnswer {
        switch self {
        case .retry: .retry(false)
        case .permission: .permission(.denied, detail: "cancelled")
        case .alert(let alert): .alert(actionID: alert.defaultActionID)
        case .observerPurchase, .observerRestore: .observer(.finished)
        }
    }
}
