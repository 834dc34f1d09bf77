import BridgeProtocol
import BridgeStore
import FlowEngine
import SDKCore

/// Events: recorded once, encoded once, delivered to whoever subscribed.
extension Broker {
    /// Records a callback and delivers it.
    @inline(__always)
    func publish(_ callback: consuming DeviceCallback, of device: Device) {
        switch consume callback {
        case .view(let view, .analytic(let event)): publish(event, of: view, device)
        case let other:
            guard let kind = Event.Kind(other) else { return }
            publish(kind, view: other.viewID, of: device)
        }
    }

    /// Records an event of the bridge or a callback, and delivers it.
    func publish(_ kind: Event.Kind, view: ViewID?, of device: Device) {
        var event = Event()
        event.sequence = events.lastSequence(of: device) + 1
        event.device = device.name
        event.viewId = view?.description ?? ""
        event.timeMs = now(of: device).ms
        event.timeZone = device.zoneName
        event.kind = kind
        let tag = EventTag(
            kind: UInt8(kind.index), view: view.map { EventTag.tag(of: $0) } ?? 0)
        counters.eventsRecorded += 1
        deliver(
            events.record(event, tag: tag, of: device), event.sequence, tag, of: device)
    }

    /// The same for the events of the hot path, without building the message.
    private func publish(_ event: AnalyticEvent, of view: ViewID, _ device: Device) {
        let sequence = events.lastSequence(of: device) + 1
        let bytes = analyticEvents.write(
            event,
            AnalyticEventWriter.Envelope(
                sequence: sequence, device: device.name, view: view, timeMs: now(of: device).ms,
                zone: device.zoneName))
        let tag = EventTag(
            kind: Event.Kind.analyticEventIndex, view: EventTag.tag(of: view))
        counters.eventsRecorded += 1
        deliver(
            events.record(bytes, sequence: sequence, tag: tag, of: device), sequence, tag,
            of: device)
    }

    private func deliver(
        _ event: EncodedEvent, _ sequence: UInt64, _ tag: EventTag, of device: Device
    ) {
        for subscription in device.subscriptions
        where subscription.replayFrom == nil && subscription.filter.passes(tag) {
            if let content = subscription.content, !content.passes(event.decoded()) { continue }
            let connection = subscription.connection
            if connection.hasRoom(limits), subscription.missed == nil {
                send(event, to: subscription)
            } else {
                if subscription.missed == nil { lagging.append(subscription) }
                subscription.miss(sequence)
                subscription.session.eventsDropped += 1
            }
        }
    }

    func send(_ event: EncodedEvent, to subscription: Subscription) {
        let connection = subscription.connection
        guard let mode = connection.mode else { return }
        hold(subscription.session)
        let output = connection.writableOutput()
        let start = output.count
        event.append(subscriptionID: subscription.id, mode: mode, to: output)
        if !monitors.isEmpty {
            see(.event, from: start, of: output, id: 0, methodIndex: nil, subscription.session)
        }
        connection.framesOut += 1
        subscription.session.eventsDelivered += 1
    }

    /// Sends an event of the record, if the subscription wants its content.
    func sendKept(_ event: EncodedEvent, to subscription: Subscription) {
        if let content = subscription.content, !content.passes(event.decoded()) { return }
        send(event, to: subscription)
    }

    /// Tells the subscriptions whose connections have room again which events were dropped.
    func tellMissed() {
        guard !lagging.isEmpty else { return }
        for subscription in lagging where subscription.connection.hasRoom(limits) {
            tellMissed(subscription)
        }
        lagging.removeAll { $0.missed == nil || $0.connection.isClosing }
    }

    private func tellMissed(_ subscription: Subscription) {
        guard let missed = subscription.missed else { return }
        subscription.missed = nil
        tellLagged(
            subscription, missed,
            reason: "the connection did not read: more than \(limits.queueSoftBytes) bytes were "
                + "queued (queueSoftBytes); get_events has what was dropped")
    }

    func tellLagged(
        _ subscription: Subscription, _ range: ClosedRange<UInt64>, reason: String
    ) {
        counters.laggedTold += 1
        var event = Event()
        event.device = subscription.device.name
        event.timeMs = now(of: subscription.device).ms
        event.timeZone = subscription.device.zoneName
        event.kind = .lagged(
            with(Lagged()) {
                $0.fromSequence = range.lowerBound
                $0.toSequence = range.upperBound
                $0.reason = reason
            })
        send(events.encode(event), to: subscription)
    }

    // MARK: Replay

    /// Below this many queued bytes a replay goes on.
    static let replayRoomBytes = 256 << 10

    func canFeed(_ subscription: Subscription) -> Bool {
        let connection = subscription.connection
        return !connection.isClosing && !subscription.isLoading
            && connection.queuedBytes < Self.replayRoomBytes
    }

    /// Feeds the replays whose connections have room; what has caught up becomes live.
    func feedReplays() {
        if replaying.isEmpty, postponing.isEmpty { return }
        for subscription in replaying where canFeed(subscription) { feed(subscription) }
        replaying.removeAll { $0.replayFrom == nil }
        releasePostponed()
    }

    private func feed(_ subscription: Subscription) {
        guard var next = subscription.replayFrom else { return }
        let device = subscription.device
        let oldest = events.oldestSequence(of: device)
        if next < oldest {
            tellLagged(
                subscription, next...(oldest - 1),
                reason: "the record no longer holds them (eventsMax, eventBytesMax)")
            next = oldest
            subscription.replayFrom = next
        }
        if next < events.residentSequence(of: device) { return load(subscription, from: next) }
        next = events.read(of: device, from: next, filter: subscription.filter) { stored in
            sendKept(events.lend(stored), to: subscription)
            return canFeed(subscription) ? .more : .stop
        }
        subscription.replayFrom = next > events.lastSequence(of: device) ? nil : next
    }

    /// Ends a subscription; its session has let go of it already.
    func drop(_ subscription: Subscription) {
        subscription.isDropped = true
        subscription.device.subscriptions.removeAll { $0 === subscription }
        subscription.device.subscriptionEnded()
        replaying.removeAll { $0 === subscription }
        lagging.removeAll { $0 === subscription }
    }

    // MARK: Cancelling

    /// Ends a waiting request with its own answer. False when it had ended already.
    func cancel(_ pending: WaitingRequest) -> Bool {
        if let work = pending as? PendingWork { return cancel(work) }
        guard let pending = pending as? PendingCall else { return false }
        let device = pending.device
        do {
            return try drive(device) { (core, now, outputs) throws(DeviceFault) in
                core.cancel(pending.call, at: now, outputs: &outputs)
            }
        } catch {
            return false
        }
    }
}

extension Event.Kind {
    /// The index of `did_receive_analytic_event` among the kinds.
    static let analyticEventIndex = UInt8(
        Event.Kind.didReceiveAnalyticEvent(DidReceiveAnalyticEvent()).index)
}
