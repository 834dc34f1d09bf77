import SDKCore

/// The products that events may name: those of the catalog that is served and of those before it,
/// as views that are open keep what they were made from.
struct KnownProducts {
    /// Beyond so many, those of former catalogs are forgotten.
    static let countMax = 100_000

    private(set) var byID: [String: ProductDocument]
    private let countMax: Int

    init(_ catalog: Catalog, countMax: Int = Self.countMax) {
        byID = catalog.products
        self.countMax = countMax
    }

    /// Knows the products of another catalog as well; of two with one id the new one holds.
    mutating func add(_ catalog: Catalog) {
        byID.merge(catalog.products) { _, new in new }
        if byID.count > countMax { byID = catalog.products }
    }
}
