import FlowEngine
import Testing

@testable import SDKCore

@Suite("Simulated conditions, waiting, cancelling")
struct ConditionsTests {
    @Test(
        "ERR-2 a server status gives its code",
        arguments: [
            (0, nil), (200, nil), (204, nil), (400, 2003), (401, 2002), (402, 2003), (403, 2002),
            (404, 2003), (428, 2003), (429, 2004), (430, 2003), (498, 2003), (499, 2004),
            (500, 2004), (503, 2004), (599, 2004), (302, 2006), (600, 2006), (100, 2006),
        ] as [(UInt32, Int32?)])
    func statuses(status: UInt32, code: Int32?) throws {
        let error = ServerFailure(httpStatus: status, method: "get_flow", .main)?.error
        #expect(error?.code.number == code)
        var bench = Bench()
        bench.call(.getProfile)
        for server in [CallCondition.Server.main, .fallback] {
            try bench.setCondition("get_flow", server, httpStatus: status)
            try bench.setCondition("get_onboarding", server, httpStatus: status)
        }
        #expect(bench.call(.getFlow("main")).code == code)
        #expect(bench.call(.getOnboarding("intro")).code == code)
    }

    @Test(
        "ERR-4 which codes are worth a retry",
        arguments: [
            (2002, false), (2003, false), (2004, true), (2005, true), (2006, false), (3006, true),
            (3001, false), (9000, false), (1002, true), (7, true), (1000, false),
        ] as [(Int32, Bool)])
    func retryable(code: Int32, isRetryable: Bool) {
        let error = AdaptyError(AdaptyError.Code(number: code, name: "x"), "x")
        #expect(error.isRetryable == isRetryable)
    }

