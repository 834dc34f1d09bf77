import BridgeCatalog
import BridgeProtocol
import BridgeStore
import SDKCore

/// Fallback files on their way from the worker to a device.
extension Broker {
    /// Has a fallback file read beside the loop for the device of the request, which answers it.
    ///
    /// - Throws: LIMIT_EXCEEDED when too many requests or too much work waits; UNAVAILABLE when
    ///   the system gives no thread.
    func readFallback(
        _ load: @escaping @Sendable () -> Result<CheckedFallback, FallbackFault>,
        in context: RequestContext
    ) throws(BridgeError) {
        let device = try context.device()
        let call = try note(in: context, on: device) { answer in
            guard case .done = answer else { return .mismatch(answer) }
            return .setFallback(SetFallbackReply())
        }.call
        device.core.beginFallbackReading(call)
        do {
            try worker.run(load) { [unowned self] result in take(result, for: call, of: device) }
        } catch {
            forget(call, of: device)
            _ = device.core.expire(call)
            throw error
        }
        reschedule(device)
    }

    /// Hands a device the file that was read, unless its request has ended meanwhile.
    private func take(
        _ result: Result<CheckedFallback, FallbackFault>, for call: CallID, of device: Device
    ) {
        guard device.pending[call] != nil else { return }
        let file = result.mapError(DeviceFault.init).flatMap { fallbackFiles.file($0) }
        if let fault = store.fault { return refuse(call, of: device, fault) }
        do {
            try drive(device) { (core, now, outputs) throws(DeviceFault) in
                core.endFallbackReading(call, file, at: now, outputs: &outputs)
            }
        } catch {
            preconditionFailure("the end of a reading refuses nothing: \(error.message)")
        }
    }
}

extension Broker {
    /// Ends a reading whose file could not be kept: the former one stays in force.
    private func refuse(_ call: CallID, of device: Device, _ fault: StoreFault) {
        guard let pending = forget(call, of: device) else { return }
        _ = device.core.expire(call)
        respond(.error(ErrorReply(refusal(of: pending.method, fault))), to: pending)
    }
}

extension DeviceFault {
    /// What the SDK would have thrown (PL-72, PL-73); the size is the bridge's own limit.
    fileprivate init(_ fault: FallbackFault) {
        switch fault {
        case .notLocal(let message): self = .sdk(AdaptyError(.wrongParam, message))
        case .broken(let message): self = .sdk(AdaptyError(.decodingFailed, message))
        case .oversize(let message): self = .limitExceeded(message, field: "set_fallback")
        }
    }
}
