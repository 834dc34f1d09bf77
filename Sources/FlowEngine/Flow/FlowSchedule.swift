/// What a session has to do later, in the order it falls due.
struct FlowSchedule: Sendable {
    /// Something that falls due.
    enum Work: Sendable {
        /// The end of a timer, by its index.
        case timer(Int)
        /// The actions of an alert that was answered in the background.
        case answer([ActionDocument])
    }

    /// Work, when it falls due, and the navigator it acts on.
    struct Item: Sendable {
        let at: Instant
        let work: Work
        let navigator: Int
    }

    private var items: [Item] = []
    /// The last end given to each timer, by its index (FC-15).
    private var ends = SlotMap<Instant>()

    /// When the first one falls due.
    var first: Instant? { items.first?.at }

    /// The end that a timer was given last in this view, also in an earlier presentation.
    func end(ofTimer timer: Int) -> Instant? { ends[Int32(timer)] }

    /// Adds work behind all that falls due at the same instant.
    mutating func add(_ work: Work, at instant: Instant, navigator: Int) {
        let place = items.firstIndex { instant < $0.at } ?? items.count
        items.insert(Item(at: instant, work: work, navigator: navigator), at: place)
    }

    /// Sets the end of a timer, in place of the one it had.
    mutating func set(timer: Int, endsAt end: Instant, navigator: Int) {
        items.removeAll {
            if case .timer(timer) = $0.work { true } else { false }
        }
        ends.set(Int32(timer), to: end)
        add(.timer(timer), at: end, navigator: navigator)
    }

    /// Whether the end of that timer is still to come.
    func isRunning(_ timer: Int) -> Bool {
        items.contains {
            if case .timer(timer) = $0.work { true } else { false }
        }
    }

    /// Takes the first item that is due, if there is one.
    mutating func takeDue(_ now: Instant) -> Item? {
        guard let first = items.first, first.at <= now else { return nil }
        return items.removeFirst()
    }

    /// Forgets the work, but not the ends.
    mutating func removeAll() {
        items.removeAll()
    }
}
