import BridgeCatalog
import FlowEngine
import SDKCore
import Testing

/// Buttons of the example catalogs that ask the store, the app or the finger.
@Suite("Buttons of the sample catalogs")
struct SampleStoreTests {
    private static let utc = TimeZoneRules(
        name: "UTC", resolve: { _, _ in .unique(0) },
        civil: { _ in (CivilDate(year: 2024, month: 1, day: 1), .midnight) },
        dayExists: { _ in true })

    @Test("ACT-7 ACT-22 ACT-31 ACT-33 ACT-42 ACT-46 a button with every action does all of it")
    func everyAction() throws {
        let folder = SchemaTests.root.appending(path: "examples/catalog-everything").path
        let catalog = try #require(CatalogLoader.load(folder: folder).catalog)
        var outputs: [DeviceOutput] = []
        let now = Instant(ms: 1_704_067_200_000)
        var device = SDKDevice(
            configuration: DeviceConfiguration(name: "default", zone: Self.utc),
            backend: Backend(catalog: shown(catalog)), at: now, outputs: &outputs)
        var calls: UInt64 = 0
        func call(_ call: SDKCall) throws -> SDKAnswer {
            calls += 1
            device.start(call, id: CallID(number: calls), at: now, outputs: &outputs)
            guard case .answer(_, .success(let answer))? = outputs.last else { throw Missing() }
            return answer
        }
        guard case .flow(let flow) = try call(.getFlow(FetchRequest(placementID: "all"))),
            case .flowConfiguration(let configuration, _, _) = try call(
                .getFlowConfiguration(
                    ConfigurationRequest(variationID: flow.content.variationID)))
        else { throw Missing() }
        let view = try device.createFlowController(
            configurationID: configuration, handling: .sdk)
        try device.present(view.description, at: now, outputs: &outputs)
        try device.perform(
            .tapOption("size", option: "small"), on: view, at: now, outputs: &outputs)
        outputs = []
        try device.perform(.tapButton("all"), on: view, at: now, outputs: &outputs)
        let kinds = outputs.compactMap(kind)
        #expect(
            kinds == [
                "start", "finish", "web", "start restore", "finish restore", "permission",
                "settled", "review", "alert",
            ])
    }

    private struct Missing: Error {}

    /// The same catalog with a placement of its own for the flow with the button.
    private func shown(_ catalog: Catalog) -> Catalog {
        let variation = catalog.placements.flatMap(\.audiences).flatMap(\.variations)
            .filter { $0.flowVersionID == "shop_v2" }
        let placement = PlacementDocument(
            id: "all", type: .flow,
            audiences: [
                AudienceDocument(
                    name: "All Users", priority: 0, isAllUsers: true, versionID: "pav_all",
                    variations: variation)
            ])
        return Catalog(
            placements: catalog.placements + [placement], flows: catalog.flows,
            onboardings: catalog.onboardings, products: catalog.products)
    }

    private func kind(_ output: DeviceOutput) -> String? {
        guard case .callback(let callback) = output else { return nil }
        switch callback {
        case .store(_, .didStartPurchase): return "start"
        case .store(_, .didFinishPurchase): return "finish"
        case .store(_, .didFinishWebPayment): return "web"
        case .store(_, .didStartRestore): return "start restore"
        case .store(_, .didFinishRestore): return "finish restore"
        case .question(_, .permission): return "permission"
        case .question(_, .settled): return "settled"
        case .question(_, .alert): return "alert"
        case .view(_, .reviewRequested): return "review"
        default: return nil
        }
    }
}
