extension SDKDevice {
    /// The methods whose calls meet conditions, by their names on the wire. Those of `activate`,
    /// `identify` and `logout` hold for the creation of the profile (ID-20, ID-30).
    public static let methodsWithConditions = [
        activation, identification, leaving, "get_flow", "get_flow_configuration", "get_onboarding",
        "get_profile",
        "update_profile",
    ]
}
