import FlowEngine

// What the simulated store answers, and what the device makes of it.
extension SDKDevice {
    /// Asks the store; what it will answer is settled now, when it comes is told by `until`.
    mutating func askStore(_ index: Int, outputs: inout [DeviceOutput]) {
        let until: Instant
        let reply: StoreReply
        switch calls[index].request {
        case .purchase(let product): (until, reply) = answerToPurchase(of: product)
        case .restore: (until, reply) = answerToRestore()
        case .paywallProducts(let offer):
            let load = askForProducts(of: offer)
            (until, reply) = (load.readyAt, .products(load.result))
        default: preconditionFailure("a request to the backend")
        }
        calls[index].phase = .asking(.main, until: until, .store(reply))
        if until <= now { finish(index, outputs: &outputs) }
    }

    /// ACT-22 to ACT-26: what is bought is then reported to the backend.
    private mutating func answerToPurchase(
        of product: PaywallProduct
    ) -> (Instant, StoreReply) {
        let profileID = identity.profileID
        if let error = refusal(of: product) {
            return (now, .purchase(.failed(error), profileID: profileID))
        }
        let met = store.conditions.meet(.purchase, product: product.vendorProductID)
        let answered = now.advanced(byMs: Int64(met.delayMs))
        switch met.outcome {
        case .cancelled: return (answered, .purchase(.cancelled, profileID: profileID))
        case .pending: return (answered, .purchase(.pending, profileID: profileID))
        case .failure:
            return (answered, .purchase(outcome(of: met.error), profileID: profileID))
        case .success:
            let report = conditions.meet(BackendRequest.purchase(product).method)
            let outcome = StoreOutcome.bought(at: answered, unreported: report.failure?.error)
            return (
                answered.advanced(byMs: report.latencyMs),
                .purchase(outcome, profileID: profileID)
            )
        }
    }

    /// Why the store does not even begin.
    private func refusal(of product: PaywallProduct) -> AdaptyError? {
        if store.conditions.isForbidden {
            return AdaptyError(.cantMakePayments, "purchases are forbidden on this device")
        }
        if store.conditions.isUnreachable { return StoreCondition.Operation.purchase.unreachable }
        if product.product.isInStore { return nil }
        return AdaptyError(
            .storeProductNotAvailable,
            "the store does not know the product \"\(product.vendorProductID)\"")
    }

    /// Two codes of the store are results and no errors (ACT-24, ACT-25).
    private func outcome(of error: AdaptyError) -> StoreOutcome {
        switch error.code {
        case .paymentCancelled: .cancelled
        case .paymentPendingError: .pending
        default: .failed(error)
        }
    }

    /// ACT-31: the receipt is read and then reported to the backend.
    private mutating func answerToRestore() -> (Instant, StoreReply) {
        let profileID = identity.profileID
        if store.conditions.isUnreachable {
            let error = StoreCondition.Operation.restore.unreachable
            return (now, .restore(error, profileID: profileID))
        }
        let met = store.conditions.meet(.restore)
        let answered = now.advanced(byMs: Int64(met.delayMs))
        if met.outcome == .failure {
            return (answered, .restore(met.error, profileID: profileID))
        }
        let report = conditions.meet(BackendRequest.restore.method)
        return (
            answered.advanced(byMs: report.latencyMs),
            .restore(report.failure?.error, profileID: profileID)
        )
    }
}

// MARK: - Answers

