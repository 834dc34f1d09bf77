import FlowEngine
import Testing

@testable import SDKCore

@Suite("The fallback file in force")
struct FallbackFileTests {
    /// A device without network that has a file.
    private func offlineBench(_ file: MemoryFallback = .sample()) throws -> Bench {
        var bench = Bench()
        bench.call(.getProfile)
        bench.device.setFallback(file)
        try bench.setOffline(true)
        return bench
    }

    private func variation(_ bench: inout Bench, _ placement: String = "main") -> String? {
        bench.call(.getFlow(placement)).flow?.content.variationID
    }

    @Test("PL-55 PL-77 without network and cache the file gives the content, with one event")
    func offline() throws {
        var bench = try offlineBench()
        let flow = try #require(bench.call(.getFlow("main")).flow)
        #expect(flow.content.variationID == "f-main")
        #expect(flow.placement.audienceName == "File")
        #expect(flow.placement.revision == 9)
        #expect(flow.hasViewConfiguration)
        let event = try #require(bench.backend.events(limit: 10).last)
        #expect(
            event.event
                == BackendEvent(
                    name: "flow_variation_assigned",
                    properties: [
                        "variation_id": .string("f-main"),
                        "placement_audience_version_id": .string("pav_file_main"),
                    ]))
        #expect(event.profileID == bench.device.identity.profileID)
    }

    @Test("PL-77 what came from the file is not cached")
    func notCached() throws {
        var bench = try offlineBench()
        #expect(variation(&bench) == "f-main")
        bench.device.setFallback(MemoryFallback(createdAt: 0))
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).code == 2005)
    }

    @Test("PL-40 PL-77 with network the file plays no part, nor when the fallback server answers")
    func online() throws {
        var bench = try offlineBench()
        try bench.setOffline(false)
        #expect(variation(&bench) == "v-all")
        try bench.setCondition("get_flow", httpStatus: 503)
        #expect(variation(&bench, "tested") != nil)
        #expect(bench.assignments.count == 2)
    }

    @Test(
        "PL-55 after which failures the file serves",
        arguments: [(404, 0), (401, 0), (429, 0), (302, 0), (503, 404), (499, 503)]
            as [(UInt32, UInt32)])
    func failures(main: UInt32, fallback: UInt32) throws {
        var bench = try offlineBench()
        try bench.setOffline(false)
        try bench.setCondition("get_flow", httpStatus: main)
        try bench.setCondition("get_flow", .fallback, httpStatus: fallback)
        #expect(variation(&bench) == "f-main")
    }

    @Test("PL-55 PL-56 both servers late: the file at the end of the time-out")
    func late() throws {
        var bench = try offlineBench()
        try bench.setOffline(false)
        try bench.setCondition("get_flow", latencyMs: 4_500)
        try bench.setCondition("get_flow", .fallback, latencyMs: 600)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 5_000)
        #expect(outcome.flow?.content.variationID == "f-main")
    }

    @Test("PL-3 a placement that the catalog does not have is served from the file")
    func unknownPlacement() throws {
        let file = MemoryFallback.sample()
        file.add("only-here", [Samples.variation("f-only", version: nil)])
        var bench = try offlineBench(file)
        try bench.setOffline(false)
        #expect(variation(&bench, "only-here") == "f-only")
        #expect(bench.call(.getFlow("nowhere")).code == 2003)
    }

    @Test("PL-55 the error is that of the server when neither cache nor file has the placement")
    func neither() throws {
        var bench = try offlineBench()
        #expect(bench.call(.getFlow("plain")).code == 2005)
        #expect(bench.call(.getOnboarding("main")).code == 2005, "PL-4: of the other type")
        #expect(bench.call(.getFlow("intro")).code == 2005)
    }

    @Test(
        "PL-46 PL-55 PL-77 field case 25 the newer one of cache and file, the cache when equal",
        arguments: [(500, "v-all"), (1_000, "v-all"), (1_001, "f-main"), (2_000, "f-main")]
            as [(Int64, String)])
    func newer(createdAt: Int64, expected: String) throws {
        var bench = Bench(now: Instant(ms: 1_000))
        bench.call(.getFlow("main"))
        bench.device.setFallback(MemoryFallback.sample(createdAt: createdAt))
        try bench.setOffline(true)
        _ = bench.advance(10_000)
        #expect(variation(&bench) == expected)
        let cached = bench.call(.getFlow("main", policy: SDKCall.cached)).flow
        #expect(cached?.content.variationID == "v-all", "PL-41 does not look at the file")
    }

    @Test("PL-40 PL-41 PL-46 field case 25 each policy online, then offline")
    func policies() throws {
        var bench = Bench(now: Instant(ms: 1_000))
        bench.call(.getFlow("main"))
        bench.device.setFallback(MemoryFallback.sample(createdAt: 2_000))
        _ = bench.advance(2_000)
        bench.call(.attributes([("experience", .string("pro"))]))
        let cached = bench.call(.getFlow("main", policy: SDKCall.cached)).flow
        #expect(cached?.content.variationID == "v-all")
        #expect(variation(&bench) == "v-pro")
        try bench.setOffline(true)
        #expect(variation(&bench) == "v-pro", "of 3 000, so newer than the file")
    }

    @Test("PL-70 a later file replaces the former one")
    func replaced() throws {
        var bench = try offlineBench()
        let other = MemoryFallback(createdAt: 1)
        other.add("plain", [Samples.variation("f-plain", version: nil)])
        bench.device.setFallback(other)
        #expect(variation(&bench, "plain") == "f-plain")
        #expect(bench.call(.getFlow("main")).code == 2005)
    }

    @Test("PL-70 UC-51 a file set before activate serves the first start without network")
    func firstStart() throws {
        var bench = Bench("phone")
        bench.device.setFallback(MemoryFallback.sample())
        #expect(!bench.device.isActivated)
        try bench.setOffline(true)
        #expect(bench.call(.activate(Activation())).callbacks.isEmpty)
        let outcome = bench.call(.getFlow("main"), answeredAfterMs: 4_500)
        #expect(outcome.flow?.content.variationID == "f-main")
        try bench.setOffline(false)
        let outputs = bench.advance(100)
        let profile = try #require(bench.device.profileRecord).profile
        #expect(outputs == [.callback(.didLoadLatestProfile(profile))])
        #expect(variation(&bench) == "v-all")
    }

    @Test("PL-78 several variations are drawn by profile and the file's audience version")
    func drawn() throws {
        var seen: Set<String> = []
        for seed in 1...30 as ClosedRange<UInt64> {
            var bench = Bench(seed: seed)
            bench.call(.attributes([("experience", .string("pro"))]))
            bench.device.setFallback(MemoryFallback.sample())
            try bench.setOffline(true)
            let drawn = try #require(variation(&bench, "tested"))
            let expected = NaiveDraw.choose(
                [("A", 50), ("B", 50)], version: "pav_file_tested",
                profile: bench.device.identity.profileID)
            #expect(drawn == expected)
            seen.insert(drawn)
        }
        #expect(seen == ["A", "B"])
    }

    @Test("PL-31 PL-78 the joined test's variation is taken if the file has it, else drawn")
    func mapped() throws {
        for hasIt in [true, false] {
            var bench = Bench(catalog: Samples.crossPlacementCatalog())
            let first = bench.call(.getFlow("first")).flow?.content.variationID
            let mapped = first == "x1" ? "x2" : "y2"
            let file = MemoryFallback(createdAt: 1)
            // By weight alone `f-second` is always drawn.
            file.add(
                "second",
                [
                    Samples.variation(hasIt ? mapped : "f-other", version: nil, weight: 0),
                    Samples.variation("f-second", version: nil, weight: 100),
                ])
            bench.device.setFallback(file)
            try bench.setOffline(true)
            #expect(variation(&bench, "second") == (hasIt ? mapped : "f-second"))
            let flow = bench.call(.getFlowForDefaultAudience("second")).flow
            #expect(flow?.content.variationID == "f-second", "PL-57")
        }
    }

    @Test("PL-57 the default audience falls to the file too, on any failure")
    func defaultAudience() throws {
        var bench = try offlineBench()
        let call = SDKCall.getFlowForDefaultAudience("main")
        #expect(bench.call(call).flow?.content.variationID == "f-main")
        try bench.setOffline(false)
        try bench.setCondition("get_flow_for_default_audience", httpStatus: 503)
        #expect(bench.call(call).flow?.content.variationID == "f-main")
    }

    @Test("PL-59 PL-77 preloading does not look at the file")
    func preloading() throws {
        var bench = try offlineBench()
        #expect(bench.call(.preload(["main"])).code == 2005)
    }

    @Test("PL-78 PL-80 FC-9 an onboarding of the file comes with its one remote config, in en")
    func onboarding() throws {
        var bench = try offlineBench()
        let onboarding = bench.call(.getOnboarding("intro", locale: "pt-BR")).onboarding
        #expect(onboarding?.content.variationID == "f-intro")
        #expect(onboarding?.locale == "en")
        #expect(onboarding?.remoteConfig?.locale == "en")
        #expect(bench.assignments == ["f-intro"])
        let call = SDKCall.getOnboardingConfiguration(
            variationID: "f-intro", opensExternalBrowser: false)
        #expect(bench.call(call).code == nil, "the catalog has the onboarding of that id")
    }

    @Test("an onboarding of the file that the catalog does not have cannot be shown: 2006")
    func foreignOnboarding() throws {
        let file = MemoryFallback(createdAt: 1)
        file.add(
            "intro",
            [VariationDocument(variationID: "f-web", contentID: "web", name: "Web")],
            type: .onboarding)
        var bench = try offlineBench(file)
        #expect(bench.call(.getOnboarding("intro")).onboarding?.remoteConfig == nil)
        let outcome = bench.call(
            .getOnboardingConfiguration(variationID: "f-web", opensExternalBrowser: false))
        #expect(outcome.code == 2006)
        #expect(outcome.error?.message.contains("\"web\"") == true)
    }
}

