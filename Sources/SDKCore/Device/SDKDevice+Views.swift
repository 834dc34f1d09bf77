import FlowEngine

// Creation, destruction and inspection of views (VW-1, VW-2, VW-13 to VW-15).
extension SDKDevice {
    /// Makes a view of a flow that is not on screen yet; sends nothing (VW-2).
    ///
    /// - Throws: 4003 without AdaptyUI (ID-8); NOT_FOUND for an unknown configuration;
    ///   LIMIT_EXCEEDED beyond `DeviceConfiguration.viewsMax`.
    public mutating func createFlowController(
        configurationID: String, handling: ActionHandling
    ) throws(DeviceFault) -> ViewID {
        try create(.flow, configurationID: configurationID, handling: handling)
    }

    /// Makes a view of an onboarding that is not on screen yet; sends nothing (VW-2, OB-5).
    ///
    /// - Throws: 4002 without AdaptyUI (ID-8); else as `createFlowController`.
    public mutating func createOnboardingController(
        configurationID: String, handling: ActionHandling
    ) throws(DeviceFault) -> ViewID {
        try create(.onboarding, configurationID: configurationID, handling: handling)
    }

    /// Forgets a view; one on top is dismissed first (VW-15).
    ///
    /// - Throws: NOT_FOUND for an unknown view; WRONG_STATE for a covered onboarding.
    public mutating func destroyView(
        _ viewID: String, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        let index = try knownView(viewID)
        switch stack.views[index].state {
        case .covered:
            throw .wrongState(
                "view \(viewID) is covered by a flow: dismiss that one first")
        case .onTop: closeTop(outputs: &outputs)
        case .created, .dismissed: break
        }
        stack.remove(index)
    }

    /// The live screens of a view from the bottom to the one in control, with the elements in the
    /// range of the top screen, and the locale it is shown in.
    ///
    /// - Throws: NOT_FOUND for an unknown view; WRONG_STATE for one that is not on screen.
    public func screen(
        of viewID: String, elements: Range<Int>
    ) throws(DeviceFault) -> (screens: [ScreenSnapshot], locale: LocaleDocument) {
        let view = stack.views[try knownView(viewID)]
        guard view.isOnScreen, let session = view.session else {
            throw .wrongState("view \(viewID) is not on screen: present it first")
        }
        return (session.snapshot(elements: elements), session.shownLocale)
    }

    private mutating func create(
        _ kind: ViewKind, configurationID: String, handling: ActionHandling
    ) throws(DeviceFault) -> ViewID {
        try requireUI(for: kind)
        guard let configuration = configurations.configuration(configurationID),
            configuration.kind == kind
        else {
            let (noun, calls) =
                kind == .flow
                ? ("flow", "get_flow and get_flow_configuration")
                : ("onboarding", "get_onboarding and get_onboarding_configuration")
            throw .notFound(
                "this device has no \(noun) configuration \"\(configurationID.readable())\": "
                    + "call \(calls) first",
                field: "configuration_id")
        }
        guard stack.views.count < self.configuration.viewsMax else {
            throw .limitExceeded(
                "a device has at most \(self.configuration.viewsMax) views: destroy some first",
                field: "")
        }
        let view = DeviceView(
            id: generator.nextID(), configuration: configuration, handling: handling)
        stack.add(view)
        return view.id
    }

    /// The place of a view.
    ///
    /// - Throws: NOT_FOUND, naming the views there are.
    func knownView(_ viewID: String) throws(DeviceFault) -> Int {
        guard let index = stack.index(of: viewID) else { throw unknownView(viewID) }
        return index
    }

    func unknownView(_ viewID: String) -> DeviceFault {
        .notFound(
            "there is no view \"\(viewID.readable())\": \(stack.names)", field: "view_id")
    }
}
