import BridgeCatalog
import FlowEngine
import Foundation
import SDKCore
import Testing

@Suite("Placements and documents of fallback files")
struct FallbackContentTests {
    private func variations(_ placement: FallbackPlacement?) -> [VariationDocument] {
        placement?.variations ?? []
    }

    @Test("PL-71 a placement with all that the dashboard says of it")
    func complete() throws {
        let more = """
            ,"flow_version_id":"v1","remote_configs":[{"lang":"en","data":"{\\"a\\":1}"},\
            {"lang":"de","data":{"b":[2]}}],"cross_placement_info":{"placement_with_variation_map":\
            {"p":"v"}},"developer_id":"p","unknown":[],"variations":[{"paywall_id":"i",\
            "paywall_name":"Plans","variation_id":"pw","products":[\
            {"vendor_product_id":"one","promotional_offer_id":"promo","win_back_offer_id":"back"},\
            {"vendor_product_id":"two","promotional_offer_id":"promo",\
            "promotional_offer_eligibility":false,"win_back_offer_id":"back"},\
            {"vendor_product_id":"three","promotional_offer_id":null}]}]
            """
        let flow = """
            {"variation_id":"v","weight":100,"flow_id":"f","flow_name":"Flow"\(more)}
            """
        let placement = try FallbackTexts.placement(of: FallbackTexts.placement(flow))
        #expect(placement?.type == .flow)
        #expect(placement?.audienceVersionID == "pav")
        #expect(
            placement?.placement
                == PlacementValue(
                    id: "p", audienceName: "All Users", abTestName: "T", revision: 3))
        let references = [("one", "promo"), ("two", "back"), ("three", "")].map {
            ProductReferenceDocument(vendorProductID: $0.0, offerID: $0.1)
        }
        #expect(
            variations(placement) == [
                VariationDocument(
                    variationID: "v", weight: 100, contentID: "f", name: "Flow",
                    flowVersionID: "v1",
                    remoteConfigs: [
                        RemoteConfigDocument(locale: "en", dataJSON: #"{"a":1}"#),
                        RemoteConfigDocument(locale: "de", dataJSON: #"{"b":[2]}"#),
                    ],
                    paywalls: [
                        PaywallDocument(name: "Plans", variationID: "pw", products: references)
                    ])
            ])
    }

    @Test("PL-71 what meta does not say is looked for in the first variation, as older files do it")
    func olderForm() throws {
        let flow = FallbackTexts.flow(
            "v",
            more: #","placement_audience_version_id":"old","audience_name":"All"}"#
                .dropLast().description)
        for meta in ["{}", "{\"response_created_at\":1}"] {
            let json = FallbackTexts.placement(flow, meta: meta)
            let placement = try FallbackTexts.placement(of: json)
            #expect(placement?.audienceVersionID == "old")
            #expect(placement?.placement.audienceName == "All")
            #expect(placement?.placement.abTestName == "", "PL-9")
        }
    }

