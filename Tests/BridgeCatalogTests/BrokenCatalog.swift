import BridgeCatalog
import Testing

/// A catalog with something wrong in it, and the lines that the loader has to say about it.
struct BrokenCatalog: Sendable, CustomTestStringConvertible {
    /// What the loader promises, with the rule's ID.
    let promise: String
    /// Files that replace or join those of `sound`; an empty text takes the file away.
    let files: [String: String]
    /// All faults and warnings, in order, each as `file#pointer: message`.
    let lines: [String]

    /// Makes a case; `text` has the expected lines, one each.
    init(_ promise: String, _ files: [String: String], _ text: String = "") {
        self.promise = promise
        self.files = files
        self.lines = text.split(separator: "\n").map(String.init)
    }

    var testDescription: String { promise }

    /// The report on it.
    var report: CatalogReport {
        var files = Self.sound
        for (name, text) in self.files { files[name] = text.isEmpty ? nil : text }
        return CatalogLoader.load(
            files: files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    }

    /// Whether a line is that of a warning.
    static func isWarning(_ line: String) -> Bool { line.contains(": warning: ") }
}

extension BrokenCatalog {
    /// A catalog without a fault: one flow and one product.
    static let sound = [
        "placements.json": placements(variations: variation),
        "products.json": products(product),
        "flows/f.json": flow(elements: ""),
    ]

    static let product = """
        {"vendor_product_id": "gold", "title": "Gold", "price": "1", "currency_code": "USD"}
        """
    static let variation = #"{"variation_id": "v", "flow_id": "f", "flow_version_id": "f"}"#

    static func products(_ items: String) -> String { #"{"products": [\#(items)]}"# }

    static func placements(_ items: String) -> String { #"{"placements": [\#(items)]}"# }

    static func placements(audiences: String) -> String {
        placements(#"{"id": "p", "type": "flow", "audiences": [\#(audiences)]}"#)
    }

    static func placements(variations: String) -> String {
        placements(audiences: allUsers(variations))
    }

    static func allUsers(_ variations: String) -> String {
        #"{"name": "All Users", "all_users": true, "variations": [\#(variations)]}"#
    }

    static func placements(segment: String) -> String {
        placements(
            audiences: #"{"name": "A", "priority": 1, "variations": [\#(variation)], "segment": ["#
                + segment + "]}, " + allUsers(variation))
    }

    static func flow(_ members: String) -> String { "{\(members)}" }

    static func flow(screens: String, _ members: String = "") -> String {
        flow(#""screens": [\#(screens)]"# + (members.isEmpty ? "" : ", " + members))
    }

    static func flow(elements: String, _ members: String = "") -> String {
        flow(screens: #"{"id": "s", "elements": [\#(elements)]}"#, members)
    }

    static func flow(actions: String, _ members: String = "") -> String {
        flow(elements: #"{"type": "button", "element_id": "b", "actions": [\#(actions)]}"#, members)
    }

    /// The files of a sound catalog whose placement shows an onboarding of those elements.
    static func onboarding(elements: String, _ members: String = "") -> [String: String] {
        [
            "placements.json": placements(
                #"{"id": "p", "type": "onboarding", "audiences": ["#
                    + allUsers(#"{"variation_id": "v", "onboarding_id": "o"}"#) + "]}"),
            "flows/f.json": "",
            "onboardings/o.json": flow(elements: elements, members),
        ]
    }
}
