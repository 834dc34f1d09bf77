import Testing

@testable import FlowEngine

/// Timers on the given clock (FC-14 to FC-16, NAV-11, VW-20, VW-28).
struct TimerTests {
    private static let start: Int64 = 1_705_320_000_000

    private func flow(
        _ timer: TimerDocument, options: FlowSessionOptions = FlowSessionOptions(locale: 0)
    ) -> Harness<FlowSession> {
        Harness(
            .screen(
                "s", .field("f"), .label("clock", "", timer: timer.id),
                .button("go", .openScreen("t", navigator: nil))),
            .screen("t"), timers: [timer], options: options)
    }

    private func timer(
        _ mode: TimerMode, ms: Int64 = 10_000, endsAt: Instant? = nil,
        _ actions: ActionDocument...
    ) -> TimerDocument {
        TimerDocument(id: "x", mode: mode, durationMs: ms, endsAt: endsAt, actions: actions)
    }

    @Test("FC-16 a timer runs its action once, at its end")
    func once() throws {
        var flow = flow(timer(.restart, .custom("end")))
        try flow.present()
        #expect(flow.session.nextDue?.ms == Self.start + 10_000)
        #expect(flow.value("clock") == .instant(Self.start + 10_000))
        try flow.advance(byMs: 9_999)
        #expect(flow.take() == [])
        try flow.advance(byMs: 1)
        #expect(flow.take() == ["custom end"])
        #expect(flow.session.nextDue == nil)
        try flow.advance(byMs: 100_000)
        #expect(flow.take() == [])
    }

    @Test("FC-16 a part of a second counts as a whole one")
    func wholeSeconds() throws {
        var flow = flow(timer(.restart, ms: 1_001))
        try flow.present()
        #expect(flow.session.nextDue?.ms == Self.start + 2_000)
    }

    @Test("NAV-11 a screen opened by a timer takes the focus first")
    func opensScreen() throws {
        var flow = flow(timer(.restart, .openScreen("t", navigator: nil)))
        try flow.present()
        try flow.perform(.focus("f"), .type("x"))
        try flow.advance(byMs: 10_000)
        #expect(flow.take() == ["input s/f text_input \"x\"", "showed t 1 true"])
    }

    @Test(
        "FC-15 restart starts anew on coming back, continue and persisted keep running",
        arguments: [(TimerMode.restart, 14_000), (.continue, 10_000), (.persisted, 10_000)]
            as [(TimerMode, Int64)])
    func comingBack(mode: TimerMode, end: Int64) throws {
        var flow = flow(timer(mode, .custom("end")))
        try flow.present()
        try flow.perform(.tapButton("go"))
        try flow.advance(byMs: 4_000)
        try flow.perform(.goBack)
        #expect(flow.session.nextDue?.ms == Self.start + end)
    }

    @Test(
        "FC-15 VW-20 presented again: restart anew, continue and persisted keep their end",
        arguments: [(TimerMode.restart, 14_000), (.continue, 10_000), (.persisted, 10_000)]
            as [(TimerMode, Int64)])
    func presentedAgain(mode: TimerMode, end: Int64) throws {
        var flow = flow(timer(mode, .custom("end")))
        try flow.present()
        try flow.send(.disappear)
        #expect(flow.session.nextDue == nil)
        try flow.advance(byMs: 4_000)
        try flow.present()
        #expect(flow.session.nextDue?.ms == Self.start + end)
    }

    @Test("FC-15 a kept timer whose end has passed starts anew")
    func passedEnd() throws {
        var flow = flow(timer(.continue, .custom("end")))
        try flow.present()
        try flow.send(.disappear)
        try flow.advance(byMs: 20_000)
        try flow.present()
        #expect(flow.session.nextDue?.ms == Self.start + 30_000)
    }

    @Test("FC-15 the owner learns of kept timers, and gives them to later views")
    func keptByOwner() throws {
        for mode in [TimerMode.continue, .persisted] {
            var first = flow(timer(mode))
            try first.send(.appear)
            #expect(first.take() == ["showed s 0 false", "timer x \(Self.start + 10_000)"])
            var second = flow(timer(mode, .custom("end")))
            second.session.keptTimers = ["x": Instant(ms: Self.start + 3_000)]
            try second.send(.appear)
            #expect(second.take() == ["showed s 0 false"])
            try second.advance(byMs: 3_000)
            #expect(second.take() == ["custom end"])
        }
    }

    @Test("FC-15 restart and custom ask for no kept timer")
    func notKept() throws {
        for mode in [TimerMode.restart, .custom] {
            var flow = flow(timer(mode))
            flow.session.keptTimers = ["x": Instant(ms: Self.start + 3_000)]
            try flow.send(.appear)
            #expect(flow.take() == ["showed s 0 false"])
            #expect(flow.session.nextDue?.ms != Self.start + 3_000)
        }
    }

