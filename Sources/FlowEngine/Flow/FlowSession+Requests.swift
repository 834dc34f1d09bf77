/// Something that a flow asked for and whose result its actions wait for.
struct OpenRequest: Sendable {
    let number: Int32
    let results: ResultActions
    /// That of the acting screen.
    let navigator: Int
}

// What a flow asks the store and the app for, and what it does at the result.
extension FlowSession {
    /// Keeps the actions that wait for a result; gives the number by which it will be told, 0 when
    /// no action waits.
    mutating func openRequest(_ results: ResultActions, _ navigator: Int) -> Int32 {
        if results.isEmpty { return 0 }
        requestsMade += 1
        requests.append(
            OpenRequest(number: requestsMade, results: results, navigator: navigator))
        return requestsMade
    }

    /// Runs what waited for the result, in the background at the return (VW-28). A request of a
    /// former presentation is not known any more.
    mutating func endRequest(_ number: Int32, _ result: RequestResult?, _ turn: inout FlowTurn) {
        guard let place = requests.firstIndex(where: { $0.number == number }) else { return }
        let request = requests.remove(at: place)
        guard let result, let actions = request.results[result] else { return }
        if isInBackground {
            schedule.add(.answer(actions), at: turn.now, navigator: request.navigator)
        } else {
            let isLive = livePlace(of: request.navigator) != nil
            run(actions, navigator: isLive ? request.navigator : topNavigator, &turn)
        }
    }

    /// Whether a gesture would buy or restore, as conditions stand now (ACT-28).
    public func asksStore(_ gesture: Gesture) -> Bool {
        guard isShown else { return false }
        let screen = topScreen
        switch gesture {
        case .tapButton(let name):
            guard let place = screen.names.place(of: name),
                case .button(let button) = screen.entries[place].content
            else { return false }
            return asksStore(button.actions)
        case .tapOption(let name, let option):
            guard let place = screen.names.place(of: name),
                case .choice(let choice) = screen.entries[place].content,
                let tapped = choice.names.place(of: option)
            else { return false }
            return asksStore(choice.document.options[tapped].actions)
        default: return false
        }
    }

    private func asksStore(_ actions: [ActionDocument]) -> Bool {
        for action in actions {
            switch action {
            case .purchase, .webPurchase, .restore: return true
            case .close: return false
            case .branch(let arms, let otherwise):
                if asksStore(taken(arms, otherwise)) { return true }
            default: continue
            }
        }
        return false
    }

    /// The branch that holds; none where looking at it is a fault, which running it reports.
    private func taken(
        _ arms: [ConditionBranch], _ otherwise: [ActionDocument]
    ) -> [ActionDocument] {
        do {
            return try branch(arms, otherwise)
        } catch {
            return []
        }
    }
}
