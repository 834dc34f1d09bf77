import FlowEngine
import Testing

@testable import SDKCore

@Suite("Permissions")
struct PermissionTests {
    @Test(
        "ACT-42 a permission is asked with its name and arguments; the answer reaches the flow",
        arguments: [
            (PermissionStatus.granted, "", "granted"), (.denied, "not today", "denied: not today"),
            (.unavailable, "", "unavailable"),
        ])
    func answers(status: PermissionStatus, detail: String, text: String) throws {
        var (bench, view) = try Bench.openShop()
        let callbacks = try bench.tap("push", on: view)
        #expect(callbacks.lines == ["permission push [\"why\": \"news\"]"])
        #expect(callbacks.question?.defaultAnswer == "denied: cancelled")
        #expect(callbacks.question?.deadline == bench.now.advanced(byMs: 30_000))
        #expect(
            try bench.answer(callbacks.question, .permission(status, detail: detail)).lines
                == ["settled \(text)", "custom \(status)"])
        #expect(bench.device.nextDue == nil)
    }

    @Test("ACT-43 no answer by the deadline: denied, cancelled")
    func deadline() throws {
        var (bench, view) = try Bench.openShop()
        _ = try bench.tap("push", on: view)
        #expect(bench.device.nextDue == bench.now.advanced(byMs: 30_000))
        #expect(bench.advance(29_999).isEmpty)
        #expect(
            bench.advance(1).lines == ["settled denied: cancelled by default", "custom denied"])
    }

    @Test("ACT-43 VW-19 the view is gone: denied, cancelled, before didDisappear")
    func gone() throws {
        var (bench, view) = try Bench.openShop()
        let callbacks = try bench.tap("push", on: view)
        #expect(
            try bench.dismiss(view).callbacks.lines
                == ["settled denied: cancelled by default", "disappear"])
        let late = fault { try bench.answer(callbacks.question, .permission(.granted)) }
        #expect(late?.isWrongState == true)
        #expect(bench.advance(60_000).isEmpty)
    }

    @Test("ACT-44 a newer permission resolves the older one, without effect on the flow")
    func newer() throws {
        var (bench, view) = try Bench.openShop()
        let older = try bench.tap("push", on: view).question
        let callbacks = try bench.tap("camera", on: view)
        #expect(
            callbacks.lines == ["settled denied: cancelled by default", "permission camera"])
        #expect(fault { try bench.answer(older, .permission(.granted)) }?.isWrongState == true)
        #expect(
            try bench.answer(callbacks.question, .permission(.granted)).lines
                == ["settled granted", "custom granted"])
    }

    @Test("ACT-51 a view that nobody hears gets the default at once, another listener or not")
    func unheard() throws {
        var (bench, view) = try Bench.openShop(isHeard: false)
        let other = try bench.createFlow("shop", products: nil)
        bench.listen(view: other)
        bench.listen([.retry, .alert, .observerPurchase])
        let unheard = [
            "permission camera", "settled denied: cancelled by default", "custom denied",
        ]
        #expect(try bench.tap("camera", on: view).lines == unheard)
        bench.listen([.permission], view: view)
        #expect(try bench.tap("camera", on: view).lines == ["permission camera"])
        bench.device.questionListeners = []
        #expect(bench.advance(29_999).isEmpty, "it was heard when it was asked")
    }

    @Test("ACT-9 a flow that asks again at each answer is stopped")
    func endless() throws {
        var content = Shop.flow()
        var action = ActionDocument.requestPermission("push", arguments: [:])
        for _ in 0..<3 {
            action = .requestPermission("push", arguments: [:], then: [.denied: [action]])
        }
        content.screens[0].elements.append(Samples.button("thrice", [action]))
        content.screens[0].hooks.didAppear = [
            .requestPermission(
                "loop", arguments: [:], then: [.denied: [.openScreen("b", navigator: nil)]])
        ]
        content.screens.append(
            ScreenDocument(
                id: "b", elements: [],
                hooks: ScreenHooks(didAppear: [
                    .requestPermission(
                        "loop", arguments: [:],
                        then: [.denied: [.openScreen("offer", navigator: nil)]])
                ])))
        var (bench, view) = try Bench.shop(
            Shop.catalog(flow: content), isHeard: false)
        let lines = try bench.present(view).lines
        #expect(lines.last { $0 != "partial gone" } == "failed 4105")
        #expect(lines.filter { $0 == "permission loop" }.count == SDKLimits.flowResultsMax + 1)
        #expect(bench.states == [.onTop])
        let thrice = try bench.tap("thrice", on: view).lines
        #expect(thrice.filter { $0 == "permission push" }.count == 4)
    }
}

