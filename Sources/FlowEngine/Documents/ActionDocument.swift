/// Where a URL opens (ACT-1).
public enum URLTarget: Int32, Sendable, Hashable {
    case browserOutApp = 0
    case browserInApp = 1
}

/// A value that Set Variable assigns and that conditions compare with.
public enum VariableValue: Sendable, Hashable {
    case text(String)
    case number(Double)
    case flag(Bool)
    /// Selected option IDs of a choice, in the order of the builder.
    case items([String])
}

/// What a condition looks at.
public enum ConditionSubject: Sendable, Hashable {
    /// A variable of the flow.
    case variable(String)
    /// The present value of an element: by screen id and Element ID or Group ID.
    case element(screen: String, element: String)
}

/// A condition of a conditional action.
public indirect enum ConditionDocument: Sendable, Hashable {
    case equals(ConditionSubject, VariableValue)
    case notEquals(ConditionSubject, VariableValue)
    case contains(ConditionSubject, String)
    case isSet(ConditionSubject)
    case all([ConditionDocument])
    case any([ConditionDocument])
    case not(ConditionDocument)
}

/// What Set Variable writes to.
public enum VariableTarget: Sendable, Hashable {
    /// A variable of the flow.
    case variable(String)
    /// The value of an element (IN-74).
    case element(screen: String, element: String)
}

/// A product that a purchase action buys.
public enum ProductChoice: Sendable, Hashable {
    /// A product of the flow, by its vendor product id.
    case product(String)
    /// The product selected in the product list with that Element ID.
    case selected(String)
}

/// How something ended that a flow asked the store or the app for: the flow's own result.
public enum RequestResult: Sendable, Hashable, CaseIterable {
    /// A purchase or restore.
    case success
    /// A purchase that the user cancelled (ACT-23).
    case cancelled
    /// A purchase, web payment or restore.
    case failure
    /// A purchase or web payment (ACT-24, ACT-33, ACT-47).
    case pending
    /// A permission, here and for the next two (ACT-42).
    case granted
    case denied
    case unavailable
}

/// What a flow does at the result of something that it asked for; nothing where it says nothing.
public typealias ResultActions = [RequestResult: [ActionDocument]]

/// An action of the alert that `showAlert` opens.
public struct AlertActionDocument: Sendable, Equatable {
    /// How the button is meant.
    public enum Style: Int32, Sendable, Hashable {
        case `default` = 0
        case cancel = 1
        case destructive = 2
    }

    /// The action's ID; its title when none is set (ACT-46).
    public var id: String
    /// The text on it.
    public var title: String
    /// How it is meant; the default at the deadline is the cancel action (ACT-46).
    public var style: Style
    /// What runs when it is chosen.
    public var actions: [ActionDocument]

    /// Makes an alert action.
    public init(id: String, title: String, style: Style, actions: [ActionDocument]) {
        self.id = id
        self.title = title
        self.style = style
        self.actions = actions
    }
}

/// One action of a button, a timer, a hook or an alert. Several run in the order given (ACT-7).
public indirect enum ActionDocument: Sendable, Equatable {
    case close
    case openURL(String, URLTarget)
    case custom(String)
    /// Opens a screen in the navigator of the acting screen, or in the named one.
    case openScreen(String, navigator: String?)
    case back
    case closeNavigator(String)
    case setVariable(VariableTarget, VariableValue)
    case purchase(ProductChoice, then: ResultActions = [:])
    case webPurchase(ProductChoice, then: ResultActions = [:])
    case restore(then: ResultActions = [:])
    case requestPermission(
        String, arguments: [String: String], then: ResultActions = [:])
    case requestReview
    case showAlert(title: String, message: String, actions: [AlertActionDocument])
    /// An analytic event of the flow's own (NAV-14, NAV-15).
    case sendEvent(name: String, params: [String: ParamValue])
    /// The first branch whose condition holds, else `otherwise`.
    case branch([ConditionBranch], otherwise: [ActionDocument])
    /// Onboardings: opens a paywall (OB-18).
    case openPaywall(String)
}

/// One arm of `ActionDocument.branch`.
public struct ConditionBranch: Sendable, Equatable {
    /// When the arm is taken.
    public var condition: ConditionDocument
    /// What runs then.
    public var actions: [ActionDocument]

    /// Makes an arm.
    public init(condition: ConditionDocument, actions: [ActionDocument]) {
        self.condition = condition
        self.actions = actions
    }
}

/// A parameter of an analytic event: integer, double and bool stay apart.
public enum ParamValue: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case bool(Bool)
    case strings([String])
}
