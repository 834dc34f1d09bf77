import BridgeProtocol

/// Does something for a span at most; then its task is cancelled, and what it makes of that comes
/// back as late.
func bounded<Value: Sendable>(
    _ span: Duration, _ work: @escaping @Sendable () async -> Value
) async -> (value: Value, isLate: Bool) {
    let task = Task { await work() }
    let watchdog = Task {
        guard (try? await Task.sleep(for: span)) != nil else { return }
        task.cancel()
    }
    defer { watchdog.cancel() }
    return (await task.value, task.isCancelled)
}

extension ServerFrame.Body {
    /// The broker's word that it stopped a call (GEN-10). Any other answer had come before.
    var isOfCancel: Bool {
        guard case .error(let error) = self else { return false }
        return error.bridgeError.code == .cancelled || error.bridgeError.sdk?.code == 9000
    }
}

extension Duration {
    /// `5 s` or `250 ms`.
    var text: String {
        let ms =
            Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
        return ms % 1_000 == 0 ? "\(ms / 1_000) s" : "\(ms) ms"
    }
}
