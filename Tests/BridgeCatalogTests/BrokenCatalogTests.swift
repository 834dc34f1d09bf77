import BridgeCatalog
import Testing

@Suite("Broken catalogs")
struct BrokenCatalogTests {
    static let all =
        BrokenCatalog.syntax + BrokenCatalog.placementFaults + BrokenCatalog.segmentFaults
        + BrokenCatalog.productFaults + BrokenCatalog.documentFaults
        + BrokenCatalog.elementFaults + BrokenCatalog.actionFaults
        + BrokenCatalog.onboardingFaults + BrokenCatalog.warnings

    @Test("the catalog that the others are made from is sound")
    func soundIsSound() {
        let report = BrokenCatalog("", [:]).report
        #expect(report.faults.isEmpty)
        #expect(report.catalog != nil)
    }

    @Test("every fault is named, with its place and what was expected", arguments: all)
    func faultsAreNamed(_ broken: BrokenCatalog) {
        let report = broken.report
        #expect(report.faults.map(\.description) == broken.lines)
        let isServed = broken.lines.allSatisfy(BrokenCatalog.isWarning)
        #expect((report.catalog != nil) == isServed)
    }
}
