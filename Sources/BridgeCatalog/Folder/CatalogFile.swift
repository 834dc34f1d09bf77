/// One file of a catalog, by its name relative to the folder.
struct CatalogFile {
    static let folder = "."
    static let placements = "placements.json"
    static let products = "products.json"
    static let flowsPrefix = "flows/"
    static let onboardingsPrefix = "onboardings/"
    static let suffix = ".json"
    /// What to say of a file that is none of these.
    static let unknown =
        "no part of a catalog, not read; a catalog has placements.json, products.json, "
        + "flows/<flow version id>.json and onboardings/<onboarding id>.json"

    let name: String
    let bytes: [UInt8]

    /// The document's id: the name within that folder without `.json`; nil when it is elsewhere.
    func id(under prefix: String) -> String? {
        guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
        let id = name.dropFirst(prefix.count).dropLast(Self.suffix.count)
        return id.isEmpty || id.contains("/") ? nil : String(id)
    }

    /// Whether a catalog has a use for a file of that name.
    var isKnown: Bool {
        name == Self.placements || name == Self.products || id(under: Self.flowsPrefix) != nil
            || id(under: Self.onboardingsPrefix) != nil
    }
}
