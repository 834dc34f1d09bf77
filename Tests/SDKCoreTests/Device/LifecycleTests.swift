import FlowEngine
import Testing

@testable import SDKCore

@Suite("The process of the app, and fresh installations")
struct LifecycleTests {
    private let main = ConfigurationRequest(variationID: "v-all")

    @Test("GEN-11 ID-1 ID-4 the next process finds the profile and what was fetched, not activated")
    func nextProcess() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(apiKey: "key", customerUserID: "u1")))
        bench.call(.getFlow("main"))
        let profile = try #require(bench.call(.getProfile).profile)
        bench.restart()
        #expect(!bench.device.isActivated)
        #expect(bench.call(.getProfile).code == 2002)
        let outcome = bench.call(.activate(Activation(apiKey: "key")))
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(bench.call(.getProfile).profile == profile)
        #expect(bench.call(.getFlowConfiguration(main)).code == nil)
    }

    @Test("GEN-11 ID-34 the device default activates itself in each of its processes")
    func defaultAgain() throws {
        var bench = Bench("default")
        let first = try #require(bench.call(.getProfile).profile)
        bench.restart()
        let outcome = bench.call(.getProfile)
        #expect(outcome.callbacks == [.didLoadLatestProfile(first)])
        #expect(outcome.profile == first)
    }

    @Test("VW-23 GEN-11 views go without a callback, and with them what they would have done")
    func views() throws {
        var bench = Bench("default", catalog: Samples.timed())
        let view = try bench.presentTimer()
        bench.restart()
        #expect(bench.device.views.isEmpty)
        #expect(bench.device.nextDue == nil)
        #expect(bench.advance(60_000).isEmpty)
        #expect(fault { try bench.present(view) }?.code == 3001)
    }

    @Test("GEN-11 configurations of views end with the process")
    func configurations() throws {
        var bench = Bench("default")
        let id = try bench.configureFlow()
        bench.restart()
        bench.call(.getProfile)
        #expect(
            fault { try bench.device.createFlowController(configurationID: id, handling: .app) }?
                .isNotFound == true)
    }

    @Test("GEN-11 waiting calls end with the process, and the background")
    func waitingCalls() throws {
        var bench = Bench("default")
        bench.call(.getProfile)
        try bench.setCondition("get_flow", latencyMs: 1_000)
        _ = bench.start(.getFlow("main"))
        _ = try bench.enterBackground()
        bench.restart()
        #expect(!bench.device.isInBackground)
        #expect(bench.advance(60_000).isEmpty)
        #expect(fault { try bench.enterForeground() }?.isWrongState == true)
    }

    @Test(
        "GEN-11 FC-15 continue timers end with the process, persisted ones go on",
        arguments: [(TimerMode.continue, 10_000), (.persisted, 5_000)] as [(TimerMode, Int64)])
    func timers(mode: TimerMode, left: Int64) throws {
        var bench = Bench("default", catalog: Samples.timed(mode))
        _ = try bench.presentTimer()
        _ = bench.advance(4_000)
        bench.restart()
        _ = bench.advance(1_000)
        _ = try bench.presentTimer()
        #expect(bench.device.nextDue == bench.now.advanced(byMs: left))
    }

    @Test("FC-15 a persisted timer whose end has passed meanwhile starts anew")
    func endedTimer() throws {
        var bench = Bench("default", catalog: Samples.timed(.persisted))
        _ = try bench.presentTimer()
        bench.restart()
        _ = bench.advance(10_000)
        _ = try bench.presentTimer()
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 10_000))
    }

    @Test("GEN-11 ID-9 ID-10 a profile not created yet is created by the next process")
    func uncreated() throws {
        var bench = Bench("phone")
        try bench.setOffline(true)
        bench.call(.activate(Activation(customerUserID: "u1")))
        let id = bench.device.identity.profileID
        bench.restart()
        #expect(bench.device.nextDue == nil)
        try bench.setOffline(false)
        #expect(bench.advance(1_000).isEmpty, "nobody has activated yet")
        let outcome = bench.call(.activate(Activation()))
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outcome.callbacks == [.didLoadLatestProfile(profile)])
        #expect(profile.profileID == id)
        #expect(profile.customerUserID == "", "the name had not reached the backend")
    }

    @Test("PRO-7 the choice of analytics is kept over a restart of the app")
    func analyticsChoice() {
        var bench = Bench("phone")
        bench.call(.activate(Activation()))
        bench.call(.update { $0.analyticsDisabled = true })
        bench.restart()
        bench.call(.activate(Activation()))
        bench.call(.getFlow("main"))
        #expect(bench.backend.events(limit: 10).isEmpty)
    }

    @Test("GEN-11 PL-81 the next process may have another version, locale or zone")
    func otherVersion() {
        var placement = Samples.main()
        placement.audiences[1].conditions = [SegmentCondition("language", "de")]
        var bench = Bench(
            catalog: Catalog(placements: [placement], flows: [:], onboardings: [:], products: [:]))
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "All")
        bench.restart {
            $0.locale = "de-DE"
            $0.zone = .fixed(minutes: 60)
        }
        #expect(bench.call(.getFlow("main")).flow?.placement.audienceName == "Pros")
        #expect(bench.device.configuration.zone.name == "Fixed60")
    }

    @Test("VW-1 ids are drawn on over a restart and a reset; another seed begins anew")
    func ids() throws {
        var bench = Bench("default", seed: 7)
        let first = try bench.createFlow()
        bench.restart()
        let second = try bench.createFlow()
        bench.device.reset()
        let third = try bench.createFlow()
        #expect(Set([first, second, third]).count == 3)
        var other = Bench("default", seed: 8)
        other.restart { $0.seed = 7 }
        #expect(try other.createFlow() == first)
    }

    @Test("conditions are those of the world around: they outlast process and installation")
    func conditions() throws {
        var bench = Bench("default")
        bench.call(.getProfile)
        try bench.setOffline(true)
        bench.restart()
        #expect(bench.call(.getFlow("main")).code == 2005)
        bench.device.reset()
        let (_, nothing) = bench.start(.getProfile)
        #expect(nothing.isEmpty, "the new profile cannot be created")
    }
}

