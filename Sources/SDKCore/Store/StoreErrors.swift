extension AdaptyError.Code {
    /// The user cancelled; of a purchase a result and no error (ACT-23, ACT-25).
    static let paymentCancelled = Self(number: 2, name: "paymentCancelled")
    /// The store does not sell the product.
    static let storeProductNotAvailable = Self(number: 5, name: "storeProductNotAvailable")
    /// The store knows no product of the flow (FC-21).
    static let noProductIDsFound = Self(number: 1000, name: "noProductIDsFound")
    /// The store cannot be asked for products (FC-21).
    static let productRequestFailed = Self(number: 1002, name: "productRequestFailed")
    /// Purchases are forbidden, or the app buys by itself (ACT-26, ACT-49).
    static let cantMakePayments = Self(number: 1003, name: "cantMakePayments")
    /// A purchase failed, with no other code (ACT-25).
    static let productPurchaseFailed = Self(number: 1006, name: "productPurchaseFailed")
    /// A restore failed.
    static let refreshReceiptFailed = Self(number: 1010, name: "refreshReceiptFailed")
    /// Of a purchase a result and no error (ACT-24).
    static let paymentPendingError = Self(number: 1050, name: "paymentPendingError")
    /// A fault without a code of its own.
    static let unknown = Self(number: 0, name: "unknown")

    /// What a condition of the store can fail with, by number (ERR-5).
    static let ofStore: [AdaptyError.Code] = [
        Self(number: 1, name: "clientInvalid"), paymentCancelled,
        Self(number: 3, name: "paymentInvalid"), Self(number: 4, name: "paymentNotAllowed"),
        storeProductNotAvailable, Self(number: 6, name: "cloudServicePermissionDenied"),
        Self(number: 7, name: "cloudServiceNetworkConnectionFailed"),
        Self(number: 8, name: "cloudServiceRevoked"),
        Self(number: 9, name: "privacyAcknowledgementRequired"),
        Self(number: 10, name: "unauthorizedRequestData"),
        Self(number: 11, name: "invalidOfferIdentifier"),
        Self(number: 12, name: "invalidSignature"), Self(number: 13, name: "missingOfferParams"),
        Self(number: 14, name: "invalidOfferPrice"), noProductIDsFound, productRequestFailed,
        cantMakePayments, Self(number: 1005, name: "cantReadReceipt"), productPurchaseFailed,
        refreshReceiptFailed, Self(number: 1020, name: "fetchSubscriptionStatusFailed"),
        Self(number: 1030, name: "unknownTransactionId"), paymentPendingError,
    ]
}
