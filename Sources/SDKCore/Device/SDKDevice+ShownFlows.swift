import FlowEngine

// Views of flows that the app counts by itself (VW-27).
extension SDKDevice {
    /// `logShowFlow`: one backend event a call, also for a flow that was rendered, which is counted
    /// twice then. Needs no network and does not wait for the profile.
    ///
    /// - Throws: NOT_FOUND for a flow that the device has not fetched.
    mutating func logShowFlow(_ variationID: String) throws(DeviceFault) -> SDKAnswer {
        let flow = try fetchedFlow(variationID)
        record(
            .other(BackendEvent(name: "flow_showed", properties: [:])),
            variationID: flow.content.variationID, profileID: identity.profileID)
        return .done
    }
}
