import BridgeProtocol
import Foundation
import Testing

@Suite("load_catalog puts another catalog in the place of the one that is served")
struct LoadCatalogTests {
    private func load(_ folder: CatalogFolder, _ client: TestClient) throws -> LoadCatalogReply {
        try withExtendedLifetime(folder) { try load(folder.path, client) }
    }

    private func load(_ path: String, _ client: TestClient) throws -> LoadCatalogReply {
        let reply = try client.call(request(path))
        guard case .loadCatalog(let loaded) = reply else { throw Unexpected(reply) }
        return loaded
    }

    private func request(_ path: String) -> ClientFrame.Body {
        .loadCatalog(with(LoadCatalogRequest()) { $0.path = path })
    }

    private func refusal(_ folder: CatalogFolder, _ client: TestClient) throws -> BridgeError {
        try withExtendedLifetime(folder) { try refusal(folder.path, client) }
    }

    private func refusal(_ path: String, _ client: TestClient) throws -> BridgeError {
        try #require(throws: BridgeError(.invalidArgument, "")) { try load(path, client) }
    }

    @Test("PL-3 the new catalog is served, with its counts and warnings", arguments: Wire.allCases)
    func served(wire: Wire) throws {
        var files = CatalogFolder.shop("new")
        files["notes.txt"] = "no part of it"
        let folder = try CatalogFolder(files)
        let client = try TestBroker.start(wire).client(wire.mode)
        #expect(try client.getFlow("onboarding").variationId == "var_registration")
        let reply = try load(folder, client)
        #expect([reply.placements, reply.flows, reply.onboardings] == [1, 1, 0])
        #expect(reply.warnings.map(\.file) == ["notes.txt"])
        #expect(reply.warnings.allSatisfy { $0.isWarning })
        #expect(reply.warningsLeftOut == 0)
        #expect(try client.getFlow("shop").variationId == "var_new")
        let gone = #expect(throws: BridgeError.self) { try client.getFlow("premium_offer_1") }
        #expect(gone?.sdk?.name == "badRequest")
        #expect(try client.getFlow("onboarding").variationId == "var_registration", "PL-3: cached")
        guard
            case .listPlacements(let listed) = try client.call(
                .listPlacements(ListPlacementsRequest()))
        else { throw Unexpected("no list") }
        #expect(listed.placements.map(\.placementId) == ["shop"])
        #expect(try client.status().catalog == folder.path)
    }

    @Test(
        "views and configurations keep their documents and products, a profile stays",
        arguments: Wire.allCases)
    func kept(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        let folder = try CatalogFolder(CatalogFolder.shop("old"))
        _ = try load(folder, client)
        try client.subscribe()
        try client.update { $0.firstName = "Jane" }
        let shown = try client.makeFlowView("shop")
        let created = try client.makeFlowView("shop")
        try client.present(shown)
        _ = try load(CatalogFolder(CatalogFolder.shop("new")), client)
        _ = client.takeEvents()

        #expect(try client.screen(shown).screens.map(\.screenId) == ["scr_old"])
        let selected = with(SelectProductGesture()) {
            $0.elementId = "plans"
            $0.vendorProductId = "old_b"
        }
        try client.perform(shown, .selectProduct(selected))
        let event = try #require(client.takeEvents().first)
        guard case .didSelectProduct(let chosen) = event.kind else { throw Unexpected(event.story) }
        #expect(chosen.product?.localizedTitle == "Title of old_b")
        try client.dismiss(shown)
        try client.present(created)
        #expect(try client.screen(created).screens.map(\.screenId) == ["scr_old"])
        #expect(try client.inspectProfile().firstName == "Jane")
        #expect(try client.getFlow("shop").variationId == "var_new")
    }

    @Test(
        "PL-28 a recorded variation outlives a reload that changes weights",
        arguments: Wire.allCases)
    func recorded(wire: Wire) throws {
        func weighted(_ a: Int, _ b: Int) -> [String: String] {
            let variations = [("a", a), ("b", b)].map { id, weight in
                #"{"variation_id":"\#(id)","weight":\#(weight),"flow_id":"f","flow_version_id":"f1"}"#
            }.joined(separator: ",")
            return [
                "placements.json": """
                {"placements":[{"id":"main","type":"flow","audiences":[{"name":"All Users",
                "all_users":true,"version_id":"pav","ab_test":"t","variations":[\(variations)]}]}]}
                """,
                "flows/f1.json": #"{"screens":[{"id":"s"}]}"#,
            ]
        }
        let client = try TestBroker.start(wire).client(wire.mode)
        let folder = try CatalogFolder(weighted(99, 1))
        _ = try load(folder, client)
        let drawn = try client.getFlow("main").variationId
        try folder.write(drawn == "a" ? weighted(1, 99) : weighted(99, 1))
        _ = try load(folder, client)
        #expect(try client.getFlow("main").variationId == drawn)
        // Who never drew is drawn by the new weights: nearly all get the other one.
        var others = 0
        for number in 1...10 {
            try client.openDevice("fresh-\(number)")
            try client.activate()
            if try client.getFlow("main").variationId != drawn { others += 1 }
        }
        #expect(others >= 8)
    }

