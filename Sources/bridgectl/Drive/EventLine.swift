import BridgeProtocol

/// An event in few words: what came, and what matters about it.
struct EventLine: Equatable, Sendable {
    let name: String
    let details: String

    /// - Parameter instant: shows the value of a picker, Unix milliseconds; nil: the number.
    init(_ event: Event, instant: ((Int64, String) -> String)? = nil) {
        let form = CallbackForm.of(event)
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
            return event.profile.map(Self.profile) ?? ""
        case .viewPresented(let event): return event.placementId
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

    private static func profile(_ profile: Profile) -> String {
        let form = MessageTree(keepsDefaults: false).tree(
            WireJSON.text(of: .getProfile(with(GetProfileReply()) { $0.profile = profile })),
            of: "GetProfileReply")["profile"]
        var words =
            form?["custom_attributes"]?.members.map { "\($0.name) = \($0.value.spaced)" } ?? []
        if !profile.customerUserId.isEmpty { words.insert(profile.customerUserId, at: 0) }
        words += profile.accessLevels.filter(\.value.isActive).map { "level \($0.key)" }
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
