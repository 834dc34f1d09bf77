extension SDKDevice {
    /// The methods whose calls meet conditions, by their names on the wire. Those of `activate`,
    /// `identify` and `logout` hold for the creation of the profile (ID-20, ID-30).
    public static let methodsWithConditions = [
        activation, identification, leaving, "get_flow", "get_flow_configuration",
        "get_flow_for_default_audience", "get_onboarding", "get_onboarding_for_default_audience",
        "get_profile", "make_purchase", "preload_flows", "restore_purchases", "update_profile",
    ]

    /// The methods that ask the fallback server when the main backend fails them (PL-52).
    public static let methodsOfFallbackServer = ["get_flow", "get_onboarding", "preload_flows"]
}
