import BridgeProtocol

extension Event {
    /// The JSON of an onboarding's callback, and how it is spelled; nil for other events.
    var onboardingJSON: (payload: String, other: String, spelling: OnboardingPayload.Spelling)? {
        switch kind {
        case .didFinishLoading(let event):
            (event.payloadJson, event.payloadJsonOther, event.spelling)
        case .onCloseAction(let event): (event.payloadJson, event.payloadJsonOther, event.spelling)
        case .onPaywallAction(let event):
            (event.payloadJson, event.payloadJsonOther, event.spelling)
        case .onCustomAction(let event): (event.payloadJson, event.payloadJsonOther, event.spelling)
        case .onStateUpdatedAction(let event):
            (event.payloadJson, event.payloadJsonOther, event.spelling)
        case .onAnalyticsEvent(let event):
            (event.payloadJson, event.payloadJsonOther, event.spelling)
        default: nil
        }
    }

    /// The documented JSON, put together from the typed fields alone.
    func jsonOfTypedFields() throws -> String {
        switch kind {
        case .didFinishLoading(let event): "{\(Self.snake(event.meta))}"
        case .onCloseAction(let event):
            "{\(Self.snake(event.meta)),\"action_id\":\"\(event.actionId)\"}"
        case .onPaywallAction(let event):
            "{\(Self.snake(event.meta)),\"action_id\":\"\(event.actionId)\"}"
        case .onCustomAction(let event):
            "{\(Self.camel(event.meta)),\"actionId\":\"\(event.actionId)\"}"
        case .onStateUpdatedAction(let event):
            """
            {\(Self.camel(event.meta)),"elementId":"\(event.elementId)","params":\(event.paramsJSON)}
            """
        case .onAnalyticsEvent(let event):
            "{\(Self.snake(event.meta)),\"name\":\"\(event.name)\"\(event.paramsJSON)}"
        default: throw Unexpected(story)
        }
    }

    private static func snake(_ meta: OnboardingMeta?) -> String {
        guard let meta else { return "" }
        return """
            "meta":{"onboarding_id":"\(meta.onboardingId)","screen_cid":"\(meta.screenClientId)",
            "screen_index":\(meta.screenIndex),"total_screens":\(meta.screensTotal)}
            """
    }

    private static func camel(_ meta: OnboardingMeta?) -> String {
        guard let meta else { return "" }
        return """
            "meta":{"onboardingId":"\(meta.onboardingId)","screenClientId":"\(meta.screenClientId)",
            "screenIndex":\(meta.screenIndex),"screensTotal":\(meta.screensTotal)}
            """
    }
}

extension OnStateUpdatedAction {
    fileprivate var paramsJSON: String {
        switch params {
        case .select(let value): #"{"type":"select","value":\#(value.json)}"#
        case .multiSelect(let values):
            #"{"type":"multiSelect","value":[\#(values.items.map(\.json).joined(separator: ","))]}"#
        case .input(let input): #"{"type":"input","value":\#(input.json)}"#
        case .datePicker(let date):
            #"{"type":"datePicker","value":{"day":\#(date.day ?? 0),"#
                + #""month":\#(date.month ?? 0),"year":\#(date.year ?? 0)}}"#
        case nil: "null"
        }
    }
}

extension SelectValue {
    fileprivate var json: String { #"{"id":"\#(id)","value":"\#(value)","label":"\#(label)"}"# }
}

extension InputValue {
    fileprivate var json: String {
        switch kind {
        case .text(let text): #"{"type":"text","value":"\#(text)"}"#
        case .email(let text): #"{"type":"email","value":"\#(text)"}"#
        case .number(let number): #"{"type":"number","value":\#(number)}"#
        case nil: "null"
        }
    }
}

extension OnAnalyticsEvent {
    fileprivate var paramsJSON: String {
        let members = [
            elementId.map { #""element_id":"\#($0)""# }, reply.map { #""reply":"\#($0)""# },
        ]
        .compactMap { $0 }
        return members.isEmpty ? "" : #","params":{\#(members.joined(separator: ","))}"#
    }
}
