extension FlowSession {
    /// Runs actions in the order given until a close (ACT-7). A fault in one is reported and the
    /// next one runs (ACT-9).
    ///
    /// - Parameter navigator: That of the acting screen.
    mutating func run(_ actions: [ActionDocument], navigator: Int, _ turn: inout FlowTurn) {
        guard !actions.isEmpty else { return }
        guard turn.nesting < FlowTurn.nestingMax else {
            turn.isClosed = true
            return turn.fail(
                .scriptFault("actions nested deeper than \(FlowTurn.nestingMax); they loop"))
        }
        turn.nesting += 1
        for action in actions {
            guard turn.spendAction() else { break }
            do {
                try run(action, navigator, &turn)
            } catch {
                turn.fail(error)
            }
        }
        turn.nesting -= 1
    }

    private mutating func run(
        _ action: ActionDocument, _ navigator: Int, _ turn: inout FlowTurn
    ) throws(ViewError) {
        switch action {
        case .close:
            turn.effects.append(.performed(.close))
            turn.isClosed = true
        case .openURL(let url, let target): openURL(url, target, &turn)
        case .custom(let id): turn.effects.append(.performed(.custom(id)))
        case .openScreen(let id, let name):
            try openScreen(id, navigator: name, from: navigator, &turn)
        case .back: goBack(in: navigator, &turn)
        case .closeNavigator(let id):
            if let navigator = document.navigator(id) { closeNavigator(navigator, &turn) }
        case .setVariable(let target, let value):
            try set(target, to: value, turn.environment)
        case .branch(let arms, let otherwise):
            run(try branch(arms, otherwise), navigator: navigator, &turn)
        case .showAlert(let title, let message, let actions):
            showAlert(title, message, actions, navigator, &turn)
        case .sendEvent(let name, let params): sendEvent(name, params, &turn)
        case .openPaywall:
            throw .scriptFault("the action open_paywall belongs to onboardings")
        case .purchase(let choice, let results):
            try purchase(choice, isWeb: false, results, navigator, &turn)
        case .webPurchase(let choice, let results):
            try purchase(choice, isWeb: true, results, navigator, &turn)
        case .restore(let results):
            turn.effects.append(.restoreRequested(request: openRequest(results, navigator)))
        case .requestPermission(let name, let arguments, let results):
            let request = openRequest(results, navigator)
            turn.effects.append(
                .permissionRequested(name, arguments: arguments, request: request))
        case .requestReview: turn.effects.append(.reviewRequested)
        }
    }

    /// ACT-1, ACT-5: a URL that cannot be resolved is reported instead of performed.
    func openURL(_ url: String, _ target: URLTarget, _ turn: inout FlowTurn) {
        guard LinkAddress.isResolvable(url) else { return turn.fail(.invalidURL(url)) }
        turn.effects.append(.performed(.openURL(url, target)))
    }

    private mutating func openScreen(
        _ id: String, navigator name: String?, from acting: Int, _ turn: inout FlowTurn
    ) throws(ViewError) {
        guard let screen = document.screens.screen(id) else {
            throw .scriptFault("the flow has no screen \"\(id)\"")
        }
        guard let name else { return open(screen.index, in: acting, &turn) }
        guard let navigator = document.navigator(name) else { throw .navigatorNotFound(name) }
        open(screen.index, in: navigator, &turn)
    }

    func branch(_ arms: [ConditionBranch], _ otherwise: [ActionDocument])
        throws(ViewError) -> [ActionDocument]
    {
        for arm in arms where try holds(arm.condition) { return arm.actions }
        return otherwise
    }

    /// NAV-15: the app gets the event only if its params say so; the backend unless they say no.
    private func sendEvent(
        _ name: String, _ params: [String: ParamValue], _ turn: inout FlowTurn
    ) {
        if params["isCustomerEvent"] == .bool(true) {
            turn.effects.append(.analytic(.own(name: name, params: params)))
        }
        if params["isBackendEvent"] != .bool(false) {
            turn.effects.append(.backend(BackendEvent(name: name, properties: params)))
        }
    }

    /// An alert asked for while one is open is ignored (ACT-44).
    private mutating func showAlert(
        _ title: String, _ message: String, _ actions: [AlertActionDocument], _ navigator: Int,
        _ turn: inout FlowTurn
    ) {
        guard alert == nil else { return }
        // Nobody could close one without actions; the catalog loader refuses it.
        if !actions.isEmpty { alert = OpenAlert(actions: actions, navigator: navigator) }
        turn.effects.append(.alertShown(title: title, message: message, actions: actions))
    }

    /// Runs the actions of the answer; in the background they wait for the return (VW-28).
    mutating func answerAlert(_ id: String, _ turn: inout FlowTurn) throws(GestureRefusal) {
        guard let alert else {
            throw GestureRefusal(.wrongState, "no alert is open", field: "alert_action_id")
        }
        guard let answer = alert.actions.first(where: { $0.id.isExactly(id) }) else {
            throw GestureRefusal(
                .notFound,
                "no action \(GestureRefusal.quoted(id)) in the open alert; "
                    + "it has \(GestureRefusal.list(alert.actions.map(\.id)))",
                field: "alert_action_id")
        }
        self.alert = nil
        if isInBackground {
            schedule.add(.answer(answer.actions), at: turn.now, navigator: alert.navigator)
        } else {
            run(answer.actions, navigator: alert.navigator, &turn)
        }
    }
}