@Suite("Alerts")
struct AlertTests {
    @Test("ACT-46 an alert shows title, message and actions; the finger answers with an id")
    func answered() throws {
        var (bench, view) = try Bench.openShop()
        let callbacks = try bench.tap("alert", on: view)
        guard case .question(view, .alert(let alert, let question)) = callbacks.first else {
            Issue.record("no alert in \(callbacks)")
            return
        }
        #expect(callbacks.count == 1)
        #expect(alert.title == "Sure?")
        #expect(alert.message == "Really.")
        #expect(alert.actions.map(\.id) == ["keep", "Delete"])
        #expect(alert.actions.map(\.style) == [.cancel, .destructive])
        let open = bench.device.openAlert(of: view.description)
        #expect(open?.question == question)
        #expect(open?.alert == alert)
        #expect(
            try bench.answer(question, .alert(actionID: "Delete")).lines
                == ["settled Delete", "custom deleted"])
        #expect(bench.device.openAlert(of: view.description) == nil)
        #expect(try bench.tap("own", on: view).lines == ["custom own"])
    }

    @Test("ACT-46 while it is open gestures elsewhere are WRONG_STATE")
    func blocks() throws {
        var (bench, view) = try Bench.openShop()
        _ = try bench.tap("alert", on: view)
        let refusal = fault { try bench.tap("own", on: view) }
        guard case .gesture(let reason) = refusal else {
            Issue.record("possible: \(String(describing: refusal))")
            return
        }
        #expect(reason.reason == .wrongState)
        #expect(reason.message.contains("\"keep\", \"Delete\""))
    }

    @Test(
        "ACT-46 the default at the deadline is the cancel action, else the last",
        arguments: [("alert", "keep", "kept"), ("warning", "Delete", "deleted")])
    func deadline(button: String, action: String, effect: String) throws {
        var (bench, view) = try Bench.openShop()
        #expect(try bench.tap(button, on: view).question?.defaultAnswer == action)
        #expect(bench.advance(29_999).isEmpty)
        #expect(
            bench.advance(1).lines == ["settled \(action) by default", "custom \(effect)"])
    }

    @Test("ACT-51 an alert waits, though nobody hears it")
    func unheard() throws {
        var (bench, view) = try Bench.openShop(isHeard: false)
        #expect(try bench.tap("alert", on: view).lines == ["alert Sure?"])
        #expect(bench.advance(29_999).isEmpty)
        #expect(bench.device.openAlert(of: view.description) != nil)
        #expect(bench.advance(1).lines == ["settled keep by default", "custom kept"])
    }

    @Test("ACT-44 an alert asked for while one is open is ignored; the open one stays")
    func second() throws {
        var content = Shop.flow()
        content.timers = [
            TimerDocument(
                id: "t", mode: .restart, durationMs: 1_000,
                actions: [
                    .showAlert(
                        title: "Second", message: "",
                        actions: [
                            AlertActionDocument(
                                id: "x", title: "x", style: .default, actions: [])
                        ])
                ])
        ]
        var (bench, view) = try Bench.openShop(Shop.catalog(flow: content))
        let question = try bench.tap("alert", on: view).question
        #expect(bench.advance(5_000).isEmpty)
        #expect(
            try bench.answer(question, .alert(actionID: "keep")).lines
                == ["settled keep", "custom kept"])
    }

    @Test("ACT-50 an action that the alert has not is NOT_FOUND, naming those there are")
    func unknownAction() throws {
        var (bench, view) = try Bench.openShop()
        let question = try bench.tap("alert", on: view).question
        let error = fault { try bench.answer(question, .alert(actionID: "Keep")) }
        #expect(error?.isNotFound == true)
        #expect(error?.message.contains("no action \"Keep\"") == true)
        #expect(error?.message.contains("\"keep\", \"Delete\"") == true)
        #expect(bench.device.openAlert(of: view.description) != nil)
    }

    @Test("VW-28 the deadline comes in the background, its actions run at the return")
    func background() throws {
        var (bench, view) = try Bench.openShop()
        let question = try bench.tap("alert", on: view).question
        _ = try bench.enterBackground()
        let error = fault { try bench.answer(question, .alert(actionID: "keep")) }
        #expect(error?.isWrongState == true)
        #expect(bench.advance(60_000).lines == ["settled keep by default"])
        #expect(try bench.enterForeground().lines == ["custom kept"])
    }

    @Test("IN-82 an alert goes with its view, and does nothing")
    func dismissed() throws {
        var (bench, view) = try Bench.openShop()
        _ = try bench.tap("alert", on: view)
        #expect(
            try bench.dismiss(view).callbacks.lines == ["settled keep by default", "disappear"])
        #expect(bench.device.openAlert(of: view.description) == nil)
        _ = try bench.present(view)
        #expect(try bench.tap("own", on: view).lines == ["custom own"])
    }
}

