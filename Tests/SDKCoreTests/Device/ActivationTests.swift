import FlowEngine
import Testing

@testable import SDKCore

@Suite("Activation and identity")
struct ActivationTests {
    private static let calls: [SDKCall] = [
        .getProfile, .update { _ in }, .getFlow("main"), .getOnboarding("intro"),
        .logShowFlow(variationID: "v-all"),
        .getFlowConfiguration(ConfigurationRequest(variationID: "v-all")),
        .getOnboardingConfiguration(variationID: "v-intro", opensExternalBrowser: false),
    ]

    @Test(
        "ID-1 every call before activate fails with 2002",
        arguments: calls + [.identify("u1"), .logout])
    func notActivated(call: SDKCall) {
        var bench = Bench("phone")
        let outcome = bench.call(call)
        #expect(outcome.code == 2002)
        #expect(outcome.callbacks.isEmpty)
        #expect(!bench.device.isActivated)
        #expect(outcome.error?.message.contains("phone") == true)
    }

    @Test(
        "ID-34 the device default activates itself at the first call that needs it",
        arguments: calls)
    func selfActivation(call: SDKCall) throws {
        var bench = Bench("default")
        let outcome = bench.call(call)
        #expect(outcome.code != 2002)
        #expect(bench.device.isActivated)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
    }

    @Test("ID-34 ID-2 one explicit activate after that succeeds and keeps the profile")
    func explicitAfterAutomatic() throws {
        var bench = Bench("default")
        bench.call(.getProfile)
        let profile = try #require(bench.device.profileRecord?.profile)
        let outcome = bench.call(.activate(Activation(apiKey: "key")))
        #expect(outcome.isDone)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(bench.call(.activate(Activation(apiKey: "key"))).code == 3005)
    }

    @Test("ID-2 a second activate fails with 3005 and changes nothing")
    func activateOnce() {
        var bench = Bench("phone")
        #expect(bench.call(.activate(Activation())).isDone)
        let record = bench.device.profileRecord
        let outcome = bench.call(.activate(Activation(customerUserID: "u1")))
        #expect(outcome.code == 3005)
        #expect(outcome.callbacks.isEmpty)
        #expect(bench.device.profileRecord == record)
    }

    @Test("ID-3 an anonymous profile follows from seed and device, and is new to the backend")
    func anonymousProfile() throws {
        var bench = Bench("phone", seed: 5)
        let outcome = bench.call(.activate(Activation()))
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(profile.customerUserID == "")
        #expect(ViewID(profile.profileID) != nil)
        var again = Bench("phone", seed: 5)
        again.call(.activate(Activation()))
        #expect(again.device.profileRecord?.profile.profileID == profile.profileID)
        var same = Bench("phone", backend: bench.backend, seed: 5)
        same.call(.activate(Activation()))
        let other = try #require(same.device.profileRecord?.profile)
        #expect(other.profileID != profile.profileID)
        var elsewhere = Bench("tablet", backend: bench.backend, seed: 5)
        elsewhere.call(.activate(Activation()))
        #expect(elsewhere.device.profileRecord?.profile.profileID != profile.profileID)
    }

    @Test("ID-5 activate with a customer user ID creates or finds its profile at once")
    func namedProfile() throws {
        var first = Bench("phone")
        let outcome = first.call(.activate(Activation(customerUserID: "u1")))
        let profile = try #require(first.device.profileRecord?.profile)
        #expect(profile.customerUserID == "u1")
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        var second = Bench("tablet", backend: first.backend)
        let found = second.call(.activate(Activation(customerUserID: "u1")))
        #expect(found.callbacks == [.didLoadLatestProfile(profile)])
        #expect(second.device.profileRecord?.profile == profile)
    }

