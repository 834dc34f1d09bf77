import FlowEngine

/// The value of a custom attribute (PRO-9).
public enum AttributeValue: Sendable, Equatable, Codable {
    case string(String)
    case number(Double)

    /// Texts are equal code point by code point (GEN-4).
    public static func == (a: AttributeValue, b: AttributeValue) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): a.isExactly(b)
        case (.number(let a), .number(let b)): a == b
        default: false
        }
    }
}

/// An access level of a profile.
public struct AccessLevel: Sendable, Equatable, Codable {
    /// Names the level, such as `premium`; exact.
    public var id: String
    /// Whether the user has it now.
    public var isActive: Bool
    /// The product that gave it.
    public var vendorProductID: String
    /// The store it was bought in.
    public var store: String
    /// Unix milliseconds.
    public var activatedAtMs: Int64
    /// Unix milliseconds; nil: not renewed yet.
    public var renewedAtMs: Int64?
    /// Unix milliseconds; nil: never.
    public var expiresAtMs: Int64?
    /// Whether it never expires.
    public var isLifetime: Bool
    /// Whether the store will renew it.
    public var willRenew: Bool

    /// Makes an access level.
    public init(
        id: String, isActive: Bool, vendorProductID: String, store: String, activatedAtMs: Int64,
        renewedAtMs: Int64? = nil, expiresAtMs: Int64? = nil, isLifetime: Bool = false,
        willRenew: Bool = false
    ) {
        self.id = id
        self.isActive = isActive
        self.vendorProductID = vendorProductID
        self.store = store
        self.activatedAtMs = activatedAtMs
        self.renewedAtMs = renewedAtMs
        self.expiresAtMs = expiresAtMs
        self.isLifetime = isLifetime
        self.willRenew = willRenew
    }
}

/// What the SDK lets an app read of a profile (PRO-28).
public struct Profile: Sendable, Equatable, Codable {
    /// Upper-case UUID.
    public var profileID: String
    /// Empty: anonymous.
    public var customerUserID: String = ""
    /// Those with a value, by key; at most 30 (PRO-16).
    public var customAttributes: [String: AttributeValue] = [:]
    /// Active and expired ones, by id.
    public var accessLevels: [String: AccessLevel] = [:]
    /// One a product, in the order of the first purchase.
    public var subscriptions: [Subscription] = []
    /// In the order of the purchases.
    public var nonSubscriptions: [NonSubscription] = []
    /// Filled by conditions only (PL-81).
    public var appliedAttributionSources: [String] = []
    /// The backend's version of this content, in milliseconds (ID-27).
    public var versionMs: Int64 = 0

    /// Makes an anonymous, empty profile.
    public init(profileID: String) {
        self.profileID = profileID
    }
}

/// `att_status` (PRO-6).
public enum TrackingStatus: Int32, Sendable, Hashable, Codable {
    case unknown = -1
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

/// What an app tells of a user and cannot read back (PRO-28).
public struct ProfileDetails: Sendable, Equatable, Codable {
    /// Trimmed; empty: never given (PRO-2), here and for the next three.
    public var firstName = ""
    /// Trimmed, or empty.
    public var lastName = ""
    /// As given, without a check of its form (PRO-3).
    public var email = ""
    /// As given, without a check of its form (PRO-3).
    public var phoneNumber = ""
    /// `f`, `m`, `o`, or empty (PRO-4).
    public var gender = ""
    /// `YYYY-MM-DD`, or empty (PRO-5).
    public var birthday = ""
    /// nil: never given.
    public var trackingStatus: TrackingStatus?
    /// As last applied; the device decides by its own copy (PRO-7).
    public var isAnalyticsDisabled = false
    /// Computed when the birthday first arrived (PRO-29).
    public var age: Int32?
}

/// The backend's copy of a profile, with what the SDK does not give back (PRO-28).
///
/// The details are members of it. Most profiles have none, and each device keeps a second record.
@dynamicMemberLookup
public struct ProfileRecord: Sendable, Equatable {
    /// The part that the app can read.
    public var profile: Profile
    @Boxed private var details: ProfileDetails?

    /// Makes a record with nothing but a profile.
    public init(profile: Profile) {
        self.profile = profile
    }

    /// One of the details.
    public subscript<Value>(dynamicMember path: WritableKeyPath<ProfileDetails, Value>) -> Value {
        get { (details ?? ProfileDetails())[keyPath: path] }
        set {
            var changed = details ?? ProfileDetails()
            changed[keyPath: path] = newValue
            details = changed == ProfileDetails() ? nil : changed
        }
    }
}

extension ProfileRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case profile, details
    }

    /// Reads a stored record.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(profile: try members.decode(Profile.self, forKey: .profile))
        details = try members.decodeIfPresent(ProfileDetails.self, forKey: .details)
    }

    /// Writes a record to be stored.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(profile, forKey: .profile)
        try members.encodeIfPresent(details, forKey: .details)
    }
}