@Suite("Answers to questions")
struct AnswerTests {
    @Test("ACT-50 the first answer counts; a second or late one is WRONG_STATE without effect")
    func firstCounts() throws {
        var (bench, view) = try Bench.openShop()
        let question = try bench.tap("push", on: view).question
        _ = try bench.answer(question, .permission(.granted))
        let second = fault { try bench.answer(question, .permission(.denied)) }
        #expect(second?.isWrongState == true)
        #expect(second?.message.contains("the first answer counts") == true)
        let other = try bench.tap("push", on: view).question
        #expect(bench.advance(30_000).count == 2)
        #expect(fault { try bench.answer(other, .permission(.granted)) }?.isWrongState == true)
    }

    @Test("ACT-50 an unknown question is NOT_FOUND, naming those that wait")
    func unknown() throws {
        var (bench, view) = try Bench.openShop()
        let none = fault { try bench.answer("nonsense", .retry(true)) }
        #expect(none?.isNotFound == true)
        #expect(none?.message.contains("no question of this device waits") == true)
        let question = try #require(try bench.tap("push", on: view).question)
        let id = "01234567-89AB-4DEF-8EDC-BA9876543210"
        let some = fault { try bench.answer(id, .permission(.granted)) }
        #expect(some?.isNotFound == true)
        #expect(some?.message.contains(question.id.description) == true)
    }

    @Test("ACT-50 an answer of another kind is INVALID_ARGUMENT, saying which is wanted")
    func wrongKind() throws {
        var (bench, view) = try Bench.openShop()
        let answers: [(QuestionKinds, QuestionAnswer)] = [
            (.retry, .retry(true)), (.permission, .permission(.granted)),
            (.alert, .alert(actionID: "keep")), (.observerPurchase, .observer(.finished)),
        ]
        let permission = try bench.tap("push", on: view).question
        let alert = try bench.tap("alert", on: view).question
        let asked = [(permission, QuestionKinds.permission), (alert, .alert)]
        for (question, kind) in asked {
            for (fits, answer) in answers where fits != kind {
                let error = fault { try bench.answer(question, answer) }
                #expect(error?.invalidField == "answer")
                #expect(error?.message.contains(kind.wanted) == true)
            }
        }
        _ = try bench.answer(alert, .alert(actionID: "keep"))
        _ = try bench.answer(permission, .permission(.granted))
    }

    @Test("ACT-50 ids are fresh, and the same in every run of one seed")
    func ids() throws {
        func ids() throws -> [ViewID] {
            var (bench, view) = try Bench.openShop()
            return try (0..<5).map { _ in
                try #require(try bench.tap("push", on: view).question).id
            }
        }
        let first = try ids()
        #expect(Set(first).count == 5)
        #expect(try ids() == first)
    }

    @Test("256 settled questions are told from unknown ones, the oldest goes")
    func settledMax() throws {
        var (bench, view) = try Bench.openShop()
        let first = try bench.tap("push", on: view).question
        for _ in 0..<SDKLimits.settledQuestionsMax { _ = try bench.tap("push", on: view) }
        #expect(fault { try bench.answer(first, .permission(.granted)) }?.isWrongState == true)
        _ = try bench.tap("push", on: view)
        #expect(fault { try bench.answer(first, .permission(.granted)) }?.isNotFound == true)
    }

    @Test("ACT-51 a device sets the deadline of its questions")
    func deadline() throws {
        var outputs: [DeviceOutput] = []
        var configuration = DeviceConfiguration(name: "default", zone: .fixed())
        configuration.questionDeadlineMs = 500
        var bench = Bench("default", catalog: Shop.catalog())
        bench.device = SDKDevice(
            configuration: configuration, backend: bench.backend, at: bench.now, outputs: &outputs)
        bench.listen()
        let view = try bench.createFlow("shop", products: nil)
        _ = try bench.present(view)
        #expect(
            try bench.tap("push", on: view).question?.deadline == bench.now.advanced(byMs: 500))
        #expect(bench.advance(499).isEmpty)
        #expect(bench.advance(1).count == 2)
    }

    @Test("ACT-45 a review is one notification, with nothing to answer")
    func review() throws {
        var (bench, view) = try Bench.openShop()
        #expect(try bench.tap("review", on: view) == [.view(view, .reviewRequested)])
        #expect(bench.device.nextDue == nil)
    }
}

