import SDKCore

/// What came of loading a catalog.
public struct CatalogReport: Sendable {
    /// The catalog; nil when a fault is more than a warning.
    public let catalog: Catalog?
    /// Every fault and warning, by file and then in the order of the file's text.
    public let faults: [CatalogFault]

    /// Makes a report.
    public init(catalog: Catalog?, faults: [CatalogFault]) {
        self.catalog = catalog
        self.faults = faults
    }

    /// The faults that keep the catalog from being served.
    public var errors: [CatalogFault] { faults.filter { !$0.isWarning } }

    /// The faults that do not.
    public var warnings: [CatalogFault] { faults.filter { $0.isWarning } }
}