    @Test("PL-78 PL-80 onboardings have one remote config and no view document")
    func onboarding() throws {
        let json = FallbackTexts.placement(
            """
            {"variation_id":"v","weight":100,"onboarding_id":"o","onboarding_name":"Intro",\
            "remote_config":{"lang":"en","data":"{}"},"onboarding_builder":{"config_url":"https://a"}}
            """)
        let placement = try FallbackTexts.placement(of: json)
        #expect(placement?.type == .onboarding)
        #expect(
            variations(placement) == [
                VariationDocument(
                    variationID: "v", contentID: "o", name: "Intro",
                    remoteConfigs: [RemoteConfigDocument(locale: "en", dataJSON: "{}")])
            ])
    }

    @Test(
        "PL-74 a broken placement counts as not in the file, the others are there",
        arguments: [
            "null", "[]", "{}", "{\"data\":[]}", "{\"data\":{}}",
            FallbackTexts.placement(""), FallbackTexts.placement("1"),
            FallbackTexts.placement("{\"variation_id\":\"v\",\"weight\":1}"),
            FallbackTexts.placement("{\"flow_id\":\"f\",\"weight\":1}"),
            FallbackTexts.placement("{\"variation_id\":1,\"flow_id\":\"f\",\"weight\":1}"),
            FallbackTexts.placement(FallbackTexts.flow("v", weight: -1)),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"flow_version_id\":1")),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"flow_id\":\"twice\"")),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"x\":\"\\u0000\"")),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"x\":1e999")),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"remote_configs\":[{}]")),
            FallbackTexts.placement(FallbackTexts.flow("v", more: ",\"remote_configs\":{}")),
            FallbackTexts.placement(
                FallbackTexts.flow("v") + ",{\"variation_id\":\"w\",\"flow_id\":\"f\"}"),
            FallbackTexts.placement(
                FallbackTexts.flow("v")
                    + ",{\"variation_id\":\"w\",\"weight\":0,\"onboarding_id\":\"o\"}"),
            FallbackTexts.placement(FallbackTexts.flow("v"), meta: "{\"placement\":{}}"),
            FallbackTexts.placement(
                FallbackTexts.flow("v"),
                meta: "{\"placement\":{\"placement_audience_version_id\":\"a\",\"revision\":\"1\"}}"
            ),
        ])
    func broken(json: String) throws {
        let sound = FallbackTexts.placement(FallbackTexts.flow("v"))
        let file = try FallbackTexts.load(
            FallbackTexts.file(data: "{\"p\":\(json),\"sound\":\(sound)}"))
        #expect(file.placement("p") == nil)
        #expect(file.placement("p") == nil, "asked again")
        #expect(file.placement("sound") != nil)
    }

    @Test("PL-75 developer_ids says what is looked for; without it anything is")
    func listed() throws {
        let data = ["a", "b"].map { id in
            "\"\(id)\":" + FallbackTexts.placement(FallbackTexts.flow(id))
        }.joined(separator: ",")
        let meta = #"{"version":10,"response_created_at":1,"developer_ids":["a","c"]}"#
        let some = try FallbackTexts.load(FallbackTexts.file(meta: meta, data: "{\(data)}"))
        #expect(some.placement("a") != nil)
        #expect(some.placement("b") == nil)
        #expect(some.placement("c") == nil)
        let all = try FallbackTexts.load(FallbackTexts.file(data: "{\(data)}"))
        #expect(all.placement("a") != nil && all.placement("b") != nil)
    }

    @Test(
        "PL-76 any placement ID resolves, by its exact bytes, however it is escaped",
        arguments: [
            ("a/b", "a/b"), ("a\\/b", "a/b"), ("~", "~"), ("a~1b", "a~1b"), ("~0", "~0"),
            ("/", "/"), ("é", "\u{e9}"), ("\\u00e9", "\u{e9}"), ("e\u{301}", "e\u{301}"),
            ("người", "ng\u{1b0}\u{1edd}i"), ("\\uD83D\\uDE00", "😀"), ("a\\\"b", "a\"b"),
            ("", ""), ("a b", "a b"), ("data", "data"), ("0", "0"),
        ])
    func anyID(key: String, id: String) throws {
        let file = try FallbackTexts.load(
            FallbackTexts.file(
                data: "{\"\(key)\":\(FallbackTexts.placement(FallbackTexts.flow("v")))}"))
        #expect(file.placement(id)?.placement.id == id)
        for other in ["a", "A/B", "a~b", "\u{e9}", "e\u{301}", "~1"]
        where Array(other.utf8) != Array(id.utf8) {
            #expect(file.placement(other) == nil)
        }
    }

    @Test("of a key that is there twice the last one counts")
    func twice() throws {
        let data = ["first", "last"].map {
            "\"p\":" + FallbackTexts.placement(FallbackTexts.flow($0))
        }.joined(separator: ",")
        let file = try FallbackTexts.load(FallbackTexts.file(data: "{\(data)}"))
        #expect(variations(file.placement("p")).map(\.variationID) == ["last"])
    }

    // MARK: Documents

    private static let screens =
        #""screens":[{"id":"s","elements":[{"type":"button","element_id":"b","actions":[{"type":"close"}]}]}]"#

    private func document(_ json: String) throws -> FallbackDocument {
        try FallbackTexts.load(FallbackTexts.file(uiBuilder: "{\"v\":\(json)}"))
            .document(flowVersionID: "v")
    }

    @Test("FC-8 a document written like a catalog's flow can be shown, and is parsed once")
    func native() throws {
        let file = try FallbackTexts.load(
            FallbackTexts.file(uiBuilder: "{\"v\":{\(Self.screens)}}"))
        guard case .flow(let first) = file.document(flowVersionID: "v"),
            case .flow(let second) = file.document(flowVersionID: "v")
        else {
            Issue.record("no document")
            return
        }
        #expect(first.content.screens.map(\.id) == ["s"])
        #expect(first.content.id == "v")
        #expect(first === second)
    }

    @Test(
        "FC-7 FC-8 faults of such a document are told",
        arguments: [
            (#"{"locales":["en","en"],\#(Self.screens)}"#, "twice (FC-7)"),
            (#"{"locales":["en"],"default_locale":"de",\#(Self.screens)}"#, "FC-7"),
            (#"{"screens":[]}"#, "/screens"), (#"{"screens":[1],"more":1}"#, "and 1 more"),
            (#"{"screens":[{"id":"s","elements":[{"type":"?"}]}]}"#, "/screens/0/elements/0"),
            (
                #"{"screens":[{"id":"s","elements":[{"type":"button","element_id":"b","actions":[{"type":"open_screen","screen_id":"none"}]}]}]}"#,
                "none"
            ),
            (#"{"screens":[],"x":"\u0000"}"#, "NUL"),
        ])
    func faulty(json: String, says: String) throws {
        guard case .broken(let message) = try document(json) else {
            Issue.record("it has faults")
            return
        }
        #expect(message.contains(says), "\(message)")
        #expect(message.contains("flow version \"v\""))
    }

    @Test(
        "FC-8 a document in the builder's own form says that it cannot be shown here",
        arguments: [
            #"{"format":"5.0.0","screens":{"s":{}},"scripts":[]}"#, "{}", "[]", "1", "null",
            #"{"format":"4.1.0","template_id":"basic","styles":{}}"#,
            #"{"screens":{"a":"\#(String(repeating: "[", count: 100))"}}"#,
        ])
    func foreign(json: String) throws {
        guard case .foreign(let message) = try document(json) else {
            Issue.record("it is not of this bridge's form")
            return
        }
        #expect(message.contains("flow version \"v\"") && message.contains("builder"))
    }

    @Test("64 placements and 64 documents are kept parsed, the oldest is parsed anew")
    func parsedMax() throws {
        let documents = (0...64).map { "\"v\($0)\":{\(Self.screens)}" }.joined(separator: ",")
        let file = try FallbackTexts.load(FallbackTexts.file(uiBuilder: "{\(documents)}"))
        func document(_ number: Int) -> FlowDocument? {
            guard case .flow(let flow) = file.document(flowVersionID: "v\(number)") else {
                return nil
            }
            return flow
        }
        let first = try #require(document(0))
        for number in 1...63 { #expect(document(number) != nil) }
        #expect(document(0) === first)
        _ = document(64)
        #expect(document(0) !== first)
    }

    @Test("the example of examples/ has each sort of content")
    func example() throws {
        let path = SchemaTests.root.appending(path: "examples/fallback.json").path
        let file = LoadedFallback(try FallbackLoader.load(path: path))
        #expect(
            variations(file.placement("onboarding")).map(\.variationID)
                == ["var_fallback_short", "var_fallback_texts"])
        #expect(
            variations(file.placement("premium_offer_1")).flatMap(\.paywalls)
                .flatMap(\.products).map(\.offerID) == ["", "first_year"])
        #expect(file.placement("legacy_onboarding")?.type == .onboarding)
        guard case .flow(let flow) = file.document(flowVersionID: "fallback_short_v1"),
            case .foreign = file.document(flowVersionID: "fallback_offer_v1")
        else {
            Issue.record("other documents")
            return
        }
        #expect(flow.content.screens.map(\.id) == ["scr_registration", "scr_done"])
    }
}