@Suite("A fallback file that is being read")
struct FallbackReadingTests {
    private let reading = CallID(number: 1_000)

    /// A device without network whose file is being read.
    private func bench(isOffline: Bool = true) throws -> Bench {
        var bench = Bench()
        bench.call(.getProfile)
        try bench.setOffline(isOffline)
        bench.device.beginFallbackReading(reading)
        return bench
    }

    private func end(
        _ bench: inout Bench, _ file: MemoryFallback?, _ id: CallID? = nil
    ) -> [DeviceOutput] {
        let fault = DeviceFault.sdk(AdaptyError(.decodingFailed, "broken"))
        var outputs: [DeviceOutput] = []
        bench.device.endFallbackReading(
            id ?? reading, file.map { .success($0) } ?? .failure(fault), at: bench.now,
            outputs: &outputs)
        return outputs
    }

    /// Who was answered, with the variation or the code of the error.
    private func answers(_ outputs: [DeviceOutput]) -> [String] {
        outputs.compactMap { output in
            guard case .answer(let id, let result) = output else { return nil }
            let outcome = Outcome(callbacks: [], result: result)
            let what = outcome.flow?.content.variationID ?? outcome.code.map(String.init) ?? "done"
            return "\(id.number) \(what)"
        }
    }

    @Test("PL-55 PL-70 fetches that come to need the file wait for it, and go on in order")
    func fetchesWait() throws {
        var bench = try bench()
        #expect(bench.start(.getFlow("main")).outputs.isEmpty)
        #expect(bench.start(.getFlowForDefaultAudience("plain")).outputs.isEmpty)
        #expect(bench.advance(100_000).isEmpty, "the reading takes no time of the device")
        let answers = answers(end(&bench, .sample()))
        #expect(answers == ["1000 done", "2 f-main", "3 2005"])
    }

