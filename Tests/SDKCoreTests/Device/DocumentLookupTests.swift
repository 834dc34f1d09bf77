import FlowEngine
import Testing

@testable import SDKCore

@Suite("Where the document of a flow comes from")
struct DocumentLookupTests {
    /// A device that has fetched `main`, whose flow version is `quiz-v1`.
    private func bench(_ file: MemoryFallback? = nil) -> Bench {
        var bench = Bench()
        bench.call(.getFlow("main"))
        if let file { bench.device.setFallback(file) }
        return bench
    }

    private func configure(_ bench: inout Bench, locale: String = "") -> Outcome {
        bench.call(
            .getFlowConfiguration(ConfigurationRequest(variationID: "v-all", locale: locale)))
    }

    private func screens(_ bench: inout Bench) throws -> String? {
        guard case .success(.flowConfiguration(let id, _, _)) = configure(&bench).result else {
            return nil
        }
        let view = try bench.device.createFlowController(configurationID: id, handling: .app)
        _ = try bench.present(view)
        return try bench.screen(view).screenID
    }

    private func file(_ document: FallbackDocument) -> MemoryFallback {
        let file = MemoryFallback(createdAt: 1)
        file.documents["quiz-v1"] = document
        return file
    }

    private static let native = FallbackDocument.flow(FlowDocument(Samples.flow("quiz-v1")))

    @Test("FC-8 the cache comes first: no server is asked, and no condition is used up")
    func cache() throws {
        var bench = bench(file(Self.native))
        bench.device.fallbackFile = nil
        #expect(configure(&bench).code == nil)
        try bench.setOffline(true)
        #expect(configure(&bench).code == nil)
        try bench.setOffline(false)
        try bench.setCondition("get_flow_configuration", httpStatus: 404, calls: 1)
        #expect(configure(&bench).code == nil)
        bench.device.setFallback(file(Self.native))
        #expect(try screens(&bench) == "scr_quiz", "the file comes after the cache")
    }

    @Test("FC-8 then the file, also when the backend could be asked")
    func fileSecond() throws {
        var bench = bench(file(Self.native))
        try bench.setCondition("get_flow_configuration", httpStatus: 404)
        #expect(try screens(&bench) == "scr_only")
    }

    @Test("FC-8 then the backend; what that does not have is its error")
    func backend() throws {
        var bench = bench(file(.absent))
        try bench.setCondition("get_flow_configuration", httpStatus: 503, calls: 1)
        #expect(configure(&bench).code == 2004)
        try bench.setOffline(true)
        #expect(configure(&bench).code == 2005)
        try bench.setOffline(false)
        #expect(try screens(&bench) == "scr_quiz")
    }

    @Test("FC-7 FC-8 a document of the file with faults is 2006, although the backend has one")
    func broken() throws {
        var bench = bench(file(.broken("the locale en is there twice")))
        let outcome = configure(&bench)
        #expect(outcome.code == 2006)
        #expect(outcome.error?.message == "the locale en is there twice")
    }

    @Test("FC-8 a document in the builder's own form: the backend's, else 2006 that says so")
    func foreign() throws {
        var bench = bench(file(.foreign("cannot be shown here")))
        try bench.setCondition("get_flow_configuration", httpStatus: 503, calls: 1)
        let outcome = configure(&bench)
        #expect(outcome.code == 2006)
        #expect(outcome.error?.message.hasPrefix("cannot be shown here; ") == true)
        #expect(outcome.error?.message.contains("503") == true)
        #expect(configure(&bench).code == nil)
    }

    @Test(
        "FC-3 FC-9 of a document of the file only en is a locale; others are a miss",
        arguments: [("", "en"), ("en", "en"), ("de", "fr"), ("fr", "fr"), ("EN", "fr")])
    func locales(wanted: String, locale: String) throws {
        var content = Samples.flow("quiz-v1")
        content.locales = ["fr", "de", "en"].map { LocaleDocument(id: $0) }
        var bench = bench(file(.flow(FlowDocument(content))))
        guard
            case .success(.flowConfiguration(_, let versionID, let used)) =
                configure(&bench, locale: wanted).result
        else {
            Issue.record("no configuration")
            return
        }
        #expect(used.id == locale)
        #expect(versionID == "quiz-v1")
    }

    @Test("FC-8 a catalog with another document of that version takes the cached one's place")
    func otherCatalog() throws {
        var bench = bench()
        #expect(try screens(&bench) == "scr_quiz")
        func reload(_ flows: [String: FlowContent]) {
            bench.backend.replaceCatalog(
                Catalog(placements: [], flows: flows, onboardings: [:], products: [:]))
        }
        try bench.setOffline(true)
        reload(["quiz-v1": Samples.quiz()])
        #expect(configure(&bench).code == nil, "the same content again")
        reload([:])
        #expect(configure(&bench).code == nil, "the cache still has it")
        reload(["quiz-v1": Samples.flow("quiz-v1")])
        #expect(configure(&bench).code == 2005)
    }

    @Test("OB-5 the document of a fetched onboarding outlives its catalog")
    func onboarding() throws {
        var bench = Bench()
        bench.call(.getOnboarding("intro"))
        bench.backend.replaceCatalog(
            Catalog(placements: [], flows: [:], onboardings: [:], products: [:]))
        let call = SDKCall.getOnboardingConfiguration(
            variationID: "v-intro", opensExternalBrowser: false)
        #expect(bench.call(call).code == nil)
    }

    @Test("PL-44 ID-7 another API key forgets the documents with all the rest")
    func wiped() throws {
        var bench = bench()
        #expect(configure(&bench).code == nil)
        #expect(bench.device.documents.flow(versionID: "quiz-v1") != nil)
        bench.device.identity.apiKey = "former"
        bench.call(.activate(Activation(apiKey: "other")))
        #expect(bench.device.documents.flow(versionID: "quiz-v1") == nil)
        #expect(bench.device.cache.placements.isEmpty)
    }
}
