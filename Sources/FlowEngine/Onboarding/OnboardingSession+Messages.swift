extension OnboardingSession {
    /// Delivers a raw message of the onboarding's document: its one callback, and the backend
    /// event of OB-50 for a screen. It moves no screen and derives no other event (OB-54).
    ///
    /// A message that cannot be read is dropped with one effect that says why (OB-14).
    func deliver(_ json: String, _ effects: inout [ViewEffect]) throws(GestureRefusal) {
        try checkControl()
        do throws(MessageFault) {
            let message = try OnboardingMessage(json: json)
            effects.append(.onboarding(message.callback, message.meta))
            guard message.callback == .analytics(.screenPresented) else { return }
            effects.append(.backend(.screenShowed(message.meta)))
        } catch {
            effects.append(.messageDropped(reason: error.reason))
        }
    }
}

extension BackendEvent {
    /// OB-50, without the variation id, which the engine does not know.
    static func screenShowed(_ meta: OnboardingMeta) -> BackendEvent {
        let isLast = Int64(meta.screenIndex) == Int64(meta.screensTotal) - 1
        return BackendEvent(
            name: "new_onboarding_screen_showed",
            properties: [
                "onboarding_screen_name": .string(meta.screenClientID),
                "onboarding_screen_order": .string(meta.screenIndex.description),
                "onboarding_latest_screen": .bool(isLast),
            ])
    }
}
