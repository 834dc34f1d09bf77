import BridgeProtocol
import SDKCore

extension Event.Kind {
    /// Products, purchases and restores of a flow.
    init(_ callback: StoreCallback) {
        switch callback {
        case .didSelectProduct(let product):
            self = .didSelectProduct(with(DidSelectProduct()) { $0.product = .init(product) })
        case .didStartPurchase(let product):
            self = .didStartPurchase(with(DidStartPurchase()) { $0.product = .init(product) })
        case .didFinishPurchase(let product, let result):
            self = .didFinishPurchase(
                with(DidFinishPurchase()) {
                    $0.product = .init(product)
                    $0.result = .init(result)
                })
        case .didFailPurchase(let product, let error):
            self = .didFailPurchase(
                with(DidFailPurchase()) {
                    $0.product = .init(product)
                    $0.error = SdkError(error)
                })
        case .didStartRestore: self = .didStartRestore(DidStartRestore())
        case .didFinishRestore(let profile):
            self = .didFinishRestore(with(DidFinishRestore()) { $0.profile = .init(profile) })
        case .didFailRestore(let error):
            self = .didFailRestore(with(DidFailRestore()) { $0.error = SdkError(error) })
        case .didFinishWebPayment(let product, let error):
            self = .didFinishWebPaymentNavigation(
                with(DidFinishWebPaymentNavigation()) {
                    $0.product = .init(product)
                    $0.error = error.map { SdkError($0) }
                })
        case .didPartiallyLoadProducts(let missing):
            self = .didPartiallyLoadProducts(
                with(DidPartiallyLoadProducts()) { $0.missingVendorProductIds = missing })
        }
    }
}

extension SdkError {
    init(_ error: AdaptyError) {
        self.init()
        code = error.code.number
        name = error.code.name
        message = error.message
    }
}
