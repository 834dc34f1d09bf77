import FlowEngine

/// An update that passed every check of the device and may go to the backend (PRO-17).
struct ProfileChange: Sendable, Equatable {
    /// nil: not given, here and below.
    let firstName: String?
    let lastName: String?
    let email: String?
    let phoneNumber: String?
    /// `f`, `m` or `o` (PRO-4).
    let gender: String?
    let birthday: String?
    let born: CivilDate?
    let trackingStatus: TrackingStatus?
    let analyticsDisabled: Bool?
    let attributes: AttributeBuilder

    /// Trims and checks an update.
    ///
    /// - Throws: INVALID_ARGUMENT for a birthday that does not exist (PRO-5); the faults of
    ///   `AttributeBuilder.add`.
    init(_ update: ProfileUpdate, dayExists: (CivilDate) -> Bool) throws(DeviceFault) {
        firstName = Self.given(update.firstName)
        lastName = Self.given(update.lastName)
        email = Self.given(update.email)
        phoneNumber = Self.given(update.phoneNumber)
        gender = Self.gender(update.gender)
        if update.birthday.isEmpty {
            birthday = nil
            born = nil
        } else {
            guard let day = CalendarDay.parse(update.birthday), dayExists(day) else {
                throw .invalidArgument(
                    "birthday: expected a day that exists, written YYYY-MM-DD", field: "birthday")
            }
            birthday = update.birthday
            born = day
        }
        trackingStatus = update.trackingStatus
        analyticsDisabled = update.analyticsDisabled
        var builder = AttributeBuilder()
        for (place, change) in update.customAttributes.enumerated() {
            try builder.add(change, place: place)
        }
        attributes = builder
    }

    /// Merges the change into a record: what is not named stays (PRO-2, PRO-20).
    ///
    /// - Parameter today: The day on which the age is reckoned (PRO-29).
    /// - Throws: `wrongParam` when the merged profile has too many attributes (PRO-16).
    func applied(to record: ProfileRecord, today: CivilDate) throws(DeviceFault) -> ProfileRecord {
        var result = record
        result.profile.customAttributes = try attributes.merged(
            into: record.profile.customAttributes)
        result.firstName = firstName ?? record.firstName
        result.lastName = lastName ?? record.lastName
        result.email = email ?? record.email
        result.phoneNumber = phoneNumber ?? record.phoneNumber
        result.gender = gender ?? record.gender
        if let birthday, let born {
            if record.birthday.isEmpty { result.age = CalendarDay.age(born: born, on: today) }
            result.birthday = birthday
        }
        result.trackingStatus = trackingStatus ?? record.trackingStatus
        result.isAnalyticsDisabled = analyticsDisabled ?? record.isAnalyticsDisabled
        return result
    }

    private static func given(_ text: String) -> String? {
        let trimmed = text.trimmed()
        return trimmed.isEmpty ? nil : trimmed
    }

    private static func gender(_ text: String) -> String? {
        switch text {
        case "": nil
        case "female", "f": "f"
        case "male", "m": "m"
        default: "o"
        }
    }
}
