import FlowEngine

// Raw messages of onboarding documents (OB-13, OB-14, OB-52 to OB-54).
extension SDKDevice {
    /// Hands an onboarding a message as its web view would post it: the callback of the message
    /// and, for a screen, the backend event; nothing else (OB-54).
    ///
    /// Only where a web view could post one: the onboarding is on screen, covered or not, and has
    /// loaded, and the app is in the foreground.
    ///
    /// Bounds: `TextEntry.bytesMax`, so that what it causes fits a frame.
    /// - Returns: Why the message was dropped, without its values (OB-14); nil: it was delivered.
    /// - Throws: NOT_FOUND for an unknown view, INVALID_ARGUMENT for a flow, WRONG_STATE for an
    ///   onboarding that cannot post, LIMIT_EXCEEDED for a message that is too long. Nothing
    ///   changed then.
    public mutating func postOnboardingMessage(
        _ json: String, to viewID: String, at now: Instant, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> String? {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        let index = try postingView(viewID)
        try Self.checkLength(of: json)
        do throws(GestureRefusal) {
            try stack.views[index].handle(
                .message(json: json), in: environment, effects: &backend.effects)
        } catch {
            throw .wrongState("view \(viewID): \(error.message)")
        }
        let dropped = backend.effects.lazy.compactMap(\.droppedMessage).first
        deliverEffects(of: index, outputs: &outputs)
        return dropped
    }

    /// The onboarding of that id, if it can post.
    private func postingView(_ viewID: String) throws(DeviceFault) -> Int {
        let index = try knownView(viewID)
        guard stack.views[index].kind == .onboarding else {
            throw .invalidArgument(
                "view \(viewID) is a flow: only onboardings have messages", field: "view_id")
        }
        if isInBackground {
            throw .wrongState("the app is in the background: no view posts messages there")
        }
        guard stack.views[index].isOnScreen else {
            throw .wrongState("view \(viewID) is not on screen: present it first")
        }
        return index
    }

    private static func checkLength(of json: String) throws(DeviceFault) {
        let count = json.utf8.count
        guard count <= TextEntry.bytesMax else {
            throw .limitExceeded(
                "a message of \(count) bytes; at most \(TextEntry.bytesMax) (textBytesMax)",
                field: "json")
        }
    }
}

extension ViewEffect {
    /// Why a message was dropped, if one was.
    fileprivate var droppedMessage: String? {
        if case .messageDropped(let reason) = self { reason } else { nil }
    }
}
