import FlowEngine

/// The attempts to create or identify the profile at the backend (ID-20, ID-30).
public struct ProfileCreation: Sendable, Equatable, Codable {
    /// The call that began it, by whose conditions its attempts go: `activate`, `identify` or
    /// `logout`.
    public let method: String
    /// Whose profile it is to be; nil: anonymous. An empty one is refused by the backend (ID-11).
    public let customerUserID: String?
    /// What the device stores when it has worked; empty: none.
    public var appAccountToken: String
    /// Whether the profile is announced also if nothing of it changed (ID-13).
    public var isAlwaysAnnounced = false
    /// Not stored: a creation that is taken up again makes its next attempt at once.
    var phase = Phase.pausing(until: Instant(ms: .min))
    /// Calls of `identify` and `logout` that end with it, in the order of arrival. Not stored, as
    /// they end with the broker.
    var waiters: [CallID] = []

    private enum CodingKeys: String, CodingKey {
        case method, customerUserID, appAccountToken, isAlwaysAnnounced
    }

    /// Makes a creation whose first attempt is due at once.
    public init(method: String, customerUserID: String?, appAccountToken: String = "") {
        self.init(
            method: method, customerUserID: customerUserID, appAccountToken: appAccountToken,
            at: Instant(ms: .min))
    }

    init(method: String, customerUserID: String?, appAccountToken: String = "", at now: Instant) {
        self.method = method
        self.customerUserID = customerUserID
        self.appAccountToken = appAccountToken
        phase = .pausing(until: now)
    }

    enum Phase: Sendable, Equatable {
        /// The backend was asked; its answer comes then.
        case asking(until: Instant, succeeds: Bool)
        /// The next attempt comes then.
        case pausing(until: Instant)
    }

    /// When something happens by itself; nil: no attempt can succeed before the conditions change.
    func due(alwaysFails: Bool) -> Instant? {
        switch phase {
        case .asking(let until, _): until
        case .pausing(let until): alwaysFails ? nil : until
        }
    }

    /// A token given anew while it runs is the one that counts; none given changes nothing.
    mutating func takeToken(_ token: String) {
        if token.isEmpty || token.isExactly(appAccountToken) { return }
        appAccountToken = token
        isAlwaysAnnounced = true
    }

    /// Whether it is to end with the profile of that user.
    func isFor(_ userID: String) -> Bool {
        customerUserID?.isExactly(userID) ?? false
    }
}
