import BridgeProtocol

// The record of events, and answers to questions.
//
// Each takes its request message; `deadline` and what is thrown are as for `call`.

extension BridgeClient {
    /// Gets a page of the record of a device.
    public func getEvents(
        _ request: GetEventsRequest = GetEventsRequest(), deadline: Duration? = nil
    ) async throws(BridgeError) -> GetEventsReply {
        try await reply(.getEvents(request), deadline) {
            if case .getEvents(let reply) = $0 { reply } else { nil }
        }
    }

    /// Answers the question of an event; the first answer counts.
    @discardableResult
    public func answer(
        _ request: AnswerRequest, deadline: Duration? = nil
    ) async throws(BridgeError) -> AnswerReply {
        try await reply(.answer(request), deadline) {
            if case .answer(let reply) = $0 { reply } else { nil }
        }
    }
}
