import BridgeProtocol
import SDKCore

extension TestCatalogs {
    /// A flow of one screen: a toggle, of which each tap makes one event, and some fields.
    static let toggle = flows([
        (
            "main",
            #"""
            {"screens":[{"id":"scr","elements":[
            {"type":"toggle","group_id":"tick"},
            {"type":"text_input","element_id":"name"},
            {"type":"text_input","element_id":"notes","multiline":true},
            {"type":"button","element_id":"close","actions":[{"type":"close"}]}]}]}
            """#
        )
    ])
}

/// A device with a view of the toggle flow on screen, and the client that taps.
struct Ticker {
    let client: TestClient
    let view: String

    init(_ broker: TestBroker, _ mode: WireMode, device: String = "phone") throws {
        client = try broker.client(mode)
        try client.openDevice(device, manualAtMs: 0)
        try client.activate()
        view = try client.makeFlowView("main")
        try client.present(view)
    }

    /// One tap.
    var tap: ClientFrame.Body {
        .perform(
            with(PerformRequest()) {
                $0.viewId = view
                $0.gesture = .tapToggle(with(TapToggleGesture()) { $0.elementId = "tick" })
            })
    }

    /// Sends so many taps without waiting; returns the id of the last.
    func send(_ count: Int) throws -> UInt64 {
        var last: UInt64 = 0
        for _ in 0..<count { last = try client.send(tap, id: nil) }
        return last
    }

    /// Makes so many events.
    func make(_ count: Int) throws {
        guard count > 0 else { return }
        let first = try send(count) - UInt64(count) + 1
        for id in first..<first + UInt64(count) { _ = try client.answer(to: id) }
    }

    /// The sequence of the latest event.
    func lastSequence() throws -> UInt64 {
        try client.lastSequence()
    }
}

extension TestClient {
    /// The sequence of the latest event of a device.
    func lastSequence(device: String = "phone") throws -> UInt64 {
        guard case .listDevices(let list) = try call(.listDevices(ListDevicesRequest())),
            let info = list.devices.first(where: { $0.device == device })
        else { throw Unexpected("no device \(device)") }
        return info.lastSequence
    }

    /// A page of the record.
    func events(
        from sequence: UInt64 = 0, device: String = "", kinds: [String] = [], view: String = "",
        pageSize: UInt32 = 0
    ) throws -> GetEventsReply {
        let reply = try call(
            .getEvents(
                with(GetEventsRequest()) {
                    $0.device = device
                    $0.fromSequence = sequence
                    $0.kinds = kinds
                    $0.view = view
                    $0.pageSize = pageSize
                }))
        guard case .getEvents(let page) = reply else { throw Unexpected(reply) }
        return page
    }

    /// The whole record, page by page.
    func allEvents(kinds: [String] = [], view: String = "", pageSize: UInt32 = 0) throws -> [Event]
    {
        var events: [Event] = []
        var next: UInt64 = 0
        while true {
            let page = try self.events(from: next, kinds: kinds, view: view, pageSize: pageSize)
            events += page.events
            if page.atEnd { return events }
            guard page.nextFromSequence > next else { throw Unexpected("no progress at \(next)") }
            next = page.nextFromSequence
        }
    }
}
