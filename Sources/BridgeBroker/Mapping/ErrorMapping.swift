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
        self.init(
            sdk: SDK(code: error.code.number, name: error.code.name, message: error.message),
            isRetryable: error.isRetryable)
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

extension SdkError {
    init(_ error: ViewError) {
        self.init()
        code = error.code
        name = error.name
        message = error.message
    }
}
