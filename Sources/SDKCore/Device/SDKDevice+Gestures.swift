import FlowEngine

// The finger, and what a view makes of its inputs (GEN-6, ACT-2 to ACT-6).
extension SDKDevice {
    /// Moves the finger on a view.
    ///
    /// - Throws: NOT_FOUND for an unknown view; WRONG_STATE for one that is not in control or in
    ///   the background; the engine's refusal of an impossible gesture. Nothing changed then.
    public mutating func perform(
        _ gesture: consuming Gesture, on viewID: String, at now: Instant,
        outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        guard let id = ViewID(viewID) else { throw unknownView(viewID) }
        try perform(gesture, on: id, at: now, outputs: &outputs)
    }

    /// As `perform(_:on:at:outputs:)` with the id's text.
    public mutating func perform(
        _ gesture: consuming Gesture, on id: ViewID, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        guard let index = stack.index(of: id) else { throw unknownView(id.description) }
        try requireControl(index)
        if stack.views[index].isBuying { try refuseSecondPurchase(gesture, on: index) }
        do throws(GestureRefusal) {
            try stack.views[index].handle(
                .gesture(gesture), in: environment, effects: &backend.effects)
        } catch {
            backend.effects.removeAll(keepingCapacity: true)
            throw .gesture(error)
        }
        deliverEffects(of: index, outputs: &outputs)
    }

    /// The view has to be on top, and the app in the foreground (GEN-6, VW-4, VW-8).
    @inline(__always) func requireControl(_ index: Int) throws(DeviceFault) {
        if isInBackground {
            throw .wrongState("the app is in the background: no view takes gestures there")
        }
        if stack.top == index { return }
        let view = stack.views[index]
        let reason =
            view.state == .covered ? "is covered by a flow" : "is not on screen: present it first"
        throw .wrongState("view \(view.id) \(reason)")
    }

    /// Hands a view an input that cannot be refused.
    ///
    /// - Parameter environment: Without it that of now.
    mutating func input(
        _ input: ViewInput, to index: Int, in environment: ViewEnvironment? = nil,
        outputs: inout [DeviceOutput]
    ) {
        do throws(GestureRefusal) {
            try stack.views[index].handle(
                input, in: environment ?? self.environment, effects: &backend.effects)
        } catch {
            preconditionFailure("only gestures can be refused: \(error.message)")
        }
        deliverEffects(of: index, outputs: &outputs)
    }

    /// Turns the effects of an input into callbacks, in order, and acts on them for the SDK.
    mutating func deliverEffects(of index: Int, outputs: inout [DeviceOutput]) {
        var closes = false
        if backend.effects.count == 1 {
            deliver(backend.effects.removeLast(), of: index, closes: &closes, outputs: &outputs)
        } else {
            for effect in backend.effects {
                deliver(effect, of: index, closes: &closes, outputs: &outputs)
            }
            backend.effects.removeAll(keepingCapacity: true)
        }
        // A covered onboarding that closes itself closes what covers it (VW-9).
        if closes && stack.views[index].isOnScreen { closeTop(outputs: &outputs) }
        if !flowResults.isEmpty { deliverFlowResults(&outputs) }
    }

    private mutating func deliver(
        _ effect: consuming ViewEffect, of index: Int, closes: inout Bool,
        outputs: inout [DeviceOutput]
    ) {
        let id = stack.views[index].id
        switch effect {
        case .backend(let event): return recordOfView(event, index: index)
        case .timerStarted(let timer, let mode, let endsAt):
            return keptTimers.keep(timer, mode: mode, endsAt: endsAt, now: now)
        case .analytic(.screenShowed(let screen, let order, let isLast)):
            recordScreen(screen, order: order, isLast: isLast, index: index)
        case .selectedProduct, .purchaseRequested, .restoreRequested, .permissionRequested,
            .alertShown:
            return request(effect, of: index, outputs: &outputs)
        default: break
        }
        var opened: ViewEffect?
        if stack.views[index].isHandledBySDK {
            switch effect {
            case .performed(.close), .onboarding(.close, _): closes = true
            case .performed(.openURL(let url, let target)): opened = .openedURL(url, target)
            default: break
            }
        }
        outputs.append(.callback(.view(id, effect)))
        if let opened { outputs.append(.callback(.view(id, opened))) }
    }

    /// What a view itself tells the backend: a flow in the form of NAV-16, an onboarding with its
    /// variation (OB-50).
    private func recordOfView(_ event: BackendEvent, index: Int) {
        switch stack.views[index].configuration.source {
        case .flow(let document, _): recordOfView(.own(document, event), index: index)
        case .onboarding: recordOfView(.other(event), index: index)
        }
    }

    /// The backend's form of an opened screen (NAV-16).
    private func recordScreen(_ screen: String, order: Int, isLast: Bool, index: Int) {
        guard case .flow(let document, _) = stack.views[index].configuration.source else { return }
        recordOfView(
            .screenShowed(document, instanceID: screen, order: Int32(order), isLast: isLast),
            index: index)
    }

    private func recordOfView(_ event: ServiceEvent, index: Int) {
        record(
            event, variationID: stack.views[index].configuration.variationID,
            profileID: identity.profileID)
    }
}
