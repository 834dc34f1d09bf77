/// What happens to a view.
public enum ViewInput: Sendable, Equatable {
    /// The view came on screen: opens the first screen, empty (VW-20, VW-25).
    case appear
    /// The view left the screen; pending values are lost without an effect (IN-82).
    case disappear
    case enterBackground
    case enterForeground
    case gesture(Gesture)
    /// The device's clock reached `ViewRuntime.nextDue`.
    case timeReached
    /// A product list or the store has these products now (FC-22 to FC-24).
    case productsLoaded([String])
    /// Settles the open alert of the view (ACT-46).
    case alertAnswered(actionID: String)
    /// Something that the view asked for ended, by the number of its effect; nil: without effect on
    /// the view (ACT-44).
    case requestEnded(Int32, RequestResult?)
    /// A raw message of an onboarding document (OB-52).
    case message(json: String)
}

/// What surrounds a view at the moment of an input (GEN-3).
public struct ViewEnvironment: Sendable {
    /// The device's clock.
    public var now: Instant
    /// The device's time zone.
    public var zone: TimeZoneRules

    /// Makes an environment.
    public init(now: Instant, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }
}

/// The headless runtime of one view: inputs in, effects out, and a snapshot of what it shows.
///
/// A pure value: it does no I/O and knows no clock. The native flow runtime and the onboarding
/// runtime implement it; nothing outside depends on which one it is.
public protocol ViewRuntime: Sendable {
    /// Handles one input and appends its effects, in order.
    ///
    /// - Throws: `GestureRefusal` for an impossible gesture, an alert that is not open or has no
    ///   such action, and a message to a view that takes none now; then nothing changed (GEN-6).
    ///   No other input is refused.
    mutating func handle(
        _ input: ViewInput, in environment: ViewEnvironment, effects: inout [ViewEffect]
    ) throws(GestureRefusal)

    /// The next instant at which the view wants `timeReached`, if any.
    var nextDue: Instant? { get }

    /// The live screens from the bottom to the one in control, with the elements in `range` of
    /// the top screen; empty when the view is not on screen.
    func snapshot(elements range: Range<Int>) -> [ScreenSnapshot]

    /// The locale it is shown in, and whether that runs from right to left.
    var shownLocale: LocaleDocument { get }
}
