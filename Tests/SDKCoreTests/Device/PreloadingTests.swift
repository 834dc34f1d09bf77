import FlowEngine
import Testing

@testable import SDKCore

@Suite("Preloading")
struct PreloadingTests {
    /// The errors of an answer by placement, as they came.
    private func errors(_ outcome: Outcome) -> [String] {
        guard case .sdk(let error)? = outcome.error else { return [] }
        return error.preloadErrors.map { "\($0.placementID) \($0.error.code.number)" }
    }

    @Test("PL-59 every placement is fetched into the cache, once; ids are trimmed")
    func loads() throws {
        var bench = Bench()
        let outcome = bench.call(.preload([" main", "", "plain", " ", "main ", "plain"]))
        #expect(outcome.isDone)
        #expect(bench.assignments == ["v-all", "v-plain"])
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).flow != nil)
        #expect(bench.call(.getFlow("plain", policy: SDKCall.cached)).flow != nil)
        #expect(bench.call(.getFlow("tested", policy: SDKCall.cached)).code == 2005)
    }

    @Test("PL-59 an empty list, and one of blank ids, is a success", arguments: [[], ["", " \n"]])
    func empty(ids: [String]) throws {
        var bench = Bench()
        try bench.setOffline(true)
        #expect(bench.call(.preload(ids)).isDone)
    }

    @Test("ID-1 PL-59 before activate: 2002, an empty list too")
    func notActivated() {
        var bench = Bench("phone")
        #expect(bench.call(.preload([])).code == 2002)
    }

    @Test("PL-59 every placement is tried before one error tells of those that failed")
    func partly() throws {
        var bench = Bench()
        let outcome = bench.call(.preload(["nowhere", "main", "intro", "plain"]))
        #expect(outcome.code == 2005)
        #expect(errors(outcome) == ["nowhere 2003", "intro 2003"])
        #expect(outcome.error?.message.contains("2 of 4") == true)
        #expect(bench.assignments == ["v-all", "v-plain"])
    }

    @Test("PL-59 each placement is a call of its own under the conditions")
    func conditions() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "preload_flows", httpStatus: 404, calls: 1),
                CallCondition(method: "preload_flows", latencyMs: 700, httpStatus: 429, calls: 1),
                CallCondition(method: "preload_flows", latencyMs: 300, calls: 1),
            ]
        }
        let outcome = bench.call(.preload(["main", "plain", "tested"]), answeredAfterMs: 700)
        #expect(errors(outcome) == ["main 2003", "plain 2004"])
    }

    @Test("PL-52 PL-59 the time-out is common; the fallback server has what is left of it")
    func commonTimeout() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "preload_flows", latencyMs: 1_499, calls: 1),
                CallCondition(method: "preload_flows", latencyMs: 1_500, calls: 1),
                CallCondition(method: "preload_flows", httpStatus: 503, calls: 1),
                CallCondition(
                    method: "preload_flows", server: .fallback, latencyMs: 1_999, calls: 1),
                CallCondition(method: "preload_flows", server: .fallback, latencyMs: 500),
            ]
        }
        let call = SDKCall.preload(["plain", "main", "tested"], loadTimeoutMs: 2_000)
        let outcome = bench.call(call, answeredAfterMs: 2_000)
        #expect(errors(outcome) == ["main 2005"])
        #expect(bench.assignments.count == 2)
    }

    @Test("PL-59 PL-77 what the cache holds already does not stand for what could not be loaded")
    func cachedBefore() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setOffline(true)
        #expect(errors(bench.call(.preload(["main"]))) == ["main 2005"])
        #expect(bench.call(.getFlow("main")).flow != nil)
    }

    @Test("ID-30 PRO-24 PL-59 it waits for the profile and for updates before it")
    func waits() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 100)
        _ = bench.start(.attributes([("experience", .string("pro"))]))
        let (id, nothing) = bench.start(.preload(["main", "plain"]))
        #expect(nothing.isEmpty)
        let outputs = bench.advance(100)
        #expect(outputs.last == .answer(id, .success(.done)))
        #expect(bench.assignments == ["v-pro", "v-plain"])
    }

    @Test("GEN-10 PL-59 cancelled or expired, all of its fetches go; what was fetched stays")
    func cancelled() throws {
        for isCancelled in [true, false] {
            var bench = Bench()
            bench.call(.getProfile)
            try bench.setCondition("preload_flows", latencyMs: 100)
            let (id, _) = bench.start(.preload(["main", "plain"]))
            if isCancelled {
                let outputs = bench.cancel(id)
                #expect(bench.outcome(of: id, in: outputs).code == 9000)
            } else {
                let isExpired = bench.device.expire(id)
                #expect(isExpired)
            }
            #expect(bench.device.calls.isEmpty)
            #expect(bench.device.preloads.isEmpty)
            #expect(bench.advance(1_000).isEmpty)
        }
    }

    @Test("1 024 placements are preloaded at once, one more is refused and nothing is fetched")
    func placementsMax() throws {
        var bench = Bench()
        bench.call(.getProfile)
        let ids = (0...SDKLimits.waitingCallsMax).map { "p\($0)" }
        let outcome = bench.call(.preload(ids))
        #expect(outcome.error?.isLimitExceeded == true)
        #expect(bench.device.calls.isEmpty)
        #expect(errors(bench.call(.preload(Array(ids.dropLast())))).count == 1_024)
    }
}
