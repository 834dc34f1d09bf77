import BridgeProtocol
import FlowEngine
import SDKCore

extension BridgeError {
    /// The fault of a device as it travels.
    init(_ fault: DeviceFault) {
        switch fault {
        case .sdk(let error): self.init(error)
        case .notFound(let message, let field): self.init(.notFound, message, field: field)
        case .wrongState(let message): self.init(.wrongState, message)
        case .invalidArgument(let message, let field):
            self.init(.invalidArgument, message, field: field)
        case .limitExceeded(let message, let field):
            self.init(.limitExceeded, message, field: field)
        case .gesture(let refusal): self.init(refusal)
        }
    }

    /// What the SDK would have thrown.
    init(_ error: AdaptyError) {
        self.init(sdk: SDK(error), isRetryable: error.isRetryable)
        preloadErrors = error.preloadErrors.map {
            Preload(placementID: $0.placementID, error: SDK($0.error))
        }
    }

    /// An impossible gesture (GEN-6).
    init(_ refusal: GestureRefusal) {
        let code: Code =
            switch refusal.reason {
            case .notFound: .notFound
            case .wrongState: .wrongState
            case .invalidArgument: .invalidArgument
            case .limitExceeded: .limitExceeded
            }
        self.init(code, refusal.message, field: "perform.\(refusal.field)")
    }
}

extension BridgeError.SDK {
    fileprivate init(_ error: AdaptyError) {
        self.init(code: error.code.number, name: error.code.name, message: error.message)
    }
}

extension BridgeError {
    /// The same with the request's name before its field.
    func within(_ method: String) -> BridgeError {
        var error = self
        if !field.isEmpty && !field.hasPrefix("\(method).") { error.field = "\(method).\(field)" }
        return error
    }
}

extension SdkError {
    init(_ error: ViewError) {
        self.init()
        code = error.code
        name = error.name
        message = error.message
    }
}
