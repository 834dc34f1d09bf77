import FlowEngine

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
    /// Products, purchases and restores of a flow. Rare, and so kept out of the others' size, as
    /// is the next one.
    indirect case store(ViewID, StoreCallback)
    indirect case question(ViewID, QuestionCallback)
}

/// What a device hands to the bridge, in one ordered list: what a call causes at once comes before
/// its answer (GEN-1).
public enum DeviceOutput: Sendable, Equatable {
    case callback(DeviceCallback)
    /// Much larger than a callback, and not on the hot path.
    indirect case answer(CallID, Result<SDKAnswer, DeviceFault>)
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