@Suite("A fresh installation")
struct ResetTests {
    @Test("ID-3 a reset device is as good as new: another profile, nothing fetched, no timer")
    func reset() throws {
        var bench = Bench("phone", catalog: Samples.timed(.persisted))
        bench.call(.activate(Activation(apiKey: "key", customerUserID: "u1")))
        bench.call(.update { $0.analyticsDisabled = true })
        let view = try bench.presentTimer()
        let former = try #require(bench.call(.getProfile).profile)
        bench.device.reset()
        #expect(bench.device.views.isEmpty)
        #expect(fault { try bench.present(view) }?.code == 3001)
        #expect(bench.device.isOpen)
        #expect(bench.call(.getProfile).code == 2002)
        #expect(bench.advance(60_000).isEmpty)
        bench.call(.activate(Activation(apiKey: "other")))
        let profile = try #require(bench.call(.getProfile).profile)
        #expect(profile.profileID != former.profileID)
        #expect(profile.customerUserID == "")
        let request = ConfigurationRequest(variationID: "B")
        #expect(bench.call(.getFlowConfiguration(request)).error?.isNotFound == true)
        #expect(bench.backend.profileRecord(former.profileID)?.profile == former)
        bench.call(.getFlow("tested"))
        #expect(bench.backend.events(limit: 10).count == 1, "analytics are on again")
    }

    @Test("FC-15 persisted timers go with the installation")
    func timers() throws {
        var bench = Bench("default", catalog: Samples.timed(.persisted))
        _ = try bench.presentTimer()
        _ = bench.advance(4_000)
        bench.device.reset()
        _ = try bench.presentTimer()
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 10_000))
    }

    @Test("a closed device can be reset, and stays closed")
    func closed() throws {
        var bench = Bench("default")
        let former = try #require(bench.call(.getProfile).profile)
        bench.device.close()
        bench.device.reset()
        #expect(!bench.device.isOpen)
        #expect(bench.device.storedState.profile == nil)
        var outputs: [DeviceOutput] = []
        bench.device.reopen(bench.device.configuration, at: bench.now, outputs: &outputs)
        #expect(bench.call(.getProfile).profile?.profileID != former.profileID)
    }
}

