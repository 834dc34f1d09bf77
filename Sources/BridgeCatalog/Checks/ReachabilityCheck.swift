/// Looks for screens that nothing opens.
struct ReachabilityCheck {
    let scope: DocumentScope
    /// Screens in the order of the file, with the places of their ids.
    let screens: [(id: String, cursor: JSONCursor)]

    /// Warns of every screen that cannot be reached from the first one or by a timer.
    func run() {
        var opened: [String: [String]] = [:]
        var waiting: [String] = screens.first.map { [$0.id] } ?? []
        for mention in scope.mentions {
            guard case .screen(let target) = mention.reference else { continue }
            if let origin = mention.origin {
                opened[origin, default: []].append(target)
            } else {
                waiting.append(target)
            }
        }
        var reached = Set<String>()
        while let screen = waiting.popLast() {
            if reached.insert(screen).inserted { waiting += opened[screen] ?? [] }
        }
        for (id, cursor) in screens where !reached.contains(id) {
            cursor.warn("no action opens the screen \(id.shown) on any way from the first one")
        }
    }
}
