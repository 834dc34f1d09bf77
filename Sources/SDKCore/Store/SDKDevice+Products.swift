import FlowEngine

// Products of flows: asked for, and told to views (FC-20 to FC-25, ACT-40, ACT-41).
extension SDKDevice {
    /// Asks the store for the products of a flow; what it will answer is settled now.
    mutating func askForProducts(of offer: PaywallOffer) -> ProductLoad {
        if store.conditions.isUnreachable {
            let error = StoreCondition.Operation.products.unreachable
            return ProductLoad(readyAt: now, result: .failure(error))
        }
        let met = store.conditions.meet(.products)
        let readyAt = now.advanced(byMs: Int64(met.delayMs))
        if met.outcome == .failure {
            return ProductLoad(readyAt: readyAt, result: .failure(met.error))
        }
        let unknown = store.conditions.meetUnknown(among: offer.ids)
        let loaded = offer.loaded(without: unknown)
        guard loaded.products.isEmpty else {
            return ProductLoad(readyAt: readyAt, result: .success(loaded))
        }
        let error = AdaptyError(
            .noProductIDsFound,
            "the store knows no product of the flow"
                + (loaded.missing.isEmpty ? ", which has none" : "")
                + loaded.missing.map { " \"\($0)\"" }.joined())
        return ProductLoad(readyAt: readyAt, result: .failure(error))
    }

    /// - Throws: 1000 or 1002, or what the store failed with (FC-21).
    func loaded(
        _ result: Result<LoadedProducts, AdaptyError>
    ) throws(DeviceFault) -> [PaywallProduct] {
        switch result {
        case .success(let loaded): return loaded.products
        case .failure(let error): throw .sdk(error)
        }
    }

    // MARK: Of a view

    /// Begins the products of a presentation, once its first screen is told (VW-25): a view whose
    /// attempts ended without products tries again, the others have theirs (VW-20).
    mutating func beginProducts(of index: Int, outputs: inout [DeviceOutput]) {
        guard stack.top == index else { return }
        if case .failed = stack.views[index].loading { loadAgain(index) }
        tellProducts(of: index, outputs: &outputs)
    }

    /// Goes on with the products of a view in control: an attempt ended, or is due (ACT-41).
    mutating func continueProducts(of index: Int, outputs: inout [DeviceOutput]) {
        if case .pausing = stack.views[index].loading { loadAgain(index) }
        tellProducts(of: index, outputs: &outputs)
    }

    /// The answer to "retry?" (ACT-40, ACT-41).
    mutating func decideRetry(_ isWanted: Bool, on view: ViewID) {
        guard let index = stack.index(of: view) else { return }
        stack.views[index].loading =
            isWanted ? .pausing(until: now.advanced(byMs: SDKLimits.productPauseMs)) : .failed
    }

    /// The view leaves the screen: no attempt follows in this presentation (ACT-41).
    mutating func endProducts(of index: Int) {
        if case .pausing = stack.views[index].loading { stack.views[index].loading = .failed }
    }

    private mutating func loadAgain(_ index: Int) {
        guard case .flow(_, let source) = stack.views[index].configuration.source else { return }
        stack.views[index].loading = .running(askForProducts(of: source.offer))
    }

    /// Tells what an attempt brought, if it has ended.
    private mutating func tellProducts(of index: Int, outputs: inout [DeviceOutput]) {
        guard case .running(let load) = stack.views[index].loading, load.readyAt <= now else {
            return
        }
        let view = stack.views[index].id
        switch load.result {
        case .success(let loaded):
            stack.views[index].loading = .done
            stack.views[index].products = loaded.products
            if !loaded.missing.isEmpty {
                tell(.didPartiallyLoadProducts(missing: loaded.missing), of: view, &outputs)
            }
            let ids = loaded.products.map(\.vendorProductID)
            if !ids.isEmpty { input(.productsLoaded(ids), to: index, outputs: &outputs) }
        case .failure(let error):
            stack.views[index].loading = .asked
            ask(.retry, on: view, outputs: &outputs) { .didFailLoadingProducts(error, $0) }
        }
    }
}
