import FlowEngine
import Testing

@testable import SDKCore

/// A device and its backend, with a clock that the test turns.
struct Bench {
    let backend: Backend
    var device: SDKDevice
    var now: Instant
    private var calls: UInt64 = 0

    init(
        _ name: String = "default", catalog: Catalog = Samples.catalog(), backend: Backend? = nil,
        seed: UInt64 = 1, locale: String = "en-US", zone: TimeZoneRules = .fixed(),
        platform: String = "iOS", appVersion: String = "", osVersion: String = "",
        now: Instant = Instant(ms: 1_000_000)
    ) {
        self.backend = backend ?? Backend(catalog: catalog)
        self.now = now
        var outputs: [DeviceOutput] = []
        device = SDKDevice(
            configuration: DeviceConfiguration(
                name: name, locale: locale, zone: zone, platform: platform,
                appVersion: appVersion, osVersion: osVersion, seed: seed),
            backend: self.backend, at: now, outputs: &outputs)
        #expect(outputs == [.callback(.deviceOpened)])
    }

    /// Starts a call and gives all that it causes at once.
    mutating func start(_ call: SDKCall) -> (id: CallID, outputs: [DeviceOutput]) {
        calls += 1
        let id = CallID(number: calls)
        var outputs: [DeviceOutput] = []
        device.start(call, id: id, at: now, outputs: &outputs)
        return (id, outputs)
    }

    /// Runs a call that is answered at once.
    @discardableResult
    mutating func call(_ call: SDKCall) -> Outcome {
        let (id, outputs) = start(call)
        guard case .answer(id, let result)? = outputs.last else {
            Issue.record("no answer to \(call) at the end of \(outputs)")
            return Outcome(callbacks: [], result: .failure(.wrongState("no answer")))
        }
        return Outcome(callbacks: Self.callbacks(outputs.dropLast()), result: result)
    }

    /// Cancels a call; gives what that causes, nothing if the call does not wait.
    mutating func cancel(_ id: CallID) -> [DeviceOutput] {
        var outputs: [DeviceOutput] = []
        let isCancelled = device.cancel(id, at: now, outputs: &outputs)
        #expect(isCancelled == !outputs.isEmpty)
        return outputs
    }

    /// Turns the clock on.
    mutating func advance(_ ms: Int64) -> [DeviceOutput] {
        now = now.advanced(byMs: ms)
        var outputs: [DeviceOutput] = []
        device.advance(to: now, outputs: &outputs)
        return outputs
    }

    mutating func setConditions(_ edit: (inout ConditionsChange) -> Void) throws {
        var change = ConditionsChange()
        edit(&change)
        try device.setConditions(change)
    }

    mutating func setOffline(_ offline: Bool) throws {
        try setConditions { $0.offline = offline }
    }

    mutating func setCondition(
        _ method: String, _ server: CallCondition.Server = .main, latencyMs: UInt32 = 0,
        httpStatus: UInt32 = 0, calls: UInt32 = 0
    ) throws {
        try setConditions {
            $0.calls = [
                CallCondition(
                    method: method, server: server, latencyMs: latencyMs, httpStatus: httpStatus,
                    calls: calls)
            ]
        }
    }

    /// Starts a call that has to be answered so many milliseconds later, not before.
    mutating func call(_ call: SDKCall, answeredAfterMs span: Int64) -> Outcome {
        let (id, outputs) = start(call)
        #expect(outputs.isEmpty)
        return end(of: id, afterMs: span)
    }

    /// The end of a call that is still to wait for so many milliseconds.
    mutating func end(of id: CallID, afterMs span: Int64) -> Outcome {
        let early = advance(span - 1)
        #expect(early.isEmpty, "before \(span) ms")
        return outcome(of: id, in: advance(1))
    }

    /// The one answer among outputs, which is that of the call.
    func outcome(of id: CallID, in outputs: [DeviceOutput]) -> Outcome {
        guard case .answer(id, let result)? = outputs.last else {
            Issue.record("no answer at the end of \(outputs)")
            return Outcome(callbacks: [], result: .failure(.wrongState("no answer")))
        }
        return Outcome(callbacks: Self.callbacks(outputs.dropLast()), result: result)
    }

    /// The variation of each backend event so far that tells of a content taken (PL-30).
    var assignments: [String] {
        backend.events(limit: 1_000).compactMap { recorded in
            guard recorded.event.name.hasSuffix("_variation_assigned"),
                case .string(let variation)? = recorded.event.properties["variation_id"]
            else { return nil }
            return variation
        }
    }

