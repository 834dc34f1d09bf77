import BridgeProtocol
import FlowEngine
import SDKCore

/// `set_conditions`: what the next calls of a device meet at the simulated service, and what its
/// user changed on the phone.
enum SetConditionsHandler {
    /// - Throws: INVALID_ARGUMENT for a method that meets no conditions, for what the store never
    ///   answers, for what is not simulated, an unknown zone and an empty locale; NOT_FOUND for an
    ///   unknown product and for one of which no purchase is pending. Each names what it is about;
    ///   nothing changed then.
    static func handle(_ request: SetConditionsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let device = try context.device(named: request.device)
        let change = try change(request)
        let zone = try zone(request)
        do {
            try context.broker.drive(device) { (core, now, outputs) throws(DeviceFault) in
                core.advance(to: now, outputs: &outputs)
                try core.checkPending(request.approvePending)
                try core.setConditions(change)
                if let zone { core.move(to: zone) }
                if let locale = request.locale { core.change(locale: locale) }
                core.approvePending(request.approvePending, at: now, outputs: &outputs)
            }
        } catch {
            throw error.within("set_conditions")
        }
        if let zone { device.zoneName = zone.name }
        return .now(.setConditions(SetConditionsReply()))
    }

    private static func change(
        _ request: SetConditionsRequest
    ) throws(BridgeError) -> ConditionsChange {
        var change = ConditionsChange()
        change.clear = request.clear
        change.offline = request.offline
        change.appliedAttributionSources = request.appliedAttributionSources?.values
        for (index, call) in request.calls.enumerated() {
            change.calls.append(try condition(call, index))
        }
        change.purchasesForbidden = request.purchasesForbidden
        change.storeUnreachable = request.storeUnreachable
        for (index, condition) in request.store.enumerated() {
            change.store.append(try SDKCore.StoreCondition(condition, index))
        }
        return change
    }

    private static func zone(
        _ request: SetConditionsRequest
    ) throws(BridgeError) -> TimeZoneRules? {
        if request.locale?.isEmpty ?? false {
            throw BridgeError(
                .invalidArgument, "an empty locale; give one such as de-DE, or leave it out",
                field: "set_conditions.locale")
        }
        guard let name = request.timeZone else { return nil }
        return try ZoneData.requiredRules(named: name, field: "set_conditions.time_zone")
    }

    private static func condition(
        _ call: BridgeProtocol.CallCondition, _ index: Int
    ) throws(BridgeError) -> SDKCore.CallCondition {
        let server: SDKCore.CallCondition.Server = call.server == .fallback ? .fallback : .main
        let (known, does) =
            server == .main
            ? (SDKDevice.methodsWithConditions, "meets no conditions")
            : (SDKDevice.methodsOfFallbackServer, "does not ask the fallback server")
        guard call.method.isEmpty || known.contains(call.method) else {
            throw BridgeError(
                .invalidArgument,
                "method \"\(call.method)\" \(does); these do: " + known.joined(separator: ", "),
                field: "set_conditions.calls[\(index)].method")
        }
        return SDKCore.CallCondition(
            method: call.method, server: server, latencyMs: call.latencyMs,
            httpStatus: call.httpStatus, calls: call.calls)
    }
}
