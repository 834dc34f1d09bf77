import FlowEngine
import Testing

@testable import SDKCore

@Suite("Fetch policies and the cache")
struct PlacementCacheTests {
    private func pro(_ bench: inout Bench, _ experience: String = "pro") {
        bench.call(.attributes([("experience", .string(experience))]))
    }

    @Test("PL-40 by default the network is asked, the cache serves only on failure")
    func reload() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        pro(&bench)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-pro")
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-pro")
        #expect(bench.assignments == ["v-all", "v-pro"], "PL-30: none from the cache")
    }

    @Test("PL-41 PL-45 cached content of any age is returned, with the targeting of its fetch")
    func cacheElseLoad() throws {
        var bench = Bench()
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).flow != nil, "it is loaded")
        pro(&bench)
        _ = bench.advance(1_000_000_000_000)
        try bench.setCondition("get_flow", httpStatus: 404, calls: 1)
        let flow = bench.call(.getFlow("main", policy: SDKCall.cached)).flow
        #expect(flow?.content.variationID == "v-all")
        #expect(bench.assignments == ["v-all"])
        #expect(bench.call(.getFlow("plain")).code == 2003, "the cache asked no server")
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-pro")
    }

    @Test("PL-42 cached content younger than max_age is returned; exactly as old is expired")
    func byAge() throws {
        for (age, isFresh) in [(9_999 as Int64, true), (10_000, false), (10_001, false)] {
            var bench = Bench()
            bench.call(.getFlow("main"))
            pro(&bench)
            _ = bench.advance(age)
            let flow = bench.call(
                .getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: 10_000)
            ).flow
            #expect(flow?.content.variationID == (isFresh ? "v-all" : "v-pro"))
        }
    }

    @Test("PL-42 the age counts from when the content came, and is that of the latest fetch")
    func ageOfLatest() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 3_000, calls: 1)
        _ = bench.call(.getFlow("main"), answeredAfterMs: 3_000)
        pro(&bench)
        _ = bench.advance(999)
        let call = SDKCall.getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: 1_000)
        #expect(bench.call(call).flow?.content.variationID == "v-all")
        bench.call(.getFlow("main"))
        pro(&bench, "beginner")
        _ = bench.advance(999)
        #expect(bench.call(call).flow?.content.variationID == "v-pro")
    }

    @Test(
        "PL-42 without max_age: 2006, before any server is asked",
        arguments: ["get_flow", "get_onboarding", "default"])
    func withoutAge(method: String) throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        let request = FetchRequest(placementID: "main", policy: SDKCall.cachedByAge)
        let call: SDKCall =
            switch method {
            case "get_flow": .getFlow(request)
            case "get_onboarding": .getOnboarding(request)
            default: .getFlowForDefaultAudience(request)
            }
        let outcome = bench.call(call)
        #expect(outcome.code == 2006)
        #expect(outcome.error?.message.contains("max_age") == true)
        #expect(bench.assignments == ["v-all"])
    }

    @Test(
        "PL-42 max_age 0 is always expired; the largest one never is", arguments: [0, UInt64.max])
    func ages(maxAge: UInt64) {
        var bench = Bench()
        bench.call(.getFlow("main"))
        pro(&bench)
        let call = SDKCall.getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: maxAge)
        #expect(bench.call(call).flow?.content.variationID == (maxAge == 0 ? "v-pro" : "v-all"))
    }

    @Test("PL-43 an unknown policy name acts as the default one")
    func unknownPolicy() {
        var bench = Bench()
        bench.call(.getFlow("main"))
        pro(&bench)
        let flow = bench.call(.getFlow("main", policy: "Return_Cache_Data_Else_Load")).flow
        #expect(flow?.content.variationID == "v-pro")
    }

    @Test("PL-44 the cache keeps placements apart, also those that differ only in normalisation")
    func byPlacement() throws {
        var composed = Samples.plain()
        composed.id = "\u{e9}"
        var decomposed = Samples.tested()
        decomposed.id = "e\u{301}"
        var bench = Bench(
            catalog: Catalog(
                placements: [composed, decomposed], flows: [:], onboardings: [:], products: [:]))
        bench.call(.getFlow("\u{e9}"))
        try bench.setOffline(true)
        let flow = bench.call(.getFlow("\u{e9}", policy: SDKCall.cached)).flow
        #expect(flow?.content.variationID == "v-plain")
        #expect(bench.call(.getFlow("e\u{301}", policy: SDKCall.cached)).code == 2005)
    }

    @Test("PL-44 ID-17 another profile finds an empty cache")
    func otherProfile() throws {
        var known = Bench("phone")
        known.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: known.backend)
        bench.call(.getFlow("main"))
        bench.call(.activate(Activation(customerUserID: "known")))
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).code == 2005)
    }

    @Test("PL-44 GEN-11 the cache survives the process of the app, with its age, the documents too")
    func nextProcess() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        let configuration = ConfigurationRequest(variationID: "v-all")
        bench.call(.getFlowConfiguration(configuration))
        pro(&bench)
        _ = bench.advance(999)
        bench.restart()
        let call = SDKCall.getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: 1_000)
        #expect(bench.call(call).flow?.content.variationID == "v-all")
        try bench.setOffline(true)
        #expect(bench.call(.getFlowConfiguration(configuration)).code == nil)
        _ = bench.advance(1)
        try bench.setOffline(false)
        #expect(bench.call(call).flow?.content.variationID == "v-pro")
    }

    @Test("PL-44 a fresh installation has none")
    func reset() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        bench.device.reset()
        bench.call(.getProfile)
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).code == 2005)
    }

    @Test("PL-44 ID-14 a customer user ID that is attached keeps the cache")
    func sameProfile() throws {
        var bench = Bench("default")
        bench.call(.getFlow("main"))
        bench.call(.activate(Activation(customerUserID: "new")))
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow != nil)
    }

    @Test("PL-46 of one variation the one of the later response is kept and returned")
    func newerKept() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 3_000, calls: 1)
        let (slow, _) = bench.start(.getFlow("main"))
        _ = bench.advance(1_000)
        bench.backend.replaceCatalog(Self.renamed("later"))
        #expect(bench.call(.getFlow("main")).flow?.content.name == "later")
        let outcome = bench.end(of: slow, afterMs: 2_000)
        #expect(outcome.flow?.content.name == "later", "the cached one is returned")
        #expect(bench.assignments == ["v-all"], "PL-30: it makes no event")
        let call = SDKCall.getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: 2_000)
        try bench.setOffline(true)
        _ = bench.advance(0)
        #expect(bench.call(call).flow?.content.name == "later", "PL-55: offline the cache serves")
        #expect(bench.device.cache["main"]?.fetchedAt == bench.now.advanced(byMs: -2_000))
    }

    @Test("PL-46 another variation replaces a later response")
    func otherVariation() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 3_000, calls: 1)
        let (slow, _) = bench.start(.getFlow("main"))
        pro(&bench)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-pro")
        #expect(bench.end(of: slow, afterMs: 3_000).flow?.content.variationID == "v-all")
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-all")
    }

    @Test("PL-46 two responses of one instant: the one that came last is kept")
    func sameInstant() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        bench.backend.replaceCatalog(Self.renamed("later"))
        #expect(bench.call(.getFlow("main")).flow?.content.name == "later")
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow?.content.name == "later")
    }

    @Test("PL-47 an answer from the cache leaves its age as it is")
    func ageStays() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        pro(&bench)
        let call = SDKCall.getFlow("main", policy: SDKCall.cachedByAge, maxAgeMs: 1_000)
        _ = bench.advance(600)
        #expect(bench.call(call).flow?.content.variationID == "v-all")
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).flow != nil)
        _ = bench.advance(600)
        #expect(bench.call(call).flow?.content.variationID == "v-pro")
    }

    @Test(
        "PL-48 a cached onboarding serves in its language or if it is in the default locale",
        arguments: [
            ("pt-BR", "pt-BR", true), ("pt-BR", "pt_br", true), ("pt-BR", "pt-PT", true),
            ("pt-BR", "pt", true), ("pt-BR", "en", false), ("pt-BR", "", false),
            ("pt-BR", "de", false), ("en", "de", true), ("en", "fr-CA", true), ("fr", "de", true),
            ("de", "de-AT", true), ("de", "d", false),
        ])
    func languages(cached: String, wanted: String, serves: Bool) throws {
        var bench = Bench()
        bench.call(.getOnboarding("intro", locale: cached))
        try bench.setOffline(true)
        let request = FetchRequest(
            placementID: "intro", locale: wanted, policy: SDKCall.cached)
        #expect((bench.call(.getOnboarding(request)).onboarding != nil) == serves)
    }

    @Test("PL-48 a flow in the cache serves whatever the locale")
    func flowLocale() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setOffline(true)
        let request = FetchRequest(placementID: "main", locale: "xx", policy: SDKCall.cached)
        #expect(bench.call(.getFlow(request)).flow != nil)
    }

    @Test("PL-46 PL-48 a newer cached onboarding in another language is not returned")
    func otherLanguage() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_onboarding", latencyMs: 1_000, calls: 1)
        let (slow, _) = bench.start(.getOnboarding("intro", locale: "de"))
        _ = bench.advance(500)
        bench.call(.getOnboarding("intro", locale: "pt-BR"))
        #expect(bench.end(of: slow, afterMs: 500).onboarding?.locale == "de")
    }

    @Test("PL-4 content of the other type does not serve")
    func otherType() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setOffline(true)
        #expect(bench.call(.getOnboarding("main")).code == 2005)
    }

    @Test("PL-3 a placement that the catalog lost is served from the cache")
    func lostPlacement() {
        var bench = Bench()
        bench.call(.getFlow("main"))
        bench.backend.replaceCatalog(
            Catalog(placements: [], flows: [:], onboardings: [:], products: [:]))
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-all")
        #expect(bench.call(.getFlow("plain")).code == 2003)
    }

    @Test("PRO-24 a fetch by cache behind an update waits for it, and takes no time of its own")
    func behindUpdate() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setCondition("update_profile", latencyMs: 100)
        let (update, _) = bench.start(.attributes([("a", .number(1))]))
        let (fetch, nothing) = bench.start(.getFlow("main", policy: SDKCall.cached))
        #expect(nothing.isEmpty)
        let answers = bench.advance(100).compactMap { output in
            if case .answer(let id, _) = output { id } else { nil }
        }
        #expect(answers == [update, fetch])
    }

    @Test("1 024 placements are cached, the oldest goes")
    func placementsMax() {
        var cache = PlacementCache()
        func keep(_ number: Int) {
            let placement = PlacementValue(
                id: "p\(number)", audienceName: "", abTestName: "", revision: 1)
            let content = FetchedContent.flow(
                Flow(placement: placement, content: Samples.variation("v", version: nil)))
            cache.keep(
                CachedPlacement(
                    content: content, createdAt: Instant(ms: 0), fetchedAt: Instant(ms: 0)))
        }
        for number in 0..<1_024 { keep(number) }
        #expect(cache["p0"] != nil)
        keep(1_024)
        #expect(cache["p0"] == nil)
        #expect(cache["p1"] != nil)
        #expect(cache.placements.count == SDKLimits.cachedPlacementsMax)
        #expect(PlacementCache(cache.placements).placements == cache.placements)
    }

    private static func renamed(_ name: String) -> Catalog {
        var placement = Samples.main()
        placement.audiences[0].variations[0].name = name
        return Catalog(placements: [placement], flows: [:], onboardings: [:], products: [:])
    }
}
