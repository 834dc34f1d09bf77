import FlowEngine
import Testing

@testable import SDKCore

@Suite("identify and logout while other calls run")
struct IdentifyRaceTests {
    /// An activated device on a backend that knows `u1` and `u2`; `identify` takes 100 ms.
    private func bench() throws -> Bench {
        var first = Bench("other")
        first.call(.activate(Activation(customerUserID: "u1")))
        first.call(.identify("u2"))
        var bench = Bench("phone", backend: first.backend)
        bench.call(.activate(Activation()))
        try bench.setCondition("identify", latencyMs: 100)
        return bench
    }

    @Test("ID-18 field case 3: a fetch under way over a switch fails with 3006 and is not kept")
    func fetchInFlight() throws {
        var bench = try bench()
        try bench.setConditions {
            $0.calls = ["get_flow", "get_onboarding"].map {
                CallCondition(method: $0, latencyMs: 800)
            }
        }
        let (flow, _) = bench.start(.getFlow("main"))
        let (onboarding, _) = bench.start(.getOnboarding("intro"))
        #expect(bench.advance(100).isEmpty)
        let (identify, _) = bench.start(.identify("u1"))
        #expect(answers(bench.advance(100)).map(\.id) == [identify])
        let late = bench.advance(600)
        #expect(answers(late).map(\.id) == [flow, onboarding])
        #expect(answers(late).map(\.code) == [3006, 3006])
        let quiz = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(quiz)).error?.isNotFound == true)
    }

    @Test(
        "ID-18 also one that fails: neither its error nor what the cache had, but 3006",
        arguments: [404, 500] as [UInt32])
    func failingFetchInFlight(status: UInt32) throws {
        var bench = try bench()
        bench.call(.getFlow("main"))
        try bench.setCondition("get_flow", latencyMs: 800, httpStatus: status)
        let (flow, _) = bench.start(.getFlow("main"))
        let (identify, _) = bench.start(.identify("u1"))
        let ended = answers(bench.advance(800))
        #expect(ended.map(\.id) == [identify, flow])
        #expect(ended.map(\.code) == [nil, 3006])
    }

    @Test("ID-17 ID-23 the cache of placements goes with the profile", arguments: [true, false])
    func cache(signsOut: Bool) throws {
        var bench = try bench()
        try bench.setConditions { $0.clear = true }
        bench.call(.identify("u2"))
        bench.call(.getFlow("main"))
        bench.call(signsOut ? .logout : .identify("u1"))
        try bench.setOffline(true)
        #expect(bench.call(.getFlow("main", policy: "return_cache_data_else_load")).code == 2005)
    }

    @Test("ID-14 ID-18 attaching a name leaves a fetch under way alone")
    func attachingInFlight() throws {
        var bench = try bench()
        try bench.setCondition("get_flow", latencyMs: 800)
        let (flow, _) = bench.start(.getFlow("main"))
        let (identify, _) = bench.start(.identify("new"))
        #expect(answers(bench.advance(100)).map(\.id) == [identify])
        let ended = answers(bench.advance(700))
        #expect(ended.map(\.id) == [flow])
        #expect(ended.map(\.code) == [nil])
    }

    @Test("ID-18 an update or read under way ends for the former profile, without a callback")
    func updateInFlight() throws {
        var bench = try bench()
        let former = bench.device.identity.profileID
        try bench.setCondition("update_profile", latencyMs: 500)
        let (update, _) = bench.start(.attributes([("plan", .string("x"))]))
        _ = bench.start(.identify("u1"))
        _ = bench.advance(100)
        #expect(bench.advance(400) == [.answer(update, .success(.done))])
        let record = try #require(bench.backend.profileRecord(former))
        #expect(record.profile.customAttributes == ["plan": .string("x")])
        #expect(bench.call(.getProfile).profile?.customAttributes.isEmpty == true)

        try bench.setCondition("get_profile", latencyMs: 500)
        let switched = bench.device.identity.profileID
        let (read, _) = bench.start(.getProfile)
        _ = bench.start(.identify("u2"))
        _ = bench.advance(100)
        let outputs = bench.advance(400)
        guard case .answer(read, .success(.profile(let profile)))? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(outputs.count == 1)
        #expect(profile.profileID == switched)
    }

    @Test("ID-18 PRO-7 an update that fails after a switch leaves the new profile's choice alone")
    func failingUpdateInFlight() throws {
        var bench = try bench()
        bench.call(.attributes((0..<30).map { ("k\($0)", .number(1)) }))
        bench.call(.update { $0.analyticsDisabled = true })
        try bench.setCondition("update_profile", latencyMs: 500)
        let (update, _) = bench.start(
            .update {
                $0.analyticsDisabled = false
                $0.customAttributes = [AttributeChange(key: "one-more", value: .number(1))]
            })
        _ = bench.start(.identify("u1"))
        _ = bench.advance(100)
        let ended = answers(bench.advance(400))
        #expect(ended.map(\.id) == [update])
        #expect(ended.map(\.code) == [3001])
        #expect(!bench.device.identity.isAnalyticsDisabled)
    }

    @Test("ID-19 ID-21 the second identify wins; the waiter of the first gets 3006")
    func secondWins() throws {
        var bench = try bench()
        let (first, _) = bench.start(.identify("u1"))
        _ = bench.advance(50)
        let (second, outputs) = bench.start(.identify("u2"))
        #expect(answers(outputs).map(\.id) == [first])
        #expect(answers(outputs).map(\.code) == [3006])
        #expect(bench.advance(99).isEmpty)
        let ended = bench.advance(1)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.customerUserID == "u2")
        #expect(
            ended == [
                .callback(.didLoadLatestProfile(profile)), .answer(second, .success(.done)),
            ])
    }

    @Test("ID-19 one with the same ID joins the running one; a token that it brings counts")
    func joining() throws {
        var bench = try bench()
        let (first, _) = bench.start(.identify("u1"))
        _ = bench.advance(50)
        let (second, nothing) = bench.start(.identify(" u1 ", token: "t"))
        #expect(nothing.isEmpty)
        let ended = bench.advance(50)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(
            ended == [
                .callback(.didLoadLatestProfile(profile)), .answer(first, .success(.done)),
                .answer(second, .success(.done)),
            ])
        #expect(bench.device.identity.appAccountToken == "t")
    }

    @Test("ID-19 ID-32 identify joins an activate with its ID; logout supersedes that")
    func joiningActivate() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 100)
        bench.call(.activate(Activation(customerUserID: "u1")))
        let (call, nothing) = bench.start(.identify("u1"))
        #expect(nothing.isEmpty)
        let outputs = bench.advance(100)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.customerUserID == "u1")
        #expect(
            outputs == [.callback(.didLoadLatestProfile(profile)), .answer(call, .success(.done))])

        var other = Bench("tablet", backend: bench.backend)
        try other.setCondition("activate", latencyMs: 100)
        other.call(.activate(Activation(customerUserID: "u1")))
        #expect(other.call(.logout).isDone)
        #expect(other.advance(1_000).isEmpty)
        #expect(other.device.profileRecord?.profile.customerUserID == "")
    }

    @Test("ID-19 ID-21 back to the stored ID while another runs: nothing changed, no callback")
    func backToStored() throws {
        var bench = try bench()
        _ = bench.start(.identify("u1", token: "t"))
        _ = bench.advance(100)
        let before = bench.device.storedState
        let (away, _) = bench.start(.identify("u2"))
        let (back, outputs) = bench.start(.identify("u1"))
        #expect(answers(outputs).map(\.id) == [away])
        #expect(bench.advance(100) == [.answer(back, .success(.done))])
        #expect(bench.device.storedState == before)
    }

    @Test(
        "ID-20 creation is tried again each 100 ms, whatever the backend answers",
        arguments: [400, 401, 404, 429, 500, 302] as [UInt32])
    func retries(status: UInt32) throws {
        var bench = try bench()
        try bench.setConditions {
            $0.calls = [
                CallCondition(method: "identify", httpStatus: status, calls: 3),
                CallCondition(method: "identify", latencyMs: 5),
            ]
        }
        let (call, nothing) = bench.start(.identify("u1"))
        #expect(nothing.isEmpty)
        #expect(bench.advance(304).isEmpty)
        let ended = bench.advance(1)
        #expect(ended.count == 2)
        #expect(answers(ended).map(\.id) == [call])
    }

    @Test("ID-20 offline nothing is due; back online the next attempt is on the grid of 100 ms")
    func offline() throws {
        var bench = try bench()
        try bench.setConditions {
            $0.clear = true
            $0.offline = true
        }
        let (call, nothing) = bench.start(.identify("u1"))
        #expect(nothing.isEmpty)
        #expect(bench.device.nextDue == nil)
        #expect(bench.advance(86_400_030).isEmpty)
        try bench.setOffline(false)
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 70))
        #expect(answers(bench.advance(70)).map(\.id) == [call])
        #expect(bench.device.identity.stored?.profile.customerUserID == "u1")
    }

    @Test("ID-30 calls that need the profile wait for identify and then use the new one")
    func waiters() throws {
        var bench = try bench()
        let (identify, _) = bench.start(.identify("u1"))
        let (read, _) = bench.start(.getProfile)
        let (update, _) = bench.start(.attributes([("plan", .string("x"))]))
        let (flow, _) = bench.start(.getFlow("main"))
        let outputs = bench.advance(100)
        #expect(answers(outputs).map(\.id) == [identify, read, update, flow])
        #expect(answers(outputs).allSatisfy { $0.code == nil })
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.customerUserID == "u1")
        #expect(profile.customAttributes == ["plan": .string("x")])
    }

    @Test(
        "ID-30 a waiter whose creation is superseded gets 3006, also what an update held up waits")
    func supersededWaiters() throws {
        var bench = try bench()
        _ = bench.start(.identify("u1"))
        let (update, _) = bench.start(.attributes([("plan", .string("x"))]))
        let (flow, _) = bench.start(.getFlow("main"))
        let (second, outputs) = bench.start(.identify("u2"))
        #expect(answers(outputs).map(\.code) == [3006, 3006])
        #expect(answers(outputs).map(\.id).contains(update))
        let ended = answers(bench.advance(100))
        #expect(ended.map(\.id) == [second, flow], "the fetch behind the update had not begun")
        #expect(ended.allSatisfy { $0.code == nil })
        #expect(bench.device.profileRecord?.profile.customAttributes.isEmpty == true)
    }

    @Test(
        "ID-31 GEN-10 cancel and expiry of identify end only the waiting", arguments: [true, false])
    func cancelled(expires: Bool) throws {
        var bench = try bench()
        let (call, _) = bench.start(.identify("u1"))
        if expires {
            let isExpired = bench.device.expire(call)
            #expect(isExpired)
        } else {
            #expect(answers(bench.cancel(call)).map(\.code) == [9000])
        }
        #expect(bench.cancel(call).isEmpty)
        let outputs = bench.advance(100)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.customerUserID == "u1")
        #expect(outputs == [.callback(.didLoadLatestProfile(profile))])
    }

    @Test("1 024 calls wait, those of identify among them; one more is refused, changing nothing")
    func waitingCallsMax() throws {
        var bench = try bench()
        for _ in 0..<SDKLimits.waitingCallsMax {
            #expect(bench.start(.identify("u1")).outputs.isEmpty)
        }
        for call in [SDKCall.identify("u1"), .identify("u2"), .logout, .getProfile] {
            #expect(bench.call(call).error?.isLimitExceeded == true)
        }
        #expect(bench.advance(100).count == 1 + SDKLimits.waitingCallsMax)
        #expect(bench.device.identity.stored?.profile.customerUserID == "u1")
    }

    @Test("ID-4 ID-19 activate on default with the ID that is being identified goes on with it")
    func activateJoins() throws {
        var bench = Bench("default")
        bench.call(.getProfile)
        try bench.setCondition("identify", latencyMs: 100)
        let (call, _) = bench.start(.identify("u1"))
        #expect(bench.call(.activate(Activation(customerUserID: "u1"))).callbacks.isEmpty)
        let outputs = bench.advance(100)
        #expect(outputs.count == 2)
        #expect(answers(outputs).map(\.id) == [call])
    }
}
