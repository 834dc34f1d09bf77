import SDKCore

/// Reads `products.json`.
struct ProductReader {
    /// Every id that the file names, also of products with faults.
    private(set) var ids: Set<String> = []
    private(set) var products: [String: ProductDocument] = [:]

    /// Reads the file.
    mutating func read(_ cursor: JSONCursor) {
        guard let object = cursor.object("an object with \"products\"") else { return }
        defer { object.close() }
        for item in object.required("products", "the products of the store")?.array() ?? [] {
            read(item: item)
        }
    }

    private mutating func read(item: JSONCursor) {
        guard let object = item.object("a product: an object with \"vendor_product_id\"") else {
            return
        }
        defer { object.close() }
        let id = object.requiredName("vendor_product_id", "the product's id in the store")
        let product = product(id, object)
        if id.isEmpty { return }
        if !ids.insert(id).inserted {
            object["vendor_product_id"]?.fault("the product \(id.shown) is there twice")
        }
        products[id] = product
    }

    private func product(_ id: String, _ object: JSONObject) -> ProductDocument {
        let price = price(object)
        let currency = currency(object)
        let isConsumable = object.flag("is_consumable", default: false)
        let isInStore = object.flag("in_store", default: true)
        if !isInStore {
            object["in_store"]?.warn(
                "the store does not know the product, so no flow gets it (FC-20, FC-24)")
        }
        let period = period(object["subscription_period"])
        if isConsumable, !period.isEmpty {
            object["subscription_period"]?.fault("a consumable product has no subscription period")
        }
        return ProductDocument(
            vendorProductID: id, title: object.requiredString("title", "the product's title"),
            summary: object.string("description") ?? "", price: price, currencyCode: currency,
            localizedPrice: object.string("localized_price") ?? "\(price) \(currency)",
            subscriptionPeriod: period,
            accessLevelID: object.string("access_level_id") ?? (isConsumable ? "" : "premium"),
            isConsumable: isConsumable, isInStore: isInStore)
    }

    private func price(_ object: JSONObject) -> String {
        let expected = "a price as decimal text, such as \"9.99\""
        guard let cursor = object.required("price", expected), let text = cursor.string(expected)
        else { return "" }
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let isDecimal =
            (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
        return isDecimal ? text : cursor.mismatch(expected) ?? ""
    }

    private func currency(_ object: JSONObject) -> String {
        let expected = "a currency of three capital letters, such as \"USD\""
        guard let cursor = object.required("currency_code", expected),
            let text = cursor.string(expected)
        else { return "" }
        let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isCode ? text : cursor.mismatch(expected) ?? ""
    }

    /// A period of one count and one unit, `P1W` or `P3M`; empty without one.
    private func period(_ cursor: JSONCursor?) -> String {
        let expected = "a period of ISO 8601 in days, weeks, months or years, such as \"P1M\""
        guard let cursor, let text = cursor.string(expected) else { return "" }
        let count = text.dropFirst().dropLast()
        let isPeriod =
            text.hasPrefix("P") && text.utf8.last.map("DWMY".utf8.contains) ?? false
            && Int32(count).map { $0 > 0 && !count.hasPrefix("+") } ?? false
        return isPeriod ? text : cursor.mismatch(expected) ?? ""
    }
}
