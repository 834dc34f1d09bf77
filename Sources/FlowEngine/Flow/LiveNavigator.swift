/// A navigator that shows a screen (NAV-17).
struct LiveNavigator: Sendable, Equatable {
    /// Screens that going back remembers at most; the oldest are forgotten.
    static let historyMax = 1000

    /// Index in `FlowContent.navigators`.
    let navigator: Int
    /// Index in `FlowContent.screens`.
    var screen: Int
    /// Screens to go back to, the latest last.
    private(set) var history: [Int32] = []

    init(navigator: Int, screen: Int) {
        self.navigator = navigator
        self.screen = screen
    }

    var canGoBack: Bool { !history.isEmpty }

    mutating func remember(_ screen: Int) {
        if history.count == LiveNavigator.historyMax { history.removeFirst() }
        history.append(Int32(screen))
    }

    mutating func takeBack() -> Int? {
        history.popLast().map(Int.init)
    }
}

/// An alert that waits for its answer, and the navigator whose action opened it.
struct OpenAlert: Sendable {
    let actions: [AlertActionDocument]
    let navigator: Int
}
