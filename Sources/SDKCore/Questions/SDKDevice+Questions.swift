import FlowEngine

// Questions to the app and the finger: asked, and settled by an answer, a deadline, or the end of
// their view (ACT-40 to ACT-51).
extension SDKDevice {
    /// Who hears questions from now on. Questions of a view that nobody hears take their default
    /// at once, but for alerts (ACT-51).
    public var questionListeners: Set<QuestionListener> {
        get { questions.listeners }
        set { questions.listeners = newValue }
    }

    /// Asks; the callback tells of it.
    mutating func ask(
        _ subject: QuestionSubject, on view: ViewID, outputs: inout [DeviceOutput],
        _ callback: (Question) -> QuestionCallback
    ) {
        let question = Question(
            id: generator.nextID(),
            deadline: now.advanced(byMs: Int64(configuration.questionDeadlineMs)),
            defaultAnswer: subject.defaultAnswer.text)
        questions.add(OpenQuestion(question: question, view: view, subject: subject))
        outputs.append(.callback(.question(view, callback(question))))
        guard subject.kind != .alert, !questions.isHeard(subject.kind, of: view) else { return }
        if let place = questions.place(of: question.id) {
            settleByDefault(place, outputs: &outputs)
        }
    }

    /// Takes the default of the question whose deadline has come.
    mutating func expireQuestion(_ outputs: inout [DeviceOutput]) {
        guard !questions.open.isEmpty else { return }
        settleByDefault(0, outputs: &outputs)
    }

    /// Settles the questions of a view that leaves the screen (ACT-43); nothing of it comes to the
    /// view itself.
    mutating func dropQuestions(of view: ViewID, outputs: inout [DeviceOutput]) {
        while let place = questions.open.firstIndex(where: { $0.view == view }) {
            settleByDefault(place, reachesFlow: false, outputs: &outputs)
        }
    }

    /// A newer permission resolves the older one, without effect on the flow (ACT-44).
    mutating func dropPermission(of view: ViewID, outputs: inout [DeviceOutput]) {
        guard let place = questions.place(of: .permission, on: view) else { return }
        settleByDefault(place, reachesFlow: false, outputs: &outputs)
    }

    private mutating func settleByDefault(
        _ place: Int, reachesFlow: Bool = true, outputs: inout [DeviceOutput]
    ) {
        settle(
            place, with: questions.open[place].subject.defaultAnswer, isDefault: true,
            reachesFlow: reachesFlow, outputs: &outputs)
    }

    /// Ends a question: tells of it, and lets the answer have its effect.
    mutating func settle(
        _ place: Int, with answer: QuestionAnswer, isDefault: Bool = false,
        reachesFlow: Bool = true, outputs: inout [DeviceOutput]
    ) {
        let settled = questions.take(place)
        outputs.append(
            .callback(
                .question(
                    settled.view,
                    .settled(settled.question.id, answer: answer.text, isDefault: isDefault))))
        switch (settled.subject, answer) {
        case (.retry, .retry(let isWanted)):
            decideRetry(isWanted && reachesFlow, on: settled.view)
        case (.permission(let request), .permission(let status, _)):
            let result = reachesFlow ? status.result : nil
            tell(result, of: request, to: settled.view, outputs: &outputs)
        case (.alert(let alert), .alert(let actionID)):
            if reachesFlow, !alert.actions.isEmpty, let index = stack.index(of: settled.view) {
                input(.alertAnswered(actionID: actionID), to: index, outputs: &outputs)
            }
        case (.observerPurchase(let request), _):
            endBuying(settled.view)
            let result: RequestResult? = reachesFlow ? .pending : nil
            tell(result, of: request, to: settled.view, outputs: &outputs)
        case (.observerRestore(let request), _):
            endBuying(settled.view)
            let result: RequestResult? = reachesFlow ? .success : nil
            tell(result, of: request, to: settled.view, outputs: &outputs)
        default: preconditionFailure("an answer of another kind than its question")
        }
    }
}
