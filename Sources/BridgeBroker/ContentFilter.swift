import BridgeProtocol
import BridgeStore

/// What a subscription wants of the content of events: one of the matches holds.
struct ContentFilter {
    private let matches: [EventMatch]

    /// Nil when every event is wanted.
    ///
    /// - Throws: INVALID_ARGUMENT naming an unknown kind and the ones there are.
    init?(_ matches: [EventMatch], field: String) throws(BridgeError) {
        if matches.isEmpty { return nil }
        for (index, match) in matches.enumerated() where !match.kind.isEmpty {
            _ = try EventFilter(
                kindNames: [match.kind], view: nil, field: "\(field)[\(index)].kind")
        }
        self.matches = matches
    }

    /// Whether an event is wanted.
    func passes(_ event: Event) -> Bool {
        let kind = event.kind?.name ?? ""
        return matches.contains { match in
            (match.kind.isEmpty || match.kind == kind)
                && (match.name.isEmpty || match.name == event.matchName)
                && (match.element.isEmpty || match.element == event.matchElement)
        }
    }
}
