import FlowEngine

// Activation (ID-1 to ID-10, ID-34).
extension SDKDevice {
    /// The method by whose conditions the creation of a profile by `activate` goes.
    static let activation = "activate"

    /// The name of the device that activates itself (ID-34).
    static let selfActivatingName = "default"

    /// `activate` (ID-2 to ID-10).
    mutating func activate(
        _ activation: Activation, outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        guard identity.activation != .explicit else {
            throw .sdk(AdaptyError(.activateOnceError, "activate was called on this device before"))
        }
        if let key = identity.apiKey, !key.isExactly(activation.apiKey) { wipe() }
        let userID = activation.customerUserID.trimmed()
        let wasAutomatic = identity.activation == .automatic
        identity.activation = .explicit
        identity.apiKey = activation.apiKey
        identity.appAccountToken = userID.isEmpty ? "" : activation.appAccountToken
        identity.isObserver = activation.observerMode
        identity.isUIActivated =
            activation.activatesUI || (wasAutomatic && identity.isUIActivated)
        settleProfile(customerUserID: userID, outputs: &outputs)
    }

    /// Activates the device `default` at the first call that needs it (ID-34).
    ///
    /// - Throws: `notActivated` on every other device that was not activated (ID-1).
    mutating func requireActivation(outputs: inout [DeviceOutput]) throws(DeviceFault) {
        if identity.activation != .none { return }
        guard configuration.name == Self.selfActivatingName else {
            throw .sdk(
                AdaptyError(
                    .notActivated,
                    "the SDK is not activated on device \"\(configuration.name.readable())\": "
                        + "call activate first"))
        }
        identity.activation = .automatic
        identity.isUIActivated = true
        settleProfile(customerUserID: "", outputs: &outputs)
    }

    /// Keeps the stored profile, or makes one, or goes over to that of the ID (ID-3 to ID-5).
    private mutating func settleProfile(
        customerUserID: String, outputs: inout [DeviceOutput]
    ) {
        let wanted = customerUserID.isEmpty ? nil : customerUserID
        if let creation = identity.creation, wanted.map(creation.isFor) ?? true {
            let token = identity.appAccountToken
            identity.creation?.takeToken(token)
            return
        }
        if identity.creation == nil, identity.isCreated, let profile = identity.stored?.profile,
            wanted.map(identity.isNow) ?? true
        {
            return outputs.append(.callback(.didLoadLatestProfile(profile)))
        }
        if identity.stored == nil { storeFreshProfile() }
        begin(
            ProfileCreation(
                method: Self.activation, customerUserID: wanted,
                appAccountToken: identity.appAccountToken, at: now),
            outputs: &outputs)
    }

    /// Forgets the profile and all that was fetched for it (ID-7).
    private mutating func wipe() {
        identity.stored = nil
        identity.isCreated = false
        identity.creation = nil
        forgetProfileContent()
        documents = ViewDocuments()
    }
}
