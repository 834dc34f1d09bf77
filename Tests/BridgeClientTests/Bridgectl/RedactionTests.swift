import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl: values of users", .shared)
struct RedactionTests {
    private static let secrets = [
        "jane@secret.example", "s3cret", "secret_option", "Secret Title", "1987", "424242",
    ]

    private func check(
        _ kind: Event.Kind, keeps: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = Redaction.text(of: with(Event()) { $0.kind = kind })
        for secret in Self.secrets {
            #expect(!text.contains(secret), sourceLocation: sourceLocation)
        }
        for kept in keeps { #expect(text.contains(kept), sourceLocation: sourceLocation) }
        let open = WireJSON.text(of: .event(with(Event()) { $0.kind = kind }))
        #expect(open != text, sourceLocation: sourceLocation)
    }

    private func param(_ key: String, _ kind: Value.Kind) -> DidReceiveAnalyticEvent.ParamsEntry {
        with(DidReceiveAnalyticEvent.ParamsEntry()) {
            $0.key = key
            $0.value = with(Value()) { $0.kind = kind }
        }
    }

    @Test("GEN-7 a typed value is hidden in params and payload_json; keys and types stay")
    func typedValue() {
        let event = with(DidReceiveAnalyticEvent()) {
            $0.name = "flow_user_input"
            $0.params = [
                param("element_id", .string("email")),
                param("value", .string("jane@secret.example")),
                param("isCustomerEvent", .bool(true)),
            ]
            $0.payloadJson =
                #"{"element_id":"email","isCustomerEvent":true,"value":"jane@secret.example"}"#
        }
        check(
            .didReceiveAnalyticEvent(event),
            keeps: [
                #""value":{"string":"<redacted string>"}"#, #""element_id":{"string":"email"}"#,
                #"\"element_id\":\"email\""#, #"\"value\":\"<redacted string>\""#,
                #""isCustomerEvent":{"bool":true}"#,
            ])
    }

    @Test("GEN-7 numbers, switches and choices are values too")
    func otherValues() {
        let choice = with(DidReceiveAnalyticEvent()) {
            $0.name = "flow_user_input"
            $0.params = [
                param(
                    "item_ids", .stringList(with(StringList()) { $0.values = ["secret_option"] })),
                param(
                    "item_titles", .stringList(with(StringList()) { $0.values = ["Secret Title"] })),
            ]
            $0.payloadJson = #"{"item_ids":["secret_option"],"item_titles":["Secret Title"]}"#
        }
        check(.didReceiveAnalyticEvent(choice), keeps: ["item_ids", "item_titles", "stringList"])
        let number = with(DidReceiveAnalyticEvent()) {
            $0.name = "flow_user_input"
            $0.params = [param("value", .int64(424_242)), param("other", .double(1987))]
            $0.payloadJson = #"{"value":424242,"other":1987}"#
        }
        check(
            .didReceiveAnalyticEvent(number),
            keeps: [#"\"value\":\"<redacted number>\""#, #"{"int64":"<redacted string>"}"#])
    }

    @Test("an event of the flow's own may carry anything, so it is hidden as well")
    func ownEvent() {
        let event = with(DidReceiveAnalyticEvent()) {
            $0.name = "registered"
            $0.params = [param("answer", .string("s3cret"))]
            $0.payloadJson = #"{"answer":"s3cret"}"#
        }
        check(.didReceiveAnalyticEvent(event), keeps: ["registered", "answer"])
    }

    @Test("a shown screen hides nothing")
    func shownScreen() {
        let event = with(DidReceiveAnalyticEvent()) {
            $0.name = "flow_screen_showed"
            $0.params = [param("screen_order", .int64(1))]
            $0.payloadJson = #"{"screen_order":1}"#
        }
        let whole = with(Event()) { $0.kind = .didReceiveAnalyticEvent(event) }
        #expect(Redaction.text(of: whole) == WireJSON.text(of: .event(whole)))
    }

    @Test(
        "GEN-7 the state of an onboarding is hidden in every form",
        arguments: [
            OnStateUpdatedAction.Params.select(
                with(SelectValue()) {
                    $0.id = "secret_option"
                    $0.value = "s3cret"
                    $0.label = "Secret Title"
                }),
            .multiSelect(
                with(MultiSelectValue()) {
                    $0.items = [with(SelectValue()) { $0.id = "secret_option" }]
                }),
            .input(with(InputValue()) { $0.kind = .email("jane@secret.example") }),
            .input(with(InputValue()) { $0.kind = .number(424_242) }),
            .datePicker(with(DatePickerValue()) { $0.year = 1987 }),
        ])
    func onboardingState(params: OnStateUpdatedAction.Params) {
        let action = with(OnStateUpdatedAction()) {
            $0.elementId = "field"
            $0.params = params
            $0.payloadJson =
                #"{"element_id":"field","element_type":"input","meta":{"screen_index":3},"#
                + #""value":{"type":"email","id":"secret_option","value":"jane@secret.example","n":424242}}"#
            $0.payloadJsonOther =
                #"{"elementId":"field","value":[{"id":"secret_option","label":"Secret Title"}]}"#
        }
        check(
            .onStateUpdatedAction(action),
            keeps: [
                #"\"element_id\":\"field\""#, #"\"screen_index\":3"#, #"\"type\":\"email\""#,
                #"\"elementId\":\"field\""#,
            ])
    }

    @Test("GEN-7 the reply of an onboarding's analytics is hidden")
    func onboardingReply() {
        let event = with(OnAnalyticsEvent()) {
            $0.name = "screen_completed"
            $0.elementId = "profile_form"
            $0.reply = "s3cret"
            $0.payloadJson =
                #"{"name":"screen_completed","meta":{"total_screens":4},"#
                + #""params":{"element_id":"profile_form","reply":"s3cret"}}"#
        }
        check(
            .onAnalyticsEvent(event),
            keeps: [#"\"name\":\"screen_completed\""#, "profile_form", #"\"total_screens\":4"#])
    }

    @Test("GEN-7 attributes of a profile and its user id are hidden, its other fields are not")
    func profile() {
        let profile = with(Profile()) {
            $0.profileId = "P-1"
            $0.customerUserId = "jane@secret.example"
            $0.customAttributes = [
                with(Profile.CustomAttributesEntry()) {
                    $0.key = "experience"
                    $0.value = with(AttributeValue()) { $0.kind = .string("s3cret") }
                },
                with(Profile.CustomAttributesEntry()) {
                    $0.key = "age"
                    $0.value = with(AttributeValue()) { $0.kind = .double(424_242) }
                },
            ]
        }
        check(
            .didLoadLatestProfile(with(DidLoadLatestProfile()) { $0.profile = profile }),
            keeps: ["P-1", #""experience":{"string":"<redacted string>"}"#, "<redacted number>"])
        check(
            .didFinishRestore(with(DidFinishRestore()) { $0.profile = profile }),
            keeps: ["P-1", "experience"])
    }
}
