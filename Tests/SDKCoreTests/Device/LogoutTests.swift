import FlowEngine
import Testing

@testable import SDKCore

@Suite("logout: a new anonymous profile")
struct LogoutTests {
    private func bench(_ userID: String = "u1") -> Bench {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: userID, appAccountToken: "t")))
        return bench
    }

    @Test("ID-22 on an anonymous profile it fails with 3020 and changes nothing")
    func anonymous() {
        var bench = bench("")
        let before = bench.device.storedState
        let outcome = bench.call(.logout)
        #expect(outcome.code == 3020)
        #expect(outcome.callbacks.isEmpty)
        #expect(bench.device.storedState == before)
    }

    @Test("ID-23 ID-17 PRO-7 it forgets the named profile and makes a new anonymous one")
    func named() throws {
        var bench = bench()
        bench.call(.attributes([("plan", .string("x"))]))
        bench.call(.update { $0.analyticsDisabled = true })
        bench.call(.getFlow("main"))
        let former = try #require(bench.device.profileRecord?.profile)
        let outcome = bench.call(.logout)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outcome.isDone)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(profile.profileID != former.profileID)
        #expect(profile.customerUserID == "")
        #expect(profile.customAttributes.isEmpty)
        #expect(bench.device.identity.appAccountToken == "")
        #expect(!bench.device.identity.isAnalyticsDisabled)
        let quiz = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(quiz)).error?.isNotFound == true)
        #expect(bench.backend.profileRecord(former.profileID)?.profile == former)
        #expect(bench.call(.logout).code == 3020)
    }

    @Test("ID-24 identify with the former ID brings the former profile back")
    func back() throws {
        var bench = bench()
        bench.call(.attributes([("plan", .string("x"))]))
        let former = try #require(bench.device.profileRecord?.profile)
        bench.call(.logout)
        bench.call(.attributes([("plan", .string("y"))]))
        #expect(bench.call(.identify("u1")).callbacks == [.didLoadLatestProfile(former)])
    }

    @Test("ID-18 a fetch under way when logout is called fails with 3006")
    func fetchInFlight() throws {
        var bench = bench()
        try bench.setCondition("get_flow", latencyMs: 100)
        let (flow, _) = bench.start(.getFlow("main"))
        #expect(bench.call(.logout).isDone)
        let ended = answers(bench.advance(100))
        #expect(ended.map(\.id) == [flow])
        #expect(ended.map(\.code) == [3006])
    }

    @Test("ID-33 offline it has forgotten the profile at once; the new one comes later")
    func offline() throws {
        var bench = bench()
        bench.call(.getFlow("main"))
        let former = bench.device.identity.profileID
        try bench.setOffline(true)
        let (call, nothing) = bench.start(.logout)
        #expect(nothing.isEmpty)
        #expect(bench.device.identity.profileID != former)
        #expect(bench.device.storedState.fetched.isEmpty)
        #expect(bench.device.profileRecord == nil)
        let (read, none) = bench.start(.getProfile)
        #expect(none.isEmpty)
        #expect(bench.advance(3_600_000).isEmpty)
        try bench.setOffline(false)
        let outputs = bench.advance(100)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(
            outputs == [
                .callback(.didLoadLatestProfile(profile)), .answer(call, .success(.done)),
                .answer(read, .success(.profile(profile))),
            ])
        #expect(profile.customerUserID == "")
    }

    @Test("ID-32 while an anonymous profile is being created it waits and changes nothing")
    func whileAnonymous() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 100)
        bench.call(.activate(Activation()))
        let id = bench.device.identity.profileID
        let waiting = [bench.start(.logout).id, bench.start(.logout).id]
        let outputs = bench.advance(100)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.profileID == id)
        #expect(
            outputs == [
                .callback(.didLoadLatestProfile(profile)), .answer(waiting[0], .success(.done)),
                .answer(waiting[1], .success(.done)),
            ])
    }

    @Test("ID-32 ID-19 while a named one is being created it supersedes that")
    func whileNamed() throws {
        var bench = bench("")
        let former = bench.device.identity.profileID
        try bench.setCondition("identify", latencyMs: 100)
        let (identify, _) = bench.start(.identify("u2"))
        let (logout, outputs) = bench.start(.logout)
        #expect(answers(outputs).map(\.id) == [identify, logout])
        #expect(answers(outputs).map(\.code) == [3006, nil])
        #expect(bench.device.identity.profileID != former)
        #expect(bench.advance(1_000).isEmpty)
        #expect(bench.device.profileRecord?.profile.customerUserID == "")
    }

    @Test("ID-20 ID-31 it is tried again, by its own conditions; cancelled, the device goes on")
    func retries() throws {
        var bench = bench()
        try bench.setCondition("logout", httpStatus: 500, calls: 2)
        let (call, nothing) = bench.start(.logout)
        #expect(nothing.isEmpty)
        #expect(answers(bench.cancel(call)).map(\.code) == [9000])
        #expect(bench.advance(199).isEmpty)
        let outputs = bench.advance(1)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outputs == [.callback(.didLoadLatestProfile(profile))])
    }

    @Test("ID-33 GEN-11 a logout that had not reached the backend is found by the next process")
    func closedMeanwhile() throws {
        var bench = bench()
        try bench.setOffline(true)
        _ = bench.start(.logout)
        let id = bench.device.identity.profileID
        bench.restart()
        try bench.setOffline(false)
        bench.call(.activate(Activation()))
        let profile = try #require(bench.call(.getProfile).profile)
        #expect(profile.profileID == id)
        #expect(profile.customerUserID == "")
    }

    @Test("UC-52 signed out, and signed in again")
    func signOut() {
        var bench = bench()
        bench.call(.attributes([("experience", .string("pro"))]))
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "Pros")
        bench.call(.logout)
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "All")
        bench.call(.identify("u1"))
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "Pros")
    }
}
