import BridgeClient
import BridgeProtocol

/// `report`: the record of a device as a page.
enum ReportVerb: Verb {
    static let name = "report"
    static let operands = "DEVICE|VIEW"
    static let operandCount = 1...1
    static let summary = "write the record of a device or a view as one HTML page"
    static let details = """
        The page is a timeline of what the record holds: screens, input, actions, purchases, profile
        changes, questions, errors, each with its event as JSON; it is filtered in the browser and
        needs no network. DEVICE is a device's name, VIEW the id of a view of --device or of the
        default device. Of gestures the record has what they caused.

        What users typed and chose, and attributes of profiles, are hidden; --show-values shows
        them. --from begins at a sequence, --count ends after so many events; without it a page has
        up to 20 000.
        """
    static let examples = [
        "bridgectl report default -o report.html",
        "bridgectl report phone -o report.html --show-values --from 100",
        "echo '{\"id\":1,\"getEvents\":{\"device\":\"phone\"}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["count", "device", "from", "output", "show-values"]

    /// More makes a page that browsers are slow with.
    static let eventsMax = 20_000

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        guard let path = arguments.outputFile else {
            throw .usage("report needs -o FILE; - is standard output")
        }
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let subject = arguments.operands[0]
        let found: (events: [Event], note: String)
        do throws(BridgeError) {
            let isDevice = try await devices(client).contains(subject)
            found = try await events(
                client, device: isDevice ? subject : arguments.device,
                view: isDevice ? "" : subject, arguments)
        } catch {
            throw .answered("report", error)
        }
        let story = SessionStory(found.events, showsValues: arguments.showsValues)
        let page = ReportPage(
            story: story, subject: subject, isValueHidden: !arguments.showsValues, note: found.note)
        if path == "-" { return output.print(page.html) }
        try FilePath.write(page.html, to: path)
        output.say("\(path): \(story.count) events")
    }

    private static func devices(_ client: BridgeClient) async throws(BridgeError) -> [String] {
        var (names, token) = (["default"], "")
        repeat {
            let page = try await client.listDevices(
                with(ListDevicesRequest()) { $0.pageToken = token })
            names += page.devices.map(\.device)
            token = page.nextPageToken
        } while !token.isEmpty
        return names
    }

    /// The record, page by page, and what was left out of it.
    private static func events(
        _ client: BridgeClient, device: String, view: String, _ arguments: Arguments
    ) async throws(BridgeError) -> ([Event], String) {
        let most = min(arguments.count ?? eventsMax, eventsMax)
        var (events, notes) = ([Event](), [String]())
        var next = arguments.fromSequence ?? 0
        while events.count < most {
            let page = try await client.getEvents(
                with(GetEventsRequest()) {
                    $0.device = device
                    $0.view = view
                    $0.fromSequence = next
                })
            if events.isEmpty, page.oldestSequenceKept > max(1, next) {
                notes.append("The record no longer holds events before \(page.oldestSequenceKept).")
            }
            events += page.events
            next = page.nextFromSequence
            if page.atEnd, events.count <= most { return (events, notes.joined(separator: " ")) }
            if page.atEnd { break }
        }
        events = Array(events.prefix(most))
        let last = events.last?.sequence ?? 0
        notes.append("Later events are left out: --from \(last + 1) begins behind the last one.")
        return (events, notes.joined(separator: " "))
    }
}
