import FlowEngine

// Actions whose result the flow can react to: purchases, restores and permissions.
extension ActionReader {
    private typealias ResultKeys = [(key: String, result: RequestResult)]

    private static let webResults: ResultKeys = [
        ("on_failure", .failure), ("on_pending", .pending),
    ]
    private static let purchaseResults: ResultKeys =
        [("on_success", .success), ("on_cancelled", .cancelled)] + webResults
    private static let restoreResults: ResultKeys = [
        ("on_success", .success), ("on_failure", .failure),
    ]
    private static let permissionResults: ResultKeys = [
        ("on_granted", .granted), ("on_denied", .denied), ("on_unavailable", .unavailable),
    ]

    /// Reads a purchase in the store (ACT-22 to ACT-27).
    func purchase(_ object: JSONObject) -> ActionDocument? {
        let results = results(of: object, Self.purchaseResults)
        return product(object).map { .purchase($0, then: results) }
    }

    /// Reads a purchase on a web page, whose result is pending or failure (ACT-33).
    func webPurchase(_ object: JSONObject) -> ActionDocument? {
        let results = results(of: object, Self.webResults)
        return product(object).map { .webPurchase($0, then: results) }
    }

    /// Reads a restore, which succeeds or fails (ACT-31).
    func restore(_ object: JSONObject) -> ActionDocument {
        .restore(then: results(of: object, Self.restoreResults))
    }

    /// Reads a permission (ACT-42).
    func permission(_ object: JSONObject) -> ActionDocument {
        let name = object.requiredName("permission", "the permission's name, such as \"push\"")
        var arguments: [String: String] = [:]
        for (key, value) in object.map("arguments") { arguments[key] = value.string() }
        return .requestPermission(
            name, arguments: arguments, then: results(of: object, Self.permissionResults))
    }

    private func product(_ object: JSONObject) -> ProductChoice? {
        guard let (key, cursor) = object.one(of: ["vendor_product_id", "product_list_id"]),
            let id = cursor.name()
        else { return nil }
        if key == "vendor_product_id" {
            scope.mention(.product(id), at: cursor)
            return .product(id)
        }
        scope.mention(.productList(id), at: cursor)
        return .selected(id)
    }

    /// The lists of actions under the keys that are there.
    private func results(of object: JSONObject, _ keys: ResultKeys) -> ResultActions {
        var results: ResultActions = [:]
        for (key, result) in keys {
            let actions = actions(key, of: object)
            if !actions.isEmpty { results[result] = actions }
        }
        return results
    }
}
