import FlowEngine

extension ProfileRecord {
    /// Whether both hold the same content, code point by code point, whatever their versions
    /// (ID-27, PRO-31).
    func hasSameContent(as other: ProfileRecord) -> Bool {
        texts.elementsEqual(other.texts, by: { $0.isExactly($1) })
            && self.trackingStatus == other.trackingStatus
            && self.isAnalyticsDisabled == other.isAnalyticsDisabled
            && self.age == other.age
            && profile.customAttributes == other.profile.customAttributes
            && profile.accessLevels == other.profile.accessLevels
            && profile.subscriptions == other.profile.subscriptions
            && profile.nonSubscriptions == other.profile.nonSubscriptions
            && profile.appliedAttributionSources.elementsEqual(
                other.profile.appliedAttributionSources, by: { $0.isExactly($1) })
    }

    private var texts: [String] {
        [
            profile.profileID, profile.customerUserID, self.firstName, self.lastName, self.email,
            self.phoneNumber, self.gender, self.birthday,
        ]
    }
}
