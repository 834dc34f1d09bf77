import Foundation
import Testing

@testable import BridgeCatalog

@Suite("Files of catalogs")
struct CatalogFileTests {
    private func lines(_ bytes: [UInt8], named name: String = "products.json") -> [String] {
        var files = BrokenCatalog.sound.mapValues { Array($0.utf8) }
        files[name] = bytes
        return CatalogLoader.load(files: files.map { ($0.key, $0.value) }).faults
            .map(\.description)
    }

    @Test("bytes that are no UTF-8 are named with their line")
    func invalidUTF8() {
        let bytes = Array("{\n\"comment\": \"a".utf8) + [0xFF, 0x22, 0x7D]
        #expect(
            lines(bytes) == [
                "products.json#: line 2, column 13: unable to decode byte 0xff near '\"a'; "
                    + "save the file as UTF-8"
            ])
    }

    private func nested(_ depth: Int) -> [UInt8] {
        let variables = depth - 2
        let value =
            String(repeating: "[", count: variables) + String(repeating: "]", count: variables)
        return Array(BrokenCatalog.flow(elements: "", "\"variables\": {\"a\": \(value)}").utf8)
    }

    @Test("nesting is read up to the limit and refused beyond, with its place")
    func depth() {
        let atLimit = lines(nested(CatalogLimits.depthMax), named: "flows/f.json")
        #expect(atLimit == ["flows/f.json#/variables/a/0: expected a string, found an array of 1"])
        let place = String(repeating: "/0", count: CatalogLimits.depthMax - 2)
        #expect(
            lines(nested(CatalogLimits.depthMax + 1), named: "flows/f.json") == [
                "flows/f.json#/variables/a\(place): nested too deeply: at most 64 levels of "
                    + "objects and arrays are read"
            ])
        #expect(lines(nested(100_000), named: "flows/f.json").count == 1)
    }

    @Test("a file is read up to the limit of bytes and refused beyond")
    func size() {
        var bytes = Array(BrokenCatalog.products(BrokenCatalog.product).utf8)
        bytes += [UInt8](repeating: 0x20, count: CatalogLimits.fileBytesMax - bytes.count)
        #expect(lines(bytes) == [])
        #expect(
            lines(bytes + [0x20]) == [
                "products.json#: the file has 67108865 bytes; at most 67108864 are read: split "
                    + "it or leave out what is not needed"
            ])
    }

    @Test("faults of many files come together, by file and in the order of their text")
    func order() {
        let report = CatalogLoader.load(files: [
            ("onboardings/o.json", Array("{}".utf8)),
            ("flows/b.json", Array(BrokenCatalog.flow(elements: "1, 2", "\"x\": 1").utf8)),
            ("flows/a.json", Array("[".utf8)),
            ("products.json", Array(#"{"products": [0], "a": 1}"#.utf8)),
            ("placements.json", Array(#"{"x": 1, "placements": 2, "y": 3}"#.utf8)),
        ])
        #expect(
            report.faults.map { "\($0.file)#\($0.pointer)" } == [
                "placements.json#/x", "placements.json#/placements", "placements.json#/y",
                "products.json#/products/0", "products.json#/a", "flows/a.json#",
                "flows/b.json#/screens/0/elements/0",
                "flows/b.json#/screens/0/elements/1", "flows/b.json#/x", "onboardings/o.json#",
            ])
        #expect(report.errors == report.faults && report.warnings.isEmpty)
    }

    @Test("one name twice among files in memory is a fault")
    func doubleName() {
        let files = BrokenCatalog.sound.map { ($0.key, Array($0.value.utf8)) }
        let report = CatalogLoader.load(files: files + files)
        let message = "the file is there twice, maybe in another Unicode normalisation"
        #expect(
            report.faults.map(\.description) == [
                "placements.json#: \(message)", "products.json#: \(message)",
                "flows/f.json#: \(message)",
            ])
    }

    @Test("GEN-4 IDs that differ in their normalisation alone are told apart or refused")
    func normalisation() {
        let composed = "caf\u{E9}"
        let product = BrokenCatalog.product.replacing("gold", with: composed)
        let decomposed = "cafe\u{301}"
        #expect(
            lines(
                Array(
                    BrokenCatalog.products(
                        product + ", " + product.replacing(composed, with: decomposed)
                    ).utf8)
            ) == [
                "products.json#/products/1/vendor_product_id: the product \"\(decomposed)\" is "
                    + "there twice"
            ])
        let action = #"{"type": "purchase", "vendor_product_id": "\#(decomposed)"}"#
        let report = BrokenCatalog(
            "",
            [
                "products.json": BrokenCatalog.products(product),
                "flows/f.json": BrokenCatalog.flow(actions: action),
            ]
        ).report
        #expect(
            report.errors.map(\.message) == [
                "unknown product \"\(decomposed)\"; add it to products.json"
            ])
    }
}
