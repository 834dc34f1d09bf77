import FlowEngine
import Testing

@testable import SDKCore

@Suite("Fetching flows and onboardings")
struct FetchingTests {
    @Test(
        "PL-1 the placement id is trimmed, then matched exactly",
        arguments: [
            ("main", true), (" main\n", true), ("Main", false), ("main.", false), ("", false),
            ("  ", false),
        ])
    func placementIDs(id: String, isFound: Bool) {
        var bench = Bench()
        #expect((bench.call(.getFlow(id)).flow != nil) == isFound)
    }

    @Test("PL-1 two spellings of one text are two placements")
    func exactPlacementIDs() {
        var placement = Samples.plain()
        placement.id = "caf\u{e9}"
        var bench = Bench(catalog: catalog([placement]))
        #expect(bench.call(.getFlow("caf\u{e9}")).flow != nil)
        #expect(bench.call(.getFlow("cafe\u{301}")).code == 2003)
    }

    @Test("PL-3 an unknown placement is 2003 and named", arguments: ["nowhere", ""])
    func unknownPlacement(id: String) {
        var bench = Bench()
        for call in [SDKCall.getFlow(id), .getOnboarding(id)] {
            let error = bench.call(call).error
            #expect(error?.code == 2003)
            #expect(error?.message == "placement \"\(id)\" is not in the loaded catalog")
        }
    }

    @Test("PL-2 PL-4 a placement of the other type is 2003, naming both types")
    func otherType() {
        var bench = Bench()
        let flow = bench.call(.getFlow("intro")).error
        #expect(flow?.code == 2003)
        #expect(flow?.message.contains("flow") == true)
        #expect(flow?.message.contains("onboarding") == true)
        let onboarding = bench.call(.getOnboarding("main")).error
        #expect(onboarding?.code == 2003)
        #expect(onboarding?.message.contains("flow") == true)
        #expect(onboarding?.message.contains("onboarding") == true)
    }

