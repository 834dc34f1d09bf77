import FlowEngine
import Testing

@testable import SDKCore

@Suite("identify: whose profile the device has")
struct IdentifyTests {
    private let quiz = SDKCall.getFlowConfiguration(ConfigurationRequest(variationID: "v-all"))

    /// An activated device on a backend that knows `u1`, with `plan` = `known`.
    private func bench() -> (bench: Bench, known: Profile) {
        var first = Bench("other")
        first.call(.activate(Activation(customerUserID: "u1")))
        first.call(.attributes([("plan", .string("known"))]))
        var bench = Bench("phone", backend: first.backend)
        bench.call(.activate(Activation()))
        return (bench, first.device.identity.stored?.profile ?? Profile(profileID: ""))
    }

    private func profile(_ bench: Bench) throws -> Profile {
        try #require(bench.device.profileRecord?.profile)
    }

    @Test("ID-11 the ID is trimmed")
    func trimmed() throws {
        var (bench, _) = bench()
        bench.call(.identify(" \n u2\t"))
        #expect(try profile(bench).customerUserID == "u2")
    }

    @Test(
        "ID-11 the backend refuses an empty ID with 2003; nothing changes", arguments: ["", "  "])
    func emptyID(id: String) throws {
        var (bench, _) = bench()
        bench.call(.getFlow("main"))
        let before = bench.device.storedState
        let outcome = bench.call(.identify(id))
        #expect(outcome.code == 2003)
        #expect(outcome.callbacks.isEmpty)
        #expect(bench.device.storedState == before)
        try bench.setOffline(true)
        let (call, nothing) = bench.start(.identify(id))
        #expect(nothing.isEmpty, "the device does not refuse it")
        try bench.setOffline(false)
        #expect(answers(bench.advance(100)).map(\.id) == [call])
    }

    @Test("ID-11 ID-30 after a refusal a profile that was being created still is")
    func emptyIDDuringCreation() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 300)
        bench.call(.activate(Activation()))
        let (waiter, _) = bench.start(.getProfile)
        let (identify, outputs) = bench.start(.identify(""))
        #expect(answers(outputs).map(\.id) == [waiter, identify])
        #expect(answers(outputs).map(\.code) == [3006, 2003])
        #expect(bench.advance(299).isEmpty)
        let profile = bench.advance(1)
        #expect(profile == [.callback(.didLoadLatestProfile(try self.profile(bench)))])
    }

    @Test("ID-12 the current ID and no new or the same token: success, no callback, no question")
    func noChange() throws {
        var (bench, _) = bench()
        bench.call(.identify("u2", token: "t"))
        try bench.setOffline(true)
        let before = bench.device.storedState
        for token in ["", "t"] {
            let outcome = bench.call(.identify(" u2", token: token))
            #expect(outcome.isDone)
            #expect(outcome.callbacks.isEmpty)
        }
        #expect(bench.device.storedState == before)
    }

    @Test("ID-13 ID-21 another token keeps the profile, is stored, and is announced once")
    func otherToken() throws {
        var (bench, _) = bench()
        bench.call(.identify("u2", token: "t"))
        let before = try profile(bench)
        try bench.setCondition("identify", latencyMs: 100)
        let (call, nothing) = bench.start(.identify("u2", token: "new"))
        #expect(nothing.isEmpty)
        #expect(
            bench.advance(100) == [
                .callback(.didLoadLatestProfile(before)), .answer(call, .success(.done)),
            ])
        #expect(bench.device.identity.appAccountToken == "new")
    }

    @Test("ID-14 an unknown ID is attached: profile, attributes, fetched flows and variation stay")
    func attached() throws {
        var (bench, _) = bench()
        bench.call(.attributes([("plan", .string("mine"))]))
        bench.call(.getFlow("main"))
        let variation = bench.call(.getFlow("tested")).flow?.content.variationID
        let anonymous = try profile(bench)
        let outcome = bench.call(.identify("u2"))
        let named = try profile(bench)
        #expect(outcome.isDone)
        #expect(outcome.callbacks == [.didLoadLatestProfile(named)])
        #expect(named.profileID == anonymous.profileID)
        #expect(named.customerUserID == "u2")
        #expect(named.customAttributes == anonymous.customAttributes)
        #expect(bench.call(quiz).code == nil)
        #expect(bench.call(.getFlow("tested")).flow?.content.variationID == variation)
    }

    @Test("ID-15 ID-17 a known ID switches: nothing is merged, what was fetched is forgotten")
    func switched() throws {
        var (bench, known) = bench()
        bench.call(.attributes([("plan", .string("mine")), ("own", .number(1))]))
        bench.call(.update { $0.analyticsDisabled = true })
        bench.call(.getFlow("main"))
        let former = try profile(bench)
        let outcome = bench.call(.identify("u1"))
        #expect(outcome.callbacks == [.didLoadLatestProfile(known)])
        #expect(bench.call(.getProfile).profile == known)
        #expect(known.customAttributes == ["plan": .string("known")])
        #expect(bench.backend.profileRecord(former.profileID)?.profile == former)
        #expect(bench.call(quiz).error?.isNotFound == true)
        #expect(!bench.device.identity.isAnalyticsDisabled, "PRO-7")
    }

    @Test("ID-16 a named profile and another unknown ID: a new, empty one with a new id")
    func otherName() throws {
        var (bench, _) = bench()
        bench.call(.identify("u2"))
        bench.call(.attributes([("plan", .string("mine"))]))
        let former = try profile(bench)
        let outcome = bench.call(.identify("u3"))
        let profile = try profile(bench)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(profile.profileID != former.profileID)
        #expect(profile.customerUserID == "u3")
        #expect(profile.customAttributes.isEmpty)
        #expect(bench.backend.profileRecord(former.profileID)?.profile == former)
    }

    @Test("GEN-4 two spellings of a name are two users")
    func exactNames() throws {
        var (bench, _) = bench()
        bench.call(.identify("Zo\u{EB}"))
        let composed = try profile(bench)
        bench.call(.identify("Zoe\u{308}"))
        #expect(try profile(bench).profileID != composed.profileID)
    }

    @Test("ID-34 ID-1 on the device default it is the activating call as well")
    func selfActivating() throws {
        var bench = Bench("default")
        let outcome = bench.call(.identify("u1"))
        #expect(outcome.isDone)
        #expect(outcome.callbacks.count == 2, "the anonymous profile, then the named one")
        #expect(try profile(bench).customerUserID == "u1")
    }

    @Test("ID-28 a view stays, and what it tells the backend belongs to the new profile")
    func viewsStay() throws {
        var (bench, known) = bench()
        let view = try bench.presentQuiz()
        bench.call(.identify("u1"))
        #expect(bench.states == [.onTop])
        _ = try bench.perform(.tapButton("next"), on: view)
        let event = try #require(bench.backend.events(limit: 100).last)
        #expect(event.event.name == "flow_event")
        #expect(event.profileID == known.profileID)
    }
}

/// The answers among outputs, with their codes.
func answers(_ outputs: [DeviceOutput]) -> [(id: CallID, code: Int32?)] {
    outputs.compactMap { output in
        guard case .answer(let id, let result) = output else { return nil }
        guard case .failure(let fault) = result else { return (id, nil) }
        return (id, fault.code)
    }
}
