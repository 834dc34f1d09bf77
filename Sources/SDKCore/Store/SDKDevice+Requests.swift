import FlowEngine

// What a flow asks the store, the app and the finger for.
extension SDKDevice {
    /// Acts on an effect that asks for something. Results wait until the effects of the input are
    /// all delivered.
    mutating func request(
        _ effect: ViewEffect, of index: Int, outputs: inout [DeviceOutput]
    ) {
        let wasDelivering = isDelivering
        isDelivering = true
        defer { isDelivering = wasDelivering }
        let view = stack.views[index].id
        switch effect {
        case .selectedProduct(let id):
            tell(.didSelectProduct(product(id, of: index)), of: view, &outputs)
        case .purchaseRequested(let id, let isWeb, let request):
            let product = product(id, of: index)
            if stack.views[index].isBuying {
                tell(.failure, of: request, to: view, outputs: &outputs)
            } else if isWeb {
                openWebPage(for: product, request, on: view, &outputs)
            } else {
                buy(product, request, on: index, &outputs)
            }
        case .restoreRequested(let request):
            if stack.views[index].isBuying {
                tell(.failure, of: request, to: view, outputs: &outputs)
            } else {
                restore(request, on: index, &outputs)
            }
        case .permissionRequested(let name, let arguments, let request):
            dropPermission(of: view, outputs: &outputs)
            ask(.permission(request: request), on: view, outputs: &outputs) {
                .permission(name, arguments: arguments, $0)
            }
        case .alertShown(let title, let message, let actions):
            let alert = ShownAlert(title: title, message: message, actions: actions)
            ask(.alert(alert), on: view, outputs: &outputs) { .alert(alert, $0) }
        default: preconditionFailure("an effect that asks for nothing")
        }
    }

    func tell(_ callback: StoreCallback, of view: ViewID, _ outputs: inout [DeviceOutput]) {
        outputs.append(.callback(.store(view, callback)))
    }

    /// A product of a view as it was loaded.
    private func product(_ id: String, of index: Int) -> PaywallProduct {
        stack.views[index].products.first(id) ?? PaywallProduct(product: .unknown(id))
    }

    /// In observer mode the app buys (ACT-47), else the store does (ACT-22).
    private mutating func buy(
        _ product: PaywallProduct, _ request: Int32, on index: Int,
        _ outputs: inout [DeviceOutput]
    ) {
        stack.views[index].isBuying = true
        let view = stack.views[index].id
        if identity.isObserver {
            return ask(.observerPurchase(request: request), on: view, outputs: &outputs) {
                .observerPurchase(product, $0)
            }
        }
        tell(.didStartPurchase(product), of: view, &outputs)
        let asker = FlowAsker(view: view, request: request, product: product)
        begin(.purchase(product), for: asker, outputs: &outputs)
    }

    /// In observer mode the app restores (ACT-48), else the store does (ACT-31).
    private mutating func restore(
        _ request: Int32, on index: Int, _ outputs: inout [DeviceOutput]
    ) {
        stack.views[index].isBuying = true
        let view = stack.views[index].id
        if identity.isObserver {
            return ask(.observerRestore(request: request), on: view, outputs: &outputs) {
                .observerRestore($0)
            }
        }
        tell(.didStartRestore, of: view, &outputs)
        let asker = FlowAsker(view: view, request: request, product: nil)
        begin(.restore, for: asker, outputs: &outputs)
    }

    private mutating func begin(
        _ request: BackendRequest, for asker: FlowAsker, outputs: inout [DeviceOutput]
    ) {
        do throws(DeviceFault) {
            try queue(request, from: .flow(asker), outputs: &outputs)
        } catch {
            end(asker, .failure(error), outputs: &outputs)
        }
    }

    /// A page needs the network to open (ACT-33).
    private mutating func openWebPage(
        for product: PaywallProduct, _ request: Int32, on view: ViewID,
        _ outputs: inout [DeviceOutput]
    ) {
        let error =
            conditions.isOffline ? ServerFailure.offline("the web payment page").error : nil
        tell(.didFinishWebPayment(product, error), of: view, &outputs)
        tell(error == nil ? .pending : .failure, of: request, to: view, outputs: &outputs)
    }
}

// MARK: - The end

extension SDKDevice {
    /// Tells a view how its purchase or restore ended (ACT-22 to ACT-31), also one that has left
    /// the screen (ACT-29).
    mutating func end(
        _ asker: FlowAsker, _ result: Result<SDKAnswer, DeviceFault>,
        outputs: inout [DeviceOutput]
    ) {
        endBuying(asker.view)
        let flowResult: RequestResult
        switch (result, asker.product) {
        case (.success(.purchase(let purchase)), let product?):
            tell(.didFinishPurchase(product, purchase), of: asker.view, &outputs)
            flowResult = purchase.flowResult
        case (.success(.profile(let profile)), nil):
            tell(.didFinishRestore(profile), of: asker.view, &outputs)
            flowResult = .success
        case (.failure(let fault), let product?):
            tell(.didFailPurchase(product, fault.sdkError), of: asker.view, &outputs)
            flowResult = .failure
        case (.failure(let fault), nil):
            tell(.didFailRestore(fault.sdkError), of: asker.view, &outputs)
            flowResult = .failure
        default: preconditionFailure("an answer of another kind than its request")
        }
        tell(flowResult, of: asker.request, to: asker.view, outputs: &outputs)
    }

    /// Another purchase or restore may begin on the view, if it is still there (ACT-28).
    mutating func endBuying(_ view: ViewID) {
        guard let index = stack.index(of: view) else { return }
        stack.views[index].isBuying = false
    }

    /// A gesture that buys or restores is impossible while a purchase or restore of the view runs
    /// (ACT-28).
    func refuseSecondPurchase(_ gesture: Gesture, on index: Int) throws(DeviceFault) {
        let view = stack.views[index]
        guard let session = view.session, session.asksStore(gesture) else { return }
        throw .wrongState(
            "a purchase or restore of view \(view.id) runs: another one has to wait for its end")
    }
}

extension PurchaseResult {
    /// The flow's own result.
    fileprivate var flowResult: RequestResult {
        switch self {
        case .success: .success
        case .userCancelled: .cancelled
        case .pending: .pending
        }
    }
}

extension DeviceFault {
    /// What the delegate is told.
    fileprivate var sdkError: AdaptyError {
        switch self {
        case .sdk(let error): error
        case .notFound(let message, _), .wrongState(let message),
            .invalidArgument(let message, _), .limitExceeded(let message, _):
            AdaptyError(.unknown, message)
        case .gesture(let refusal): AdaptyError(.unknown, refusal.message)
        }
    }
}
