import BridgeCatalog
import FlowEngine
import Foundation
import SDKCore
import Testing

/// Runs the sample's documents in the engine, as a finger would.
@Suite("Sessions of the sample catalog")
struct SampleSessionTests {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    private static let utc = ViewEnvironment(
        now: Instant(ms: 1_700_000_000_000),
        zone: TimeZoneRules(
            name: "UTC",
            resolve: { date, time in
                let parts = DateComponents(
                    year: Int(date.year), month: Int(date.month), day: Int(date.day),
                    hour: Int(time.hour), minute: Int(time.minute))
                let seconds = calendar.date(from: parts)?.timeIntervalSince1970 ?? 0
                return .unique(Int64(seconds) * 1000)
            },
            civil: { instant in
                let parts = calendar.dateComponents(
                    [.year, .month, .day],
                    from: Date(timeIntervalSince1970: Double(instant.ms) / 1000))
                let date = CivilDate(
                    year: Int32(parts.year ?? 0), month: Int32(parts.month ?? 0),
                    day: Int32(parts.day ?? 0))
                return (date, .midnight)
            },
            dayExists: { _ in true }))

    private func run(
        _ session: some ViewRuntime, _ gestures: [Gesture]
    ) throws -> [ViewEffect] {
        var session = session
        var effects: [ViewEffect] = []
        try session.handle(.appear, in: Self.utc, effects: &effects)
        for gesture in gestures {
            try session.handle(.gesture(gesture), in: Self.utc, effects: &effects)
        }
        return effects
    }

    @Test("IN-8 IN-13 IN-59 the registration flow reports what the seed shows")
    func registration() throws {
        let catalog = try #require(CatalogLoader.sample().catalog)
        let document = try #require(catalog.flowDocuments["registration_v1"])
        let effects = try run(
            FlowSession(document: document, options: FlowSessionOptions(locale: 0)),
            [
                .focus("email"), .enterText("email", text: "jane@example.com"),
                .openPicker("birthday"), .pick(CivilDate(year: 1990, month: 6, day: 15), nil),
                .tapButton("next"), .tapOption("experience", option: "pro"),
                .tapOption("interests", option: "sports"),
                .tapOption("interests", option: "music"), .tapToggle("reminders"),
                .tapButton("next"), .tapButton("done"),
            ])
        let payloads = effects.compactMap { effect in
            if case .analytic(let event) = effect, event.name == "flow_user_input" {
                event.payloadJSON
            } else {
                nil
            }
        }
        let common = #""isBackendEvent":false,"isCustomerEvent":true"#
        #expect(
            payloads.map { $0.replacing(common, with: "…") } == [
                #"{"name":"flow_user_input","instanceId":"scr_registration",…,"#
                    + #""element_id":"email","element_type":"email_input","#
                    + #""value":"jane@example.com"}"#,
                #"{"name":"flow_user_input","instanceId":"scr_registration",…,"#
                    + #""element_id":"birthday","element_type":"date_picker","#
                    + #""value":645408000000}"#,
                #"{"name":"flow_user_input","instanceId":"scr_quiz",…,"#
                    + #""element_id":"experience","element_type":"single_choice","#
                    + #""item_ids":["pro"],"item_titles":["I train professionally"]}"#,
                #"{"name":"flow_user_input","instanceId":"scr_quiz",…,"#
                    + #""element_id":"interests","element_type":"multi_choice","#
                    + #""item_ids":["sports"],"item_titles":["Sports"]}"#,
                #"{"name":"flow_user_input","instanceId":"scr_quiz",…,"#
                    + #""element_id":"interests","element_type":"multi_choice","#
                    + #""item_ids":["sports","music"],"item_titles":["Sports","Music"]}"#,
                #"{"name":"flow_user_input","instanceId":"scr_quiz",…,"#
                    + #""element_id":"reminders","element_type":"toggle","value":true}"#,
            ])
        #expect(effects.last == .performed(.close))
    }

    /// The payloads of an onboarding in their documented spelling, without `meta`.
    private func contents(_ effects: [ViewEffect]) throws -> [NSDictionary] {
        try effects.compactMap { effect in
            guard case .onboarding(let callback, let meta) = effect else { return nil }
            let text = callback.payloadJSON(meta, spelling: callback.documentedSpelling)
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            var object = try #require(value as? [String: Any])
            #expect(object.removeValue(forKey: "meta") != nil)
            return object as NSDictionary
        }
    }

    private func documented(_ text: String) throws -> NSDictionary {
        try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test("OB-20 OB-32 OB-51 the onboarding sends the content of the documented examples")
    func onboarding() throws {
        let catalog = try #require(CatalogLoader.sample().catalog)
        let document = try #require(catalog.onboardingDocuments["onboarding_123"])
        let session = OnboardingSession(
            document: document, locale: 0, opensExternalBrowser: false, isReachable: true)
        let contents = try contents(
            run(
                session,
                [
                    .tapButton("start_button"), .focus("name_input"),
                    .enterText("name_input", text: "John Doe"), .openPicker("birthday_picker"),
                    .pick(CivilDate(year: 1990, month: 6, day: 15), nil), .closePicker,
                    .focus("email_input"), .enterText("email_input", text: "john@example.com"),
                    .tapButton("allow_notifications"), .tapButton("profile_form"),
                    .tapOption("preference_selector", option: "option_1"),
                    .tapButton("preferences_next"),
                    .tapOption("interests_selector", option: "interest_1"),
                    .tapOption("interests_selector", option: "interest_2"),
                    .tapButton("interests_next"), .tapButton("see_offer"),
                    .tapButton("pricing_next"), .tapButton("close_button"),
                ]))
        for example in [
            #"{"actionId":"allowNotifications"}"#, #"{"action_id":"close_button"}"#,
            #"{"action_id":"premium_offer_1"}"#,
            #"""
            {"elementId":"preference_selector","params":{"type":"select",
             "value":{"id":"option_1","value":"premium","label":"Premium Plan"}}}
            """#,
            #"""
            {"elementId":"interests_selector","params":{"type":"multiSelect",
             "value":[{"id":"interest_1","value":"sports","label":"Sports"},
                      {"id":"interest_2","value":"music","label":"Music"}]}}
            """#,
            #"""
            {"elementId":"name_input","params":{"type":"input",
             "value":{"type":"text","value":"John Doe"}}}
            """#,
            #"""
            {"elementId":"birthday_picker","params":{"type":"datePicker",
             "value":{"day":15,"month":6,"year":1990}}}
            """#,
            #"""
            {"name":"screen_completed","params":{"element_id":"profile_form","reply":"success"}}
            """#,
            #"{"name":"onboarding_started"}"#, #"{"name":"screen_presented"}"#,
            #"{"name":"second_screen_presented"}"#, #"{"name":"user_email_collected"}"#,
            #"{"name":"onboarding_completed"}"#,
        ] {
            #expect(contents.contains(try documented(example)), "\(example)")
        }
    }
}
