extension OnboardingCallback {
    /// The spelling of the documented example (OB-11).
    public var documentedSpelling: PayloadSpelling {
        switch self {
        case .stateUpdated, .custom: .camelCase
        case .close, .paywall, .didFinishLoading, .analytics: .snakeCase
        }
    }

    /// The callback as one JSON object in that spelling, keys in the order of the documented
    /// examples (OB-9 to OB-11, OB-20, OB-32, OB-51, OB-55).
    public func payloadJSON(_ meta: OnboardingMeta, spelling: PayloadSpelling) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        writePayload(meta, spelling: spelling, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the callback as UTF-8 JSON; see `payloadJSON(_:spelling:)`.
    public func writePayload(
        _ meta: OnboardingMeta, spelling: PayloadSpelling, to bytes: inout [UInt8]
    ) {
        var writer = PayloadWriter(appendingTo: bytes)
        bytes = []
        let keys = OnboardingKeys(spelling)
        writer.beginObject()
        switch self {
        case .didFinishLoading: writer.meta(meta, keys)
        case .close(let actionID), .paywall(let actionID), .custom(let actionID):
            writer.key(keys.actionID)
            writer.string(actionID)
            writer.meta(meta, keys)
        case .stateUpdated(let elementID, let state):
            writer.key(keys.elementID)
            writer.string(elementID)
            writer.meta(meta, keys)
            writer.state(state, keys)
        case .analytics(let event):
            writer.key("name")
            writer.string(event.name)
            writer.meta(meta, keys)
            writer.analyticsParams(event, keys)
        }
        writer.endObject()
        bytes = writer.bytes
    }
}

extension OnboardingAnalytics {
    /// The name on the wire (OB-34), or the unknown one as the document sent it.
    public var name: String {
        switch self {
        case .onboardingStarted: "onboarding_started"
        case .screenPresented: "screen_presented"
        case .screenCompleted: "screen_completed"
        case .secondScreenPresented: "second_screen_presented"
        case .userEmailCollected: "user_email_collected"
        case .onboardingCompleted: "onboarding_completed"
        case .registrationScreenPresented: "registration_screen_presented"
        case .productsScreenPresented: "products_screen_presented"
        case .unknown(let name): name
        }
    }
}

/// Keys and type names that differ between the spellings (OB-9, OB-10, OB-22).
private struct OnboardingKeys {
    let elementID: String
    let actionID: String
    let meta: (onboardingID: String, screen: String, index: String, total: String)
    let multiSelect: String
    let datePicker: String

    init(_ spelling: PayloadSpelling) {
        switch spelling {
        case .camelCase:
            elementID = "elementId"
            actionID = "actionId"
            meta = ("onboardingId", "screenClientId", "screenIndex", "screensTotal")
            multiSelect = "multiSelect"
            datePicker = "datePicker"
        case .snakeCase:
            elementID = "element_id"
            actionID = "action_id"
            meta = ("onboarding_id", "screen_cid", "screen_index", "total_screens")
            multiSelect = "multi_select"
            datePicker = "date_picker"
        }
    }
}

extension PayloadWriter {
    fileprivate mutating func meta(_ meta: OnboardingMeta, _ keys: OnboardingKeys) {
        key("meta")
        beginObject()
        key(keys.meta.onboardingID)
        string(meta.onboardingID)
        key(keys.meta.screen)
        string(meta.screenClientID)
        key(keys.meta.index)
        integer(Int64(meta.screenIndex))
        key(keys.meta.total)
        integer(Int64(meta.screensTotal))
        endObject()
    }

    fileprivate mutating func state(_ state: OnboardingState, _ keys: OnboardingKeys) {
        key("params")
        beginObject()
        key("type")
        switch state {
        case .select(let option):
            string("select")
            key("value")
            self.option(option)
        case .multiSelect(let options):
            string(keys.multiSelect)
            key("value")
            beginArray()
            for option in options { self.option(option) }
            endArray()
        case .text(let text): input("text") { $0.string(text) }
        case .email(let text): input("email") { $0.string(text) }
        case .number(let number): input("number") { $0.number(number) }
        case .datePicker(let day, let month, let year):
            string(keys.datePicker)
            key("value")
            date(day, month, year)
        }
        endObject()
    }

    private mutating func input(_ type: String, _ write: (inout PayloadWriter) -> Void) {
        string("input")
        key("value")
        beginObject()
        key("type")
        string(type)
        key("value")
        write(&self)
        endObject()
    }

    private mutating func option(_ option: OnboardingOption) {
        beginObject()
        key("id")
        string(option.id)
        key("value")
        string(option.value)
        key("label")
        string(option.label)
        endObject()
    }

    /// A part that is missing has no key (OB-28).
    private mutating func date(_ day: Int32?, _ month: Int32?, _ year: Int32?) {
        beginObject()
        for (name, part) in [("day", day), ("month", month), ("year", year)] {
            guard let part else { continue }
            key(name)
            integer(Int64(part))
        }
        endObject()
    }

    /// Only `screen_completed` has params, and only with something in them (OB-39, OB-51).
    fileprivate mutating func analyticsParams(_ event: OnboardingAnalytics, _ keys: OnboardingKeys)
    {
        guard case .screenCompleted(let elementID, let reply) = event,
            elementID != nil || reply != nil
        else { return }
        key("params")
        beginObject()
        if let elementID {
            key(keys.elementID)
            string(elementID)
        }
        if let reply {
            key("reply")
            string(reply)
        }
        endObject()
    }
}
