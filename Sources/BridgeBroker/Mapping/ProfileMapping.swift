import BridgeProtocol
import SDKCore

extension BridgeProtocol.Profile {
    /// The profile as a message; maps in the order of their keys (GEN-3).
    init(_ profile: SDKCore.Profile) {
        self.init()
        profileId = profile.profileID
        customerUserId = profile.customerUserID
        customAttributes = profile.customAttributes.sorted { $0.key < $1.key }.map { key, value in
            with(CustomAttributesEntry()) {
                $0.key = key
                $0.value = BridgeProtocol.AttributeValue(value)
            }
        }
        accessLevels = profile.accessLevels.sorted { $0.key < $1.key }.map { key, level in
            with(AccessLevelsEntry()) {
                $0.key = key
                $0.value = BridgeProtocol.AccessLevel(level)
            }
        }
        subscriptions = profile.subscriptions.map { .init($0) }
        nonSubscriptions = profile.nonSubscriptions.map { .init($0) }
        appliedAttributionSources = profile.appliedAttributionSources
    }
}

extension BridgeProtocol.AttributeValue {
    init(_ value: SDKCore.AttributeValue) {
        self.init()
        switch value {
        case .string(let text): kind = .string(text)
        case .number(let number): kind = .double(number)
        }
    }
}

extension BridgeProtocol.AccessLevel {
    init(_ level: SDKCore.AccessLevel) {
        self.init()
        id = level.id
        isActive = level.isActive
        vendorProductId = level.vendorProductID
        store = level.store
        activatedAtMs = level.activatedAtMs
        renewedAtMs = level.renewedAtMs
        expiresAtMs = level.expiresAtMs
        isLifetime = level.isLifetime
        willRenew = level.willRenew
    }
}

extension ProfileUpdate {
    /// The update that a request asks for, attribute by attribute in the order given (PRO-17).
    ///
    /// - Throws: INVALID_ARGUMENT for an attribute that says neither value nor removal, for a
    ///   number that is none (PRO-9), and for an unknown tracking status.
    init(_ request: UpdateProfileRequest) throws(BridgeError) {
        self.init()
        firstName = request.firstName
        lastName = request.lastName
        email = request.email
        phoneNumber = request.phoneNumber
        gender = request.gender
        birthday = request.birthday
        trackingStatus = request.attStatus.flatMap { TrackingStatus(rawValue: $0.rawValue) }
        analyticsDisabled = request.analyticsDisabled
        for (index, attribute) in request.customAttributes.enumerated() {
            customAttributes.append(try AttributeChange(attribute, index: index))
        }
    }
}

extension AttributeChange {
    init(_ attribute: CustomAttribute, index: Int) throws(BridgeError) {
        switch attribute.change {
        case .string(let text): self.init(key: attribute.key, value: .string(text))
        case .double(let number): self.init(key: attribute.key, value: .number(number))
        case .remove(true): self.init(key: attribute.key, value: nil)
        case .remove(false), nil:
            throw BridgeError(
                .invalidArgument,
                "custom attribute \"\(attribute.key)\" says nothing: give string, double, or remove "
                    + "true", field: "update_profile.custom_attributes[\(index)]")
        }
    }
}

extension InspectProfileReply {
    init(_ record: ProfileRecord) {
        self.init()
        profile = BridgeProtocol.Profile(record.profile)
        firstName = record.firstName
        lastName = record.lastName
        email = record.email
        phoneNumber = record.phoneNumber
        gender = record.gender
        birthday = record.birthday
        attStatus = record.trackingStatus.map {
            AppTrackingTransparency.Status(rawValue: $0.rawValue)
        }
        analyticsDisabled = record.isAnalyticsDisabled
        age = record.age
        versionMs = record.profile.versionMs
    }
}
