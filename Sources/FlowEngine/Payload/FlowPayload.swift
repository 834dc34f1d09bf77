extension AnalyticEvent {
    /// The `name` argument of `didReceiveAnalyticEvent` (NAV-2, IN-1, NAV-15).
    public var name: String {
        switch self {
        case .screenShowed: "flow_screen_showed"
        case .userInput: "flow_user_input"
        case .own(let name, _): name
        }
    }

    /// The params as one JSON object, keys in the order of NAV-3 and IN-8; those of a flow's own
    /// event in the order of their UTF-8 bytes.
    public var payloadJSON: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        writePayload(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the params as UTF-8 JSON; see `payloadJSON`.
    public func writePayload(to bytes: inout [UInt8]) {
        var writer = PayloadWriter(appendingTo: bytes)
        bytes = []
        switch self {
        case .screenShowed(let instanceID, let order, let isLast):
            writer.screenShowed(instanceID, order, isLast)
        case .userInput(let input, let value):
            writer.inputHead(input)
            writer.reported(value)
        case .own(_, let params): writer.params(params)
        }
        writer.endObject()
        bytes = writer.bytes
    }
}

extension AnalyticEvent {
    /// The part of the payload of `flow_user_input` before its value: the same for every event of
    /// an input, so that it can be kept. `finishInputPayload` writes the rest.
    public static func inputPayloadHead(_ input: InputIdentity) -> [UInt8] {
        var writer = PayloadWriter()
        writer.inputHead(input)
        return writer.bytes
    }

    /// Appends the value and the end to a payload that begins with `inputPayloadHead`.
    public static func finishInputPayload(_ value: ReportedValue, to bytes: inout [UInt8]) {
        var writer = PayloadWriter(appendingTo: bytes)
        bytes = []
        writer.reported(value)
        writer.endObject()
        bytes = writer.bytes
    }
}

extension PayloadWriter {
    fileprivate mutating func screenShowed(_ instanceID: String, _ order: Int, _ isLast: Bool) {
        fragment(#"{"name":"flow_screen_showed","instanceId":"#)
        string(instanceID)
        fragment(#","isCustomerEvent":true,"isBackendEvent":true,"screen_order":"#)
        integer(Int64(order))
        fragment(#","is_last_screen":"#)
        bool(isLast)
    }

    fileprivate mutating func inputHead(_ input: InputIdentity) {
        fragment(#"{"name":"flow_user_input","instanceId":"#)
        string(input.instanceID)
        fragment(#","isBackendEvent":false,"isCustomerEvent":true,"element_id":"#)
        string(input.elementID)
        fragment(#","element_type":"#)
        string(input.type.rawValue)
    }

    fileprivate mutating func reported(_ value: ReportedValue) {
        switch value {
        case .text(let text):
            fragment(#","value":"#)
            string(text)
        case .integer(let number):
            fragment(#","value":"#)
            integer(number)
        case .bool(let flag):
            fragment(#","value":"#)
            bool(flag)
        case .items(let items):
            fragment(#","item_ids":"#)
            strings(items.ids)
            fragment(#","item_titles":"#)
            strings(items.titles)
        }
    }

    fileprivate mutating func params(_ params: [String: ParamValue]) {
        beginObject()
        for name in params.keys.sorted(by: { $0.precedesInBytes($1) }) {
            guard let value = params[name] else { continue }
            key(name)
            param(value)
        }
    }

    private mutating func param(_ value: ParamValue) {
        switch value {
        case .string(let text): string(text)
        case .integer(let number): integer(number)
        case .double(let number): double(number)
        case .bool(let flag): bool(flag)
        case .strings(let texts): strings(texts)
        }
    }

    private mutating func strings(_ texts: some Sequence<String>) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
