/// What a placement shows (PL-2).
public enum PlacementType: String, Sendable, Hashable {
    case flow
    case onboarding
}

/// A remote config in one locale.
public struct RemoteConfigDocument: Sendable, Equatable, Codable {
    /// As written in the builder.
    public var locale: String
    /// JSON text.
    public var dataJSON: String

    /// Makes a remote config.
    public init(locale: String, dataJSON: String) {
        self.locale = locale
        self.dataJSON = dataJSON
    }
}

/// A product as a paywall names it.
public struct ProductReferenceDocument: Sendable, Equatable, Codable {
    /// A product of the catalog.
    public var vendorProductID: String
    /// Empty: no offer.
    public var offerID: String

    /// Makes a reference.
    public init(vendorProductID: String, offerID: String = "") {
        self.vendorProductID = vendorProductID
        self.offerID = offerID
    }
}

/// A paywall of a flow: a list of products with a name.
public struct PaywallDocument: Sendable, Equatable, Codable {
    /// As the dashboard shows it.
    public var name: String
    /// The paywall's own variation id.
    public var variationID: String
    /// In the order in which they are offered.
    public var products: [ProductReferenceDocument]

    /// Makes a paywall.
    public init(name: String, variationID: String, products: [ProductReferenceDocument]) {
        self.name = name
        self.variationID = variationID
        self.products = products
    }
}

/// One variation of an audience: the content it gives.
public struct VariationDocument: Sendable, Equatable, Codable {
    /// Unique within its audience.
    public var variationID: String
    /// 0 to 100; all of an audience add up to at most 100 (PL-25).
    public var weight: Int
    /// Id and name of the flow or onboarding.
    public var contentID: String
    /// Of the flow or onboarding.
    public var name: String
    /// Flows: the document to show; nil: no view configuration (PL-8).
    public var flowVersionID: String?
    /// One for each locale that has one.
    public var remoteConfigs: [RemoteConfigDocument]
    /// Flows only.
    public var paywalls: [PaywallDocument]
    /// Cross-placement tests: variation by placement ID (PL-31).
    public var placementMap: [String: String]?

    /// Makes a variation.
    public init(
        variationID: String, weight: Int = 100, contentID: String, name: String,
        flowVersionID: String? = nil, remoteConfigs: [RemoteConfigDocument] = [],
        paywalls: [PaywallDocument] = [], placementMap: [String: String]? = nil
    ) {
        self.variationID = variationID
        self.weight = weight
        self.contentID = contentID
        self.name = name
        self.flowVersionID = flowVersionID
        self.remoteConfigs = remoteConfigs
        self.paywalls = paywalls
        self.placementMap = placementMap
    }
}

/// How a condition on a version compares (PL-19).
public enum VersionComparison: Sendable, Hashable {
    case greater, less, greaterOrEqual, lessOrEqual
}

/// What a condition of a segment compares with (PL-13).
public enum SegmentOperand: Sendable, Hashable {
    case equals(String)
    case notEquals(String)
    case isIn([String])
    case isNotIn([String])
    case numberEquals(Double)
    case numberNotEquals(Double)
    case greater(Double)
    case less(Double)
    case greaterOrEqual(Double)
    case lessOrEqual(Double)
    case between(Double, Double)
    /// `app_version` and `os_version` only; `=`, `!=`, `in` and `not_in` are the text ones (PL-19).
    case version(VersionComparison, String)
    /// Both ends included, as `between`.
    case versionBetween(String, String)
    case isSet
    case isNotSet
}

/// The type that a condition expects of its attribute (PL-15).
public enum SegmentValueType: Sendable, Hashable {
    case text, number
}

/// One condition of a segment; all of them are joined with AND (PL-12).
public struct SegmentCondition: Sendable, Hashable {
    /// `custom:<key>`, `customer_user_id`, `age`, `gender`, … (PL-17).
    public var attribute: String
    /// What the attribute is compared with, and how.
    public var operand: SegmentOperand
    /// For `isSet` and `isNotSet`: a value of another type counts as missing (PL-15); nil: any
    /// type will do. The other operands have a type of their own.
    public var valueType: SegmentValueType?

    /// Makes a condition.
    public init(
        attribute: String, operand: SegmentOperand, valueType: SegmentValueType? = nil
    ) {
        self.attribute = attribute
        self.operand = operand
        self.valueType = valueType
    }
}

/// One audience of a placement.
public struct AudienceDocument: Sendable, Equatable {
    /// Reported as `audienceName`.
    public var name: String
    /// 1 comes first; not looked at for All Users (PL-10, PL-11).
    public var priority: Int
    /// Always last, always matches (PL-11).
    public var isAllUsers: Bool
    /// All have to hold; none: everybody (PL-12).
    public var conditions: [SegmentCondition]
    /// `placement_audience_version_id`: what the draw depends on (PL-23).
    public var versionID: String
    /// Empty without A/B test (PL-9).
    public var abTestName: String
    /// Belongs to a cross-placement test (PL-21).
    public var isCrossPlacement: Bool
    /// In the order of the file.
    public var variations: [VariationDocument]

    /// Makes an audience.
    public init(
        name: String, priority: Int, isAllUsers: Bool, conditions: [SegmentCondition] = [],
        versionID: String, abTestName: String = "", isCrossPlacement: Bool = false,
        variations: [VariationDocument]
    ) {
        self.name = name
        self.priority = priority
        self.isAllUsers = isAllUsers
        self.conditions = conditions
        self.versionID = versionID
        self.abTestName = abTestName
        self.isCrossPlacement = isCrossPlacement
        self.variations = variations
    }
}

/// A placement: a named place in the app, and what each audience sees there.
public struct PlacementDocument: Sendable, Equatable {
    /// Unique over all types, compared exactly (PL-1, PL-2).
    public var id: String
    /// What it shows.
    public var type: PlacementType
    /// Reported as it is.
    public var revision: Int64
    /// In the order of the file.
    public var audiences: [AudienceDocument]

    /// Makes a placement.
    public init(id: String, type: PlacementType, revision: Int64 = 1, audiences: [AudienceDocument])
    {
        self.id = id
        self.type = type
        self.revision = revision
        self.audiences = audiences
    }
}
