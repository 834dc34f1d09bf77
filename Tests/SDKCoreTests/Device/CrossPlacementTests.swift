import FlowEngine
import Testing

@testable import SDKCore

@Suite("Cross-placement tests")
struct CrossPlacementTests {
    private func bench(_ name: String = "default", backend: Backend? = nil) -> Bench {
        Bench(name, catalog: Samples.crossPlacementCatalog(), backend: backend)
    }

    private func variation(_ bench: inout Bench, _ placement: String) -> String? {
        bench.call(.getFlow(placement)).flow?.content.variationID
    }

    @Test("PL-21 audiences of such tests come before all others, among themselves by priority")
    func order() {
        var placement = Samples.plain()
        for (name, priority, isCross) in [
            ("Late", 1, false), ("Test 7", 7, true), ("Test 5", 5, true),
        ] {
            var audience = Samples.audience(
                name, priority: priority, versionID: name,
                variations: [Samples.variation(name, version: nil)])
            audience.isCrossPlacement = isCross
            placement.audiences.append(audience)
        }
        let order = PreparedPlacement(placement).audiences.map(\.document.name)
        #expect(order == ["Test 5", "Test 7", "Late", "All"])
    }

    @Test("PL-21 PL-31 a profile that never fetched a flow joins, by draw, with its first one")
    func joins() throws {
        var bench = bench()
        let flow = try #require(bench.call(.getFlow("first")).flow)
        #expect(flow.placement.audienceName == "Test")
        #expect(flow.placement.abTestName == "Everywhere")
        let drawn = NaiveDraw.choose(
            [("x1", 50), ("y1", 50)], version: "pav_first_test",
            profile: bench.device.identity.profileID)
        #expect(flow.content.variationID == drawn)
    }

