import BridgeProtocol

/// An event in few words: what came, and what matters about it.
struct EventLine: Equatable, Sendable {
    let name: String
    let details: String

    /// - Parameters:
    ///   - form: of the event, perhaps with values hidden.
    ///   - instant: shows the value of a picker, Unix milliseconds; nil: the number.
    init(
        _ event: Event, form: JSONNode? = nil, instant: ((Int64, String) -> String)? = nil
    ) {
        let form = form ?? CallbackForm.of(event)
        guard case .didReceiveAnalyticEvent(let analytic) = event.kind else {
            name = event.kind?.name ?? "event of a newer broker"
            details = Self.details(event, form)
            return
        }
        name = analytic.name
        let params = form["params"] ?? .object([])
        let place = params["instanceId"]?.text ?? ""
        if let element = params["element_id"]?.text {
            let value = params["value"] ?? params["item_titles"] ?? JSONNode(.null)
            let kind = params["element_type"]?.text ?? ""
            let ms = kind.hasSuffix("_picker") ? Int64(value.compact) : nil
            let shown = ms.flatMap { ms in instant?(ms, kind) } ?? value.spaced
            details = "\(element) = \(shown)"
        } else {
            details = place.isEmpty ? params.spaced : place
        }
    }

    private static func details(_ event: Event, _ form: JSONNode) -> String {
        switch event.kind {
        case .didPerformAction(let action):
            return "\(action.kind.word) \(action.url)\(action.customId)".trimmingSpace
        case .didLoadLatestProfile(let event):
            let isAnonymous = event.profile?.customerUserId.isEmpty ?? true
            return profile(
                isAnonymous: isAnonymous, form["did_load_latest_profile"]?["profile"] ?? .object([])
            )
        case .didSelectProduct(let event): return event.product?.vendorProductId ?? ""
        case .didStartPurchase(let event): return event.product?.vendorProductId ?? ""
        case .didFinishPurchase(let event):
            let outcome = form["did_finish_purchase"]?["result"]?["outcome"]?.text ?? ""
            return "\(event.product?.vendorProductId ?? "") \(outcome)"
        case .didFailPurchase(let event):
            let error = event.error.map(Self.text) ?? ""
            return "\(event.product?.vendorProductId ?? "") \(error)"
        case .viewPresented(let event): return event.placementId
        case .permissionRequested(let event): return event.permission
        case .alertShown(let event): return event.title
        case .questionSettled(let event):
            return event.byDefault ? "\(event.answer), by default" : event.answer
        case .didFailLoadingProducts(let event): return event.error.map(Self.text) ?? ""
        case .didFailRestore(let event): return event.error.map(Self.text) ?? ""
        case .didReceiveError(let event): return event.error.map(Self.text) ?? ""
        case .didFailWithError(let event): return event.error.map(Self.text) ?? ""
        case .didFinishRestore:
            return profile(isAnonymous: true, form["did_finish_restore"]?["profile"] ?? .object([]))
        case .urlOpened(let event): return event.url
        case .onCloseAction(let event): return event.actionId
        case .onPaywallAction(let event): return event.actionId
        case .onCustomAction(let event): return event.actionId
        case .onAnalyticsEvent(let event):
            return "\(event.name) \(event.meta?.screenClientId ?? "")".trimmingSpace
        case .onStateUpdatedAction(let event):
            let content = form["on_state_updated_action"]?.members.last
            return "\(event.elementId) = \(content?.value.spaced ?? "")"
        default:
            let content = form.members.first?.value.spaced ?? ""
            return content == "{}" ? "" : content
        }
    }

    private static func text(_ error: SdkError) -> String { "\(error.code) \(error.name)" }

    private static func profile(isAnonymous: Bool, _ profile: JSONNode) -> String {
        var words =
            profile["custom_attributes"]?.members.map { "\($0.name) = \($0.value.spaced)" } ?? []
        if !isAnonymous, let user = profile["customer_user_id"]?.text { words.insert(user, at: 0) }
        for level in profile["access_levels"]?.members ?? [] {
            if level.value["is_active"]?.bool == true { words.append("level \(level.name)") }
        }
        return words.joined(separator: ", ")
    }
}

extension DidPerformAction.Kind {
    fileprivate var word: String {
        switch self {
        case .close: "close"
        case .openUrl: "open_url"
        case .custom: "custom"
        default: "\(rawValue)"
        }
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
