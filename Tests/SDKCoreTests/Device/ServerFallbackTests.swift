import FlowEngine
import Testing

@testable import SDKCore

@Suite("Load time-out, main backend and fallback server")
struct ServerFallbackTests {
    /// A device whose user answers `pro`, so that the main backend gives `v-pro` and the fallback
    /// server `v-all`. Nothing is cached.
    private func bench() -> Bench {
        var bench = Bench()
        bench.call(.attributes([("experience", .string("pro"))]))
        return bench
    }

    private static func fetch(_ type: PlacementType, loadTimeoutMs: UInt32?) -> SDKCall {
        let request = FetchRequest(
            placementID: type == .flow ? "main" : "intro", loadTimeoutMs: loadTimeoutMs)
        return type == .flow ? .getFlow(request) : .getOnboarding(request)
    }

    @Test(
        "PL-50 PL-51 PL-56 the main backend has the time-out less 0.5 s; at its end it is late",
        arguments: [
            (nil, 4_499, true), (nil, 4_500, false), (5_000, 4_499, true), (5_000, 4_500, false),
            (2_000, 1_499, true), (2_000, 1_500, false), (200, 499, true), (200, 500, false),
            (0, 499, true), (0, 500, false), (1_000, 499, true), (.max, 4_294_966_794, true),
        ] as [(UInt32?, UInt32, Bool)])
    func lateAnswers(timeout: UInt32?, latency: UInt32, isInTime: Bool) throws {
        for type in [PlacementType.flow, .onboarding] {
            var bench = bench()
            try bench.setCondition("", latencyMs: latency)
            try bench.setCondition("", .fallback, httpStatus: 404)
            let outcome = bench.call(
                Self.fetch(type, loadTimeoutMs: timeout), answeredAfterMs: Int64(latency))
            #expect(outcome.code == (isInTime ? nil : 2003))
            #expect(bench.assignments == (isInTime ? [type == .flow ? "v-pro" : "v-intro"] : []))
        }
    }

    @Test(
        "PL-60 every call that fetches meets its time-out with 2005, and none with 3101",
        arguments: [
            (.getFlow("main"), 5_000), (fetch(.onboarding, loadTimeoutMs: nil), 5_000),
            (fetch(.flow, loadTimeoutMs: 1_000), 1_000),
            (.getFlowConfiguration(ConfigurationRequest(variationID: "v-pro")), 5_000),
        ] as [(SDKCall, Int64)])
    func timeouts(call: SDKCall, spanMs: Int64) throws {
        var bench = bench()
        bench.call(.getFlow("main"))
        bench.device.cache.removeAll()
        try bench.setCondition("", latencyMs: 60_000)
        try bench.setCondition("", .fallback, latencyMs: 60_000)
        #expect(bench.call(call, answeredAfterMs: spanMs).code == 2005)
    }

