import BridgeProtocol
import Testing

@Suite("A phone that moves to another zone or gets another locale")
struct TravelTests {
    private func move(_ zone: String) -> ClientFrame.Body {
        .setConditions(with(SetConditionsRequest()) { $0.timeZone = zone })
    }

    private func picked(_ client: TestClient, _ view: String) throws -> Event {
        try client.pickDate(view, "birthday", 1990, 6, 15)
        return try #require(
            client.takeEvents().last { $0.kind?.name == "did_receive_analytic_event" })
    }

    @Test(
        "case 41 IN-40 GEN-14: what was picked stays, later picks and events are of the new zone",
        arguments: Wire.allCases)
    func travel(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, zone: "Asia/Kolkata")
        try client.activate()
        try client.subscribe()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        let first = try picked(client, view)
        #expect(first.timeZone == "Asia/Kolkata")
        #expect(first.story.contains("\"value\":645388200000"))
        try client.call(move("America/New_York"))
        #expect(client.takeEvents().isEmpty)
        let kept = try #require(
            try client.allEvents().last { $0.kind?.name == "did_receive_analytic_event" })
        #expect(kept.timeZone == "Asia/Kolkata")
        #expect(kept.story == first.story)
        let second = try picked(client, view)
        #expect(second.timeZone == "America/New_York")
        #expect(second.story.contains("\"value\":645422400000"))
        #expect(try client.status().devices.map(\.timeZone) == ["America/New_York"])
        // What the app makes of the first event with the zone that the event tells.
        try client.update { $0.birthday = "1990-06-15" }
        #expect(try client.inspectProfile().birthday == "1990-06-15")
    }

    @Test(
        "IN-40 case 41: a day picked before the move is that of the former zone when it is reported",
        arguments: Wire.allCases)
    func moveWithOpenPicker(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, zone: "Asia/Kolkata")
        try client.activate()
        try client.subscribe()
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        try client.perform(
            view, .openPicker(with(OpenPickerGesture()) { $0.elementId = "birthday" }))
        try client.perform(
            view,
            .pick(
                with(PickGesture()) {
                    $0.date = with(CivilDate()) {
                        $0.year = 1990
                        $0.month = 6
                        $0.day = 15
                    }
                }))
        _ = client.takeEvents()
        try client.call(move("America/New_York"))
        try client.perform(view, .closePicker(ClosePickerGesture()))
        let event = try #require(client.takeEvents().last)
        #expect(event.story.contains("\"value\":645388200000"))
    }

    @Test(
        "case 41 OB-28: an onboarding picker gives the day, before and after a move",
        arguments: Wire.allCases)
    func onboarding(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", manualAtMs: 0, zone: "Asia/Kolkata")
        try client.activate()
        try client.subscribe()
        let view = try client.makeOnboardingView("legacy_onboarding")
        try client.present(view)
        try client.tapButton(view, "start_button")
        for day in [15, 16] as [Int32] {
            try client.pickDate(view, "birthday_picker", 1990, 6, day)
            let event = try #require(client.takeEvents().last)
            #expect(event.story.contains("\"day\":\(day),\"month\":6,\"year\":1990"))
            try client.call(move("America/New_York"))
        }
    }

    @Test("PL-18 PL-81 the next fetch is targeted by the new locale", arguments: Wire.allCases)
    func locale(wire: Wire) throws {
        let client = try TestBroker.start(wire, TestSetup(catalog: TestCatalogs.german)).client(
            wire.mode)
        #expect(try client.getFlow("main").placement?.audienceName == "All Users")
        try client.call(
            .setConditions(with(SetConditionsRequest()) { $0.locale = "de-AT" }))
        #expect(try client.getFlow("main").placement?.audienceName == "German")
        #expect(try client.status().devices.map(\.locale) == ["de-AT"])
    }

    @Test("an unknown zone or an empty locale changes nothing", arguments: Wire.allCases)
    func refused(wire: Wire) throws {
        let client = try TestBroker.start(wire).client(wire.mode)
        try client.openDevice("phone", zone: "Europe/Madrid", locale: "es-ES")
        for zone in ["", "Mars/Olympus"] {
            let error = try client.refusal(
                .setConditions(
                    with(SetConditionsRequest()) {
                        $0.timeZone = zone
                        $0.locale = "fr-FR"
                        $0.offline = true
                    }))
            #expect(error.code == .invalidArgument)
            #expect(error.field == "set_conditions.time_zone")
        }
        let error = try client.refusal(
            .setConditions(
                with(SetConditionsRequest()) {
                    $0.timeZone = "Asia/Tokyo"
                    $0.locale = ""
                }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == "set_conditions.locale")
        let info = try #require(try client.status().devices.first)
        #expect(info.timeZone == "Europe/Madrid")
        #expect(info.locale == "es-ES")
        try client.activate()
        #expect(try client.getFlow("onboarding").variationId == "var_registration")
    }
}
