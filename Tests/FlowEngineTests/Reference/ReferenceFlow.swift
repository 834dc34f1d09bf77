/// A second reading of the rules of user input (IN), screens (NAV) and actions (ACT-7 to ACT-9).
///
/// It is written from the text of the rules and shares no code with the engine: its own data, its
/// own civil time over Foundation, plain dictionaries, no regard for speed.
enum Reference {
    /// A flow, with all that a test of it needs.
    struct Flow: Equatable {
        var screens: [Screen]
        /// The main one first.
        var navigators = ["main": 0, "sheet": 10, "under": -5]
        var timer: Timer?
        var reportsAnalytics = true
        /// Which of the two locales is shown; the default one is 0.
        var locale = 0
        var zone = "UTC"
        /// Unix milliseconds of the first step.
        var start: Int64 = 1_705_320_000_000
        /// Whether the SDK dismisses the view after a close (ACT-3), or the app leaves it (ACT-4).
        var isClosedBySDK = true
        /// Products that the store knows.
        var products = ["p"]
    }

    struct Screen: Equatable {
        var id: String
        var elements: [Element]
        /// Closes the flow by itself when it appears (IN-91).
        var closesOnAppear = false
    }

    struct Element: Equatable {
        var id: String?
        var isInHeader = false
        var isEnabled = true
        var kind: Kind
    }

    enum Kind: Equatable {
        case field(Field)
        case picker(Picker)
        case choice(Choice)
        case toggle(Bool)
        case button([Action])
        case products([String], preselected: String?)
        case tabs([String])
    }

    struct Field: Equatable {
        /// `text_input` and so on; `password_input` never reports.
        var type: String
        var text = ""
        var isMultiline = false
        var maxLength: Int?
        var pattern: Pattern?
    }

    /// Patterns whose meaning is written out by hand.
    enum Pattern: String, CaseIterable {
        case digits = "[0-9]+"
        case short = "[a-zü]{0,4}"
        /// Its first match in "ab" is "a", which is not the whole text.
        case first = "a|ab"
        /// Does not compile, so it is ignored.
        case broken = "[0-9"
    }

    struct Picker: Equatable {
        /// `date_picker`, `time_picker` or `date_time_picker`.
        var type: String
        var initial: Moment?
        var minimum: Moment?
        var maximum: Moment?
    }

    struct Moment: Equatable {
        var day: Day?
        var time: Time?
    }

    struct Choice: Equatable {
        var isMultiple: Bool
        var options: [Option]
        var maxSelected: Int?
    }

    struct Option: Equatable {
        var id: String?
        var title: String?
        /// By locale; the default one first.
        var texts: [String?]
        var isDefault = false
        var isEnabled = true
    }

    indirect enum Action: Equatable {
        case open(String, navigator: String?)
        case back
        case close
        case closeNavigator(String)
        case custom(String)
        case set(screen: String, element: String, Value)
        /// Custom action "yes" or "no", as the condition holds or not.
        case ask(screen: String, element: String, Question)
    }

    enum Value: Equatable {
        case text(String)
        case number(Int64)
        case flag(Bool)
        case items([String])
    }

    enum Question: Equatable {
        case equals(String)
        case has(String)
        case isOn
        case isSet
    }

    /// A timer that no text shows: it starts with the view, anew each time.
    struct Timer: Equatable {
        var ms: Int64
        var actions: [Action]
    }

    /// What happens to the view.
    enum Step: Equatable {
        case focus(String)
        case enter(String?, String)
        case clear(String?)
        case blur
        case openPicker(String)
        case pick(Day?, Time?)
        case closePicker
        case tapOption(String, String)
        case tapToggle(String)
        case tapButton(String)
        case selectProduct(String, String)
        case switchTab(String, String)
        case goBack
        case tapOutside
        case background
        case foreground
        case dismiss
        case present
        case wait(ms: Int64)
    }

    /// Why a gesture is impossible.
    enum Fault: String {
        case notFound, wrongState, invalidArgument, limitExceeded
    }

    /// What a step brings: callbacks as lines, or the faults of which one is to be named.
    enum Outcome: Equatable {
        case lines([String])
        case refused(Set<Fault>)
    }
}
