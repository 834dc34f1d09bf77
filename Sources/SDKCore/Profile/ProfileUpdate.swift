/// One change of a custom attribute, in the order given (PRO-17, PRO-18).
public struct AttributeChange: Sendable, Equatable {
    /// Trimmed and checked by PRO-10.
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
    /// Blank: not given.
    public var lastName = ""
    /// Blank: not given.
    public var email = ""
    /// Blank: not given.
    public var phoneNumber = ""
    /// `female`, `male`, `other` or empty; any other text becomes `other` (PRO-4).
    public var gender = ""
    /// `YYYY-MM-DD`, or empty: not given.
    public var birthday = ""
    /// nil: not given.
    public var trackingStatus: TrackingStatus?
    /// nil: not given (PRO-7).
    public var analyticsDisabled: Bool?
    /// In the order given, which the checks follow (PRO-17).
    public var customAttributes: [AttributeChange] = []

    /// Makes an update that changes nothing (PRO-22).
    public init() {}
}
