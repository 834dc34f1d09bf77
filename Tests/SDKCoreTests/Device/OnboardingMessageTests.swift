import FlowEngine
import Testing

@testable import SDKCore

/// Raw messages of onboarding documents, as a device takes them (OB-14, OB-54).
struct OnboardingMessageTests {
    private static let meta =
        #""meta":{"onboarding_id":"o","screen_cid":"s","screen_index":1,"total_screens":2}"#
    private static let close = #"{"type":"close","action_id":"x",\#(meta)}"#
    private static let told = OnboardingMeta(
        onboardingID: "o", screenClientID: "s", screenIndex: 1, screensTotal: 2)

    @Test("OB-54 a message gives its one callback, and the view stays")
    func delivered() throws {
        var bench = Bench()
        let view = try bench.presentIntro()
        let (dropped, callbacks) = try bench.post(Self.close, to: view)
        #expect(dropped == nil)
        #expect(callbacks == [.view(view, .onboarding(.close(actionID: "x"), Self.told))])
        #expect(bench.states == [.onTop])
    }

    @Test("OB-54 OB-50 a screen presented by message makes a backend event with the variation")
    func backendEvent() throws {
        var bench = Bench()
        let view = try bench.presentIntro()
        let before = bench.backend.events(limit: 100).count
        let screen = try bench.screen(view)
        _ = try bench.post(
            #"{"type":"analytics","name":"screen_presented",\#(Self.meta)}"#, to: view)
        let events = bench.backend.events(limit: 100).dropFirst(before).map(\.event)
        #expect(
            events == [
                BackendEvent(
                    name: "new_onboarding_screen_showed",
                    properties: [
                        "variation_id": .string("v-intro"), "onboarding_screen_name": .string("s"),
                        "onboarding_screen_order": .string("1"),
                        "onboarding_latest_screen": .bool(true),
                    ])
            ])
        #expect(try bench.screen(view) == screen)
        _ = try bench.post(
            #"{"type":"analytics","name":"screen_completed",\#(Self.meta)}"#, to: view)
        #expect(bench.backend.events(limit: 100).count == before + 1)
    }

    @Test("OB-14 a message that is dropped is one bridge event and nothing else, with the reason")
    func dropped() throws {
        var bench = Bench()
        let view = try bench.presentIntro()
        let before = bench.backend.events(limit: 100).count
        let (dropped, callbacks) = try bench.post(
            #"{"type":"close","action_id":7,\#(Self.meta)}"#, to: view)
        #expect(dropped == "action_id is not a text")
        #expect(callbacks == [.view(view, .messageDropped(reason: "action_id is not a text"))])
        #expect(bench.states == [.onTop])
        #expect(bench.backend.events(limit: 100).count == before)
    }

    @Test("OB-16 a posted close is acted on where the SDK acts")
    func closedBySDK() throws {
        var bench = Bench()
        let view = try bench.presentIntro(handling: .sdk)
        _ = try bench.post(Self.close, to: view)
        #expect(bench.states == [.dismissed])
    }

    @Test("OB-54 a covered onboarding posts on; VW-9 what it closes for the SDK is the flow above")
    func covered() throws {
        var bench = Bench()
        let onboarding = try bench.presentIntro(handling: .sdk)
        let flow = try bench.presentQuiz()
        let (_, callbacks) = try bench.post(
            #"{"type":"custom","action_id":"x",\#(Self.meta)}"#, to: onboarding)
        #expect(callbacks == [.view(onboarding, .onboarding(.custom(actionID: "x"), Self.told))])
        #expect(bench.states == [.covered, .onTop])
        #expect(
            try bench.post(Self.close, to: onboarding).callbacks.last == .flowDidDisappear(flow))
        #expect(bench.states == [.onTop, .dismissed])
    }

    @Test("what cannot post is refused, and nothing is sent")
    func refused() throws {
        var bench = Bench()
        let onboarding = try bench.createOnboarding()
        let flow = try bench.createFlow()
        expect(&bench, "9E107D9D-372B-4B66-8E6B-1A2B3C4D5E6F", .notFound("", field: "view_id"))
        expect(&bench, "intro", .notFound("", field: "view_id"))
        expect(&bench, flow.description, .invalidArgument("", field: "view_id"))
        // Not presented yet, so there is no document.
        expect(&bench, onboarding.description, .wrongState(""))
        _ = try bench.present(onboarding)
        _ = try bench.enterBackground()
        expect(&bench, onboarding.description, .wrongState(""))
        _ = try bench.enterForeground()
        _ = try bench.dismiss(onboarding)
        // VW-24: one that is dismissed sends nothing more.
        expect(&bench, onboarding.description, .wrongState(""))
        _ = try bench.present(onboarding)
        #expect(try bench.post(Self.close, to: onboarding).dropped == nil)
    }

    @Test("OB-7 an onboarding that could not be loaded posts nothing")
    func unreachable() throws {
        var bench = Bench()
        let view = try bench.createOnboarding()
        try bench.setOffline(true)
        _ = try bench.present(view)
        expect(&bench, view.description, .wrongState(""))
    }

    @Test("a message has at most 32 KiB")
    func length() throws {
        var bench = Bench()
        let view = try bench.presentIntro()
        let least = #"{"type":"custom","action_id":"",\#(Self.meta)}"#.utf8.count
        let longest = String(repeating: "ü", count: (32 * 1024 - least) / 2)
        let message = #"{"type":"custom","action_id":"\#(longest)",\#(Self.meta)}"#
        let padding = String(repeating: " ", count: 32 * 1024 - message.utf8.count)
        let (_, callbacks) = try bench.post(message + padding, to: view)
        #expect(callbacks == [.view(view, .onboarding(.custom(actionID: longest), Self.told))])
        expect(
            &bench, view.description, .limitExceeded("", field: "json"),
            message: message + padding + " ")
    }

    /// Posts to a view that refuses; the kind of the fault and its field count.
    private func expect(
        _ bench: inout Bench, _ view: String, _ expected: DeviceFault,
        message: String = Self.close, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var outputs: [DeviceOutput] = []
        let found = fault {
            _ = try bench.device.postOnboardingMessage(
                message, to: view, at: bench.now, outputs: &outputs)
        }
        #expect(found?.withoutText == expected, sourceLocation: sourceLocation)
        #expect(outputs.isEmpty, sourceLocation: sourceLocation)
    }
}

extension DeviceFault {
    fileprivate var withoutText: DeviceFault {
        switch self {
        case .notFound(_, let field): .notFound("", field: field)
        case .invalidArgument(_, let field): .invalidArgument("", field: field)
        case .limitExceeded(_, let field): .limitExceeded("", field: field)
        case .wrongState: .wrongState("")
        default: self
        }
    }
}

extension Bench {
    fileprivate mutating func post(
        _ json: String, to view: ViewID
    ) throws -> (dropped: String?, callbacks: [DeviceCallback]) {
        var dropped: String?
        let callbacks = try outputs { device, now, outputs throws(DeviceFault) in
            dropped = try device.postOnboardingMessage(
                json, to: view.description, at: now, outputs: &outputs)
        }
        return (dropped, callbacks)
    }
}