    @Test("PL-73 a refused file lets them end by the former one, or with their error")
    func refused() throws {
        for former in [MemoryFallback.sample(), nil] {
            var bench = try bench()
            if let former { bench.device.setFallback(former) }
            _ = bench.start(.getFlow("main"))
            let answers = answers(end(&bench, nil))
            #expect(answers == ["1000 2006", former == nil ? "2 2005" : "2 f-main"])
        }
    }

    @Test("two files that are read at once: calls wait for both, the one read last is in force")
    func twoFiles() throws {
        var bench = try bench()
        let second = CallID(number: 1_001)
        bench.device.beginFallbackReading(second)
        _ = bench.start(.getFlow("main"))
        #expect(answers(end(&bench, MemoryFallback(createdAt: 5))) == ["1000 done"])
        #expect(answers(end(&bench, .sample(), second)) == ["1001 done", "2 f-main"])
    }

    @Test("what needs no file does not wait")
    func others() throws {
        var bench = try bench(isOffline: false)
        #expect(bench.call(.getFlow("main")).flow != nil)
        try bench.setCondition("get_flow", httpStatus: 503)
        #expect(bench.call(.getFlow("main")).flow != nil)
        #expect(bench.call(.getFlow("main", policy: SDKCall.cached)).flow != nil)
        #expect(bench.call(.getFlow("plain")).flow != nil, "of the fallback server")
    }