extension SDKDevice {
    /// Ends a purchase. It belongs to the profile that was active when it began (ACT-34).
    mutating func take(
        _ outcome: StoreOutcome, of product: PaywallProduct, for profileID: String,
        outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer {
        switch outcome {
        case .failed(let error): throw .sdk(error)
        case .cancelled: return .purchase(.userCancelled)
        case .pending:
            store.account.keep(PendingPurchase(product: product.product, profileID: profileID))
            try requireProfile(profileID)
            return .purchase(.pending)
        case .bought(let instant, let unreported):
            let transaction = transaction(for: product.product, at: instant)
            if let unreported { throw .sdk(unreported) }
            give([transaction], to: profileID, outputs: &outputs)
            try requireProfile(profileID)
            return .purchase(.success(storedProfile, transaction))
        }
    }

    /// Ends a restore: the backend learns what the user owns (ACT-31).
    mutating func takeRestore(
        failing error: AdaptyError?, for profileID: String, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer {
        if let error { throw .sdk(error) }
        give(store.account.owned, to: profileID, outputs: &outputs)
        try requireProfile(profileID)
        return .profile(storedProfile)
    }

    /// Lets the store approve the pending purchases of these products; an empty id stands for all
    /// (ACT-24). The store tells the backend; the device hears of it unless it is offline.
    public mutating func approvePending(
        _ productIDs: [String], at now: Instant, outputs: inout [DeviceOutput]
    ) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        for id in productIDs {
            for purchase in store.account.takePending(of: id) {
                let transaction = transaction(for: purchase.product, at: self.now)
                let record = backend.take([transaction], for: purchase.profileID, at: self.now)
                if !conditions.isOffline { announce(record, outputs: &outputs) }
            }
        }
    }

    /// - Throws: NOT_FOUND for a product of which no purchase is pending, naming those there are.
    public func checkPending(_ productIDs: [String]) throws(DeviceFault) {
        let pending = store.account.pending.map(\.product.vendorProductID)
        for (index, id) in productIDs.enumerated() {
            if id.isEmpty ? !pending.isEmpty : pending.contains(where: id.isExactly) { continue }
            throw .notFound(
                "no purchase of \(id.isEmpty ? "any product" : "\"\(id.readable())\"") is "
                    + "pending"
                    + (pending.isEmpty ? "" : "; those of \(pending.joined(separator: ", ")) are"),
                field: "approve_pending[\(index)]")
        }
    }

    /// The product that `makePurchase` names (ACT-32, ACT-49).
    ///
    /// - Throws: 1003 in observer mode; NOT_FOUND for a flow that was not fetched and for a product
    ///   that it does not offer.
    func productToBuy(
        _ productID: String, variationID: String
    ) throws(DeviceFault) -> PaywallProduct {
        let products = backend.catalog.offer(of: try fetchedFlow(variationID).content).products
        guard let product = products.first(productID) else {
            let ids = products.map(\.vendorProductID).joined(separator: ", ")
            throw .notFound(
                "the flow offers no product \"\(productID.readable())\"; it has "
                    + (ids.isEmpty ? "none" : ids), field: "vendor_product_id")
        }
        if identity.isObserver {
            throw .sdk(
                AdaptyError(
                    .cantMakePayments, "observer mode: the app buys by itself and reports it"))
        }
        return product
    }

    private func requireProfile(_ profileID: String) throws(DeviceFault) {
        if !profileID.isExactly(identity.profileID) { throw .sdk(Self.profileChanged) }
    }

    /// The backend's copy first; then the device's, and its announcement (ACT-22).
    private mutating func give(
        _ transactions: [StoreTransaction], to profileID: String,
        outputs: inout [DeviceOutput]
    ) {
        announce(backend.take(transactions, for: profileID, at: now), outputs: &outputs)
    }

    /// A purchase as the store keeps it. What is for ever is bought once: then it is the same one.
    private mutating func transaction(
        for product: ProductDocument, at instant: Instant
    ) -> StoreTransaction {
        let former = store.account.transaction(of: product.vendorProductID)
        if let former, !former.isSubscription { return former }
        let id = generator.nextTransactionID()
        let period = SubscriptionPeriod(product.subscriptionPeriod)
        let transaction = StoreTransaction(
            vendorProductID: product.vendorProductID, id: id,
            originalID: former?.originalID ?? id, purchasedAtMs: instant.ms,
            purchaseID: generator.nextID().description, accessLevelID: product.accessLevelID,
            isConsumable: product.isConsumable,
            expiresAtMs: period?.end(from: instant, in: configuration.zone).ms)
        store.account.keep(transaction)
        return transaction
    }
}

extension SeededGenerator {
    /// A transaction id as the store has them: 16 decimal digits.
    fileprivate mutating func nextTransactionID() -> String {
        String(2_000_000_000_000_000 + next() % 1_000_000_000_000_000)
    }
}
