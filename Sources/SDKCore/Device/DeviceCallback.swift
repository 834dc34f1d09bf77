import FlowEngine

/// Names a view of a device: a UUID drawn from the device's seed (VW-1).
public struct ViewID: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    /// Makes an id from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What a device tells the app, in the one order of GEN-1.
public enum DeviceCallback: Sendable, Equatable {
    /// A bridge event: the device was created.
    case deviceOpened
    case didLoadLatestProfile(Profile)
    /// A bridge event: the view came on screen; comes before everything else of a presentation.
    case viewPresented(ViewID, placementID: String, variationID: String)
    case flowDidAppear(ViewID)
    case flowDidDisappear(ViewID)
    case view(ViewID, ViewEffect)
}

/// Why a call on views or devices was refused by the bridge itself.
public enum DeviceFault: Error, Sendable, Equatable {
    /// What the SDK would have thrown.
    case sdk(AdaptyError)
    /// NOT_FOUND; `field` is the request's field at fault.
    case notFound(String, field: String)
    /// WRONG_STATE.
    case wrongState(String)
    /// INVALID_ARGUMENT.
    case invalidArgument(String, field: String)
    /// LIMIT_EXCEEDED.
    case limitExceeded(String, field: String)
    /// An impossible gesture (GEN-6).
    case gesture(GestureRefusal)
}
