/// What the next requests of one kind meet at the simulated store (ERR-5).
public struct StoreCondition: Sendable, Equatable, Codable {
    /// What the store is asked for.
    public enum Operation: String, Sendable, Hashable, Codable {
        case purchase, restore, products
    }

    /// What the store answers.
    public enum Outcome: String, Sendable, Hashable, Codable {
        case success
        /// Purchases only (ACT-23), as the next one (ACT-24).
        case cancelled
        case pending
        case failure
    }

    /// The requests that it holds for.
    public var operation: Operation
    /// A product of the catalog; empty: every one. A failure of `products` with a product means
    /// that the store does not know it (FC-24).
    public var productID: String
    /// What the store answers.
    public var outcome: Outcome
    /// With `failure`: a code of the ERR table; 0: 1006, 1010 or 1002, by the operation.
    public var errorCode: Int32
    /// How long the store takes, on the clock of the device.
    public var delayMs: UInt32
    /// How many requests it holds for; 0: until changed.
    public var calls: UInt32

    /// Makes a condition.
    public init(
        operation: Operation = .purchase, productID: String = "", outcome: Outcome = .success,
        errorCode: Int32 = 0, delayMs: UInt32 = 0, calls: UInt32 = 0
    ) {
        self.operation = operation
        self.productID = productID
        self.outcome = outcome
        self.errorCode = errorCode
        self.delayMs = delayMs
        self.calls = calls
    }
}

extension StoreCondition {
    /// What a failure is.
    var error: AdaptyError {
        let code = AdaptyError.Code.ofStore.first { $0.number == errorCode } ?? operation.failure
        return AdaptyError(code, "the store refused the \(operation.noun): \(code.name)")
    }

    /// - Throws: INVALID_ARGUMENT or NOT_FOUND for what the store never answers, naming it;
    ///   `index` is the condition's place in the request.
    func check(_ index: Int, _ catalog: Catalog) throws(DeviceFault) {
        let field = "store[\(index)]"
        if !productID.isEmpty, operation == .restore {
            throw .invalidArgument(
                "a restore is of no single product: leave product_id out",
                field: "\(field).product_id")
        }
        if !productID.isEmpty, catalog.product(productID) == nil {
            let some = catalog.products.keys.sorted { $0.precedesInBytes($1) }.prefix(10)
            throw .notFound(
                "the catalog has no product \"\(productID.readable())\"; it has "
                    + (some.isEmpty ? "none" : some.joined(separator: ", ")),
                field: "\(field).product_id")
        }
        if operation != .purchase, outcome == .cancelled || outcome == .pending {
            throw .invalidArgument(
                "a \(operation.noun) succeeds or fails: use SUCCESS or FAILURE",
                field: "\(field).outcome")
        }
        try checkCode(field)
    }

    private func checkCode(_ field: String) throws(DeviceFault) {
        if errorCode == 0 { return }
        guard outcome == .failure, operation != .products || productID.isEmpty else {
            throw .invalidArgument(
                "error_code \(errorCode) goes with a FAILURE only, not with one that makes a "
                    + "product unknown", field: "\(field).error_code")
        }
        let codes = AdaptyError.Code.ofStore.filter {
            operation == .purchase || $0 != .paymentPendingError
        }
        guard codes.contains(where: { $0.number == errorCode }) else {
            throw .invalidArgument(
                "error_code \(errorCode): the store fails with one of "
                    + codes.map { String($0.number) }.joined(separator: ", ") + ", or 0",
                field: "\(field).error_code")
        }
    }
}

extension StoreCondition.Operation {
    /// The code of a failure for which none is set.
    fileprivate var failure: AdaptyError.Code {
        switch self {
        case .purchase: .productPurchaseFailed
        case .restore: .refreshReceiptFailed
        case .products: .productRequestFailed
        }
    }

    var noun: String {
        switch self {
        case .purchase: "purchase"
        case .restore: "restore"
        case .products: "request for products"
        }
    }

    /// The store cannot be reached.
    var unreachable: AdaptyError {
        AdaptyError(failure, "the store cannot be reached for the \(noun)")
    }
}
