import FlowEngine

// Answers of the app and the finger (ACT-50).
extension SDKDevice {
    /// Answers a question; an observer question takes `started` and then `finished` (ACT-47).
    ///
    /// - Throws: NOT_FOUND for an unknown question and for an action that the alert has not, naming
    ///   those there are; INVALID_ARGUMENT for an answer of another kind; WRONG_STATE for a second
    ///   or late answer, and for an alert while the app is in the background. Nothing changed then.
    public mutating func answer(
        _ questionID: String, with answer: QuestionAnswer, at now: Instant,
        outputs: inout [DeviceOutput]
    ) throws(DeviceFault) {
        defer { reckonDue() }
        advance(to: now, outputs: &outputs)
        let place = try openQuestion(questionID)
        try check(answer, for: questions.open[place])
        if case .observer(.started) = answer {
            questions.start(place)
        } else {
            settle(place, with: answer, outputs: &outputs)
        }
    }

    /// The open alert of a view, with its question; nil: none is open.
    public func openAlert(of viewID: String) -> (question: Question, alert: ShownAlert)? {
        guard let id = ViewID(viewID), let place = questions.place(of: .alert, on: id),
            case .alert(let alert) = questions.open[place].subject
        else { return nil }
        return (questions.open[place].question, alert)
    }

    private func openQuestion(_ questionID: String) throws(DeviceFault) -> Int {
        guard let id = ViewID(questionID) else { throw unknownQuestion(questionID) }
        if let place = questions.place(of: id) { return place }
        guard questions.settled.contains(id) else { throw unknownQuestion(questionID) }
        throw .wrongState(
            "question \(questionID) is settled: the first answer counts, or the default at the "
                + "deadline")
    }

    private func unknownQuestion(_ questionID: String) -> DeviceFault {
        .notFound(
            "there is no question \"\(questionID.readable())\": \(questions.names)",
            field: "question_id")
    }

    private func check(
        _ answer: QuestionAnswer, for asked: OpenQuestion
    ) throws(DeviceFault) {
        guard answer.fits(asked.subject.kind) else {
            throw .invalidArgument(
                "question \(asked.question.id) \(asked.subject.kind.wanted)", field: "answer")
        }
        if case .observer(.started) = answer, asked.isStarted {
            throw .wrongState(
                "question \(asked.question.id) was answered with started: finished comes next")
        }
        guard case .alert(let alert) = asked.subject, case .alert(let actionID) = answer else {
            return
        }
        if isInBackground {
            throw .wrongState("the app is in the background: the finger cannot answer an alert")
        }
        guard alert.actions.contains(where: { $0.id.isExactly(actionID) }) else {
            let ids = alert.actions.map { "\"\($0.id)\"" }.joined(separator: ", ")
            throw .notFound(
                "no action \"\(actionID.readable())\" in the alert; it has \(ids)",
                field: "alert_action_id")
        }
    }
}
