import FlowEngine

/// The conditions under which a device meets the simulated store.
struct StoreConditions: Sendable {
    /// ACT-26.
    private(set) var isForbidden = false
    /// FC-21.
    private(set) var isUnreachable = false
    /// Grows with each change.
    private(set) var writes: UInt32 = 0
    private(set) var conditions: [StoreCondition] = []

    init(_ stored: StoredConditions = StoredConditions()) {
        isForbidden = stored.isForbidden
        isUnreachable = stored.isUnreachable
        conditions = stored.store
    }

    /// Replaces the conditions of each operation and product that the change names; several for
    /// one hold one after the other, in the order given.
    ///
    /// - Throws: what `StoreCondition.check` throws; LIMIT_EXCEEDED when more than
    ///   `SDKLimits.conditionsMax` would hold. Nothing changed then.
    mutating func apply(_ change: ConditionsChange, _ catalog: Catalog) throws(DeviceFault) {
        for (index, condition) in change.store.enumerated() { try condition.check(index, catalog) }
        var kept = change.clear ? [] : conditions
        kept.removeAll { old in
            change.store.contains {
                $0.operation == old.operation && $0.productID.isExactly(old.productID)
            }
        }
        kept += change.store
        guard kept.count <= SDKLimits.conditionsMax else {
            throw .limitExceeded(
                "a device has at most \(SDKLimits.conditionsMax) conditions of the store, "
                    + "got \(kept.count): clear those that are over",
                field: "store")
        }
        conditions = kept
        writes &+= 1
        isForbidden = change.purchasesForbidden ?? (change.clear ? false : isForbidden)
        isUnreachable = change.storeUnreachable ?? (change.clear ? false : isUnreachable)
    }

    /// What a request meets now; uses up one call of the condition. A condition for the product
    /// comes before one for every product.
    mutating func meet(
        _ operation: StoreCondition.Operation, product: String = ""
    ) -> StoreCondition {
        take(operation, product) ?? (product.isEmpty ? nil : take(operation, ""))
            ?? StoreCondition(operation: operation)
    }

    /// The products among these that the store does not know now, whatever its catalog says.
    mutating func meetUnknown(among products: [String]) -> [String] {
        if conditions.isEmpty { return [] }
        return products.filter { take(.products, $0)?.outcome == .failure }
    }

    private mutating func take(
        _ operation: StoreCondition.Operation, _ product: String
    ) -> StoreCondition? {
        let place = conditions.firstIndex {
            $0.operation == operation && $0.productID.isExactly(product)
        }
        guard let place else { return nil }
        let condition = conditions[place]
        if condition.calls > 0 { writes &+= 1 }
        if condition.calls > 1 {
            conditions[place].calls -= 1
        } else if condition.calls == 1 {
            conditions.remove(at: place)
        }
        return condition
    }
}
