import FlowEngine

// What the user changes on the phone while the app runs.
extension SDKDevice {
    /// The phone is in another time zone from now on, as a traveller's is: later picks and events
    /// are reckoned in it, values that were picked stay (IN-40, GEN-14).
    ///
    /// The caller advances the device first, here and below.
    public mutating func move(to zone: TimeZoneRules) {
        configuration.zone = zone
        environment.zone = zone
    }

    /// The phone has another locale from now on, by which the next fetches are targeted (PL-18,
    /// PL-81). Views on screen keep theirs.
    public mutating func change(locale: String) {
        configuration.locale = locale
    }
}
