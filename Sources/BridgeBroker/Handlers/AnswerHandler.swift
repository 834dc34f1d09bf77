import BridgeProtocol
import SDKCore

/// `answer`: the app or the finger answers a question of an event (ACT-40 to ACT-50).
enum AnswerHandler {
    /// - Throws: INVALID_ARGUMENT without an answer, or with one of another kind than the question;
    ///   NOT_FOUND for an unknown question or action of an alert; WRONG_STATE for a second or late
    ///   answer.
    static func handle(_ request: AnswerRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let answer = try QuestionAnswer(request.answer)
        do {
            try context.broker.drive(context.device()) {
                (core, now, outputs) throws(DeviceFault) in
                try core.answer(request.questionId, with: answer, at: now, outputs: &outputs)
            }
        } catch {
            throw error.within("answer")
        }
        return .now(.answer(AnswerReply()))
    }
}
