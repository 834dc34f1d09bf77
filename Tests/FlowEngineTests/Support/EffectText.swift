@testable import FlowEngine

/// Effects as short lines, so that expectations read as a list of callbacks.
extension ViewEffect {
    var line: String {
        switch self {
        case .analytic(let event): event.line
        case .performed(.close): "close"
        case .performed(.openURL(let url, let target)):
            "openURL \(url) \(target == .browserInApp ? "in" : "out")"
        case .performed(.custom(let id)): "custom \(id)"
        case .failed(let error): "failed \(error.code) \(error.name)"
        case .selectedProduct(let id): "product \(id)"
        case .purchaseRequested(let id, let isWeb, let request):
            "purchase \(id)\(isWeb ? " web" : "")\(number(request))"
        case .restoreRequested(let request): "restore\(number(request))"
        case .permissionRequested(let name, _, let request): "permission \(name)\(number(request))"
        case .reviewRequested: "review"
        case .alertShown(let title, _, _): "alert \(title)"
        case .onboarding(let callback, let meta): "\(callback.line) @\(meta.screenIndex)"
        case .onboardingFailed(let error): "onboarding failed \(error.code) \(error.name)"
        case .messageDropped: "dropped"
        case .backend(let event): "backend \(event.name)"
        case .openedURL(let url, let target):
            "opened \(url) \(target == .browserInApp ? "in" : "out")"
        case .timerStarted(let id, _, let end): "timer \(id) \(end.ms)"
        }
    }
}

/// The number of a request whose result is waited for.
private func number(_ request: Int32) -> String { request == 0 ? "" : " #\(request)" }

extension AnalyticEvent {
    var line: String {
        switch self {
        case .screenShowed(let id, let order, let isLast): "showed \(id) \(order) \(isLast)"
        case .userInput(let input, let value):
            "input \(input.instanceID)/\(input.elementID) \(input.type.rawValue) \(value.line)"
        case .own(let name, _): "own \(name)"
        }
    }
}

extension ReportedValue {
    var line: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .items(let items): "\(Array(items.ids)) \(Array(items.titles))"
        }
    }
}

extension OnboardingCallback {
    var line: String {
        switch self {
        case .didFinishLoading: "didFinishLoading"
        case .close(let id): "onClose \(id)"
        case .paywall(let id): "onPaywall \(id)"
        case .custom(let id): "onCustom \(id)"
        case .stateUpdated(let id, let state): "state \(id) \(state.line)"
        case .analytics(.screenCompleted(let id, let reply)):
            "screen_completed \(id ?? "-") \(reply ?? "-")"
        case .analytics(let event): event.name
        }
    }
}

extension OnboardingState {
    var line: String {
        switch self {
        case .select(let option): "select \(option.id)/\(option.value)/\(option.label)"
        case .multiSelect(let options): "multi \(options.map(\.value))"
        case .text(let text): "text \"\(text)\""
        case .email(let text): "email \"\(text)\""
        case .number(let number): "number \(number)"
        case .datePicker(let day, let month, let year):
            "date \(day ?? 0).\(month ?? 0).\(year ?? 0)"
        }
    }
}
