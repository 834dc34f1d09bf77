extension [ActionDocument] {
    /// Calls `visit` for every action, also for those inside branches, alerts and results.
    func forEachNested(_ visit: (ActionDocument) -> Void) {
        for action in self {
            visit(action)
            switch action {
            case .branch(let arms, let otherwise):
                for arm in arms { arm.actions.forEachNested(visit) }
                otherwise.forEachNested(visit)
            case .showAlert(_, _, let answers):
                for answer in answers { answer.actions.forEachNested(visit) }
            case .purchase(_, let results), .webPurchase(_, let results), .restore(let results),
                .requestPermission(_, _, let results):
                for result in RequestResult.allCases {
                    results[result]?.forEachNested(visit)
                }
            default: break
            }
        }
    }
}

extension ElementDocument {
    /// The actions that a tap on the element can run.
    var actions: [ActionDocument] {
        switch content {
        case .button(let button): button.actions
        case .choice(let choice): choice.options.flatMap(\.actions)
        default: []
        }
    }
}

extension FlowContent {
    /// Calls `visit` for every action of the flow, wherever it stands.
    func forEachAction(_ visit: (ActionDocument) -> Void) {
        for screen in screens {
            for element in screen.elements { element.actions.forEachNested(visit) }
            let hooks = screen.hooks
            for actions in [
                hooks.willAppear, hooks.didAppear, hooks.willDisappear, hooks.didDisappear,
            ] { actions.forEachNested(visit) }
        }
        for timer in timers { timer.actions.forEachNested(visit) }
    }
}
