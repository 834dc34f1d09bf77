import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

/// `drive` without a terminal, on a broker that it starts itself.
@Suite("bridgectl: drive", .shared)
struct DriveVerbTests {
    private let folder = PrivateFolder()

    private func drive(_ words: String..., input: String) async throws -> Bridgectl.Run {
        try await Bridgectl.run(
            ["drive", "--timeout", "20s"] + words, input: input,
            environment: ["XDG_RUNTIME_DIR": folder.path, "TMPDIR": folder.path])
    }

    @Test("commands drive a flow; screens and callbacks come as lines; what fails is told")
    func plain() async throws {
        let run = try await drive(
            "onboarding", input: "type name Jane\ntap next\ntap experience pro\n")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("-> show onboarding\n"))
        #expect(run.output.contains("<- flow_user_input  name = \"Jane\"\n"))
        #expect(run.output.contains("-- onboarding · scr_quiz --\n\n  How experienced are you?\n"))
        #expect(run.output.contains("    (•) Pro\n"))
        #expect(!run.output.contains("\u{1B}"))
        let wrong = try await drive("onboarding", input: "tap nothing\nbogus\n")
        #expect(wrong.code == 1)
        #expect(wrong.output.contains("!! NOT_FOUND: no element \"nothing\""))
        #expect(wrong.errors.contains("no command \"bogus\""))
        #expect(wrong.errors.contains("2 commands failed"))
    }

    @Test("a recording passes run at once: a form, a picker, an error, time, an onboarding, calls")
    func recording() async throws {
        let file = folder.file("mine.json")
        let input = """
            type name Jane $view
            pick birthday 1990-06-15
            tap nothing
            tap next
            tap experience pro
            toggle reminders
            advance 5s
            call update_profile {"firstName":"Jane","customAttributes":[{"key":"a","string":"b"}]}
            offline on
            show premium_offer_1
            offline off
            swipe
            show legacy_onboarding
            dismiss
            show onboarding
            call get_flow {"placementId":"onboarding"}
            """
        let recorded = try await drive("onboarding", "--record", file, input: input)
        #expect(recorded.errors.contains("\(file) is written"), "\(recorded.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(#""type": "Jane $view""#))
        #expect(text.contains(#""pick": "1990-06-15""#))
        #expect(text.contains(#"{"tap": "nothing", "error": {"bridge": "NOT_FOUND"}}"#))
        #expect(text.contains(#"{"call": "dismiss", "with": {"viewId": "$legacy_onboarding"}}"#))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600, "it holds what was typed")
        let played = try await Bridgectl.run(["run", file])
        #expect(played.code == 0, "\(played.output)\n\(text)")
    }

    @Test("a recording begins with a new device")
    func oldDevice() async throws {
        let broker = try ChildBroker.start(
            try ChildBroker.program(nil), catalog: nil, timeout: .seconds(20))
        defer { broker.stop() }
        let first = try await drive("-s", broker.socket, "-d", "phone", input: "quit\n")
        #expect(first.code == 0)
        let file = folder.file("x.json")
        let second = try await drive(
            "-s", broker.socket, "-d", "phone", "--record", file, input: "quit\n")
        #expect(second.code == 64 + 5)
        #expect(second.errors.contains("a recording begins with a new one"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("questions are shown with their answers, and answered")
    func questions() async throws {
        let input = """
            call set_conditions {"store":[{"operation":"PRODUCTS","outcome":"FAILURE","calls":1}]}
            show premium_offer_1
            answer yes
            """
        let run = try await drive(input: input)
        #expect(
            run.output.contains("?? Products were not loaded. Again? (yes, no)"), "\(run.output)")
        #expect(run.output.contains("-> answer retry true"))
        #expect(run.output.contains("<- question_settled"))
    }

    @Test("a broker that is named and not there is no reason to start another")
    func unreachable() async throws {
        let run = try await drive("-s", "/nowhere/b.sock", input: "")
        #expect(run.code == 3)
        #expect(run.errors.contains("/nowhere/b.sock"))
    }

    @Test("the same names come once: views of one placement are told apart")
    func names() throws {
        let draft = ScenarioDraft(name: "n", catalog: nil, device: [])
        for view in ["V1", "V2"] {
            draft.add([("show_flow", .string("a-b"))], view: "")
            draft.name(view, "a-b")
        }
        draft.add([("tap", .string("x"))], view: "V1")
        draft.add([("tap", .string("y"))], view: "V2")
        let scenario = try ScenarioReader.read(draft.text, file: "x")
        #expect(scenario.steps.map(\.view) == [nil, nil, "a_b", nil])
        #expect(draft.text.contains("\"as\": \"a_b_2\""))
    }
}
