import FlowEngine

// What purchases make of a profile (ACT-22, ACT-31).
extension Profile {
    /// The store that everything is bought in.
    static let store = "app_store"

    /// Takes a transaction of the store. One that the profile has already changes nothing.
    mutating func take(_ transaction: StoreTransaction) {
        if holds(transaction) { return }
        if transaction.isSubscription {
            takeSubscription(transaction)
        } else {
            takeNonSubscription(transaction)
        }
        if !transaction.accessLevelID.isEmpty { giveAccess(transaction) }
    }

    private func holds(_ transaction: StoreTransaction) -> Bool {
        subscriptions.contains { $0.vendorTransactionID.isExactly(transaction.id) }
            || nonSubscriptions.contains { $0.vendorTransactionID.isExactly(transaction.id) }
    }

    private mutating func takeSubscription(_ transaction: StoreTransaction) {
        let place = subscriptions.firstIndex {
            $0.vendorProductID.isExactly(transaction.vendorProductID)
        }
        if let place {
            let end = subscriptions[place].expiresAtMs ?? .max
            if let new = transaction.expiresAtMs, new < end { return }
            subscriptions[place].vendorTransactionID = transaction.id
            subscriptions[place].isActive = true
            subscriptions[place].willRenew = true
            subscriptions[place].expiresAtMs = transaction.expiresAtMs
            return
        }
        if subscriptions.count == SDKLimits.subscriptionsMax { subscriptions.removeFirst() }
        subscriptions.append(
            Subscription(
                vendorProductID: transaction.vendorProductID, vendorTransactionID: transaction.id,
                store: Self.store, isActive: true, willRenew: true,
                activatedAtMs: transaction.purchasedAtMs, expiresAtMs: transaction.expiresAtMs))
    }

    private mutating func takeNonSubscription(_ transaction: StoreTransaction) {
        if nonSubscriptions.count == SDKLimits.nonSubscriptionsMax {
            nonSubscriptions.removeFirst()
        }
        nonSubscriptions.append(
            NonSubscription(
                purchaseID: transaction.purchaseID, vendorProductID: transaction.vendorProductID,
                vendorTransactionID: transaction.id, store: Self.store,
                purchasedAtMs: transaction.purchasedAtMs, isConsumable: transaction.isConsumable))
    }

    /// A level lasts as long as the longest purchase that gives it.
    private mutating func giveAccess(_ transaction: StoreTransaction) {
        let id = transaction.accessLevelID
        var level = AccessLevel(
            id: id, isActive: true, vendorProductID: transaction.vendorProductID,
            store: Self.store, activatedAtMs: transaction.purchasedAtMs,
            expiresAtMs: transaction.expiresAtMs, isLifetime: !transaction.isSubscription,
            willRenew: transaction.isSubscription)
        if let former = accessLevels[id] {
            guard let formerEnd = former.expiresAtMs else { return }
            if let end = transaction.expiresAtMs, end < formerEnd { return }
            if transaction.purchasedAtMs < formerEnd {
                level.activatedAtMs = former.activatedAtMs
                level.renewedAtMs = transaction.purchasedAtMs
            }
        }
        accessLevels[id] = level
    }

    /// The profile as it is at an instant: what has expired by then is not active. The simulated
    /// store renews nothing.
    func asOf(_ now: Instant) -> Profile {
        if accessLevels.isEmpty && subscriptions.isEmpty { return self }
        var profile = self
        for (id, level) in accessLevels where level.expiresAtMs.map({ $0 <= now.ms }) ?? false {
            profile.accessLevels[id]?.isActive = false
            profile.accessLevels[id]?.willRenew = false
        }
        for (place, subscription) in subscriptions.enumerated()
        where subscription.expiresAtMs.map({ $0 <= now.ms }) ?? false {
            profile.subscriptions[place].isActive = false
            profile.subscriptions[place].willRenew = false
        }
        return profile
    }
}

extension ProfileRecord {
    /// The record as it is at an instant (`Profile.asOf`).
    func asOf(_ now: Instant) -> ProfileRecord {
        var record = self
        record.profile = profile.asOf(now)
        return record
    }
}
