import FlowEngine
import Testing

@testable import SDKCore

@Suite("Configurations")
struct ConfigurationTests {
    @Test("FC-1 PL-8 field case 17: a flow without view configuration is 3001 that says so")
    func noViewConfiguration() throws {
        var bench = Bench()
        let flow = try #require(bench.call(.getFlow("plain")).flow)
        #expect(!flow.hasViewConfiguration)
        let request = ConfigurationRequest(variationID: "v-plain")
        let error = bench.call(.getFlowConfiguration(request)).error
        #expect(error?.code == 3001)
        #expect(error?.message.contains("has no view configuration") == true)
        let creation = fault {
            try bench.device.createFlowController(configurationID: "", handling: .app)
        }
        #expect(creation?.isNotFound == true)
        #expect(bench.device.views.isEmpty)
    }

    @Test(
        "FC-2 FC-3 FC-4 FC-6 the locale is compared exactly after trimming; a miss is the default",
        arguments: [
            ("pt-br", "pt-br"), (" pt-br ", "pt-br"), ("pt-BR", "en"), ("pt_BR", "en"),
            ("pt-PT", "en"), ("pt", "en"), ("", "en"), ("  ", "en"), ("ar", "ar"), ("AR", "en"),
        ])
    func locales(given: String, used: String) {
        var bench = Bench(locale: "ar-EG")
        bench.call(.getFlow("main"))
        let request = ConfigurationRequest(variationID: "v-all", locale: given)
        guard
            case .success(.flowConfiguration(let id, let version, let locale)) =
                bench.call(.getFlowConfiguration(request)).result
        else {
            Issue.record("no configuration")
            return
        }
        #expect(locale.id == used)
        #expect(locale.isRightToLeft == (used == "ar"))
        #expect(version == "quiz-v1")
        #expect(ViewID(id) != nil)
    }

    @Test("FC-3 FC-4 without locale en is looked for, else the default of the flow is used")
    func defaultLocale() {
        var content = Samples.flow("pro-v1")
        content.locales = [LocaleDocument(id: "de"), LocaleDocument(id: "fr")]
        content.defaultLocale = 1
        var bench = Bench(
            catalog: Catalog(
                placements: [Samples.tested(weights: (100, 0))], flows: ["pro-v1": content],
                onboardings: [:], products: [:]))
        let variation = bench.call(.getFlow("tested")).flow?.content.variationID ?? ""
        let request = ConfigurationRequest(variationID: variation)
        guard
            case .success(.flowConfiguration(_, _, let locale)) =
                bench.call(.getFlowConfiguration(request)).result
        else {
            Issue.record("no configuration")
            return
        }
        #expect(locale.id == "fr")
    }

    @Test(
        "FC-5 FC-6 field case 19: an English flow looks the same on every device",
        arguments: [
            "en-US", "de-DE", "ar-EG", "zh-Hant-TW",
        ])
    func sameOnEveryDevice(locale: String) throws {
        func screen(_ locale: String) throws -> (ScreenSnapshot, LocaleDocument) {
            var bench = Bench(locale: locale)
            let view = try bench.presentQuiz()
            let (screens, shown) = try bench.device.screen(of: view.description, elements: 0..<100)
            return (try #require(screens.last), shown)
        }
        let (snapshot, shown) = try screen(locale)
        #expect(snapshot == (try screen("en-US").0))
        #expect(!shown.isRightToLeft)
        #expect(shown.id == "en")
    }

    @Test("a variation that was not fetched is NOT_FOUND, saying what to call first")
    func notFetched() {
        var bench = Bench()
        let flow = bench.call(.getFlowConfiguration(ConfigurationRequest(variationID: "v-all")))
            .error
        #expect(flow?.isNotFound == true)
        #expect(flow?.message.contains("v-all") == true)
        #expect(flow?.message.contains("call get_flow first") == true)
        let onboarding = bench.call(
            .getOnboardingConfiguration(variationID: "v-intro", opensExternalBrowser: false)
        ).error
        #expect(onboarding?.isNotFound == true)
        #expect(onboarding?.message.contains("call get_onboarding first") == true)
    }

    @Test("an unknown configuration is NOT_FOUND, naming it and what to call first")
    func unknownConfiguration() throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        let id = "01234567-89AB-4DEF-8EDC-BA9876543210"
        let flow = fault {
            try bench.device.createFlowController(configurationID: id, handling: .app)
        }
        #expect(flow?.isNotFound == true)
        #expect(flow?.message.contains(id) == true)
        #expect(flow?.message.contains("get_flow") == true)
        let ofFlow = try bench.configureFlow()
        let other = fault {
            try bench.device.createOnboardingController(configurationID: ofFlow, handling: .app)
        }
        #expect(other?.isNotFound == true)
        #expect(other?.message.contains("get_onboarding") == true)
    }