@Suite("The stored state of a device")
struct StoredDeviceStateTests {
    private func remade(_ bench: Bench) -> (device: SDKDevice, outputs: [DeviceOutput]) {
        var outputs: [DeviceOutput] = []
        let device = SDKDevice(
            configuration: bench.device.configuration, backend: bench.backend,
            state: bench.device.storedState, at: bench.now, outputs: &outputs)
        return (device, outputs)
    }

    @Test("GEN-11 a device made out of its state goes on as the same process, without its views")
    func sameProcess() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation(apiKey: "key", customerUserID: "u1", observerMode: true)))
        _ = try bench.presentQuiz()
        _ = try bench.enterBackground()
        let (device, outputs) = remade(bench)
        #expect(outputs.isEmpty, "no process has begun")
        #expect(device.isActivated)
        #expect(device.isInBackground)
        #expect(device.views.isEmpty)
        #expect(device.storedState == bench.device.storedState)
        bench.device = device
        #expect(bench.call(.activate(Activation())).code == 3005)
        #expect(bench.call(.getProfile).profile?.customerUserID == "u1")
        #expect(bench.call(.getFlowConfiguration(.init(variationID: "v-all"))).code == nil)
    }

    @Test("GEN-11 ID-31 a creation that was under way goes on")
    func creationGoesOn() throws {
        var bench = Bench("phone")
        try bench.setOffline(true)
        bench.call(.activate(Activation(customerUserID: "u1")))
        bench.device = remade(bench).device
        #expect(bench.device.nextDue == bench.now)
        let outputs = bench.advance(0)
        let profile = try #require(bench.device.profileRecord?.profile)
        #expect(outputs == [.callback(.didLoadLatestProfile(profile))])
        #expect(profile.customerUserID == "u1")
    }

    @Test("GEN-11 ID-4 the state of a closed device makes one that is not activated")
    func closedState() throws {
        var bench = Bench("phone")
        bench.call(.activate(Activation()))
        let profile = try #require(bench.call(.getProfile).profile)
        bench.device.close()
        #expect(bench.device.storedState.process == nil)
        let (device, outputs) = remade(bench)
        #expect(outputs == [.callback(.deviceOpened)])
        bench.device = device
        #expect(bench.call(.getProfile).code == 2002)
        #expect(
            bench.call(.activate(Activation())).callbacks == [.didLoadLatestProfile(profile)])
    }
}

@Suite("Timers that outlive their view")
struct KeptTimersTests {
    private let now = Instant(ms: 0)

    private func full(endingAt first: Int64) -> KeptTimers {
        var timers = KeptTimers()
        for place in 0..<SDKLimits.keptTimersMax {
            timers.keep(
                "t\(place)", mode: .continue, endsAt: Instant(ms: first + Int64(place)), now: now)
        }
        return timers
    }

    @Test("FC-15 1 024 timers are kept; of one more those that ended go first")
    func ended() {
        var timers = full(endingAt: -9)
        #expect(timers.ends.count == 1_024)
        timers.keep("t3", mode: .persisted, endsAt: Instant(ms: 5), now: now)
        #expect(timers.ends.count == 1_024, "it was there already")
        #expect(timers.persisted == ["t3": Instant(ms: 5)])
        timers.keep("new", mode: .continue, endsAt: Instant(ms: 7), now: now)
        #expect(timers.ends.count == 1_024 - 9 + 1, "t0 to t9 but t3 had ended")
        #expect(timers.ends["t3"] != nil)
    }

    @Test("FC-15 when none has ended, the one that ends first goes")
    func first() {
        var timers = full(endingAt: 1)
        timers.keep("new", mode: .continue, endsAt: Instant(ms: 7), now: now)
        #expect(timers.ends.count == 1_024)
        #expect(timers.ends["t0"] == nil)
        #expect(timers.ends["new"] == Instant(ms: 7))
    }
}