    @Test("PL-51 a late answer is given up at the limit, not when it would have come")
    func givenUp() throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 60_000)
        _ = bench.start(.getFlow("main"))
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 4_500))
        #expect(bench.advance(4_500).count == 1)
    }

    @Test("PL-56 main after 4.499 s: targeted content")
    func inTime() throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 4_499)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 4_499)
        #expect(outcome.flow?.content.variationID == "v-pro")
    }

    @Test("PL-53 PL-56 main late, fallback server after 0.4 s: All Users content at 4.9 s")
    func fallbackServer() throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 4_500)
        try bench.setCondition("get_flow", .fallback, latencyMs: 400)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 4_900)
        #expect(outcome.flow?.content.variationID == "v-all")
        #expect(outcome.flow?.placement.audienceName == "All")
        #expect(bench.assignments == ["v-all"])
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main")).flow?.content.variationID == "v-all", "it is cached")
    }

    @Test(
        "PL-55 PL-56 main late, fallback server at the end of the time-out or later: 2005 at 5.0 s",
        arguments: [500, 600, 60_000] as [UInt32])
    func bothLate(latency: UInt32) throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 4_500)
        try bench.setCondition("get_flow", .fallback, latencyMs: latency)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 5_000)
        #expect(outcome.code == 2005)
        #expect(outcome.error?.message.contains("fallback server within 500 ms") == true)
        #expect(bench.assignments.isEmpty)
    }

    @Test("PL-56 a time-out of 0.2 s means 1.0 s: 0.5 s for each server")
    func shortest() throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 500)
        try bench.setCondition("get_flow", .fallback, latencyMs: 499)
        let call = SDKCall.getFlow(FetchRequest(placementID: "main", loadTimeoutMs: 200))
        #expect(bench.call(call, answeredAfterMs: 999).flow?.content.variationID == "v-all")
    }

    @Test("PL-52 the fallback server has the time that is left after an early failure")
    func timeLeft() throws {
        for (latency, isInTime) in [(3_999 as UInt32, true), (4_000, false)] {
            var bench = bench()
            try bench.setCondition("get_flow", latencyMs: 1_000, httpStatus: 503)
            try bench.setCondition("get_flow", .fallback, latencyMs: latency)
            let outcome = bench.call(
                .getFlow("main"), answeredAfterMs: 1_000 + Int64(latency))
            #expect(outcome.code == (isInTime ? nil : 2005))
        }
    }

    @Test(
        "PL-52 PL-54 which statuses lead to the fallback server",
        arguments: [
            (499, true), (500, true), (503, true), (599, true), (429, false), (400, false),
            (401, false), (403, false), (404, false), (302, false), (600, false),
        ] as [(UInt32, Bool)])
    func statuses(status: UInt32, leads: Bool) throws {
        for type in [PlacementType.flow, .onboarding] {
            var bench = bench()
            try bench.setCondition("", httpStatus: status)
            let outcome = bench.call(Self.fetch(type, loadTimeoutMs: nil))
            #expect((outcome.code == nil) == leads)
        }
    }

    @Test("PL-54 offline skips the fallback server; its condition is not used up")
    func offline() throws {
        var bench = bench()
        try bench.setOffline(true)
        try bench.setCondition("get_flow", .fallback, httpStatus: 500, calls: 1)
        #expect(bench.call(.getFlow("main")).code == 2005)
        try bench.setOffline(false)
        try bench.setCondition("get_flow", httpStatus: 500)
        #expect(bench.call(.getFlow("main")).code == 2004)
    }

    @Test(
        "PL-55 the error is that of the server asked last",
        arguments: [
            (500, 404, 2003), (500, 500, 2004), (499, 429, 2004), (500, 401, 2002),
            (500, 302, 2006), (404, 0, 2003), (429, 0, 2004), (401, 0, 2002), (302, 0, 2006),
        ] as [(UInt32, UInt32, Int32)])
    func lastError(main: UInt32, fallback: UInt32, code: Int32) throws {
        var bench = bench()
        try bench.setCondition("get_flow", httpStatus: main)
        try bench.setCondition("get_flow", .fallback, httpStatus: fallback)
        #expect(bench.call(.getFlow("main")).code == code)
    }

    @Test("PL-52 cached content comes before the fallback server, which is not asked")
    func cacheFirst() throws {
        for (status, latency) in [(503 as UInt32, 200 as UInt32), (0, 60_000)] {
            var bench = bench()
            bench.call(.getFlow("main"))
            try bench.setCondition("get_flow", latencyMs: latency, httpStatus: status)
            try bench.setCondition("get_flow", .fallback, httpStatus: 404, calls: 1)
            let outcome = bench.call(
                .getFlow("main"), answeredAfterMs: min(Int64(latency), 4_500))
            #expect(outcome.flow?.content.variationID == "v-pro")
            #expect(bench.assignments == ["v-pro"], "PL-30: cached content makes no event")
            try bench.setCondition("get_flow", httpStatus: 503)
            #expect(bench.call(.getFlow("plain")).code == 2003, "the condition still holds")
        }
    }

    @Test("PL-28 PL-53 the fallback server draws for the profile, without the backend's record")
    func drawnWithoutRecord() throws {
        var first = Bench("phone")
        first.call(.activate(Activation(customerUserID: "u1")))
        let recorded = try #require(first.call(.getFlow("tested")).flow).content.variationID
        // From now on every draw gives the other one.
        first.backend.replaceCatalog(
            Catalog(
                placements: [Samples.tested(weights: recorded == "A" ? (0, 100) : (100, 0))],
                flows: [:], onboardings: [:], products: [:]))
        var second = Bench("tablet", backend: first.backend)
        second.call(.activate(Activation(customerUserID: "u1")))
        try second.setCondition("get_flow", httpStatus: 503, calls: 1)
        let drawn = second.call(.getFlow("tested")).flow?.content.variationID
        #expect(drawn == (recorded == "A" ? "B" : "A"))
        #expect(second.call(.getFlow("tested")).flow?.content.variationID == recorded)
    }

    @Test("PL-3 PL-4 the fallback server knows no other placements than the main one")
    func unknownThere() throws {
        var bench = bench()
        try bench.setCondition("", httpStatus: 503)
        #expect(bench.call(.getFlow("nowhere")).code == 2003)
        #expect(bench.call(.getFlow("intro")).code == 2003)
    }

    @Test("ID-30 PL-52 without a profile the fallback server is asked at the limit")
    func awaitedProfile() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", httpStatus: 500)
        bench.call(.activate(Activation()))
        try bench.setCondition("get_flow", .fallback, latencyMs: 300)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 4_800)
        #expect(outcome.flow?.content.variationID == "v-all")
    }

    @Test("ID-18 field case 3 a profile that changes while the fallback server is asked: 3006")
    func switchedMeanwhile() throws {
        var known = Bench("phone")
        known.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: known.backend)
        bench.call(.getProfile)
        try bench.setCondition("get_flow", httpStatus: 503)
        try bench.setCondition("get_flow", .fallback, latencyMs: 800)
        let (id, _) = bench.start(.getFlow("main"))
        _ = bench.advance(100)
        bench.call(.activate(Activation(customerUserID: "known")))
        let outcome = bench.end(of: id, afterMs: 700)
        #expect(outcome.code == 3006)
        if case .sdk(let error)? = outcome.error { #expect(error.isRetryable) }
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).code == 2005)
    }

    @Test("ID-18 field case 3 a failure of the former profile's fetch is 3006, not its cache")
    func switchedBeforeFailure() throws {
        var known = Bench("phone")
        known.call(.activate(Activation(customerUserID: "known")))
        var bench = Bench("default", backend: known.backend)
        bench.call(.getFlow("main"))
        try bench.setCondition("get_flow", latencyMs: 800, httpStatus: 503)
        let (id, _) = bench.start(.getFlow("main"))
        _ = bench.advance(100)
        bench.call(.activate(Activation(customerUserID: "known")))
        #expect(bench.end(of: id, afterMs: 700).code == 3006)
    }

    @Test("GEN-10 a fetch is cancelled while the fallback server is asked")
    func cancelled() throws {
        var bench = bench()
        try bench.setCondition("get_flow", httpStatus: 503)
        try bench.setCondition("get_flow", .fallback, latencyMs: 300)
        let (id, _) = bench.start(.getFlow("main"))
        let outputs = bench.cancel(id)
        #expect(bench.outcome(of: id, in: outputs).code == 9000)
        #expect(bench.advance(10_000).isEmpty)
    }
}