    @Test(
        "a catalog with faults is refused with every fault, the old one stays",
        arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        var files = CatalogFolder.shop("new")
        files["products.json"] = #"{"products":[{"vendor_product_id":"new_a","prise":1}]}"#
        files["flows/bad.json"] = #"{"screens":[{"id":"s","elements":[{"type":"slider"}]}]}"#
        files["notes.txt"] = "no part of it"
        let folder = try CatalogFolder(files)
        let client = try TestBroker.start(wire).client(wire.mode)
        let error = try refusal(folder, client)
        #expect(error.field == "load_catalog.path")
        #expect(error.message.holds([folder.path, "faults", error.catalogFaults[0].message]))
        let named = error.catalogFaults.map { "\($0.file)#\($0.pointer)" }
        #expect(named.contains("products.json#/products/0/prise"))
        #expect(named.contains("flows/bad.json#/screens/0/elements/0/type"))
        #expect(error.catalogFaults.filter(\.isWarning).map(\.file) == ["notes.txt"])
        #expect(try client.getFlow("premium_offer_1").variationId != "")
        #expect(try client.status().catalog == "test")
    }

    @Test("a path has to be absolute, not too long, and there", arguments: Wire.allCases)
    func paths(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        for path in ["", "catalog", "./catalog", "\u{301}/catalog"] {
            #expect(try refusal(path, client).message.contains("is not absolute"), "\(path)")
        }
        let long = "/" + String(repeating: "a", count: 4_095)
        #expect(try refusal(long, client).message.holds(["4096", "4095"]))
        for path in ["/none/of/these", String(long.dropLast())] {
            let error = try refusal(path, client)
            #expect(error.catalogFaults.map(\.file) == ["."], "\(error.message)")
        }
        try client.expectServed()
    }

    @Test(
        "more faults than fit an answer are cut, and the message says so", arguments: Wire.allCases)
    func cut(wire: Wire) throws {
        let faulty = Array(repeating: "{\"id\":7}", count: 12_000).joined(separator: ",")
        let folder = try CatalogFolder(["placements.json": "{\"placements\":[\(faulty)]}"])
        let client = try TestBroker.start(wire).client(wire.mode)
        let error = try refusal(folder, client)
        #expect(error.catalogFaults.count > 1_000)
        let bytes = error.catalogFaults.reduce(0) {
            $0 + $1.file.utf8.count + $1.pointer.utf8.count + $1.message.utf8.count
        }
        #expect(bytes <= 1 << 19)
        #expect(error.message.holds(["\(error.catalogFaults.count) fit", "--check-catalog"]))
        try client.expectServed()
    }

    @Test("others are served while a catalog is read", arguments: [Wire.binarySocket, .lineSocket])
    func beside(wire: Wire) throws {
        var files = CatalogFolder.shop("new")
        for number in 0..<20 {
            files["flows/flow_\(number).json"] = TestCatalogs.bigFlow
        }
        let folder = try CatalogFolder(files)
        defer { withExtendedLifetime(folder) {} }
        let broker = TestBroker.start(wire)
        let (loader, other) = (try broker.client(wire.mode), try broker.client(wire.mode))
        let id = try loader.send(request(folder.path))
        try other.waitForPending(1)
        let waiting = try other.status().connections.flatMap(\.pending)
        #expect(waiting.map(\.method) == ["load_catalog"])
        // Those behind it too, with the catalog before it.
        #expect(try loader.getFlow("premium_offer_1").variationId != "")
        guard case .loadCatalog(let loaded) = try loader.answer(to: id) else {
            throw Unexpected("no reply")
        }
        #expect(loaded.flows == 21)
    }

    @Test("several load one after the other, in the order sent", arguments: Wire.allCases)
    func inOrder(wire: Wire) throws {
        let folders = try (1...5).map { try CatalogFolder(CatalogFolder.shop("g\($0)")) }
        defer { withExtendedLifetime(folders) {} }
        let client = try TestBroker.start(wire).client(wire.mode)
        let ids = try folders.map { try client.send(request($0.path)) }
        for id in ids { #expect(try client.nextFrame()?.id == id) }
        #expect(try client.getFlow("shop").variationId == "var_g5")
    }
}
