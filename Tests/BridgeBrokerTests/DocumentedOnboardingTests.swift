import BridgeProtocol
import Testing

/// Every JSON example of the SDK's pages on onboardings, key by key.
@Suite("The documented examples of onboardings")
struct DocumentedOnboardingTests {
    /// The onboarding of an example on screen, and what came of that.
    private func present(
        _ example: DocumentedExample, _ wire: Wire
    ) throws -> (client: TestClient, view: String) {
        let setup = TestSetup(catalog: example.onboarding.catalog)
        let client = try TestBroker.start(wire, setup).client(wire.mode)
        try client.subscribe()
        let view = try client.makeOnboardingView("welcome")
        try client.present(view)
        return (client, view)
    }

    private func differences(_ event: Event?, _ example: DocumentedExample) throws -> [String] {
        guard let told = event?.onboardingJSON else { return ["no event with JSON"] }
        let documented = JSONValue.differences(
            try JSONValue(told.payload), try JSONValue(example.documented))
        let other = JSONValue.differences(try JSONValue(told.other), try JSONValue(example.other))
        return documented + other.map { "other: " + $0 }
    }

    private func spelling(_ example: DocumentedExample) -> OnboardingPayload.Spelling {
        example.documented.contains("screenClientId") ? .camelCase : .snakeCase
    }

    @Test("there are fourteen: four actions, four states, six events")
    func count() {
        #expect(DocumentedExample.all.count == 14)
        #expect(
            DocumentedExample.all.filter { $0.gestures == nil }.map(\.title) == [
                "onboarding_completed"
            ])
    }

    @Test(
        "OB-9 OB-11 OB-13 OB-20 OB-32 OB-51 OB-52 OB-54 OB-55 a message of the web view gives each example",
        arguments: Wire.allCases, DocumentedExample.all)
    func byMessage(wire: Wire, example: DocumentedExample) throws {
        let (client, view) = try present(example, wire)
        _ = client.takeEvents()
        #expect(try client.post(example.message, to: view))
        let events = client.takeEvents()
        #expect(events.compactMap { $0.kind?.name } == [example.kind])
        #expect(events.first?.viewId == view)
        #expect(try differences(events.first, example) == [])
        #expect(events.first?.onboardingJSON?.spelling == spelling(example))
    }

    @Test(
        "OB-9 OB-11 OB-20 OB-32 OB-51 OB-55 what the user does gives each example",
        arguments: Wire.allCases, DocumentedExample.all.filter { $0.gestures != nil })
    func byGestures(wire: Wire, example: DocumentedExample) throws {
        let (client, view) = try present(example, wire)
        try example.gestures?(client, view)
        let told = client.takeEvents().filter { $0.kind?.name == example.kind }
        let found = try told.contains { try differences($0, example).isEmpty }
        #expect(found, "\(told.compactMap(\.onboardingJSON))")
    }

    @Test("OB-12 OB-2 typed fields say the same as the JSON", arguments: Wire.allCases)
    func typed(wire: Wire) throws {
        for example in DocumentedExample.all {
            let (client, view) = try present(example, wire)
            _ = client.takeEvents()
            #expect(try client.post(example.message, to: view))
            let event = try #require(client.takeEvents().first)
            let rebuilt = try JSONValue(event.jsonOfTypedFields())
            #expect(
                JSONValue.differences(rebuilt, try JSONValue(example.documented)) == [],
                "\(example.title)")
        }
    }
}