@Suite("Observer mode")
struct ObserverTests {
    @Test("ACT-47 the app buys: started, then finished settles it; the flow's result is pending")
    func purchase() throws {
        var (bench, view) = try Bench.openShop(observer: true)
        let callbacks = try bench.tap("buy_month", on: view)
        #expect(callbacks.lines == ["observer buys sub.month"])
        #expect(callbacks.question?.defaultAnswer == "finished")
        let question = callbacks.question
        #expect(try bench.answer(question, .observer(.started)).isEmpty)
        let again = fault { try bench.answer(question, .observer(.started)) }
        #expect(again?.isWrongState == true)
        #expect(again?.message.contains("finished comes next") == true)
        #expect(
            try bench.answer(question, .observer(.finished)).lines
                == ["settled finished", "custom pending"])
        #expect(fault { try bench.answer(question, .observer(.finished)) }?.isWrongState == true)
        #expect(bench.backendProfile?.accessLevels.isEmpty == true)
    }

    @Test("ACT-48 the app restores: the flow's result is success, and no restore callback comes")
    func restore() throws {
        var (bench, view) = try Bench.openShop(observer: true)
        let callbacks = try bench.tap("restore", on: view)
        #expect(callbacks.lines == ["observer restores"])
        #expect(
            try bench.answer(callbacks.question, .observer(.finished)).lines
                == ["settled finished", "custom success"])
    }

    @Test("ACT-47 at the deadline: finished, started or not", arguments: [true, false])
    func deadline(isStarted: Bool) throws {
        var (bench, view) = try Bench.openShop(observer: true)
        let question = try bench.tap("buy_month", on: view).question
        if isStarted { _ = try bench.answer(question, .observer(.started)) }
        #expect(bench.advance(29_999).isEmpty)
        #expect(
            bench.advance(1).lines == ["settled finished by default", "custom pending"])
    }

    @Test("ACT-28 ACT-47 while the app buys a further purchase or restore is WRONG_STATE")
    func oneAtATime() throws {
        var (bench, view) = try Bench.openShop(observer: true)
        let question = try bench.tap("buy_month", on: view).question
        #expect(fault { try bench.tap("restore", on: view) }?.isWrongState == true)
        #expect(fault { try bench.tap("buy_life", on: view) }?.isWrongState == true)
        _ = try bench.answer(question, .observer(.finished))
        #expect(try bench.tap("restore", on: view).lines == ["observer restores"])
    }

    @Test("ACT-51 nobody hears: finished at once")
    func unheard() throws {
        var (bench, view) = try Bench.openShop(observer: true, isHeard: false)
        #expect(
            try bench.tap("buy_month", on: view).lines == [
                "observer buys sub.month", "settled finished by default", "custom pending",
            ])
        #expect(
            try bench.tap("restore", on: view).lines == [
                "observer restores", "settled finished by default", "custom success",
            ])
    }

    @Test("ACT-47 a view that leaves the screen settles it; presented again it can ask anew")
    func dismissed() throws {
        var (bench, view) = try Bench.openShop(observer: true)
        _ = try bench.tap("buy_month", on: view)
        #expect(
            try bench.dismiss(view).callbacks.lines
                == ["settled finished by default", "disappear"])
        _ = try bench.present(view)
        #expect(try bench.tap("buy_month", on: view).lines == ["observer buys sub.month"])
    }

    @Test("ACT-49 makePurchase is 1003 in observer mode; restorePurchases works")
    func makePurchase() throws {
        var (bench, _) = try Bench.shop(observer: true)
        let call = SDKCall.makePurchase(variationID: "v-shop", vendorProductID: Shop.month)
        #expect(bench.call(call).code == 1003)
        #expect(bench.call(.restorePurchases).profile != nil)
    }

    @Test("ACT-33 ACT-47 a web payment is the same in observer mode")
    func web() throws {
        var (bench, view) = try Bench.openShop(observer: true)
        #expect(
            try bench.tap("web", on: view).lines == ["web sub.year opened", "custom pending"])
    }
}
