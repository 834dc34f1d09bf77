import FlowEngine

/// Somebody who listens to questions of a device: of one view, or of all.
public struct QuestionListener: Sendable, Hashable {
    /// What it hears.
    public var kinds: QuestionKinds
    /// nil: of every view.
    public var view: ViewID?

    /// Makes a listener.
    public init(kinds: QuestionKinds, view: ViewID? = nil) {
        self.kinds = kinds
        self.view = view
    }
}

/// The questions of one device. A view has at most one of each kind that waits.
struct QuestionRegister: Sendable {
    /// Those that wait, in the order of their deadlines.
    private(set) var open: [OpenQuestion] = []
    /// The ids of the last ones that were settled, so that a late answer is told so; the oldest
    /// goes.
    private(set) var settled: [ViewID] = []
    /// Who hears questions (ACT-51).
    var listeners: Set<QuestionListener> = []

    /// When the next one takes its default.
    var due: Instant? { open.first?.question.deadline }

    mutating func add(_ question: OpenQuestion) {
        open.append(question)
    }

    mutating func take(_ place: Int) -> OpenQuestion {
        let question = open.remove(at: place)
        if open.isEmpty { open = [] }  // an idle device keeps no room for questions
        if settled.count == SDKLimits.settledQuestionsMax { settled.removeFirst() }
        settled.append(question.question.id)
        return question
    }

    mutating func start(_ place: Int) {
        open[place].isStarted = true
    }

    func place(of id: ViewID) -> Int? {
        open.firstIndex { $0.question.id == id }
    }

    /// The open question of that kind of a view.
    func place(of kind: QuestionKinds, on view: ViewID) -> Int? {
        open.firstIndex { $0.view == view && $0.subject.kind == kind }
    }

    /// Whether anybody listens to such questions of a view.
    func isHeard(_ kind: QuestionKinds, of view: ViewID) -> Bool {
        listeners.contains { $0.kinds.contains(kind) && ($0.view == nil || $0.view == view) }
    }

    /// The ids that wait, for error messages: the first ones.
    var names: String {
        if open.isEmpty { return "no question of this device waits" }
        let shown = open.prefix(16).map { $0.question.id.description }.joined(separator: ", ")
        let rest = open.count > 16 ? " and \(open.count - 16) more" : ""
        return "those that wait are \(shown)\(rest)"
    }
}
