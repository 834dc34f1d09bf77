import BridgeProtocol
import FlowEngine

extension Event.Kind {
    /// A callback of the onboarding delegate, with both spellings of its JSON (OB-11, OB-55).
    init(_ callback: OnboardingCallback, _ meta: FlowEngine.OnboardingMeta) {
        let payload = Payload(callback, meta)
        let wireMeta = BridgeProtocol.OnboardingMeta(meta)
        switch callback {
        case .didFinishLoading:
            self = .didFinishLoading(
                with(DidFinishLoading()) {
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        case .close(let actionID):
            self = .onCloseAction(
                with(OnCloseAction()) {
                    $0.actionId = actionID
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        case .paywall(let actionID):
            self = .onPaywallAction(
                with(OnPaywallAction()) {
                    $0.actionId = actionID
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        case .custom(let actionID):
            self = .onCustomAction(
                with(OnCustomAction()) {
                    $0.actionId = actionID
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        case .stateUpdated(let elementID, let state):
            self = .onStateUpdatedAction(
                with(OnStateUpdatedAction(state)) {
                    $0.elementId = elementID
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        case .analytics(let event):
            self = .onAnalyticsEvent(
                with(OnAnalyticsEvent(event)) {
                    $0.meta = wireMeta
                    ($0.payloadJson, $0.payloadJsonOther, $0.spelling) = payload.fields
                })
        }
    }
}

/// The JSON of a callback in both spellings.
private struct Payload {
    let fields: (String, String, OnboardingPayload.Spelling)

    init(_ callback: OnboardingCallback, _ meta: FlowEngine.OnboardingMeta) {
        let spelling = callback.documentedSpelling
        fields = (
            callback.payloadJSON(meta, spelling: spelling),
            callback.payloadJSON(meta, spelling: spelling.other),
            OnboardingPayload.Spelling(rawValue: spelling.rawValue)
        )
    }
}

extension BridgeProtocol.OnboardingMeta {
    fileprivate init(_ meta: FlowEngine.OnboardingMeta) {
        self.init()
        onboardingId = meta.onboardingID
        screenClientId = meta.screenClientID
        screenIndex = meta.screenIndex
        screensTotal = meta.screensTotal
    }
}

extension SelectValue {
    fileprivate init(_ option: OnboardingOption) {
        self.init()
        id = option.id
        value = option.value
        label = option.label
    }
}

extension OnStateUpdatedAction {
    fileprivate init(_ state: OnboardingState) {
        self.init()
        switch state {
        case .select(let option): params = .select(SelectValue(option))
        case .multiSelect(let options):
            params = .multiSelect(
                with(MultiSelectValue()) { $0.items = options.map { SelectValue($0) } })
        case .text(let text): params = .input(with(InputValue()) { $0.kind = .text(text) })
        case .email(let text): params = .input(with(InputValue()) { $0.kind = .email(text) })
        case .number(let number): params = .input(with(InputValue()) { $0.kind = .number(number) })
        case .datePicker(let day, let month, let year):
            params = .datePicker(
                with(DatePickerValue()) {
                    $0.day = day
                    $0.month = month
                    $0.year = year
                })
        }
    }
}

extension OnAnalyticsEvent {
    fileprivate init(_ event: OnboardingAnalytics) {
        self.init()
        name = event.name
        kind = Kind(event)
        if case .screenCompleted(let elementID, let reply) = event {
            elementId = elementID
            self.reply = reply
        }
    }
}

extension OnAnalyticsEvent.Kind {
    fileprivate init(_ event: OnboardingAnalytics) {
        switch event {
        case .onboardingStarted: self = .onboardingStarted
        case .screenPresented: self = .screenPresented
        case .screenCompleted: self = .screenCompleted
        case .secondScreenPresented: self = .secondScreenPresented
        case .userEmailCollected: self = .userEmailCollected
        case .onboardingCompleted: self = .onboardingCompleted
        case .registrationScreenPresented: self = .registrationScreenPresented
        case .productsScreenPresented: self = .productsScreenPresented
        case .unknown: self = .unknown
        }
    }
}