    /// Ends the process of the app and begins the next one, perhaps with another version or locale.
    mutating func restart(_ edit: (inout DeviceConfiguration) -> Void = { _ in }) {
        device.close()
        #expect(!device.isOpen)
        var configuration = device.configuration
        edit(&configuration)
        var outputs: [DeviceOutput] = []
        device.reopen(configuration, at: now, outputs: &outputs)
        #expect(outputs == [.callback(.deviceOpened)])
        #expect(device.isOpen)
    }

    /// What a function on views causes.
    mutating func outputs<Failure>(
        _ body: (inout SDKDevice, Instant, inout [DeviceOutput]) throws(Failure) -> Void
    ) throws(Failure) -> [DeviceCallback] {
        var outputs: [DeviceOutput] = []
        try body(&device, now, &outputs)
        return Self.callbacks(outputs)
    }

    static func callbacks(_ outputs: some Sequence<DeviceOutput>) -> [DeviceCallback] {
        outputs.map { output in
            guard case .callback(let callback) = output else {
                Issue.record("an answer where only callbacks are due: \(output)")
                return .deviceOpened
            }
            return callback
        }
    }
}

/// What a call that was answered at once caused.
struct Outcome {
    var callbacks: [DeviceCallback]
    var result: Result<SDKAnswer, DeviceFault>

    var error: DeviceFault? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The SDK's code; nil for success and for faults of the bridge.
    var code: Int32? { error?.code }

    var flow: Flow? {
        if case .success(.flow(let flow)) = result { flow } else { nil }
    }

    var onboarding: Onboarding? {
        if case .success(.onboarding(let onboarding)) = result { onboarding } else { nil }
    }

    var profile: Profile? {
        if case .success(.profile(let profile)) = result { profile } else { nil }
    }

    var isDone: Bool {
        if case .success(.done) = result { true } else { false }
    }
}

extension DeviceFault {
    var code: Int32? {
        if case .sdk(let error) = self { error.code.number } else { nil }
    }

    var message: String {
        switch self {
        case .sdk(let error): error.message
        case .notFound(let message, _), .wrongState(let message),
            .invalidArgument(let message, _), .limitExceeded(let message, _):
            message
        case .gesture(let refusal): refusal.message
        }
    }

    var isNotFound: Bool { if case .notFound = self { true } else { false } }
    var isWrongState: Bool { if case .wrongState = self { true } else { false } }
    var isLimitExceeded: Bool { if case .limitExceeded = self { true } else { false } }

    /// Code and field of an INVALID_ARGUMENT.
    var invalidField: String? {
        if case .invalidArgument(_, let field) = self { field } else { nil }
    }
}

extension SDKCall {
    static func identify(_ userID: String, token: String = "") -> SDKCall {
        .identify(customerUserID: userID, appAccountToken: token)
    }

    static func getFlow(_ placement: String) -> SDKCall {
        .getFlow(FetchRequest(placementID: placement))
    }

    static func getFlow(
        _ placement: String, policy: String, maxAgeMs: UInt64? = nil
    ) -> SDKCall {
        .getFlow(FetchRequest(placementID: placement, policy: policy, maxAgeMs: maxAgeMs))
    }

    static func getFlowForDefaultAudience(_ placement: String, policy: String = "") -> SDKCall {
        .getFlowForDefaultAudience(FetchRequest(placementID: placement, policy: policy))
    }

    static func preload(_ placements: [String], loadTimeoutMs: UInt32? = nil) -> SDKCall {
        .preloadFlows(placementIDs: placements, loadTimeoutMs: loadTimeoutMs)
    }

    /// The policy that takes cached content of any age (PL-41).
    static let cached = "return_cache_data_else_load"
    /// The policy that takes cached content below an age (PL-42).
    static let cachedByAge = "return_cache_data_if_not_expired_else_load"

    static func getOnboarding(_ placement: String, locale: String = "") -> SDKCall {
        .getOnboarding(FetchRequest(placementID: placement, locale: locale))
    }

    static func update(_ edit: (inout ProfileUpdate) -> Void) -> SDKCall {
        var update = ProfileUpdate()
        edit(&update)
        return .updateProfile(update)
    }

    /// An update of custom attributes only.
    static func attributes(_ changes: [(String, AttributeValue?)]) -> SDKCall {
        update { $0.customAttributes = changes.map { AttributeChange(key: $0.0, value: $0.1) } }
    }
}
