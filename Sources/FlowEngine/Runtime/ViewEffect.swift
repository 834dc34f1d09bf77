/// The `element_type` of `flow_user_input` (IN-9 to IN-19).
public enum InputElementType: String, Sendable, Hashable {
    case textInput = "text_input"
    case emailInput = "email_input"
    case numberInput = "number_input"
    case phoneInput = "phone_input"
    case datePicker = "date_picker"
    case timePicker = "time_picker"
    case dateTimePicker = "date_time_picker"
    case singleChoice = "single_choice"
    case multiChoice = "multi_choice"
    case toggle = "toggle"
}

/// What an input reports (IN-3).
public enum ReportedValue: Sendable, Equatable {
    case text(String)
    /// Unix milliseconds.
    case integer(Int64)
    case bool(Bool)
    case items(ReportedItems)

    /// The items of a list.
    public static func items(ids: [String], titles: [String]) -> ReportedValue {
        .items(ReportedItems(ids: ids, titles: titles))
    }
}

/// An event for `didReceiveAnalyticEvent`.
public enum AnalyticEvent: Sendable, Equatable {
    /// NAV-2, NAV-3.
    case screenShowed(instanceID: String, order: Int, isLast: Bool)
    /// IN-1 to IN-3.
    case userInput(InputIdentity, ReportedValue)
    /// NAV-14: an event of the flow's own, params complete.
    case own(name: String, params: [String: ParamValue])

    /// An event of the input that goes by that.
    public static func userInput(
        instanceID: String, elementID: String, type: InputElementType, value: ReportedValue
    ) -> AnalyticEvent {
        .userInput(
            InputIdentity(instanceID: instanceID, elementID: elementID, type: type), value)
    }
}

/// What `didPerform` tells (ACT-1).
public enum PerformedAction: Sendable, Equatable {
    case close
    case openURL(String, URLTarget)
    case custom(String)
}

/// An error of the SDK that a view reports, by code and name of the ERR table.
public struct ViewError: Error, Sendable, Equatable {
    /// The number in the ERR table.
    public var code: Int32
    /// The name in the ERR table.
    public var name: String
    /// What was wrong; never a typed value.
    public var message: String

    /// Makes an error.
    public init(code: Int32, name: String, message: String) {
        self.code = code
        self.name = name
        self.message = message
    }
}

/// Where an onboarding stands when it calls back (OB-2).
public struct OnboardingMeta: Sendable, Equatable {
    /// Id of the onboarding.
    public var onboardingID: String
    /// Id of the screen that is open.
    public var screenClientID: String
    /// From 0.
    public var screenIndex: Int32
    /// Screens in the catalog.
    public var screensTotal: Int32

    /// Makes a meta.
    public init(
        onboardingID: String, screenClientID: String, screenIndex: Int32, screensTotal: Int32
    ) {
        self.onboardingID = onboardingID
        self.screenClientID = screenClientID
        self.screenIndex = screenIndex
        self.screensTotal = screensTotal
    }
}

/// An option as an onboarding reports it (OB-23).
public struct OnboardingOption: Sendable, Equatable {
    /// Element ID of the option.
    public var id: String
    /// Its value in the catalog; the Element ID when none is set.
    public var value: String
    /// Its text in the locale shown.
    public var label: String

    /// Makes an option.
    public init(id: String, value: String, label: String) {
        self.id = id
        self.value = value
        self.label = label
    }
}

/// What `onStateUpdatedAction` carries (OB-22 to OB-28).
public enum OnboardingState: Sendable, Equatable {
    case select(OnboardingOption)
    case multiSelect([OnboardingOption])
    case text(String)
    case email(String)
    case number(Double)
    case datePicker(day: Int32?, month: Int32?, year: Int32?)
}

/// The cases of `onAnalyticsEvent` (OB-33, OB-34).
public enum OnboardingAnalytics: Sendable, Equatable {
    case onboardingStarted
    case screenPresented
    case screenCompleted(elementID: String?, reply: String?)
    case secondScreenPresented
    case userEmailCollected
    case onboardingCompleted
    case registrationScreenPresented
    case productsScreenPresented
    case unknown(name: String)
}

/// A callback of the onboarding delegate (OB-1), but for `didFailWithError`.
public enum OnboardingCallback: Sendable, Equatable {
    case didFinishLoading
    case close(actionID: String)
    case paywall(actionID: String)
    case custom(actionID: String)
    case stateUpdated(elementID: String, OnboardingState)
    case analytics(OnboardingAnalytics)
}

/// Something that the SDK would have told its own service.
public struct BackendEvent: Sendable, Equatable {
    /// Name of the event.
    public var name: String
    /// What it carries, by key.
    public var properties: [String: ParamValue]

    /// Makes a backend event.
    public init(name: String, properties: [String: ParamValue]) {
        self.name = name
        self.properties = properties
    }
}

/// What an input to a view causes, in order.
///
/// Every gesture passes some on: a case much larger than the others is `indirect`.
public enum ViewEffect: Sendable, Equatable {
    /// `didReceiveAnalyticEvent`.
    case analytic(AnalyticEvent)
    /// `didPerform`; who acts on it is not the engine's business (ACT-2).
    case performed(PerformedAction)
    /// `didReceiveError`.
    case failed(ViewError)
    /// `didSelectProduct`, by vendor product id.
    case selectedProduct(String)
    /// The user wants to buy; the store decides. `request`, here and for the next two, is the number
    /// for `ViewInput.requestEnded`; 0: the view waits for no result.
    case purchaseRequested(String, isWeb: Bool, request: Int32)
    case restoreRequested(request: Int32)
    case permissionRequested(String, arguments: [String: String], request: Int32)
    case reviewRequested
    case alertShown(title: String, message: String, actions: [AlertActionDocument])
    /// A callback of the onboarding delegate.
    indirect case onboarding(OnboardingCallback, OnboardingMeta)
    /// `didFailWithError` of the onboarding delegate.
    case onboardingFailed(ViewError)
    /// An incoming onboarding message was dropped; names fields, never values (OB-14).
    case messageDropped(reason: String)
    case backend(BackendEvent)
    /// A link was opened by the SDK itself (OB-57).
    case openedURL(String, URLTarget)
    /// A `continue` or `persisted` timer started; its end outlives the view (FC-15).
    case timerStarted(id: String, mode: TimerMode, endsAt: Instant)
}
