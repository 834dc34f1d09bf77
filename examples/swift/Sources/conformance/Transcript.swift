import BridgeClient
import BridgeProtocol
import Foundation

// What a line of the transcript looks like, and the requests of the steps.

func quoted(_ text: String) -> String { quoted(bytes: Array(text.utf8)) }

func quoted(bytes: [UInt8]) -> String {
    let shown = bytes.map { byte in
        let isPlain = (0x20..<0x7F).contains(byte) && !"\"%\\".utf8.contains(byte)
        return isPlain
            ? String(Unicode.Scalar(byte)) : "%" + hex(UInt64(byte), digits: 2).uppercased()
    }
    return "\"\(shown.joined())\""
}

func hex(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

func double(_ value: Double) -> String {
    "double=" + (value.isNaN ? "nan" : hex(value.bitPattern, digits: 16))
}

func valueText(_ value: Value) -> String {
    switch value.kind {
    case .string(let text): "string=\(quoted(text))"
    case .int64(let number): "int64=\(number)"
    case .double(let number): double(number)
    case .bool(let isSo): "bool=\(isSo)"
    case .stringList(let list): "string_list=[\(list.values.map(quoted).joined(separator: ","))]"
    case nil: "none"
    }
}

func attributes(_ profile: Profile?) -> String {
    members(
        profile?.customAttributes.map { entry in
            switch entry.value.kind {
            case .string(let text): (entry.key, "string=\(quoted(text))")
            case .double(let number): (entry.key, double(number))
            case nil: (entry.key, "none")
            }
        } ?? [])
}

/// A map of values, ordered by the bytes of the names.
func members(_ values: [(name: String, text: String)]) -> String {
    values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { " \($0.name):\($0.text)" }.joined()
}

func eventText(_ event: Event) -> String {
    let line = "event \(event.sequence) \(event.kind?.name ?? "(unknown kind)")"
    switch event.kind {
    case .didReceiveAnalyticEvent(let analytic):
        return "\(line) \(analytic.name)"
            + members(analytic.params.map { ($0.key, valueText($0.value)) })
    case .didLoadLatestProfile(let loaded): return line + attributes(loaded.profile)
    case .didPerformAction(let action):
        return "\(line) \(action.kind == .close ? "close" : "other")"
    case .viewPresented(let presented): return "\(line) \(presented.placementId)"
    default: return line
    }
}

func say(_ step: Int, _ text: String) { print(step < 10 ? "0\(step) \(text)" : "\(step) \(text)") }

/// The events that the calls so far have caused: all of them are there.
func show(_ events: EventStream) {
    for event in events.buffered() { print("   " + eventText(event)) }
}

func describe(_ error: BridgeError) -> String {
    if let sdk = error.sdk { return "sdk \(sdk.code) \(sdk.name)" }
    return "bridge \(error.code.name)" + (error.field.isEmpty ? "" : " \(error.field)")
}

/// Makes a call that has to fail and tells how it did.
func errorText<Reply>(_ call: () async throws -> Reply) async -> String {
    do {
        _ = try await call()
        return "no error"
    } catch {
        return (error as? BridgeError).map(describe) ?? "\(error)"
    }
}

func activate(_ client: BridgeClient) async throws {
    try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_conformance" })
}

/// From the placement to a view on screen.
func showFlow(_ client: BridgeClient) async throws -> String {
    let flow = try await client.getFlow(placementId: "onboarding")
    let configuration = try await client.getFlowConfiguration(of: flow)
    let view = try await client.createFlowController(configurationId: configuration.configurationId)
    try await client.present(viewId: view)
    return view
}

func attribute(_ key: String, _ change: CustomAttribute.Change) -> CustomAttribute {
    with(CustomAttribute()) {
        $0.key = key
        $0.change = change
    }
}

func update(_ client: BridgeClient, _ attribute: CustomAttribute) async throws {
    try await client.updateProfile(
        with(UpdateProfileRequest()) { $0.customAttributes = [attribute] })
}

func focus(_ element: String) -> PerformRequest.Gesture {
    .focus(with(FocusGesture()) { $0.elementId = element })
}

/// Those of step 8.
func gestures() -> [(String, PerformRequest.Gesture)] {
    func tapButton(_ element: String) -> (String, PerformRequest.Gesture) {
        ("tap_button", .tapButton(with(TapButtonGesture()) { $0.elementId = element }))
    }
    func tapOption(_ group: String, _ option: String) -> (String, PerformRequest.Gesture) {
        let gesture = with(TapOptionGesture()) {
            $0.elementId = group
            $0.optionId = option
        }
        return ("tap_option", .tapOption(gesture))
    }
    let date = with(CivilDate()) {
        $0.year = 1960
        $0.month = 6
        $0.day = 15
    }
    return [
        ("focus", focus("name")),
        ("enter_text", .enterText(with(EnterTextGesture()) { $0.text = "Zoë 🙂" })),
        ("blur", .blur(BlurGesture())),
        ("open_picker", .openPicker(with(OpenPickerGesture()) { $0.elementId = "birthday" })),
        ("pick", .pick(with(PickGesture()) { $0.date = date })),
        ("close_picker", .closePicker(ClosePickerGesture())),
        tapButton("next"), tapOption("experience", "pro"), tapOption("interests", "sports"),
        tapOption("interests", "sports"),
        ("tap_toggle", .tapToggle(with(TapToggleGesture()) { $0.elementId = "reminders" })),
        tapButton("next"), tapButton("done"),
    ]
}
