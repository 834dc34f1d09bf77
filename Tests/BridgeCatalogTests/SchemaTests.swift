import BridgeCatalog
import Foundation
import Testing

@Suite("The published schema")
struct SchemaTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: root.appending(path: path)))
    }

    /// All names of properties in a schema, but those known everywhere.
    static func properties(_ schema: Any) -> Set<String> {
        if let list = schema as? [Any] { return Set(list.flatMap(properties)) }
        guard let object = schema as? [String: Any] else { return [] }
        var names = Set(object.values.flatMap(properties))
        if let properties = object["properties"] as? [String: Any] {
            names.formUnion(properties.keys)
        }
        return names.subtracting(["$schema", "comment"])
    }

    /// All keys of a file.
    static func keys(_ value: Any) -> Set<String> {
        if let list = value as? [Any] { return Set(list.flatMap(keys)) }
        guard let object = value as? [String: Any] else { return [] }
        return Set(object.keys).union(object.values.flatMap(keys))
    }

    /// The value with one more key in every object.
    static func marked(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(marked) }
        guard var object = value as? [String: Any] else { return value }
        object = object.mapValues(marked)
        object["zzz"] = true
        return object
    }

    @Test("the examples of docs/catalog.md have no fault but names of files not shown")
    func documentation() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/catalog.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        func block(_ key: String) throws -> [UInt8] {
            Array(try #require(blocks.first { $0.hasPrefix("{\n  \"\(key)\"") }).utf8)
        }
        let report = try CatalogLoader.load(files: [
            ("placements.json", block("placements")), ("products.json", block("products")),
            ("flows/main_pro_v1.json", block("locales")),
        ])
        #expect(
            report.faults.map(\.message) == [
                "unknown product \"pro_yearly\"; add it to products.json",
                "unknown flow \"main_v1\"; there is no file flows/main_v1.json",
            ])
    }

    static let everything = [
        "placements.json", "products.json", "flows/plain_v1.json", "flows/shop_v2.json",
        "onboardings/welcome_1.json",
    ]

    @Test("every key of the schema stands in examples/catalog-everything, which loads")
    func schemaHasNoOtherKeys() throws {
        let properties = Self.properties(try Self.json("docs/catalog.schema.json"))
        let keys = try Set(
            Self.everything.flatMap {
                try Self.keys(Self.json("examples/catalog-everything/" + $0))
            })
        #expect(properties.subtracting(keys) == [])
    }

    @Test("the loader knows the keys of the schema and no others")
    func loaderAndSchemaAgree() throws {
        let files = try Self.everything.map { name in
            let file = Self.marked(try Self.json("examples/catalog-everything/" + name))
            return (name, [UInt8](try JSONSerialization.data(withJSONObject: file)))
        }
        let prefix = "unknown key \"zzz\"; known here: "
        let known = CatalogLoader.load(files: files).faults.map(\.message)
            .filter { $0.hasPrefix(prefix) }
            .flatMap { $0.dropFirst(prefix.count).components(separatedBy: ", ") }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
        #expect(Set(known) == Self.properties(try Self.json("docs/catalog.schema.json")))
    }
}
