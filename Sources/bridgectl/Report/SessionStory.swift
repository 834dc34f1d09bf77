import BridgeProtocol

/// The record of a device as a report tells it: chapters of one screen each, with what came while it
/// was shown.
struct SessionStory {
    /// What an event is about; a report is filtered by it.
    enum Topic: String, CaseIterable {
        case screen = "Screen"
        case input = "Input"
        case action = "Action"
        case purchase = "Purchase"
        case profile = "Profile"
        case question = "Question"
        case error = "Error"
        case other = "Other"
    }

    /// One event.
    struct Entry {
        let sequence: UInt64
        let topic: Topic
        let line: EventLine
        /// As `2026-01-01 12:00:03.250`, in the zone of the event.
        let time: String
        let zone: String
        /// Since the event before; nil: the first.
        let sinceMs: Int64?
        let view: String
        /// Over several lines.
        let json: String
    }

    /// What was on screen.
    struct Chapter {
        /// The screen; empty: none was shown yet.
        var title: String
        var placement: String
        var entries: [Entry]
    }

    private(set) var chapters: [Chapter] = []
    /// Ids of views with their placements, in the order in which they came.
    private(set) var views: [(id: String, placement: String)] = []

    /// - Parameter showsValues: what users typed and chose is there; else it is hidden (GEN-7).
    init(_ events: [Event], showsValues: Bool) {
        var former: Int64?
        for event in events {
            let line = showsValues ? WireJSON.text(of: .event(event)) : Redaction.text(of: event)
            let form = CallbackForm.of(event, line: line)
            begin(event)
            LocalTime.use(event.timeZone)
            chapters[chapters.count - 1].entries.append(
                Entry(
                    sequence: event.sequence, topic: Topic(event),
                    line: EventLine(event, form: form, instant: LocalTime.text),
                    time: LocalTime.moment(event.timeMs), zone: event.timeZone,
                    sinceMs: former.map { event.timeMs - $0 }, view: event.viewId,
                    json: JSONText.pretty(line)))
            former = event.timeMs
        }
    }

    var count: Int { chapters.reduce(0) { $0 + $1.entries.count } }

    func count(of topic: Topic) -> Int {
        chapters.reduce(0) { $0 + $1.entries.count { $0.topic == topic } }
    }

    /// A screen that is shown, or a view that is presented, begins a chapter.
    private mutating func begin(_ event: Event) {
        if case .viewPresented(let presented) = event.kind {
            views.append((event.viewId, presented.placementId))
            return chapters.append(
                Chapter(title: "", placement: presented.placementId, entries: []))
        }
        if let screen = event.shownScreen {
            let placement = views.last { $0.id == event.viewId }?.placement ?? ""
            if let last = chapters.last, last.title.isEmpty, last.placement == placement {
                chapters[chapters.count - 1].title = screen
            } else {
                chapters.append(Chapter(title: screen, placement: placement, entries: []))
            }
        }
        if chapters.isEmpty { chapters.append(Chapter(title: "", placement: "", entries: [])) }
    }
}

extension SessionStory.Topic {
    init(_ event: Event) {
        switch event.kind {
        case .didReceiveAnalyticEvent(let analytic):
            self =
                analytic.name == "flow_screen_showed"
                ? .screen : analytic.name == "flow_user_input" ? .input : .other
        case .flowDidAppear, .flowDidDisappear, .viewPresented, .viewsLost, .didFinishLoading:
            self = .screen
        case .onAnalyticsEvent: self = event.shownScreen == nil ? .other : .screen
        case .onStateUpdatedAction: self = .input
        case .didPerformAction, .onCloseAction, .onPaywallAction, .onCustomAction, .urlOpened:
            self = .action
        case .didSelectProduct, .didStartPurchase, .didFinishPurchase, .didStartRestore,
            .didFinishRestore, .didPartiallyLoadProducts, .didFinishWebPaymentNavigation:
            self = .purchase
        case .didLoadLatestProfile: self = .profile
        case .permissionRequested, .alertShown, .observerPurchaseRequested,
            .observerRestoreRequested, .questionSettled, .appReviewRequested:
            self = .question
        case .didFailPurchase, .didFailRestore, .didReceiveError, .didFailLoadingProducts,
            .didFailWithError, .onboardingMessageDropped, .lagged:
            self = .error
        case .deviceOpened, nil: self = .other
        }
    }
}

extension Event {
    /// The screen that this event tells the beginning of; nil: it is about none.
    fileprivate var shownScreen: String? {
        switch kind {
        case .didReceiveAnalyticEvent(let analytic) where analytic.name == "flow_screen_showed":
            guard
                case .string(let id)? = analytic.params.first(where: { $0.key == "instanceId" })?
                    .value.kind
            else { return nil }
            return id
        case .onAnalyticsEvent(let event) where event.kind == .screenPresented:
            return event.meta?.screenClientId
        default: return nil
        }
    }
}
