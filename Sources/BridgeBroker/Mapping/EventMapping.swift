import BridgeProtocol
import FlowEngine
import SDKCore

extension Event.Kind {
    /// The event of a callback; nil for what is no event (what the SDK tells its own service).
    init?(_ callback: DeviceCallback) {
        switch callback {
        case .deviceOpened: self = .deviceOpened(DeviceOpened())
        case .didLoadLatestProfile(let profile):
            self = .didLoadLatestProfile(
                with(DidLoadLatestProfile()) { $0.profile = BridgeProtocol.Profile(profile) })
        case .viewPresented(_, let placementID, let variationID):
            self = .viewPresented(
                with(ViewPresented()) {
                    $0.placementId = placementID
                    $0.variationId = variationID
                })
        case .flowDidAppear: self = .flowDidAppear(FlowDidAppear())
        case .flowDidDisappear: self = .flowDidDisappear(FlowDidDisappear())
        case .view(_, let effect): self.init(effect)
        case .store(_, let callback): self.init(callback)
        case .question(_, let callback): self.init(callback)
        }
    }

    private init?(_ effect: ViewEffect) {
        switch effect {
        case .analytic(let event):
            self = .didReceiveAnalyticEvent(DidReceiveAnalyticEvent(event))
        case .performed(let action): self = .didPerformAction(DidPerformAction(action))
        case .failed(let error):
            self = .didReceiveError(with(DidReceiveError()) { $0.error = SdkError(error) })
        case .reviewRequested: self = .appReviewRequested(AppReviewRequested())
        case .onboarding(let callback, let meta): self.init(callback, meta)
        case .onboardingFailed(let error):
            self = .didFailWithError(with(DidFailWithError()) { $0.error = SdkError(error) })
        case .messageDropped(let reason):
            self = .onboardingMessageDropped(
                with(OnboardingMessageDropped()) { $0.reason = reason })
        case .openedURL(let url, let target):
            self = .urlOpened(
                with(UrlOpened()) {
                    $0.url = url
                    $0.target = DidPerformAction.Target(rawValue: target.rawValue)
                })
        // The device makes other callbacks of these.
        case .selectedProduct, .purchaseRequested, .restoreRequested, .permissionRequested,
            .alertShown, .backend, .timerStarted:
            return nil
        }
    }
}

extension DeviceCallback {
    /// The view that calls back; nil for the device itself.
    var viewID: ViewID? {
        switch self {
        case .deviceOpened, .didLoadLatestProfile: nil
        case .viewPresented(let view, _, _), .flowDidAppear(let view), .flowDidDisappear(let view),
            .view(let view, _), .store(let view, _), .question(let view, _):
            view
        }
    }
}

extension DidReceiveAnalyticEvent {
    /// `name`, `params` with their types, and the params as JSON (IN-1 to IN-4, NAV-3).
    init(_ event: AnalyticEvent) {
        self.init()
        name = event.name
        payloadJson = event.payloadJSON
        switch event {
        case .screenShowed(let instanceID, let order, let isLast):
            params = [
                ParamsEntry("name", .string(name)), ParamsEntry("instanceId", .string(instanceID)),
                ParamsEntry("isCustomerEvent", .bool(true)),
                ParamsEntry("isBackendEvent", .bool(true)),
                ParamsEntry("screen_order", .int64(Int64(order))),
                ParamsEntry("is_last_screen", .bool(isLast)),
            ]
        case .userInput(let input, let value):
            params = [
                ParamsEntry("name", .string(name)),
                ParamsEntry("instanceId", .string(input.instanceID)),
                ParamsEntry("isBackendEvent", .bool(false)),
                ParamsEntry("isCustomerEvent", .bool(true)),
                ParamsEntry("element_id", .string(input.elementID)),
                ParamsEntry("element_type", .string(input.type.rawValue)),
            ]
            append(value)
        case .own(_, let given):
            params = given.sorted { $0.key.precedesInBytes($1.key) }
                .map { ParamsEntry($0.key, Value.Kind($0.value)) }
        }
    }

    private mutating func append(_ value: ReportedValue) {
        switch value {
        case .text(let text): params.append(ParamsEntry("value", .string(text)))
        case .integer(let number): params.append(ParamsEntry("value", .int64(number)))
        case .bool(let flag): params.append(ParamsEntry("value", .bool(flag)))
        case .items(let items):
            params.append(ParamsEntry("item_ids", .stringList(StringList(Array(items.ids)))))
            params.append(
                ParamsEntry("item_titles", .stringList(StringList(Array(items.titles)))))
        }
    }
}

extension DidReceiveAnalyticEvent.ParamsEntry {
    fileprivate init(_ key: String, _ kind: Value.Kind) {
        self.init()
        self.key = key
        self.value.kind = kind
    }
}

extension StringList {
    fileprivate init(_ values: [String]) {
        self.init()
        self.values = values
    }
}

extension Value.Kind {
    /// A parameter, with its type.
    init(_ value: ParamValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .int64(number)
        case .double(let number): self = .double(number)
        case .bool(let flag): self = .bool(flag)
        case .strings(let texts): self = .stringList(StringList(texts))
        }
    }
}

extension DidPerformAction {
    /// ACT-1.
    init(_ action: PerformedAction) {
        self.init()
        switch action {
        case .close: kind = .close
        case .openURL(let url, let target):
            kind = .openUrl
            self.url = url
            self.target = Target(rawValue: target.rawValue)
        case .custom(let id):
            kind = .custom
            customId = id
        }
    }
}
