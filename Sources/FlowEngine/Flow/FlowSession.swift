/// One native flow on screen, or ready to be: the runtime behind a flow controller.
///
/// It holds only what differs from its document, so that an idle session stays small and all
/// sessions of a flow share the rest.
public struct FlowSession: ViewRuntime {
    let document: FlowDocument
    let options: FlowSessionOptions
    /// Ends of `continue` timers of this process and of persisted timers, by timer id. The owner sets them before
    /// each appearance, and learns of new ones from `ViewEffect.timerStarted` (FC-15).
    public var keptTimers: [String: Instant] = [:]
    var inputs = InputState()
    /// Variables that were set in this presentation.
    var variables: [ExactText: VariableValue] = [:]
    /// From the bottom to the top; empty when the view is not on screen (NAV-17).
    var navigators: [LiveNavigator] = []
    var schedule = FlowSchedule()
    /// The open alert (ACT-46).
    var alert: OpenAlert?
    /// A bit for each product of the document: loaded or not. Kept between presentations (VW-20).
    var loadedProducts: [UInt64] = []
    /// The view has finished appearing: its preselections may be told (VW-25).
    var hasAppeared = false
    var isInBackground = false
    /// What waits for a result of the store or the app, in this presentation.
    var requests: [OpenRequest] = []
    var requestsMade: Int32 = 0

    /// Makes a session that is not on screen yet.
    public init(document: FlowDocument, options: FlowSessionOptions) {
        self.document = document
        self.options = options
    }

    /// Handles one input and appends its effects, in order.
    ///
    /// - Throws: `GestureRefusal` for an impossible gesture; then nothing changed (GEN-6).
    public mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal) {
        var turn = FlowTurn(environment: environment, effects: [])
        swap(&turn.effects, &effects)
        defer { swap(&turn.effects, &effects) }
        switch input {
        case .gesture(let gesture): try perform(gesture, &turn)
        case .appear: appear(&turn)
        case .disappear: disappear()
        case .enterBackground: enterBackground()
        case .enterForeground: isInBackground = false
        case .timeReached: break
        case .productsLoaded(let ids): productsLoaded(ids, &turn)
        case .alertAnswered(let id): try answerAlert(id, &turn)
        case .requestEnded(let number, let result): endRequest(number, result, &turn)
        case .message:
            throw GestureRefusal(
                .wrongState, "the view is a flow: only onboardings take messages", field: "json")
        }
        runDue(&turn)
    }

    /// The next instant at which a timer ends; nil in the background and off screen (VW-28).
    public var nextDue: Instant? {
        isShown && !isInBackground ? schedule.first : nil
    }

    /// The locale it is shown in (FC-6).
    public var shownLocale: LocaleDocument {
        document.content.locales[localeIndex]
    }

    var localeIndex: Int {
        document.content.locales.indices.contains(options.locale)
            ? options.locale : document.content.defaultLocale
    }

    var isShown: Bool { !navigators.isEmpty }

    /// Starts the presentation anew (VW-20): first screen, defaults, variables and timers.
    private mutating func appear(_ turn: inout FlowTurn) {
        guard !isShown, !document.screens.tables.isEmpty else { return }
        isInBackground = false
        inputs.reset()
        variables.removeAll()
        for picker in document.presetPickers {
            guard let ms = picker.initialValue(in: turn.environment) else { continue }
            inputs.setWord(picker.slot, to: UInt64(bitPattern: ms))
        }
        for timer in document.hiddenTimers { start(timer, navigator: 0, turn.now, &turn.effects) }
        open(0, in: 0, &turn)
        hasAppeared = true
        preselect(&turn)
    }

    /// Leaves the screen: pending values are lost without an effect, and so is an alert (IN-82).
    private mutating func disappear() {
        inputs.active = .none
        navigators.removeAll()
        schedule.removeAll()
        alert = nil
        requests.removeAll()
        hasAppeared = false
    }

    /// Loses the pending value without an event (IN-83).
    private mutating func enterBackground() {
        inputs.dropPending(document.screens)
        isInBackground = true
    }
}
