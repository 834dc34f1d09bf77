/// Every limit of the SDK's room. The oldest goes where something is said to be kept.
public enum SDKLimits {
    /// Configurations that a device keeps; the oldest goes.
    public static let configurationsMax = 256
    /// Fetched flows and onboardings that a device keeps, by variation id; the oldest goes.
    public static let fetchedContentsMax = 256
    /// Placements whose content a device caches; the oldest goes (PL-44).
    public static let cachedPlacementsMax = 1_024
    /// View documents that a device caches, of flows and of onboardings; the oldest goes (FC-8).
    public static let cachedDocumentsMax = 256
    /// Ends of timers that a device keeps; what ended goes first, then what ends first.
    public static let keptTimersMax = 1_024
    /// Views of a device where its configuration says nothing else.
    public static let viewsMax = 1_024
    /// Calls of a device that wait; one more is LIMIT_EXCEEDED.
    public static let waitingCallsMax = 1_024
    /// Backend events that a backend keeps; the oldest goes.
    public static let backendEventsMax = 10_000
    /// Conditions of a device at one time; one more is LIMIT_EXCEEDED.
    public static let conditionsMax = 256
    /// Custom attributes with a value of a profile (PRO-15, PRO-16).
    public static let customAttributesMax = 30
    /// Characters of a custom attribute's key (PRO-10).
    public static let attributeKeyCharactersMax = 30
    /// Characters of a custom attribute's text (PRO-12).
    public static let attributeTextCharactersMax = 50
    /// How long a fetch may take when the app says nothing, and at the least (PL-50).
    public static let loadTimeoutDefaultMs: Int64 = 5_000
    /// The least time-out; less is raised to it without an error (PL-50).
    public static let loadTimeoutMinMs: Int64 = 1_000
    /// What the main backend is cut by, for the fallback server (PL-51).
    public static let fallbackReserveMs: Int64 = 500
    /// Pause between the answer to retry and the next request for products (ACT-41).
    public static let productPauseMs: Int64 = 2_000
    /// Products that the user of a device owns in the store; the oldest goes.
    public static let ownedProductsMax = 256
    /// Purchases of a device that the store has not approved; the oldest goes.
    public static let pendingPurchasesMax = 256
    /// Subscriptions of a profile; the oldest goes.
    public static let subscriptionsMax = 256
    /// Purchases of a profile that are no subscriptions; the oldest goes.
    public static let nonSubscriptionsMax = 256
    /// Settled questions of a device that are told from unknown ones; the oldest goes.
    public static let settledQuestionsMax = 256
    /// Results that the flows of a device are told at one instant; more is taken for a loop.
    public static let flowResultsMax = 1_000
    /// Pause between two attempts to create a profile (ID-20).
    public static let creationPauseMs: Int64 = 100
}