    @Test("PL-30 PL-31 placements of the map give the mapped variation without a draw")
    func mapped() throws {
        var seen: Set<String> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            var bench = Bench(catalog: Samples.crossPlacementCatalog(), seed: seed)
            let first = try #require(variation(&bench, "first"))
            let second = try #require(bench.call(.getFlow("second")).flow)
            #expect(second.content.variationID == (first == "x1" ? "x2" : "y2"))
            #expect(second.placement.audienceName == "Test")
            #expect(variation(&bench, "first") == first)
            #expect(bench.assignments == [first, second.content.variationID, first])
            let event = bench.backend.events(limit: 2).last?.event
            #expect(
                event?.properties["placement_audience_version_id"] == .string("pav_second_test"))
            seen.insert(first)
        }
        #expect(seen == ["x1", "y1"])
    }

    @Test("PL-31 placements outside the map are drawn alone, and no second test is joined")
    func outsideTheMap() {
        var bench = bench()
        _ = variation(&bench, "first")
        #expect(variation(&bench, "third") == "third-all")
        #expect(variation(&bench, "other") == "other-all", "its audience is passed over")
    }

    @Test("PL-21 PL-31 a profile that fetched a flow before passes the tests over")
    func mayNotJoin() {
        var bench = bench()
        #expect(variation(&bench, "third") == "third-all")
        #expect(variation(&bench, "first") == "first-all")
        #expect(variation(&bench, "second") == "second-all")
    }

    @Test("PL-31 an onboarding that was fetched before does not count")
    func onboardingBefore() {
        let catalog = Samples.crossPlacementCatalog()
        let sample = Samples.catalog()
        var bench = Bench(
            catalog: Catalog(
                placements: catalog.placements + [Samples.intro()], flows: [:],
                onboardings: sample.onboardings, products: [:]))
        bench.call(.getOnboarding("intro"))
        #expect(bench.call(.getFlow("first")).flow?.placement.audienceName == "Test")
    }

    @Test("PL-31 a fetch that failed, and one from the cache, join nothing and are no fetch")
    func failedFetch() throws {
        var bench = bench()
        bench.call(.getFlow("nowhere"))
        try bench.setOffline(true)
        bench.call(.getFlow("first"))
        try bench.setOffline(false)
        #expect(bench.call(.getFlow("first")).flow?.placement.audienceName == "Test")
    }

    @Test("PL-31 a flow of the fallback server or of the default audience counts as fetched")
    func otherServers() throws {
        for isDefault in [false, true] {
            var bench = bench()
            bench.call(.getProfile)
            if isDefault {
                bench.call(.getFlowForDefaultAudience("first"))
            } else {
                try bench.setCondition("get_flow", httpStatus: 503, calls: 1)
                bench.call(.getFlow("first"))
            }
            #expect(bench.assignments == ["first-all"])
            #expect(variation(&bench, "second") == "second-all")
        }
    }

    @Test("PL-31 PL-53 the fallback server gives the mapped variation too")
    func fallbackServer() throws {
        var bench = bench()
        let first = try #require(variation(&bench, "first"))
        try bench.setCondition("get_flow", httpStatus: 503)
        #expect(variation(&bench, "second") == (first == "x1" ? "x2" : "y2"))
        #expect(variation(&bench, "third") == "third-all")
    }

    @Test("PL-57 the default audience ignores the joined test")
    func defaultAudience() {
        var bench = bench()
        _ = variation(&bench, "first")
        let flow = bench.call(.getFlowForDefaultAudience("second")).flow
        #expect(flow?.content.variationID == "second-all")
    }

    @Test("PL-31 a mapped variation that was removed: the placement is drawn alone")
    func removed() throws {
        var bench = bench()
        _ = variation(&bench, "first")
        let catalog = Samples.crossPlacementCatalog()
        let without = catalog.placements.map { placement in
            var placement = placement
            if placement.id == "second" { placement.audiences.removeLast() }
            return placement
        }
        bench.backend.replaceCatalog(
            Catalog(placements: without, flows: [:], onboardings: [:], products: [:]))
        #expect(variation(&bench, "second") == "second-all")
    }

    @Test("PL-32 the state is that of the profile: another device of it has it too")
    func otherDevice() throws {
        var phone = bench("phone")
        phone.call(.activate(Activation(customerUserID: "u1")))
        let first = try #require(variation(&phone, "first"))
        var tablet = bench("tablet", backend: phone.backend)
        tablet.call(.activate(Activation(customerUserID: "u1")))
        #expect(variation(&tablet, "second") == (first == "x1" ? "x2" : "y2"))
        #expect(variation(&tablet, "other") == "other-all")
    }

    @Test("PL-32 the state survives the process of the app")
    func nextProcess() throws {
        var bench = bench()
        let first = try #require(variation(&bench, "first"))
        bench.restart()
        #expect(variation(&bench, "second") == (first == "x1" ? "x2" : "y2"))
    }

    @Test("ID-17 PL-32 a new profile of the same device starts empty, and may join")
    func newProfile() {
        var bench = bench()
        #expect(variation(&bench, "third") == "third-all")
        bench.call(.activate(Activation(apiKey: "a", customerUserID: "u1")))
        #expect(variation(&bench, "first") == "first-all", "ID-14: the same profile")
        var other = self.bench("phone", backend: bench.backend)
        other.call(.activate(Activation(customerUserID: "u2")))
        #expect(other.call(.getFlow("first")).flow?.placement.audienceName == "Test")
    }

    @Test("PL-11 PL-21 All Users of a test matches also who may not join it")
    func allUsersOfATest() {
        var placement = Samples.plain()
        placement.audiences[0].isCrossPlacement = true
        placement.audiences[0].variations[0].placementMap = ["plain": "v-plain"]
        var bench = Bench(
            catalog: Catalog(
                placements: [placement, Samples.tested()], flows: [:], onboardings: [:],
                products: [:]))
        bench.call(.getFlow("tested"))
        #expect(variation(&bench, "plain") == "v-plain")
        let state = bench.backend.profiles.values.first?.crossPlacement
        #expect(state?.variations == nil)
        #expect(state?.hasFetchedFlow == true)
    }

    @Test("PL-31 placement ids of a map are compared code point by code point")
    func exactNames() {
        var state = CrossPlacementState()
        state.variations = ["\u{e9}": "v"]
        #expect(state.variationID(at: "\u{e9}") == "v")
        #expect(state.variationID(at: "e\u{301}") == nil)
    }
}