    @Test("FC-14 a custom timer asks the map, and else ends after one hour")
    func custom() throws {
        let given = FlowSessionOptions(locale: 0, timers: ["x": Instant(ms: Self.start + 7)])
        var mapped = flow(timer(.custom), options: given)
        try mapped.present()
        #expect(mapped.session.nextDue?.ms == Self.start + 7)
        var unmapped = flow(timer(.custom))
        try unmapped.present()
        #expect(unmapped.session.nextDue?.ms == Self.start + 3_600_000)
    }

    @Test("FC-15 an end instant wins over every mode")
    func endInstant() throws {
        for mode in [TimerMode.restart, .continue, .persisted, .custom] {
            let options = FlowSessionOptions(locale: 0, timers: ["x": Instant(ms: 1)])
            var flow = flow(
                timer(mode, endsAt: Instant(ms: Self.start + 500), .custom("end")), options: options
            )
            flow.session.keptTimers = ["x": Instant(ms: Self.start + 1)]
            try flow.present()
            #expect(flow.session.nextDue?.ms == Self.start + 500)
        }
    }

    @Test("FC-16 an end that has passed already runs its action at once")
    func alreadyPassed() throws {
        var flow = flow(timer(.custom, endsAt: Instant(ms: 0), .custom("end")))
        try flow.send(.appear)
        #expect(flow.take() == ["showed s 0 false", "custom end"])
    }

    @Test("ACT-9 timers that open each other's screens for ever end in 4105")
    func timerLoop() throws {
        let timers = [("a", "b"), ("b", "a")].map { here, there in
            TimerDocument(
                id: here, durationMs: 1, endsAt: Instant(ms: 0),
                actions: [.openScreen(there, navigator: nil)])
        }
        var flow = Harness<FlowSession>(
            .screen("a", .label("l", "", timer: "a")), .screen("b", .label("l", "", timer: "b")),
            timers: timers)
        try flow.send(.appear)
        #expect(flow.take().last == "failed 4105 jsException")
    }

    @Test("A timer that no text shows starts with the view")
    func hidden() throws {
        var flow = Harness<FlowSession>(
            .screen("s"), timers: [timer(.restart, .custom("end"))])
        try flow.present()
        try flow.advance(byMs: 10_000)
        #expect(flow.take() == ["custom end"])
    }

    @Test("VW-28 what falls due in the background runs at the return, in that order")
    func background() throws {
        let late = TimerDocument(
            id: "late", mode: .restart, durationMs: 8_000, actions: [.custom("late")])
        let early = TimerDocument(
            id: "early", mode: .restart, durationMs: 3_000, actions: [.custom("early")])
        var flow = Harness<FlowSession>(.screen("s"), timers: [late, early])
        try flow.present()
        try flow.send(.enterBackground)
        #expect(flow.session.nextDue == nil)
        try flow.advance(byMs: 60_000)
        try flow.send(.timeReached)
        #expect(flow.take() == [])
        try flow.send(.enterForeground)
        #expect(flow.take() == ["custom early", "custom late"])
    }

    @Test("ACT-7 VW-19 a close by a timer leaves what is due for the next waking")
    func closeByTimer() throws {
        let first = TimerDocument(id: "1", mode: .restart, durationMs: 1_000, actions: [.close])
        let second = TimerDocument(
            id: "2", mode: .restart, durationMs: 1_000, actions: [.custom("2")])
        var flow = Harness<FlowSession>(.screen("s"), timers: [first, second])
        try flow.present()
        flow.now = flow.now.advanced(byMs: 1_000)
        try flow.send(.timeReached)
        #expect(flow.take() == ["close"])
        try flow.send(.disappear)
        #expect(flow.session.nextDue == nil)
    }

    @Test("FC-14 FC-15 a custom timer asks the map, or takes an hour, each time it starts")
    func customAgain() throws {
        var flow = flow(timer(.custom, .custom("end")))
        try flow.present()
        try flow.perform(.tapButton("go"))
        try flow.advance(byMs: 60_000)
        try flow.perform(.goBack)
        #expect(flow.session.nextDue?.ms == Self.start + 60_000 + 3_600_000)
        #expect(!flow.take().contains { $0.hasPrefix("timer") })
    }

    @Test("FC-14 GEN-4 timer ids are compared code point by code point")
    func exactID() throws {
        let other = FlowSessionOptions(locale: 0, timers: ["u\u{308}": Instant(ms: Self.start + 7)])
        var flow = Harness<FlowSession>(
            .screen("s"), timers: [TimerDocument(id: "ü", mode: .custom, durationMs: 1)],
            options: other)
        try flow.present()
        #expect(flow.session.nextDue?.ms == Self.start + 3_600_000)
    }
}