    @Test("ID-5 field case 3: a fetch right behind such an activate does not fail with 3006")
    func fetchBehindActivate() {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: "u1")))
        #expect(bench.call(.getFlow("main")).flow != nil)
    }

    @Test(
        "ID-6 the ID is trimmed and a blank one is absent",
        arguments: [
            (" u1 ", "u1"), ("   ", ""), ("", ""),
        ])
    func trimmedID(given: String, stored: String) {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: given, appAccountToken: "t")))
        #expect(bench.device.profileRecord?.profile.customerUserID == stored)
        #expect(bench.device.identity.appAccountToken == (stored.isEmpty ? "" : "t"))
    }

    @Test("ID-4 activate on stored state keeps its profile, named or not", arguments: ["", "u1"])
    func storedState(user: String) throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(apiKey: "key", customerUserID: user)))
        let profile = try #require(bench.device.profileRecord?.profile)
        bench.restart()
        let outcome = bench.call(.activate(Activation(apiKey: "key")))
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(bench.device.profileRecord?.profile == profile)
    }

    @Test("ID-4 ID-16 on a named stored profile another unknown ID makes a new, empty one")
    func anotherName() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(customerUserID: "u1")))
        bench.call(.attributes([("plan", .string("x"))]))
        let former = bench.device.identity.profileID
        bench.restart()
        let outcome = bench.call(.activate(Activation(customerUserID: "u2")))
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(profile.profileID != former)
        #expect(profile.customerUserID == "u2")
        #expect(profile.customAttributes.isEmpty)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(bench.backend.profileRecord(former)?.profile.customerUserID == "u1")
    }

    @Test(
        "ID-7 another API key wipes the profile and what was fetched",
        arguments: [
            ("key", false), ("other", true), ("", true),
        ])
    func otherKey(key: String, wipes: Bool) throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(apiKey: "key")))
        bench.call(.getFlow("main"))
        let former = bench.device.identity.profileID
        bench.restart()
        bench.call(.activate(Activation(apiKey: key)))
        #expect((bench.device.identity.profileID != former) == wipes)
        let request = ConfigurationRequest(variationID: "v-all")
        #expect((bench.call(.getFlowConfiguration(request)).error?.isNotFound == true) == wipes)
    }

    @Test("ID-4 ID-14 an explicit activate with an unknown ID attaches it to the stored profile")
    func attaching() throws {
        var bench = Bench("default")
        bench.call(.attributes([("plan", .string("x"))]))
        let anonymous = try #require(bench.device.profileRecord?.profile)
        let outcome = bench.call(.activate(Activation(customerUserID: "u1")))
        let named = try #require(bench.device.profileRecord?.profile)
        #expect(named.profileID == anonymous.profileID)
        #expect(named.customerUserID == "u1")
        #expect(named.customAttributes == ["plan": .string("x")])
        #expect(outcome.callbacks == [.didLoadLatestProfile(named)])
    }

    @Test("ID-4 ID-15 ID-17 one with a known ID switches; what was fetched is forgotten")
    func switching() throws {
        var first = Bench("phone")
        first.call(.activate(Activation(customerUserID: "u1")))
        first.call(.attributes([("plan", .string("x"))]))
        let known = try #require(first.device.profileRecord?.profile)
        var bench = Bench("default", backend: first.backend)
        bench.call(.attributes([("plan", .string("y")), ("mine", .number(1))]))
        bench.call(.getFlow("main"))
        let outcome = bench.call(.activate(Activation(customerUserID: "u1")))
        #expect(outcome.callbacks == [.didLoadLatestProfile(known)])
        #expect(bench.device.profileRecord?.profile == known)
        let request = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(request)).error?.isNotFound == true)
    }

    @Test("ID-8 without AdaptyUI flow calls fail with 4003, onboarding calls with 4002")
    func withoutUI() {
        var bench = Bench("phone")
        bench.call(.activate(Activation(activatesUI: false)))
        bench.call(.getFlow("main"))
        bench.call(.getOnboarding("intro"))
        let flow = SDKCall.getFlowConfiguration(ConfigurationRequest(variationID: "v-all"))
        #expect(bench.call(flow).code == 4003)
        let onboarding = SDKCall.getOnboardingConfiguration(
            variationID: "v-intro", opensExternalBrowser: false)
        #expect(bench.call(onboarding).code == 4002)
        #expect(
            fault { try bench.device.createFlowController(configurationID: "x", handling: .app) }?
                .code == 4003)
        #expect(
            fault {
                try bench.device.createOnboardingController(configurationID: "x", handling: .app)
            }?
            .code == 4002)
    }

    @Test("ID-9 ID-10 ID-20 offline activate succeeds; the profile is announced when it is created")
    func offline() throws {
        var bench = Bench("phone")
        try bench.setOffline(true)
        let outcome = bench.call(.activate(Activation()))
        #expect(outcome.isDone)
        #expect(outcome.callbacks.isEmpty)
        #expect(bench.device.profileRecord == nil)
        #expect(bench.device.nextDue == nil, "no attempt can succeed, so none is waited for")
        #expect(bench.advance(3_600_000_000).isEmpty)
        _ = bench.advance(30)
        try bench.setOffline(false)
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 70), "attempts are every 100 ms")
        #expect(bench.advance(69).isEmpty)
        let outputs = bench.advance(1)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outputs == [.callback(.didLoadLatestProfile(profile))])
        #expect(bench.device.nextDue == nil)
    }

    @Test("ID-10 ID-30 under latency activate does not wait, calls that need the profile do")
    func latency() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 1_000, calls: 1)
        let activation = bench.call(.activate(Activation()))
        #expect(activation.isDone)
        #expect(activation.callbacks.isEmpty)
        let (read, nothing) = bench.start(.getProfile)
        #expect(nothing.isEmpty)
        let (flow, none) = bench.start(.getFlow("main"))
        #expect(none.isEmpty)
        #expect(bench.advance(999).isEmpty)
        let outputs = bench.advance(1)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outputs.count == 3)
        #expect(outputs.first == .callback(.didLoadLatestProfile(profile)))
        #expect(outputs[1] == .answer(read, .success(.profile(profile))))
        guard case .answer(flow, .success(.flow))? = outputs.last else {
            Issue.record("\(outputs)")
            return
        }
    }

    @Test("ID-20 ID-30 creation is tried again 100 ms after each failure")
    func retries() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 50, httpStatus: 500, calls: 3)
        bench.call(.activate(Activation()))
        _ = bench.start(.getProfile)
        #expect(bench.advance(449).isEmpty)
        #expect(bench.advance(1).count == 2)
    }

    @Test("ID-30 PL-51 a fetch waits for the profile up to its span, then 2005")
    func fetchWaitsForProfile() throws {
        var bench = Bench("phone")
        try bench.setOffline(true)
        bench.call(.activate(Activation()))
        let (id, nothing) = bench.start(.getFlow("main"))
        #expect(nothing.isEmpty)
        #expect(bench.advance(4_499).isEmpty)
        let outputs = bench.advance(1)
        guard case .answer(id, .failure(let error))? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(error.code == 2005)
    }

    @Test("ID-30 a waiter whose creation is superseded gets 3006")
    func superseded() throws {
        var bench = Bench("default")
        try bench.setOffline(true)
        let (id, nothing) = bench.start(.getProfile)
        #expect(nothing.isEmpty)
        let (activation, outputs) = bench.start(.activate(Activation(customerUserID: "u1")))
        #expect(outputs.count == 2)
        guard case .answer(id, .failure(let error))? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(error.code == 3006)
        #expect(outputs.last == .answer(activation, .success(.done)))
        try bench.setOffline(false)
        _ = bench.advance(100)
        #expect(bench.device.profileRecord?.profile.customerUserID == "u1")
    }

    @Test("ID-31 cancel ends the waiting, not the creation")
    func cancelledWaiter() throws {
        var bench = Bench("phone")
        try bench.setCondition("activate", latencyMs: 100, calls: 1)
        bench.call(.activate(Activation()))
        let (id, _) = bench.start(.getProfile)
        #expect(bench.cancel(id).count == 1)
        #expect(bench.advance(100).count == 1)
        #expect(bench.device.profileRecord != nil)
    }

    @Test("ID-28 a change of the profile closes no view")
    func viewsStay() throws {
        var bench = Bench("default")
        let view = try bench.presentQuiz()
        bench.call(.activate(Activation(customerUserID: "u1")))
        #expect(bench.device.views.map(\.state) == [.onTop])
        let callbacks = try bench.perform(.tapButton("close"), on: view)
        #expect(callbacks.last == .flowDidDisappear(view))
    }
}
