import BridgeProtocol

/// The simulated store and questions.
extension TestClient {
    /// Sets conditions of the store.
    func setStore(_ fills: ((inout StoreCondition) -> Void)...) throws {
        let conditions = fills.map { with(StoreCondition(), $0) }
        try setConditions { $0.store = conditions }
    }

    func setConditions(_ fill: (inout SetConditionsRequest) -> Void) throws {
        try call(.setConditions(with(SetConditionsRequest(), fill)))
    }

    func selectProduct(_ view: String, _ element: String, _ product: String) throws {
        try perform(
            view,
            .selectProduct(
                with(SelectProductGesture()) {
                    $0.elementId = element
                    $0.vendorProductId = product
                }))
    }

    func answer(_ question: Question?, _ answer: AnswerRequest.Answer) throws {
        try call(Self.answering(question, answer))
    }

    static func answering(
        _ question: Question?, _ answer: AnswerRequest.Answer?
    ) -> ClientFrame.Body {
        .answer(
            with(AnswerRequest()) {
                $0.questionId = question?.questionId ?? ""
                $0.answer = answer
            })
    }

    /// Takes the events that have come, each as one line that tells what it is about.
    func takeShopStory() -> [String] {
        takeEvents().map(\.shopStory)
    }
}

extension PermissionAnswer {
    init(_ status: Status, detail: String = "") {
        self.init()
        self.status = status
        self.detail = detail
    }
}

extension ObserverAnswer {
    init(_ step: Step) {
        self.init()
        self.step = step
    }
}

extension Event {
    /// As `story`, with products, results, codes and answers.
    var shopStory: String {
        switch kind {
        case .didReceiveAnalyticEvent(let event): event.name
        case .didSelectProduct(let event): "select \(event.product?.vendorProductId ?? "")"
        case .didStartPurchase(let event): "start \(event.product?.vendorProductId ?? "")"
        case .didFinishPurchase(let event):
            "finish \(event.product?.vendorProductId ?? "") \(event.result?.outcome.name ?? "")"
        case .didFailPurchase(let event):
            "fail \(event.product?.vendorProductId ?? "") \(event.error?.code ?? 0)"
        case .didFailRestore(let event): "did_fail_restore \(event.error?.code ?? 0)"
        case .didPartiallyLoadProducts(let event):
            "missing \(event.missingVendorProductIds.joined(separator: " "))"
        case .didFailLoadingProducts(let event): "retry? \(event.error?.code ?? 0)"
        case .permissionRequested(let event): "permission \(event.permission)"
        case .alertShown(let event): "alert \(event.title)"
        case .observerPurchaseRequested(let event):
            "observer buys \(event.product?.vendorProductId ?? "")"
        case .questionSettled(let event):
            "settled \(event.answer)\(event.byDefault ? " by default" : "")"
        case .didFinishWebPaymentNavigation(let event):
            "web \(event.product?.vendorProductId ?? "") \(event.error?.code ?? 0)"
        default: story
        }
    }

    /// The question that the event asks.
    var question: Question? {
        switch kind {
        case .didFailLoadingProducts(let event): event.question
        case .permissionRequested(let event): event.question
        case .alertShown(let event): event.question
        case .observerPurchaseRequested(let event): event.question
        case .observerRestoreRequested(let event): event.question
        default: nil
        }
    }
}

extension PurchaseResult.Outcome {
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .userCancelled: "user_cancelled"
        case .pending: "pending"
        default: "\(rawValue)"
        }
    }
}
