import BridgeCatalog
import FlowEngine
import Foundation
import SDKCore
import Testing

@Suite("The sample catalogs")
struct SampleCatalogTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("the built-in catalog loads without a fault or warning")
    func sampleIsClean() throws {
        let report = CatalogLoader.sample()
        #expect(report.faults.map(\.description) == [])
        let catalog = try #require(report.catalog)
        #expect(
            catalog.placements.map(\.id) == ["onboarding", "premium_offer_1", "legacy_onboarding"])
    }

    @Test("the folder of the built-in catalog loads", arguments: ["catalog"])
    func folderIsClean(_ name: String) {
        let report = CatalogLoader.load(folder: Self.root.path + "/examples/" + name)
        #expect(report.faults.map(\.description) == [])
        #expect(report.catalog != nil)
    }
}
