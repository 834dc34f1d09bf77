extension SDKDevice {
    /// Whether a call would have the backend make a profile that it does not have yet, as things
    /// are now (ID-3, ID-16, ID-23).
    public func makesProfile(_ call: SDKCall) -> Bool {
        let current = backend.profileRecord(identity.profileID)
        switch call {
        case .activate(let activation):
            return current == nil && !backend.knows(activation.customerUserID)
        case .identify(let userID, _):
            return current?.profile.customerUserID.isEmpty != true && !backend.knows(userID)
        case .logout: return current?.profile.customerUserID.isEmpty == false
        default: return false
        }
    }
}
