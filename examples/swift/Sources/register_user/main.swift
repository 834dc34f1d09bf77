// Registers a user through the sample flow, as an app would.
//
// One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
// user's finger, which types and taps. The app keeps the last value of every input; when the flow
// has disappeared it has all that its own backend needs, and enriches the profile with it.

import BridgeClient
import BridgeProtocol
import Foundation

let timeZone = "Asia/Kolkata"

let gestures: [(name: String, details: String, gesture: PerformRequest.Gesture)] = [
    focus("name"), enterText("Jane"), blur(),
    focus("email"), enterText("jane@example.com"), blur(),
    (
        "open_picker", "birthday",
        .openPicker(with(OpenPickerGesture()) { $0.elementId = "birthday" })
    ),
    ("pick", "1990-06-15", .pick(with(PickGesture()) { $0.date = day(1990, 6, 15) })),
    ("close_picker", "", .closePicker(ClosePickerGesture())),
    tapButton("next"), tapOption("experience", "pro"), tapOption("interests", "sports"),
    tapOption("interests", "music"),
    (
        "tap_toggle", "reminders",
        .tapToggle(with(TapToggleGesture()) { $0.elementId = "reminders" })
    ),
    tapButton("next"), tapButton("done"),
]

/// What the app collects: the last value of every input, each as JSON.
var answers: [String: String] = [:]
var finished = false

let client = try await BridgeClient.connect(clientName: "register_user.swift")
title("A user registers")
let device = "phone-\(ProcessInfo.processInfo.processIdentifier)"
say("app", "open_device", timeZone)
try await client.openDevice(
    with(OpenDeviceRequest()) {
        $0.device = device
        $0.timeZone = timeZone
    })
let events = try await client.subscribe(device: device)
say("app", "activate")
try await client.activate(with(ActivateRequest()) { $0.apiKey = "public_live_sample" })
listen()

say("app", "get_flow", "onboarding")
let flow = try await client.getFlow(placementId: "onboarding")
say("app", "get_flow_configuration", "\(flow.name), locale en")
let configuration = try await client.getFlowConfiguration(of: flow, locale: "en")
say("app", "create_flow_controller")
let view = try await client.createFlowController(configurationId: configuration.configurationId)
say("app", "present")
try await client.present(viewId: view)
listen()
for (name, details, gesture) in gestures {
    say("finger", name, details)
    try await client.perform(gesture, on: view)
    listen()
}
guard finished else { fatalError("the flow is still on screen: nothing is sent") }

title("One request to the app's own backend")
let body = answers.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
print("POST /users\n{\(body.joined(separator: ","))}")

title("The profile, enriched")
say("app", "update_profile", "first name, email, birthday, experience")
try await client.updateProfile(
    with(UpdateProfileRequest()) {
        $0.firstName = text("name")
        $0.email = text("email")
        $0.birthday = text("birthday")
        $0.customAttributes = [
            with(CustomAttribute()) {
                $0.key = "experience"
                $0.change = .string(text("experience"))
            }
        ]
    })
listen()
client.close()

// The app

/// Takes the callbacks that have come. Those of a call are there before its reply.
func listen() {
    for event in events.buffered() { hear(event) }
}

func hear(_ event: Event) {
    let kind = event.kind?.name ?? "of a newer broker"
    switch event.kind {
    case .didReceiveAnalyticEvent(let analytic): hear(analytic, in: event.timeZone)
    case .didPerformAction(let action):
        say("  callback", kind, action.kind == .close ? "close" : "")
    case .viewPresented(let presented): say("  callback", kind, presented.placementId)
    case .didLoadLatestProfile(let loaded):
        let attributes = loaded.profile?.customAttributes.compactMap { entry -> String? in
            guard case .string(let text) = entry.value.kind else { return nil }
            return "\(entry.key) = \(quoted(text))"
        }
        say("  callback", kind, attributes?.joined(separator: ", ") ?? "")
    case .flowDidDisappear:
        finished = true
        say("  callback", kind)
    default: say("  callback", kind)
    }
}

func hear(_ analytic: DidReceiveAnalyticEvent, in timeZone: String) {
    func parameter(_ name: String) -> Value.Kind? {
        analytic.params.first { $0.key == name }?.value.kind
    }
    guard analytic.name == "flow_user_input", case .string(let element) = parameter("element_id")
    else { return say("  callback", analytic.name, string(parameter("instanceId"))) }
    let value = parameter("value"), ids = parameter("item_ids")
    say(
        "  callback", analytic.name, "\(element) = \(json(value ?? parameter("item_titles"), ", "))"
    )
    answers[element] =
        switch (string(parameter("element_type")), value, ids) {
        case ("single_choice", _, .stringList(let list)?): quoted(list.values[0])
        case ("date_picker", .int64(let milliseconds)?, _):
            quoted(localDay(milliseconds, in: timeZone))
        default: json(value ?? ids, ",")
        }
}

/// The event has the instant at which the picked day begins where the user is. It is turned into
/// a day now and in that zone: read later or elsewhere, the instant is another day.
func localDay(_ milliseconds: Int64, in timeZone: String) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: timeZone)
    format.dateFormat = "yyyy-MM-dd"
    return format.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
}

/// An answer without the quotes of JSON.
func text(_ element: String) -> String { String((answers[element] ?? "").dropFirst().dropLast()) }

func string(_ value: Value.Kind?) -> String {
    if case .string(let text)? = value { text } else { "" }
}

/// The texts of the sample need no escapes; an app would take JSONEncoder.
func quoted(_ text: String) -> String { "\"\(text)\"" }

func json(_ value: Value.Kind?, _ separator: String) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .bool(let isSo): String(isSo)
    case .stringList(let list): "[\(list.values.map(quoted).joined(separator: separator))]"
    case nil: "null"
    }
}

// The finger

typealias Named = (name: String, details: String, gesture: PerformRequest.Gesture)

func focus(_ element: String) -> Named {
    ("focus", element, .focus(with(FocusGesture()) { $0.elementId = element }))
}

func enterText(_ text: String) -> Named {
    ("enter_text", text, .enterText(with(EnterTextGesture()) { $0.text = text }))
}

func blur() -> Named { ("blur", "", .blur(BlurGesture())) }

func tapButton(_ element: String) -> Named {
    ("tap_button", element, .tapButton(with(TapButtonGesture()) { $0.elementId = element }))
}

func tapOption(_ group: String, _ option: String) -> Named {
    let gesture = with(TapOptionGesture()) {
        $0.elementId = group
        $0.optionId = option
    }
    return ("tap_option", "\(group) \(option)", .tapOption(gesture))
}

func day(_ year: Int32, _ month: Int32, _ day: Int32) -> CivilDate {
    with(CivilDate()) {
        $0.year = year
        $0.month = month
        $0.day = day
    }
}

// What is printed

func say(_ who: String, _ what: String, _ details: String = "") {
    func padded(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
    let line = "\(padded(who, 11)) \(padded(what, 28)) \(details)"
    print(String(line.reversed().drop { $0 == " " }.reversed()))
}

func title(_ text: String) {
    print("\n\(text)\n\(String(repeating: "-", count: text.count))")
}
