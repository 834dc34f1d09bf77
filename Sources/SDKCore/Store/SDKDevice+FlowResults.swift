import FlowEngine

/// The result of something that a flow asked for, on its way to the flow; nil: without effect.
struct FlowResult: Sendable {
    let view: ViewID
    let request: Int32
    let result: RequestResult?
}

// The flow's own results of purchases, restores and questions.
extension SDKDevice {
    /// Tells a view the result of what it asked for; at once, or once the effects of the input
    /// that is being handled are delivered.
    mutating func tell(
        _ result: RequestResult?, of request: Int32, to view: ViewID,
        outputs: inout [DeviceOutput]
    ) {
        guard request != 0 else { return }
        flowResults.append(FlowResult(view: view, request: request, result: result))
        if !isDelivering { deliverFlowResults(&outputs) }
    }

    /// Delivers the results that wait, and those that they cause in turn: at most
    /// `SDKLimits.flowResultsMax`, as a flow may ask again at each.
    mutating func deliverFlowResults(_ outputs: inout [DeviceOutput]) {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        var left = SDKLimits.flowResultsMax
        while let next = flowResults.first {
            flowResults.removeFirst()
            guard let index = stack.index(of: next.view) else { continue }
            guard left > 0 else {
                outputs.append(.callback(.view(next.view, .failed(.endlessRequests))))
                continue
            }
            left -= 1
            input(.requestEnded(next.request, next.result), to: index, outputs: &outputs)
        }
        flowResults = []
    }
}

extension ViewError {
    /// 4105: at each result the flow asks for something that ends at once (ACT-9).
    fileprivate static let endlessRequests = ViewError(
        code: 4105, name: "jsException",
        message: "more than \(SDKLimits.flowResultsMax) results of requests at one instant; "
            + "they loop")
}
