import FlowEngine

@testable import SDKCore

/// Callbacks as short lines, so that expectations read as a list.
extension DeviceCallback {
    var line: String {
        switch self {
        case .deviceOpened: "opened"
        case .didLoadLatestProfile(let profile): "profile \(profile.line)"
        case .viewPresented: "presented"
        case .flowDidAppear: "appear"
        case .flowDidDisappear: "disappear"
        case .view(_, let effect): effect.line
        case .store(_, let callback): callback.line
        case .question(_, let callback): callback.line
        }
    }
}

extension Profile {
    /// The active access levels, each with a star when it is for ever.
    var line: String {
        accessLevels.values.filter(\.isActive).map { $0.id + ($0.isLifetime ? "*" : "") }.sorted()
            .joined(separator: " ")
    }
}

extension ViewEffect {
    fileprivate var line: String {
        switch self {
        case .analytic(.screenShowed(let id, _, _)): "showed \(id)"
        case .performed(.close): "close"
        case .performed(.custom(let id)): "custom \(id)"
        case .failed(let error): "failed \(error.code)"
        case .reviewRequested: "review"
        default: "\(self)"
        }
    }
}

extension StoreCallback {
    fileprivate var line: String {
        switch self {
        case .didSelectProduct(let product): "select \(product.vendorProductID)"
        case .didStartPurchase(let product): "start \(product.vendorProductID)"
        case .didFinishPurchase(let product, .success(let profile, _)):
            "finish \(product.vendorProductID) success \(profile.line)"
        case .didFinishPurchase(let product, .userCancelled):
            "finish \(product.vendorProductID) user_cancelled"
        case .didFinishPurchase(let product, .pending): "finish \(product.vendorProductID) pending"
        case .didFailPurchase(let product, let error):
            "fail \(product.vendorProductID) \(error.code.number)"
        case .didStartRestore: "start restore"
        case .didFinishRestore(let profile): "finish restore \(profile.line)"
        case .didFailRestore(let error): "fail restore \(error.code.number)"
        case .didFinishWebPayment(let product, let error):
            "web \(product.vendorProductID) \(error.map { String($0.code.number) } ?? "opened")"
        case .didPartiallyLoadProducts(let missing):
            "partial \(missing.joined(separator: " "))"
        }
    }
}

extension QuestionCallback {
    fileprivate var line: String {
        switch self {
        case .didFailLoadingProducts(let error, _): "retry? \(error.code.number)"
        case .permission(let name, let arguments, _):
            "permission \(name)\(arguments.isEmpty ? "" : " \(arguments)")"
        case .alert(let alert, _): "alert \(alert.title)"
        case .observerPurchase(let product, _): "observer buys \(product.vendorProductID)"
        case .observerRestore: "observer restores"
        case .settled(_, let answer, let isDefault):
            "settled \(answer)\(isDefault ? " by default" : "")"
        }
    }

    /// The question asked; nil for the end of one.
    var question: Question? {
        switch self {
        case .didFailLoadingProducts(_, let question), .permission(_, _, let question),
            .alert(_, let question), .observerPurchase(_, let question),
            .observerRestore(let question):
            question
        case .settled: nil
        }
    }
}

extension [DeviceCallback] {
    var lines: [String] { map(\.line) }

    /// The last question among them.
    var question: Question? {
        for case .question(_, let callback) in reversed() {
            if let question = callback.question { return question }
        }
        return nil
    }
}

extension [DeviceOutput] {
    /// Callbacks as lines, answers as `answer` and what they give.
    var lines: [String] {
        map { output in
            switch output {
            case .callback(let callback): callback.line
            case .answer(_, .success(let answer)): "answer \(answer.line)"
            case .answer(_, .failure(let fault)):
                "answer \(fault.code.map(String.init) ?? fault.message)"
            }
        }
    }
}

extension SDKAnswer {
    fileprivate var line: String {
        switch self {
        case .done: "done"
        case .profile(let profile): "profile \(profile.line)"
        case .flow(let flow): "flow \(flow.content.variationID)"
        case .onboarding: "onboarding"
        case .flowConfiguration, .onboardingConfiguration: "configuration"
        case .paywallProducts(let products):
            "products \(products.map(\.vendorProductID).joined(separator: " "))"
        case .purchase(.success(let profile, _)): "bought \(profile.line)"
        case .purchase(.userCancelled): "user_cancelled"
        case .purchase(.pending): "pending"
        }
    }
}