    @Test("FC-8 a configuration waits for it as well, unless its document is cached")
    func configurations() throws {
        var bench = try bench(isOffline: false)
        let flow = try #require(bench.call(.getFlow("main")).flow)
        let request = ConfigurationRequest(variationID: flow.content.variationID)
        let (id, nothing) = bench.start(.getFlowConfiguration(request))
        #expect(nothing.isEmpty)
        let outputs = end(&bench, .sample())
        #expect(outputs.first == .answer(reading, .success(.done)))
        #expect(bench.outcome(of: id, in: Array(outputs.dropFirst())).code == nil)
        bench.device.beginFallbackReading(reading)
        #expect(bench.call(.getFlowConfiguration(request)).code == nil)
    }

    @Test("GEN-10 a fetch that waits for the file is cancelled like any other")
    func cancelledFetch() throws {
        var bench = try bench()
        let (id, _) = bench.start(.getFlow("main"))
        #expect(bench.cancel(id).count == 1)
        #expect(answers(end(&bench, .sample())) == ["1000 done"])
    }

    @Test("GEN-10 a cancelled or expired reading changes nothing and holds nobody up")
    func cancelledReading() throws {
        for isCancelled in [true, false] {
            var bench = try bench()
            _ = bench.start(.getFlow("main"))
            var outputs: [DeviceOutput] = []
            if isCancelled {
                outputs = bench.cancel(reading)
            } else {
                let isExpired = bench.device.expire(reading)
                #expect(isExpired)
                #expect(bench.device.nextDue == bench.now)
                outputs = bench.advance(0)
            }
            #expect(answers(outputs) == (isCancelled ? ["1000 9000", "2 2005"] : ["2 2005"]))
            #expect(end(&bench, .sample()).isEmpty)
            #expect(bench.call(.getFlow("main")).code == 2005)
        }
    }

    @Test("GEN-11 PL-70 the file ends with the process of the app, one being read too")
    func restarted() throws {
        var bench = try bench()
        bench.device.setFallback(MemoryFallback.sample())
        bench.restart()
        #expect(end(&bench, .sample()).isEmpty)
        bench.call(.activate(Activation()))
        #expect(bench.call(.getFlow("main")).code == 2005)
    }
}
