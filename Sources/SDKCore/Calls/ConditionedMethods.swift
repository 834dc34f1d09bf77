extension SDKDevice {
    /// The methods whose calls meet conditions, by their names on the wire. Those of `activate`
    /// hold for the creation of the profile (ID-30).
    public static let methodsWithConditions = [
        activation, "get_flow", "get_flow_configuration", "get_onboarding", "get_profile",
        "update_profile",
    ]
}
