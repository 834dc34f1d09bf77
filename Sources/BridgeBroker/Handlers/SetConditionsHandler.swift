import BridgeProtocol
import SDKCore

/// `set_conditions`: what the next calls of a device meet at the simulated service.
enum SetConditionsHandler {
    /// The store's answers and the fallback server are not simulated in this version.
    ///
    /// - Throws: INVALID_ARGUMENT for a method that meets no conditions and for what is not
    ///   simulated, naming it.
    static func handle(_ request: SetConditionsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let device = try context.device(named: request.device)
        var change = ConditionsChange()
        change.clear = request.clear
        change.offline = request.offline
        change.appliedAttributionSources = request.appliedAttributionSources?.values
        for (index, call) in request.calls.enumerated() {
            change.calls.append(try condition(call, index))
        }
        try refuseUnsimulated(request)
        try context.broker.drive(device) { (core, _, _) throws(DeviceFault) in
            try core.setConditions(change)
        }
        return .now(.setConditions(SetConditionsReply()))
    }

    private static func condition(
        _ call: BridgeProtocol.CallCondition, _ index: Int
    ) throws(BridgeError) -> SDKCore.CallCondition {
        let field = "set_conditions.calls[\(index)]"
        let known = SDKDevice.methodsWithConditions
        guard call.method.isEmpty || known.contains(call.method) else {
            throw BridgeError(
                .invalidArgument,
                "method \"\(call.method)\" meets no conditions; these do: "
                    + known.joined(separator: ", "), field: "\(field).method")
        }
        guard call.server == .main else {
            throw BridgeError(
                .invalidArgument, "the fallback server is not simulated in this version; use MAIN",
                field: "\(field).server")
        }
        return SDKCore.CallCondition(
            method: call.method, latencyMs: call.latencyMs, httpStatus: call.httpStatus,
            calls: call.calls)
    }

    private static func refuseUnsimulated(_ request: SetConditionsRequest) throws(BridgeError) {
        let given = [
            ("store", !request.store.isEmpty),
            ("purchases_forbidden", request.purchasesForbidden != nil),
            ("store_unreachable", request.storeUnreachable != nil),
        ]
        for (field, isGiven) in given where isGiven {
            throw BridgeError(
                .invalidArgument, "the store is not simulated in this version; leave \(field) out",
                field: "set_conditions.\(field)")
        }
    }
}