    @Test("PL-54 PL-55 offline fetches fail with 2005 at once, also under latency")
    func offline() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setCondition("", latencyMs: 1_000)
        try bench.setCondition("", .fallback, latencyMs: 1_000)
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("plain")).code == 2005)
        #expect(bench.call(.getOnboarding("intro")).code == 2005)
        let configuration = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(configuration)).code == 2005)
        try bench.setConditions { $0.clear = true }
        #expect(bench.call(.getFlow("main")).flow != nil)
    }

    @Test("a condition holds for its number of calls, then the next one in the order given")
    func callCounts() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "get_flow", httpStatus: 429, calls: 2),
                CallCondition(method: "get_flow", httpStatus: 400, calls: 1),
            ]
        }
        let codes = (0..<4).map { _ in bench.call(.getFlow("main")).code }
        #expect(codes == [2004, 2004, 2003, nil])
    }

    @Test("a condition of the method comes before one of every method; a new one replaces it")
    func precedence() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("", httpStatus: 429)
        try bench.setCondition("get_flow", httpStatus: 400)
        #expect(bench.call(.getFlow("main")).code == 2003)
        #expect(bench.call(.getOnboarding("intro")).code == 2004)
        try bench.setCondition("get_flow")
        #expect(bench.call(.getFlow("main")).code == nil)
        #expect(bench.call(.getOnboarding("intro")).code == 2004)
    }

    @Test("conditions of one server do not touch the other one, nor use each other up")
    func otherServer() throws {
        var bench = Bench()
        try bench.setCondition("get_flow", .fallback, httpStatus: 404, calls: 1)
        #expect(bench.call(.getFlow("main")).flow != nil)
        try bench.setCondition("get_flow", httpStatus: 500, calls: 2)
        #expect(bench.call(.getFlow("plain")).code == 2003, "the answer of the fallback server")
        #expect(bench.call(.getFlow("plain")).flow != nil, "its condition is used up")
    }

    @Test("256 conditions hold, one more is refused and changes nothing")
    func conditionsMax() throws {
        var bench = Bench()
        let conditions = (0..<256).map { CallCondition(method: "m\($0)", latencyMs: 1) }
        try bench.setConditions { $0.calls = conditions }
        let error = fault {
            try bench.setConditions {
                $0.calls = [CallCondition(method: "get_flow", httpStatus: 500)]
                $0.offline = true
            }
        }
        #expect(error?.isLimitExceeded == true)
        #expect(bench.call(.getFlow("main")).flow != nil)
        try bench.setConditions { $0.calls = conditions }
    }

    @Test("PL-81 attribution sources are filled by a condition and matched")
    func attributionSources() throws {
        var placement = Samples.main()
        placement.audiences[1].conditions = [SegmentCondition("attribution_source", "adjust")]
        var bench = Bench(
            catalog: Catalog(placements: [placement], flows: [:], onboardings: [:], products: [:]))
        bench.call(.getProfile)
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "All")
        try bench.setConditions { $0.appliedAttributionSources = ["adjust"] }
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "Pros")
        #expect(bench.call(.getProfile).callbacks.count == 1)
    }

    @Test("PRO-24 a getFlow behind a waiting updateProfile sees its effect")
    func updateThenFlow() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 300, calls: 1)
        let (update, nothing) = bench.start(.attributes([("experience", .string("pro"))]))
        #expect(nothing.isEmpty)
        let (flow, none) = bench.start(.getFlow("main"))
        #expect(none.isEmpty)
        #expect(bench.advance(299).isEmpty)
        let outputs = bench.advance(1)
        #expect(outputs.count == 3)
        guard case .callback(.didLoadLatestProfile) = outputs[0],
            case .answer(flow, .success(.flow(let content)))? = outputs.last
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(outputs[1] == .answer(update, .success(.done)))
        #expect(content.placement.audienceName == "Pros")
    }

    @Test("PRO-24 PL-50 the time of a call behind an update begins when its work begins")
    func heldTime() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 60_000, calls: 1)
        try bench.setCondition("get_flow", latencyMs: 4_499)
        _ = bench.start(.attributes([("experience", .string("pro"))]))
        _ = bench.start(.getFlow("main"))
        #expect(bench.advance(60_000).count == 2)
        #expect(bench.advance(4_498).isEmpty)
        #expect(bench.advance(1).count == 1)
    }

    @Test("PRO-24 two updates act in the order sent, whatever their latencies")
    func twoUpdates() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "update_profile", latencyMs: 500, calls: 1),
                CallCondition(method: "update_profile", latencyMs: 1, calls: 1),
            ]
        }
        let (first, _) = bench.start(.attributes([("a", .number(1))]))
        let (second, _) = bench.start(.attributes([("a", .number(2))]))
        let outputs = bench.advance(501)
        #expect(
            outputs.compactMap { if case .answer(let id, _) = $0 { id } else { nil } }
                == [first, second])
        #expect(
            bench.device.profileRecord?.profile.customAttributes == ["a": .number(2)])
    }

    @Test("PRO-24 calls that do not look at the profile are not held up")
    func notHeld() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setCondition("update_profile", latencyMs: 300)
        _ = bench.start(.update { $0.firstName = "x" })
        let request = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(request)).code == nil)
    }

    @Test("GEN-10 a cancelled call answers 9000, and what waited behind it goes on")
    func cancelling() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 300)
        let (update, _) = bench.start(.attributes([("experience", .string("pro"))]))
        let (flow, _) = bench.start(.getFlow("main"))
        let outputs = bench.cancel(update)
        #expect(outputs.count == 2)
        guard case .answer(update, .failure(let error))? = outputs.first,
            case .answer(flow, .success(.flow(let content)))? = outputs.last
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(error.code == 9000)
        #expect(content.placement.audienceName == "All", "nothing was applied yet")
        #expect(bench.cancel(update).isEmpty)
        #expect(bench.advance(1_000).isEmpty)
    }

    @Test("GEN-10 an expired call is not answered by the device, and what waited behind it goes on")
    func expiring() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("update_profile", latencyMs: 300)
        let (update, _) = bench.start(.attributes([("experience", .string("pro"))]))
        let (flow, _) = bench.start(.getFlow("main"))
        let expired = bench.device.expire(update)
        #expect(expired)
        let again = bench.device.expire(update)
        #expect(!again)
        #expect(bench.device.nextDue == bench.now)
        let outputs = bench.advance(0)
        guard case .answer(flow, .success)? = outputs.first, outputs.count == 1 else {
            Issue.record("\(outputs)")
            return
        }
        #expect(bench.device.nextDue == nil)
    }

    @Test("GEN-1 what is due is run in order of due time, however far the clock jumps")
    func dueOrder() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "get_flow", latencyMs: 300),
                CallCondition(method: "get_onboarding", latencyMs: 100),
                CallCondition(method: "get_profile", latencyMs: 200),
            ]
        }
        let flow = bench.start(.getFlow("main")).id
        let onboarding = bench.start(.getOnboarding("intro")).id
        let profile = bench.start(.getProfile).id
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 100))
        let answers = bench.advance(86_400_000).compactMap {
            if case .answer(let id, _) = $0 { id } else { nil }
        }
        #expect(answers == [onboarding, profile, flow])
    }

    @Test("GEN-3 time that goes back counts as standing still")
    func timeGoesBack() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 100)
        _ = bench.start(.getFlow("main"))
        let start = bench.now
        bench.now = Instant(ms: 0)
        #expect(bench.advance(0).isEmpty)
        #expect(bench.device.nextDue == start.advanced(byMs: 100))
        bench.now = start
        #expect(bench.advance(100).count == 1)
    }

    @Test("1 024 calls wait, one more is refused")
    func waitingCallsMax() throws {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setCondition("get_profile", latencyMs: 100)
        for _ in 0..<SDKLimits.waitingCallsMax {
            let (_, outputs) = bench.start(.getProfile)
            #expect(outputs.isEmpty)
        }
        #expect(bench.call(.getProfile).error?.isLimitExceeded == true)
        #expect(bench.advance(100).count == SDKLimits.waitingCallsMax)
    }
}
