import CJansson

/// A raw message of an onboarding document, read in snake case (OB-13, OB-52, OB-53).
package struct OnboardingMessage: Equatable {
    let callback: OnboardingCallback
    let meta: OnboardingMeta

    /// Reads a message.
    ///
    /// - Throws: `MessageFault` when it has to be dropped (OB-14).
    package init(json: String) throws(MessageFault) {
        var error = json_error_t()
        var json = json
        // Integers become doubles: no message needs more than their 53 bits.
        let tree = json.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                fb_json_load($0.baseAddress, $0.count, Int(JSON_DECODE_INT_AS_REAL), &error)
            }
        }
        guard let tree else { throw MessageFault("the message is no JSON object") }
        defer { json_decref(tree) }
        let message = try MessageValue(tree, path: "").object()
        meta = try OnboardingMeta(message.required("meta").object())
        callback = try OnboardingCallback(message)
    }
}

extension OnboardingMeta {
    fileprivate init(_ meta: MessageValue) throws(MessageFault) {
        self.init(
            onboardingID: try meta.required("onboarding_id").string(),
            screenClientID: try meta.required("screen_cid").string(),
            screenIndex: try meta.required("screen_index").integer(),
            screensTotal: try meta.required("total_screens").integer())
    }
}

extension OnboardingCallback {
    fileprivate init(_ message: MessageValue) throws(MessageFault) {
        let type = try message.required("type")
        switch try type.string() {
        case "onboarding_loaded": self = .didFinishLoading
        case "close": self = .close(actionID: try message.required("action_id").string())
        case "custom": self = .custom(actionID: try message.required("action_id").string())
        case "open_paywall": self = .paywall(actionID: try message.required("action_id").string())
        case "state_updated":
            self = .stateUpdated(
                elementID: try message.required("element_id").string(),
                try OnboardingState(message))
        case "analytics": self = .analytics(try OnboardingAnalytics(message))
        default: throw type.unknown()
        }
    }
}

extension OnboardingState {
    fileprivate init(_ message: MessageValue) throws(MessageFault) {
        let type = try message.required("element_type")
        let value = try message.required("value")
        switch try type.string() {
        case "select": self = .select(try OnboardingOption(value))
        case "multi_select":
            var options: [OnboardingOption] = []
            for item in try value.items() { options.append(try OnboardingOption(item)) }
            self = .multiSelect(options)
        case "input": try self.init(input: value.object())
        case "date_picker":
            let date = try value.object()
            self = .datePicker(
                day: try date.member("day")?.integer(), month: try date.member("month")?.integer(),
                year: try date.member("year")?.integer())
        default: throw type.unknown()
        }
    }

    private init(input: MessageValue) throws(MessageFault) {
        let type = try input.required("type")
        let value = try input.required("value")
        switch try type.string() {
        case "text": self = .text(try value.string())
        case "email": self = .email(try value.string())
        case "number": self = .number(try value.number())
        default: throw type.unknown()
        }
    }
}

extension OnboardingOption {
    fileprivate init(_ item: MessageValue) throws(MessageFault) {
        let item = try item.object()
        self.init(
            id: try item.required("id").string(), value: try item.required("value").string(),
            label: try item.required("label").string())
    }
}

extension OnboardingAnalytics {
    /// Params of all names but `screen_completed` are dropped (OB-45).
    fileprivate init(_ message: MessageValue) throws(MessageFault) {
        let name = try message.required("name").string()
        let params = try message.member("params")?.object()
        switch name {
        case "onboarding_started": self = .onboardingStarted
        case "screen_presented": self = .screenPresented
        case "screen_completed":
            self = .screenCompleted(
                elementID: try params?.member("element_id")?.string(),
                reply: try params?.member("reply")?.string())
        case "second_screen_presented": self = .secondScreenPresented
        case "user_email_collected": self = .userEmailCollected
        case "onboarding_completed": self = .onboardingCompleted
        case "registration_screen_presented": self = .registrationScreenPresented
        case "products_screen_presented": self = .productsScreenPresented
        default: self = .unknown(name: name)
        }
    }
}
