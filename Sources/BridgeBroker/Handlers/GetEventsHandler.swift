import BridgeProtocol
import BridgeStore

/// `get_events`: a page of the record of a device.
enum GetEventsHandler {
    /// A page holds at most this part of a frame, so that its answer always fits.
    private static let frameShare = 2

    static func handle(_ request: GetEventsRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let broker = context.broker
        let device = try context.deviceOpenOrClosed(named: request.device)
        let filter = try EventFilter(
            kindNames: request.kinds,
            view: try device.viewFilter(request.view, field: "get_events.view"),
            field: "get_events.kinds")
        let most = Int(broker.limits.pageMax)
        let size = request.pageSize == 0 ? most : min(Int(request.pageSize), most)
        let bytesMax = context.session.connection.frameBytesMax / frameShare
        let first = max(request.fromSequence, broker.events.oldestSequence(of: device))
        guard first < broker.events.residentSequence(of: device) else {
            let page = broker.events.page(
                of: device, from: first, filter: filter, countMax: size, bytesMax: bytesMax)
            return .now(reply(page))
        }
        let load = EventPageRequest(
            log: device.log, sequence: first, filter: filter, eventsMax: size, bytesMax: bytesMax)
        return try broker.load(load, in: context) { page in
            reply(broker.events.page(of: device, page))
        }
    }

    private static func reply(_ page: EventRecorder.RecordPage) -> ServerFrame.Body {
        .getEvents(
            with(GetEventsReply()) {
                $0.events = page.events
                $0.nextFromSequence = page.next
                $0.oldestSequenceKept = page.oldest
                $0.atEnd = page.isAtEnd
            })
    }
}
