import Foundation
import Testing

@testable import FlowEngine

/// The JSON of callbacks, byte for byte (IN-8, NAV-3, OB-9 to OB-11, OB-20, OB-32, OB-51, OB-55).
struct PayloadTests {
    @Test("IN-1 IN-2 IN-4 IN-8 the payload of the documented e-mail example, byte for byte")
    func email() {
        let event = AnalyticEvent.userInput(
            instanceID: "scr_registration", elementID: "email", type: .emailInput,
            value: .text("jane@example.com"))
        #expect(event.name == "flow_user_input")
        #expect(
            event.payloadJSON
                == #"{"name":"flow_user_input","instanceId":"scr_registration","isBackendEvent":false,"isCustomerEvent":true,"element_id":"email","element_type":"email_input","value":"jane@example.com"}"#
        )
    }

    @Test("NAV-3 a screen is told with exactly six keys")
    func screen() throws {
        let event = AnalyticEvent.screenShowed(instanceID: "scr", order: 0, isLast: false)
        #expect(event.name == "flow_screen_showed")
        #expect(
            event.payloadJSON
                == #"{"name":"flow_screen_showed","instanceId":"scr","isCustomerEvent":true,"isBackendEvent":true,"screen_order":0,"is_last_screen":false}"#
        )
    }

    @Test(
        "IN-3 a value or items, never both, and each of its type",
        arguments: [
            (.integer(645_408_000_000), #""value":645408000000"#),
            (.integer(-32_400_000), #""value":-32400000"#), (.bool(true), #""value":true"#),
            (.bool(false), #""value":false"#), (.text(""), #""value":"""#),
            (
                .items(ids: ["sports", "music"], titles: ["Sports", "Music"]),
                #""item_ids":["sports","music"],"item_titles":["Sports","Music"]"#
            ),
            (.items(ids: [], titles: []), #""item_ids":[],"item_titles":[]"#),
        ] as [(ReportedValue, String)])
    func values(value: ReportedValue, tail: String) {
        let event = AnalyticEvent.userInput(
            instanceID: "s", elementID: "e", type: .toggle, value: value)
        #expect(event.payloadJSON.hasSuffix(#""element_type":"toggle","# + tail + "}"))
    }

    @Test("NAV-15 a flow's own event has its params, sorted, with their types")
    func own() {
        let event = AnalyticEvent.own(
            name: "e",
            params: [
                "b": .double(25), "a": .integer(25), "c": .bool(true), "é": .strings(["x", "y"]),
                "Z": .string("z"), "d": .double(0.5),
            ])
        #expect(
            event.payloadJSON == #"{"Z":"z","a":25,"b":25.0,"c":true,"d":0.5,"é":["x","y"]}"#)
    }

    @Test("Text is escaped where JSON or a line reader needs it, and only there")
    func escaping() throws {
        let text = "\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \u{7F}\u{80}\u{85}é\u{2028}\u{2029}😀"
        var writer = PayloadWriter()
        writer.string(text)
        #expect(
            writer.text
                == #""\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f \u007f"# + "\u{80}"
                + #"\u0085é\u2028\u2029😀""#)
        let read = try JSONDecoder().decode([String].self, from: Data("[\(writer.text)]".utf8))
        #expect(read[0].unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("Appending keeps what is there, so one buffer serves many payloads")
    func appending() {
        var bytes = Array("> ".utf8)
        AnalyticEvent.own(name: "e", params: [:]).writePayload(to: &bytes)
        OnboardingCallback.didFinishLoading.writePayload(meta(), spelling: .snakeCase, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("> {}{\"meta\":"))
    }

    @Test(
        "OB-58 numbers of onboardings: whole ones bare, minus zero as zero",
        arguments: [
            (25, "25"), (-0.0, "0"), (0.5, "0.5"), (-1.25, "-1.25"), (1e15, "1000000000000000"),
            (1e300, "1e+300"), (0.1, "0.1"), (1e-7, "1e-07"),
        ] as [(Double, String)])
    func numbers(number: Double, text: String) {
        let json = OnboardingCallback.stateUpdated(elementID: "e", .number(number))
            .payloadJSON(meta(), spelling: .camelCase)
        #expect(json.hasSuffix(#""value":{"type":"number","value":\#(text)}}}"#))
    }

    private func meta(
        _ screen: String = "profile_screen", _ index: Int32 = 0, of total: Int32 = 3
    ) -> OnboardingMeta {
        OnboardingMeta(
            onboardingID: "onboarding_123", screenClientID: screen, screenIndex: index,
            screensTotal: total)
    }

    private static func camel(_ screen: String, _ index: Int, _ total: Int) -> String {
        #""meta":{"onboardingId":"onboarding_123","screenClientId":"\#(screen)","screenIndex":\#(index),"screensTotal":\#(total)}"#
    }

    private static func snake(_ screen: String, _ index: Int, _ total: Int) -> String {
        #""meta":{"onboarding_id":"onboarding_123","screen_cid":"\#(screen)","screen_index":\#(index),"total_screens":\#(total)}"#
    }

    /// A documented callback, where it stood, and both spellings; the first is the documented one.
    struct Example: Sendable {
        var callback: OnboardingCallback
        var screen: String
        var index: Int
        var total: Int
        var spelling: PayloadSpelling
        var documented: String
        var other: String

        init(
            _ callback: OnboardingCallback, _ screen: String, _ index: Int, _ total: Int,
            _ spelling: PayloadSpelling, _ make: (String, Bool) -> String
        ) {
            self.callback = callback
            self.screen = screen
            self.index = index
            self.total = total
            self.spelling = spelling
            let camel = make(PayloadTests.camel(screen, index, total), true)
            let snake = make(PayloadTests.snake(screen, index, total), false)
            documented = spelling == .camelCase ? camel : snake
            other = spelling == .camelCase ? snake : camel
        }
    }

    static let examples: [Example] = [
        Example(.custom(actionID: "allowNotifications"), "profile_screen", 0, 3, .camelCase) {
            #"{"\#($1 ? "actionId" : "action_id")":"allowNotifications",\#($0)}"#
        },
        Example(.close(actionID: "close_button"), "final_screen", 3, 4, .snakeCase) {
            #"{"\#($1 ? "actionId" : "action_id")":"close_button",\#($0)}"#
        },
        Example(.paywall(actionID: "premium_offer_1"), "pricing_screen", 2, 4, .snakeCase) {
            #"{"\#($1 ? "actionId" : "action_id")":"premium_offer_1",\#($0)}"#
        },
        Example(.didFinishLoading, "welcome_screen", 0, 4, .snakeCase) { meta, _ in "{\(meta)}" },
        Example(
            .stateUpdated(
                elementID: "preference_selector",
                .select(
                    OnboardingOption(id: "option_1", value: "premium", label: "Premium Plan"))),
            "preferences_screen", 1, 3, .camelCase
        ) {
            #"{"\#($1 ? "elementId" : "element_id")":"preference_selector",\#($0),"params":{"type":"select","value":{"id":"option_1","value":"premium","label":"Premium Plan"}}}"#
        },
        Example(
            .stateUpdated(
                elementID: "interests_selector",
                .multiSelect([
                    OnboardingOption(id: "interest_1", value: "sports", label: "Sports"),
                    OnboardingOption(id: "interest_2", value: "music", label: "Music"),
                ])), "interests_screen", 2, 3, .camelCase
        ) {
            #"{"\#($1 ? "elementId" : "element_id")":"interests_selector",\#($0),"params":{"type":"\#($1 ? "multiSelect" : "multi_select")","value":[{"id":"interest_1","value":"sports","label":"Sports"},{"id":"interest_2","value":"music","label":"Music"}]}}"#
        },
        Example(
            .stateUpdated(elementID: "name_input", .text("John Doe")), "profile_screen", 0, 3,
            .camelCase
        ) {
            #"{"\#($1 ? "elementId" : "element_id")":"name_input",\#($0),"params":{"type":"input","value":{"type":"text","value":"John Doe"}}}"#
        },
        Example(
            .stateUpdated(elementID: "birthday_picker", .datePicker(day: 15, month: 6, year: 1990)),
            "profile_screen", 0, 3, .camelCase
        ) {
            #"{"\#($1 ? "elementId" : "element_id")":"birthday_picker",\#($0),"params":{"type":"\#($1 ? "datePicker" : "date_picker")","value":{"day":15,"month":6,"year":1990}}}"#
        },
        Example(
            .analytics(.screenCompleted(elementID: "profile_form", reply: "success")),
            "profile_screen", 1, 4, .snakeCase
        ) {
            #"{"name":"screen_completed",\#($0),"params":{"\#($1 ? "elementId" : "element_id")":"profile_form","reply":"success"}}"#
        },
        Example(.analytics(.onboardingStarted), "welcome_screen", 0, 4, .snakeCase) { meta, _ in
            #"{"name":"onboarding_started",\#(meta)}"#
        },
        Example(.analytics(.screenPresented), "interests_screen", 2, 4, .snakeCase) { meta, _ in
            #"{"name":"screen_presented",\#(meta)}"#
        },
        Example(.analytics(.secondScreenPresented), "profile_screen", 1, 4, .snakeCase) {
            meta, _ in #"{"name":"second_screen_presented",\#(meta)}"#
        },
        Example(.analytics(.userEmailCollected), "profile_screen", 1, 4, .snakeCase) { meta, _ in
            #"{"name":"user_email_collected",\#(meta)}"#
        },
        Example(.analytics(.onboardingCompleted), "final_screen", 3, 4, .snakeCase) { meta, _ in
            #"{"name":"onboarding_completed",\#(meta)}"#
        },
    ]

    @Test(
        "OB-9 OB-10 OB-11 OB-12 OB-20 OB-32 OB-51 OB-55 documented examples in both spellings",
        arguments: examples)
    func documented(example: Example) {
        let meta = meta(example.screen, Int32(example.index), of: Int32(example.total))
        #expect(example.callback.documentedSpelling == example.spelling)
        #expect(
            example.callback.payloadJSON(meta, spelling: example.spelling) == example.documented)
        #expect(
            example.callback.payloadJSON(meta, spelling: example.spelling.other) == example.other)
    }

    @Test(
        "OB-39 a missing element or reply has no key, and without both there are no params",
        arguments: [
            ("e", nil, #","params":{"element_id":"e"}}"#), (nil, "r", #","params":{"reply":"r"}}"#),
            (nil, nil, #""total_screens":3}}"#),
            ("", "", #","params":{"element_id":"","reply":""}}"#),
        ] as [(String?, String?, String)])
    func missingParams(elementID: String?, reply: String?, tail: String) {
        let json = OnboardingCallback.analytics(
            .screenCompleted(elementID: elementID, reply: reply)
        ).payloadJSON(meta(), spelling: .snakeCase)
        #expect(json.hasSuffix(tail), "\(json)")
    }

    @Test(
        "OB-34 each analytic event has its name on the wire",
        arguments: [
            (.onboardingStarted, "onboarding_started"), (.screenPresented, "screen_presented"),
            (.screenCompleted(elementID: nil, reply: nil), "screen_completed"),
            (.secondScreenPresented, "second_screen_presented"),
            (.userEmailCollected, "user_email_collected"),
            (.onboardingCompleted, "onboarding_completed"),
            (.registrationScreenPresented, "registration_screen_presented"),
            (.productsScreenPresented, "products_screen_presented"),
            (.unknown(name: "navigation_failed"), "navigation_failed"),
        ] as [(OnboardingAnalytics, String)])
    func names(event: OnboardingAnalytics, name: String) {
        #expect(event.name == name)
        #expect(
            OnboardingCallback.analytics(event).payloadJSON(meta(), spelling: .snakeCase)
                .hasPrefix(#"{"name":"\#(name)","meta":"#))
    }

    @Test(
        "OB-28 a missing part of a date has no key",
        arguments: [
            (15, nil, nil, #"{"day":15}"#), (nil, 6, nil, #"{"month":6}"#),
            (nil, nil, 1990, #"{"year":1990}"#), (nil, nil, nil, "{}"),
        ] as [(Int32?, Int32?, Int32?, String)])
    func missingParts(day: Int32?, month: Int32?, year: Int32?, value: String) {
        let json = OnboardingCallback.stateUpdated(
            elementID: "e", .datePicker(day: day, month: month, year: year)
        ).payloadJSON(meta(), spelling: .camelCase)
        #expect(json.hasSuffix(#""value":\#(value)}}"#))
    }
}
