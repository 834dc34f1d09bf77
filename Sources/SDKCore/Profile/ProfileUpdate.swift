/// One change of a custom attribute, in the order given (PRO-17, PRO-18).
public struct AttributeChange: Sendable, Equatable {
    public var key: String
    /// nil: remove it (PRO-14).
    public var value: AttributeValue?

    /// Makes a change.
    public init(key: String, value: AttributeValue?) {
        self.key = key
        self.value = value
    }
}

/// What `updateProfile` is given, as it came (PRO-1).
public struct ProfileUpdate: Sendable, Equatable {
    /// Blank: not given (PRO-2), here and for the next three.
    public var firstName = ""
    public var lastName = ""
    public var email = ""
    public var phoneNumber = ""
    public var gender = ""
    /// `YYYY-MM-DD`, or empty: not given.
    public var birthday = ""
    public var trackingStatus: TrackingStatus?
    public var analyticsDisabled: Bool?
    public var customAttributes: [AttributeChange] = []

    /// Makes an update that changes nothing (PRO-22).
    public init() {}
}
