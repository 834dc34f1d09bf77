import FlowEngine

// Views coming on screen and leaving it (VW-3 to VW-30).
extension SDKDevice {
    /// Puts a view on screen (VW-4 to VW-7, VW-16, VW-25).
    ///
    /// - Throws: 3001 for an unknown view or one that cannot come on top; WRONG_STATE in the
    ///   background.
    public mutating func present(
        _ viewID: String, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        let index = try presentableView(viewID)
        let view = stack.views[index]
        stack.show(index)
        outputs.append(
            .callback(
                .viewPresented(
                    view.id, placementID: view.configuration.placementID,
                    variationID: view.configuration.variationID)))
        if view.kind == .flow { outputs.append(.callback(.flowDidAppear(view.id))) }
        if view.session == nil {
            stack.views[index].session = makeSession(view.configuration)
        }
        stack.views[index].session?.keep(keptTimers.ends)
        input(.appear, to: index, outputs: &outputs)
        beginProducts(of: index, outputs: &outputs)
    }

    /// Takes a view off the screen. A covered onboarding stays: the flow above it is closed
    /// instead, and `destroy` is ignored (VW-9 to VW-11).
    ///
    /// - Returns: The view that was really closed; nil: it was not on screen (VW-14).
    /// - Throws: 3001 for an unknown view (VW-3).
    public mutating func dismiss(
        _ viewID: String, destroy: Bool, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> ViewID? {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        guard let index = stack.index(of: viewID) else { throw noSuchView(viewID) }
        if stack.views[index].state == .covered { return closeTop(outputs: &outputs) }
        let closed = stack.top == index ? closeTop(outputs: &outputs) : nil
        if destroy { stack.remove(index) }
        return closed
    }

    /// The system's own gesture takes the view on top off the screen (VW-30).
    ///
    /// - Throws: NOT_FOUND for an unknown view; WRONG_STATE for one that is not in control.
    public mutating func dismissBySystem(
        _ viewID: String, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        try requireControl(try knownView(viewID))
        closeTop(outputs: &outputs)
    }

    /// The app goes to the background: pending values are lost, nothing is sent (VW-21, IN-83).
    ///
    /// - Throws: WRONG_STATE if it is there already.
    public mutating func enterBackground(
        at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        if isInBackground { throw .wrongState("the app is in the background already") }
        isInBackground = true
        inputToAll(.enterBackground, outputs: &outputs)
    }

    /// The app comes back; what fell due meanwhile runs now, in the order it fell due (VW-28).
    ///
    /// - Throws: WRONG_STATE if it is not in the background.
    public mutating func enterForeground(
        at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        guard isInBackground else { throw .wrongState("the app is not in the background") }
        isInBackground = false
        wakeViews(outputs: &outputs)
        reckonDue()
        advance(to: now, outputs: &outputs)
    }

    /// Runs the timers that fell due meanwhile, up to the products of the view in control: these
    /// and later timers come in their turn (VW-28).
    private mutating func wakeViews(outputs: inout [DeviceOutput]) {
        var environment = environment
        if let top = stack.top, let due = stack.views[top].loading.due {
            environment.now = min(due, now)
        }
        inputToAll(.enterForeground, in: environment, outputs: &outputs)
    }

    /// Views off the screen have to know as well, as they may be presented again.
    private mutating func inputToAll(
        _ input: ViewInput, in environment: ViewEnvironment? = nil,
        outputs: inout [DeviceOutput]
    ) {
        for index in stack.views.indices {
            self.input(input, to: index, in: environment, outputs: &outputs)
        }
    }

    private func noSuchView(_ viewID: String) -> DeviceFault {
        .sdk(AdaptyError(.wrongParam, "there is no view with the id \"\(viewID.readable())\""))
    }

    private func presentableView(_ viewID: String) throws(DeviceFault) -> Int {
        guard let index = stack.index(of: viewID) else { throw noSuchView(viewID) }
        if isInBackground {
            throw .wrongState("view \(viewID) cannot be presented in the background")
        }
        guard let top = stack.top else { return index }
        let shown = stack.views[top]
        if shown.kind == .onboarding && stack.views[index].kind == .flow { return index }
        throw .sdk(
            AdaptyError(
                .wrongParam,
                "view \(viewID) cannot be presented: view \(shown.id) is already presented"))
    }

    private func makeSession(_ configuration: ViewConfiguration) -> ViewSession {
        switch configuration.source {
        case .flow(let document, let source):
            ViewSession(
                FlowSession(
                    document: document,
                    options: FlowSessionOptions(
                        locale: source.locale, tags: source.tags, timers: source.timers)))
        case .onboarding(let document, let locale, let opensExternalBrowser):
            ViewSession(
                OnboardingSession(
                    document: document, locale: locale,
                    opensExternalBrowser: opensExternalBrowser,
                    isReachable: !conditions.isOffline))
        }
    }

    /// Takes the view on top off the screen; its delegate hears of it last (VW-17, VW-19).
    @discardableResult
    mutating func closeTop(outputs: inout [DeviceOutput]) -> ViewID? {
        guard let index = stack.top else { return nil }
        let view = stack.views[index].id
        endProducts(of: index)
        dropQuestions(of: view, outputs: &outputs)
        input(.disappear, to: index, outputs: &outputs)
        stack.hideTop()
        if stack.views[index].kind == .flow { outputs.append(.callback(.flowDidDisappear(view))) }
        return view
    }
}
