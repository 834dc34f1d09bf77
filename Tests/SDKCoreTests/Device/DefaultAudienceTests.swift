import FlowEngine
import Testing

@testable import SDKCore

@Suite("The default audience")
struct DefaultAudienceTests {
    /// A device whose user answers `pro`: targeted it gets `v-pro`, by default `v-all`.
    private func bench() -> Bench {
        var bench = Bench()
        bench.call(.attributes([("experience", .string("pro"))]))
        return bench
    }

    private func variation(_ bench: inout Bench, policy: String = "") -> String? {
        bench.call(.getFlowForDefaultAudience("main", policy: policy)).flow?.content.variationID
    }

    @Test("PL-57 All Users content, whatever the segments; it is cached and makes an event")
    func allUsers() throws {
        var bench = bench()
        let flow = bench.call(.getFlowForDefaultAudience(" main ")).flow
        #expect(flow?.content.variationID == "v-all")
        #expect(flow?.placement.audienceName == "All")
        #expect(bench.assignments == ["v-all"])
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-all")
        let request = ConfigurationRequest(variationID: "v-all")
        try bench.setOffline(false)
        #expect(bench.call(.getFlowConfiguration(request)).code == nil)
    }

    @Test("PL-57 it has no load time-out, and its own conditions")
    func noTimeout() throws {
        var bench = bench()
        try bench.setCondition("get_flow", httpStatus: 404)
        try bench.setCondition("get_flow_for_default_audience", latencyMs: 3_600_000)
        let call = SDKCall.getFlowForDefaultAudience(
            FetchRequest(placementID: "main", loadTimeoutMs: 1_000))
        #expect(bench.call(call, answeredAfterMs: 3_600_000).flow != nil)
    }

    @Test("PL-57 any failure leads to the cache, none to the fallback server")
    func failures() throws {
        for status in [401, 404, 429, 499, 500, 302] as [UInt32] {
            var bench = bench()
            try bench.setCondition("get_flow_for_default_audience", httpStatus: status)
            let code = ServerFailure(httpStatus: status, method: "", .main)?.error.code.number
            let call = SDKCall.getFlowForDefaultAudience("main")
            #expect(bench.call(call).code == code)
            bench.call(.getFlow("main"))
            #expect(bench.call(call).flow?.content.variationID == "v-pro")
        }
    }

    @Test("PL-58 the cache may hold content of a targeted audience")
    func fromCache() {
        var bench = bench()
        bench.call(.getFlow("main"))
        #expect(variation(&bench, policy: SDKCall.cached) == "v-pro")
        #expect(variation(&bench) == "v-all")
        #expect(variation(&bench, policy: SDKCall.cached) == "v-all")
    }

    @Test("ID-30 PL-57 it does not wait for the profile")
    func withoutProfile() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 10_000)
        bench.call(.activate(Activation()))
        #expect(bench.call(.getFlowForDefaultAudience("main")).flow != nil)
        let intro = FetchRequest(placementID: "intro")
        #expect(bench.call(.getOnboardingForDefaultAudience(intro)).onboarding != nil)
    }

    @Test("PRO-24 it looks at no attributes and waits for no update")
    func besideUpdate() throws {
        var bench = bench()
        try bench.setCondition("update_profile", latencyMs: 1_000)
        _ = bench.start(.attributes([("a", .number(1))]))
        #expect(variation(&bench) == "v-all")
    }

    @Test("ID-1 PL-57 before activate: 2002")
    func notActivated() {
        var bench = Bench("phone")
        #expect(bench.call(.getFlowForDefaultAudience("main")).code == 2002)
        let intro = FetchRequest(placementID: "intro")
        #expect(bench.call(.getOnboardingForDefaultAudience(intro)).code == 2002)
    }

    @Test("PL-28 PL-57 the draw is the profile's, and the main backend records it")
    func drawn() throws {
        var bench = Bench("default")
        let call = SDKCall.getFlowForDefaultAudience("tested")
        let drawn = try #require(bench.call(call).flow).content.variationID
        let profileID = bench.device.identity.profileID
        let expected = NaiveDraw.choose(
            [("A", 50), ("B", 50)], version: "pav_field_1", profile: profileID)
        #expect(drawn == expected)
        bench.backend.replaceCatalog(
            Catalog(
                placements: [Samples.tested(weights: drawn == "A" ? (0, 100) : (100, 0))],
                flows: [:], onboardings: [:], products: [:]))
        #expect(bench.call(call).flow?.content.variationID == drawn)
    }

    @Test("PL-3 PL-4 unknown placements and the other type are 2003")
    func unknown() {
        var bench = bench()
        #expect(bench.call(.getFlowForDefaultAudience("nowhere")).code == 2003)
        #expect(bench.call(.getFlowForDefaultAudience("intro")).code == 2003)
        let main = FetchRequest(placementID: "main")
        #expect(bench.call(.getOnboardingForDefaultAudience(main)).code == 2003)
    }

    @Test("PL-57 ID-17 under way over a change of the profile it is answered, and not cached")
    func switchedMeanwhile() throws {
        var known = Bench("phone")
        known.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: known.backend)
        bench.call(.getProfile)
        try bench.setCondition("get_flow_for_default_audience", latencyMs: 500)
        let (id, _) = bench.start(.getFlowForDefaultAudience("main"))
        bench.call(.activate(Activation(customerUserID: "known")))
        #expect(bench.end(of: id, afterMs: 500).flow?.content.variationID == "v-all")
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).code == 2005)
    }

    @Test(
        "PL-79 without a locale an onboarding comes in its own default locale, not in en",
        arguments: [("", "de"), (" ", "de"), ("en", "en"), ("pt_BR", "pt-BR"), ("fr", "de")])
    func onboardingLocale(wanted: String, locale: String) throws {
        var content = Samples.onboarding()
        content.defaultLocale = 2
        var bench = Bench(
            catalog: Catalog(
                placements: [Samples.intro()], flows: [:], onboardings: ["onb": content],
                products: [:]))
        let request = FetchRequest(placementID: "intro", locale: wanted)
        let outcome = bench.call(.getOnboardingForDefaultAudience(request))
        #expect(outcome.onboarding?.locale == locale)
        #expect(bench.assignments == ["v-intro"])
        #expect(bench.call(.getOnboarding("intro")).onboarding?.locale == "en", "PL-6")
    }

    @Test("PL-48 PL-79 without a locale only a cached one in its default locale serves")
    func cachedDefaultLocale() throws {
        for (locale, serves) in [("en", true), ("pt-BR", false)] {
            var bench = Bench()
            bench.call(.getOnboarding("intro", locale: locale))
            try bench.setOffline(true)
            let request = FetchRequest(placementID: "intro", policy: SDKCall.cached)
            let outcome = bench.call(.getOnboardingForDefaultAudience(request))
            #expect((outcome.onboarding != nil) == serves)
        }
    }
}
