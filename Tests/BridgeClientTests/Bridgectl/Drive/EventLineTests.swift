import BridgeProtocol
import Testing

@testable import bridgectl

@Suite("bridgectl: events in few words")
struct EventLineTests {
    private static let refused = with(SdkError()) {
        $0.code = 4
        $0.name = "paymentNotAllowed"
    }

    private static let product = with(PaywallProduct()) { $0.vendorProductId = "yearly" }

    @Test(
        "what matters about an event stands behind its name",
        arguments: [
            (.flowDidAppear(FlowDidAppear()), "flow_did_appear", ""),
            (
                .didPerformAction(with(DidPerformAction()) { $0.kind = .close }),
                "did_perform_action", "close"
            ),
            (
                .didPerformAction(
                    with(DidPerformAction()) {
                        $0.kind = .openUrl
                        $0.url = "https://example.com"
                    }), "did_perform_action", "open_url https://example.com"
            ),
            (.viewPresented(with(ViewPresented()) { $0.placementId = "p" }), "view_presented", "p"),
            (
                .didSelectProduct(with(DidSelectProduct()) { $0.product = product }),
                "did_select_product", "yearly"
            ),
            (
                .didFailPurchase(
                    with(DidFailPurchase()) {
                        $0.product = product
                        $0.error = refused
                    }), "did_fail_purchase", "yearly 4 paymentNotAllowed"
            ),
            (
                .didReceiveError(with(DidReceiveError()) { $0.error = refused }),
                "did_receive_error", "4 paymentNotAllowed"
            ),
            (
                .questionSettled(
                    with(QuestionSettled()) {
                        $0.answer = "denied"
                        $0.byDefault = true
                    }), "question_settled", "denied, by default"
            ),
            (
                .didLoadLatestProfile(
                    with(DidLoadLatestProfile()) {
                        $0.profile = with(Profile()) {
                            $0.customerUserId = "u1"
                            $0.customAttributes = [
                                with(Profile.CustomAttributesEntry()) {
                                    $0.key = "level"
                                    $0.value = with(AttributeValue()) { $0.kind = .double(3) }
                                }
                            ]
                            $0.accessLevels = [
                                with(Profile.AccessLevelsEntry()) {
                                    $0.key = "premium"
                                    $0.value.isActive = true
                                }
                            ]
                        }
                    }), "did_load_latest_profile", "u1, level = 3.0, level premium"
            ),
            (nil, "event of a newer broker", ""),
        ] as [(Event.Kind?, String, String)])
    func lines(kind: Event.Kind?, name: String, details: String) {
        let line = EventLine(with(Event()) { $0.kind = kind })
        #expect(line.name == name)
        #expect(line.details == details)
    }

    @Test("an input tells its element and value; a picker's instant is shown as it is read")
    func input() {
        let event = with(Event()) {
            $0.kind = .didReceiveAnalyticEvent(
                with(DidReceiveAnalyticEvent()) {
                    $0.name = "flow_user_input"
                    let params: [(String, Value.Kind)] = [
                        ("element_id", .string("day")), ("element_type", .string("date_picker")),
                        ("value", .int64(645_408_000_000)),
                    ]
                    $0.params = params.map { key, kind in
                        with(DidReceiveAnalyticEvent.ParamsEntry()) {
                            $0.key = key
                            $0.value = with(Value()) { $0.kind = kind }
                        }
                    }
                })
        }
        #expect(EventLine(event).details == "day = 645408000000")
        #expect(
            EventLine(event, instant: { ms, kind in "\(kind) \(ms)" }).details
                == "day = date_picker 645408000000")
    }
}
