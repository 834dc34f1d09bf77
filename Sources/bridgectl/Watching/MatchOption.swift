import BridgeProtocol

/// `--match key=value,key=value`: what is wanted; several options mean any of them.
enum MatchOption {
    /// The keys, in the order of the help.
    private static let keys = ["device", "kind", "name", "element", "conn", "client"]

    /// Reads one option.
    static func read(_ text: String) throws(Exit) -> FrameMatch {
        var match = FrameMatch()
        for term in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = term.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw .usage("--match \(text): \"\(term)\" is no key=value; \(list)")
            }
            try set(String(parts[0]), String(parts[1]), text, &match)
        }
        return match
    }

    private static var list: String { "the keys are \(keys.joined(separator: ", "))" }

    private static func set(
        _ key: String, _ value: String, _ text: String, _ match: inout FrameMatch
    ) throws(Exit) {
        switch key {
        case "device": match.device = value
        case "kind": match.kind = value
        case "name": match.name = value
        case "element": match.element = value
        case "client": match.clientName = value
        case "conn":
            guard let id = UInt64(value), id > 0 else {
                throw .usage("--match \(text): conn is the number of a connection, as in status")
            }
            match.connectionId = id
        default:
            let hint = nearest(to: key, in: keys).map { "did you mean \($0)?" } ?? list
            throw .usage("--match \(text): no key \"\(key)\"; \(hint)")
        }
    }

    /// Checks the kinds before anything is sent.
    static func check(_ matches: [FrameMatch], framesToo: Bool) throws(Exit) {
        let own = framesToo ? ["request", "answer", "error", "event", "fault"] : []
        let kinds = own + EventKindTable.names
        for match in matches where !match.kind.isEmpty && !kinds.contains(match.kind) {
            let hint =
                nearest(to: match.kind, in: kinds).map { "did you mean \($0)?" }
                ?? "there are \(kinds.joined(separator: ", "))"
            throw .usage("no event kind \"\(match.kind)\"; \(hint)")
        }
    }

    /// For a subscription to one device.
    ///
    /// - Throws: for what only the frames of connections have.
    static func events(
        _ matches: [FrameMatch], device: String
    ) throws(Exit) -> (device: String, matches: [EventMatch]) {
        var devices = Set(matches.map(\.device).filter { !$0.isEmpty })
        if !device.isEmpty { devices.insert(device) }
        guard devices.count <= 1 else {
            throw .usage(
                "events come from one device at a time; monitor --traffic shows those of several")
        }
        for match in matches where match.connectionId != 0 || !match.clientName.isEmpty {
            throw .usage("--match conn= and client= are of frames; add --traffic")
        }
        let wanted = matches.map { match in
            with(EventMatch()) {
                $0.kind = match.kind
                $0.name = match.name
                $0.element = match.element
            }
        }
        return (devices.first ?? "", wanted)
    }
}
