import Foundation

/// The files of a catalog in a folder of their own, gone with this object.
final class CatalogFolder {
    let path: String

    init(_ files: [String: String]) throws {
        path = Daemon.makeFolder()
        try write(files)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes files over those that are there.
    func write(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = URL(fileURLWithPath: path).appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// A placement `shop` whose flow sells two products; flow, screen and products are named after
    /// their generation.
    static func shop(_ generation: String) -> [String: String] {
        let products = ["a", "b"].map { "\(generation)_\($0)" }
        let list = products.map { "\"\($0)\"" }.joined(separator: ",")
        let variation = """
            {"variation_id":"var_\(generation)","flow_id":"shop",
            "flow_version_id":"shop_\(generation)","paywalls":[{"name":"P","products":[\(list)]}]}
            """
        let documents = products.map { id in
            """
            {"vendor_product_id":"\(id)","title":"Title of \(id)","price":"1.00",
            "currency_code":"EUR","localized_price":"1 €"}
            """
        }
        return [
            "placements.json":
                "{\"placements\":[\(TestCatalogs.placement("shop", "flow", variation))]}",
            "products.json": "{\"products\":[\(documents.joined(separator: ","))]}",
            "flows/shop_\(generation).json": """
            {"screens":[{"id":"scr_\(generation)","elements":[
            {"type":"product_list","element_id":"plans","products":[\(list)]},
            {"type":"text_input","element_id":"name"},
            {"type":"button","element_id":"close","actions":[{"type":"close"}]}]}]}
            """,
        ]
    }
}