    @Test("PL-5 PL-7 PL-8 PL-9 a flow carries its placement, variation, paywalls and configs")
    func flowContent() throws {
        var bench = Bench()
        let flow = try #require(bench.call(.getFlow("main")).flow)
        #expect(
            flow.placement
                == PlacementValue(id: "main", audienceName: "All", abTestName: "", revision: 7))
        #expect(flow.content == Samples.quizVariation())
        #expect(flow.hasViewConfiguration)
        let plain = try #require(bench.call(.getFlow("plain")).flow)
        #expect(!plain.hasViewConfiguration)
        #expect(bench.call(.getFlow("tested")).flow?.placement.abTestName == "Colours")
    }

    @Test(
        "PL-6 PL-80 the locale of an onboarding: exact, else the language, else the default",
        arguments: [
            ("", "en", "{\"l\":\"en\"}"), ("  ", "en", "{\"l\":\"en\"}"),
            ("pt-BR", "pt-BR", "{\"l\":\"pt\"}"), ("PT_br", "pt-BR", "{\"l\":\"pt\"}"),
            ("de-AT", "de", nil), ("pt-PT", "en", "{\"l\":\"en\"}"), ("fr", "en", "{\"l\":\"en\"}"),
            ("en-GB", "en", "{\"l\":\"en\"}"),
        ] as [(String, String, String?)])
    func onboardingLocales(given: String, matched: String, config: String?) throws {
        var bench = Bench(locale: "de-DE")
        let onboarding = try #require(
            bench.call(.getOnboarding("intro", locale: given)).onboarding)
        #expect(onboarding.locale == matched)
        #expect(onboarding.remoteConfig?.dataJSON == config)
        #expect(onboarding.content.contentID == "onb")
        #expect(onboarding.placement.id == "intro")
    }

    @Test("PL-10 PL-11 audiences go by priority, All Users last whatever its place in the file")
    func priorities() {
        var bench = Bench()
        let expected = [("pro", "Pros"), ("beginner", "Beginners"), ("amateur", "All")]
        for (experience, audience) in expected {
            bench.call(.attributes([("experience", .string(experience))]))
            #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == audience)
        }
    }

    @Test("PL-10 of two audiences that match the one of priority 1 gives the content")
    func firstMatch() {
        let condition = SegmentCondition(attribute: "platform", operand: .isSet)
        let placement = PlacementDocument(
            id: "p", type: .flow,
            audiences: [
                Samples.audience(
                    "All", versionID: "v0", isAllUsers: true,
                    variations: [Samples.variation("all", version: nil)]),
                Samples.audience(
                    "Second", priority: 2, versionID: "v2", [condition],
                    variations: [Samples.variation("second", version: nil)]),
                Samples.audience(
                    "First", priority: 1, versionID: "v1", [condition],
                    variations: [Samples.variation("first", version: nil)]),
            ])
        var bench = Bench(catalog: catalog([placement]))
        #expect(bench.call(.getFlow("p")).flow?.content.variationID == "first")
    }

    @Test("PL-20 matching uses the backend's profile, not the copy of the device")
    func backendProfile() {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: "u1")))
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        other.call(.attributes([("experience", .string("pro"))]))
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "Pros")
    }

    @Test("PL-20 content is chosen when the backend is asked, not when the answer comes")
    func chosenWhenAsked() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: "u1")))
        var other = Bench("tablet", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u1")))
        try bench.setCondition("get_flow", latencyMs: 1_000)
        let (id, _) = bench.start(.getFlow("main"))
        other.call(.attributes([("experience", .string("pro"))]))
        guard case .answer(id, .success(.flow(let flow)))? = bench.advance(1_000).last else {
            Issue.record("no flow")
            return
        }
        #expect(flow.placement.audienceName == "All")
    }

    @Test("PL-22 an audience without variations is 2006")
    func noVariations() {
        let placement = PlacementDocument(
            id: "p", type: .flow,
            audiences: [Samples.audience("All", versionID: "v", isAllUsers: true, variations: [])])
        var bench = Bench(catalog: catalog([placement]))
        #expect(bench.call(.getFlow("p")).code == 2006)
    }

    @Test("PL-27 PL-28 field case 45: recorded variations stay when weights change")
    func recordedVariations() throws {
        let backend = Backend(catalog: catalog([Samples.tested()]))
        var before: [String] = []
        var benches = (1...40).map { Bench("phone", backend: backend, seed: $0) }
        for place in benches.indices {
            benches[place].call(.activate(Activation()))
            before.append(try variation(&benches[place]))
        }
        #expect(Set(before) == ["A", "B"])
        backend.replaceCatalog(catalog([Samples.tested(weights: (60, 40))]))
        for place in benches.indices {
            #expect(try variation(&benches[place]) == before[place])
        }
        backend.replaceCatalog(
            catalog([Samples.tested(weights: (60, 40), versionID: "pav_field_2")]))
        for place in benches.indices {
            let profileID = benches[place].device.identity.profileID
            let expected = NaiveDraw.choose(
                [("A", 60), ("B", 40)], version: "pav_field_2", profile: profileID)
            #expect(try variation(&benches[place]) == expected, "a new version draws anew")
        }
    }

    @Test("PL-28 a removed variation is drawn anew among the rest")
    func removedVariation() throws {
        let backend = Backend(catalog: catalog([Samples.tested()]))
        var bench = Bench("phone", backend: backend)
        bench.call(.activate(Activation()))
        let first = try variation(&bench)
        var changed = Samples.tested()
        changed.audiences[0].variations.removeAll { $0.variationID == first }
        backend.replaceCatalog(catalog([changed]))
        let second = try variation(&bench)
        #expect(second != first)
        backend.replaceCatalog(catalog([Samples.tested()]))
        #expect(try variation(&bench) == second, "the new one is recorded")
    }

    @Test("PL-27 PL-28 one profile gets one variation on all of its devices")
    func sameOnAllDevices() throws {
        for user in ["u1", "u2", "u3", "u4", "u5"] {
            var first = Bench("phone", catalog: catalog([Samples.tested()]))
            first.call(.activate(Activation(customerUserID: user)))
            var second = Bench("tablet", backend: first.backend, seed: 99)
            second.call(.activate(Activation(customerUserID: user)))
            #expect(try variation(&first) == variation(&second))
        }
    }

    @Test("PL-29 another audience of the placement is drawn with its own version id")
    func otherAudience() throws {
        var placement = Samples.tested()
        var pros = placement.audiences[0]
        pros.isAllUsers = false
        pros.priority = 1
        pros.name = "Pros"
        pros.versionID = "pav_field_pros"
        pros.conditions = [SegmentCondition("custom:experience", "pro")]
        placement.audiences.append(pros)
        let backend = Backend(catalog: catalog([placement]))
        for seed in 1...20 as ClosedRange<UInt64> {
            var bench = Bench("phone", backend: backend, seed: seed)
            bench.call(.activate(Activation()))
            let profileID = bench.device.identity.profileID
            let even = [("A", 50), ("B", 50)]
            #expect(
                try variation(&bench)
                    == NaiveDraw.choose(even, version: "pav_field_1", profile: profileID))
            bench.call(.attributes([("experience", .string("pro"))]))
            #expect(
                try variation(&bench)
                    == NaiveDraw.choose(even, version: "pav_field_pros", profile: profileID))
        }
    }

    @Test("PL-30 each content taken makes one backend event, also a single or recorded one")
    func assignmentEvents() throws {
        var bench = Bench("phone", now: Instant(ms: 77))
        bench.call(.activate(Activation()))
        bench.call(.getFlow("main"))
        bench.call(.getFlow("main"))
        bench.call(.getOnboarding("intro"))
        bench.call(.getFlow("nowhere"))
        let events = bench.backend.events(limit: 100)
        #expect(
            events.map(\.event.name) == [
                "flow_variation_assigned", "flow_variation_assigned",
                "onboarding_variation_assigned",
            ])
        #expect(
            events.last?.event.properties == [
                "variation_id": .string("v-intro"),
                "placement_audience_version_id": .string("pav_intro"),
            ])
        #expect(events.map(\.number) == [1, 2, 3])
        #expect(events.last?.device == "phone")
        #expect(events.last?.time == Instant(ms: 77))
        #expect(events.last?.profileID == bench.device.identity.profileID)
    }

    @Test("PL-30 content that came too late makes no event")
    func lateContent() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 4_500)
        try bench.setCondition("get_flow", .fallback, latencyMs: 500)
        _ = bench.start(.getFlow("main"))
        _ = bench.advance(10_000)
        #expect(bench.backend.events(limit: 100).isEmpty)
    }

    @Test("PL-43 an unknown policy name acts as the default one")
    func unknownPolicy() {
        var bench = Bench()
        let call = SDKCall.getFlow(FetchRequest(placementID: "main", policy: "whatever"))
        #expect(bench.call(call).flow != nil)
    }

    @Test("ID-18 a fetch that ends under another profile fails with 3006 and leaves nothing")
    func profileSwitched() throws {
        var other = Bench("phone")
        other.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: other.backend)
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 800)
        let (id, _) = bench.start(.getFlow("main"))
        _ = bench.advance(100)
        let activation = bench.call(.activate(Activation(customerUserID: "known")))
        #expect(activation.callbacks.count == 1)
        let outputs = bench.advance(700)
        guard case .answer(id, .failure(let error))? = outputs.first, outputs.count == 1 else {
            Issue.record("\(outputs)")
            return
        }
        #expect(error.code == 3006)
        #expect(error == .sdk(AdaptyError(.profileWasChanged, error.message)))
        let request = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(request)).error?.isNotFound == true)
    }

    @Test("ID-18 an update and a read under way end for the former profile, without a callback")
    func formerProfile() throws {
        var other = Bench("phone")
        other.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: other.backend)
        bench.call(.getProfile)
        let former = bench.device.identity.profileID
        try bench.setCondition("get_profile", latencyMs: 500)
        let (read, _) = bench.start(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 500)
        let (update, _) = bench.start(.attributes([("mine", .number(1))]))
        bench.call(.activate(Activation(customerUserID: "known")))
        let outputs = bench.advance(500)
        #expect(outputs.count == 2)
        guard case .answer(read, .success(.profile(let profile)))? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(profile.profileID == former)
        #expect(outputs.last == .answer(update, .success(.done)))
        #expect(
            bench.backend.profileRecord(former)?.profile.customAttributes == ["mine": .number(1)])
        #expect(bench.device.profileRecord?.profile.customAttributes.isEmpty == true)
    }

    private func catalog(_ placements: [PlacementDocument]) -> Catalog {
        Catalog(placements: placements, flows: [:], onboardings: [:], products: [:])
    }

    private func variation(_ bench: inout Bench) throws -> String {
        try #require(bench.call(.getFlow("tested")).flow).content.variationID
    }
}
