import FlowEngine

/// What `preloadFlows` waits for.
struct Preload: Sendable {
    /// Placements in the order asked for.
    let placementIDs: [String]
    /// Fetches that have not ended.
    var unfinished: Int
    /// By placement ID.
    var errors: [ExactText: AdaptyError] = [:]
}

// Several fetches that have one answer (PL-59).
extension SDKDevice {
    /// Begins a fetch of each placement, from main backend and fallback server alone.
    ///
    /// - Returns: The answer when there is nothing to fetch.
    /// - Throws: LIMIT_EXCEEDED when the fetches and the calls that wait are more than
    ///   `SDKLimits.waitingCallsMax`.
    mutating func preload(
        _ placementIDs: [String], loadTimeoutMs: UInt32?, id: CallID,
        outputs: inout [DeviceOutput]
    ) throws(DeviceFault) -> SDKAnswer? {
        var known: Set<ExactText> = []
        let wanted = placementIDs.map { $0.trimmed() }.filter {
            !$0.isEmpty && known.insert(ExactText($0)).inserted
        }
        if wanted.isEmpty { return .done }
        try requireRoom(forCalls: wanted.count)
        preloads[id] = Preload(placementIDs: wanted, unfinished: wanted.count)
        calls += wanted.map {
            let fetch = Fetch(preloading: $0, loadTimeoutMs: loadTimeoutMs)
            return WaitingCall(asker: .app(id), request: .fetch(fetch))
        }
        releaseCalls(outputs: &outputs)
        return nil
    }

    /// Takes the end of one of the fetches; the last one ends the call.
    mutating func settle(
        _ fetch: Fetch, of id: CallID, _ result: Result<SDKAnswer, DeviceFault>,
        outputs: inout [DeviceOutput]
    ) {
        if case .failure(.sdk(let error)) = result {
            preloads[id]?.errors[ExactText(fetch.placementID)] = error
        }
        preloads[id]?.unfinished -= 1
        guard let preload = preloads[id], preload.unfinished == 0 else { return }
        preloads[id] = nil
        outputs.append(.answer(id, preload.result))
    }
}

extension Preload {
    /// Success, or one error with that of each placement that failed.
    fileprivate var result: Result<SDKAnswer, DeviceFault> {
        if errors.isEmpty { return .success(.done) }
        var error = AdaptyError(
            .networkFailed,
            "\(errors.count) of \(placementIDs.count) placements could not be preloaded: "
                + "preload_errors says why")
        error.preloadErrors = placementIDs.compactMap { id in
            errors[ExactText(id)].map { PreloadError(placementID: id, error: $0) }
        }
        return .failure(.sdk(error))
    }
}