    @Test("FC-8 a version that the backend lost is its error")
    func lostVersion() {
        var bench = Bench()
        bench.call(.getFlow("main"))
        bench.backend.replaceCatalog(
            Catalog(placements: [], flows: [:], onboardings: [:], products: [:]))
        let request = ConfigurationRequest(variationID: "v-all")
        #expect(bench.call(.getFlowConfiguration(request)).code == 2003)
    }

    @Test(
        "FC-8 PL-50 a configuration has the whole load time-out, 5 s without, 1 s at the least",
        arguments: [(nil, 4_999, nil), (nil, 5_000, 2005), (200, 999, nil), (200, 1_000, 2005)]
            as [(UInt32?, UInt32, Int32?)])
    func loadTimeouts(timeout: UInt32?, latency: UInt32, code: Int32?) throws {
        var bench = Bench()
        bench.call(.getFlow("main"))
        try bench.setCondition("get_flow_configuration", latencyMs: latency)
        let request = ConfigurationRequest(variationID: "v-all", loadTimeoutMs: timeout)
        let (id, nothing) = bench.start(.getFlowConfiguration(request))
        #expect(nothing.isEmpty)
        #expect(bench.advance(Int64(latency) - 1).isEmpty)
        guard case .answer(id, let result)? = bench.advance(1).first else {
            Issue.record("no answer")
            return
        }
        #expect(Outcome(callbacks: [], result: result).code == code)
    }

    @Test(
        "FC-22 given products are used as they are, an empty list too; else those of the store",
        arguments: [
            (["p.month", "p.year"], true), (["p.month"], false), ([], false), (nil, true),
        ] as [([String]?, Bool)])
    func products(given: [String]?, isPreselected: Bool) throws {
        var bench = Bench()
        let view = try bench.createFlow(products: given)
        let callbacks = try bench.present(view)
        let selected = callbacks.filter { $0.line == "select p.year" }
        #expect(selected.count == (isPreselected ? 1 : 0))
        if isPreselected { #expect(callbacks.last == selected.last, "VW-25: preselection is last") }
    }

    @Test("256 configurations are kept, the oldest goes")
    func configurationsMax() throws {
        var bench = Bench()
        let oldest = try bench.configureFlow()
        for _ in 1..<SDKLimits.configurationsMax { _ = try bench.configureFlow() }
        _ = try bench.device.createFlowController(configurationID: oldest, handling: .app)
        let newest = try bench.configureFlow()
        let error = fault {
            try bench.device.createFlowController(configurationID: oldest, handling: .app)
        }
        #expect(error?.isNotFound == true)
        _ = try bench.device.createFlowController(configurationID: newest, handling: .app)
    }

    @Test("256 fetched contents are kept, the oldest goes")
    func fetchedContentsMax() {
        var contents = FetchedContents()
        let placement = PlacementValue(id: "p", audienceName: "", abTestName: "", revision: 1)
        func keep(_ number: Int) {
            contents.keep(
                .flow(
                    Flow(
                        placement: placement,
                        content: Samples.variation("v\(number)", version: nil))))
        }
        for number in 0..<SDKLimits.fetchedContentsMax { keep(number) }
        #expect(contents.flow(variationID: "v0") != nil)
        keep(0)
        #expect(contents.flow(variationID: "v1") != nil, "a content fetched again takes no room")
        keep(SDKLimits.fetchedContentsMax)
        #expect(contents.flow(variationID: "v1") == nil)
        #expect(contents.flow(variationID: "v0") != nil)
    }
}
