import BridgeClient
import BridgeProtocol
import Foundation
import TestSupport
import Testing

@testable import bridgectl

/// The examples of the help, run as they stand.
@Suite("bridgectl: examples", .serialized, .shared)
struct ExampleTests {
    /// Without an end of their own: what they print is looked at, then they are ended.
    private static let endless: Set<String> = ["monitor", "capture", "top", "record"]

    private let broker = LiveBroker()

    private func prepare(_ folder: PrivateFolder) throws {
        let files = [
            "offline.json": #"{"offline":true}"#,
            "hello.json": #"{"id":1,"hello":{"protocolMajor":1}}"#,
            "run.ndjson":
                #"{"number":"1","direction":"in","conn":"1","kind":"request","name":"ping","id":"1","redacted":false,"frame":{"id":1,"ping":{}}}"#
                + "\n",
            "new.json": #"{"name":"a new one","steps":[{"show_flow":"onboarding"}]}"#,
            "session.json": #"{"name":"recorded","steps":[{"call":"ping"}]}"#,
        ]
        for (name, text) in files {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        let catalog = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../examples").standardizedFileURL
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("examples"), withDestinationPath: catalog.path)
        try FileManager.default.copyItem(
            atPath: catalog.path + "/scenarios/registration.json",
            toPath: folder.file("registration.json"))
        // A socket of another name for the examples that name one.
        try FileManager.default.createDirectory(
            atPath: folder.file("new"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("new/bridge.sock"), withDestinationPath: broker.path)
    }

    private func run(_ line: String, _ seconds: String, in folder: PrivateFolder) async throws
        -> Bridgectl.Run
    {
        let path = (Bridgectl.path as NSString).deletingLastPathComponent
        let text = line.replacing("/tmp/new/", with: folder.file("new") + "/")
        return try await Bridgectl.run(
            program: "/usr/bin/timeout",
            ["-s", "KILL", seconds, "/bin/bash", "-c", "cd \"$0\"; \(text)", folder.path],
            socket: broker.path, environment: ["PATH": path + ":/usr/bin:/bin"])
    }

    @Test(
        "every example of every verb works as it is written",
        arguments: Program.verbs.map { $0.name })
    func example(verb: String) async throws {
        let folder = PrivateFolder()
        try prepare(folder)
        let client = try await broker.client { $0.clientName = "test" }
        let isEndless = Self.endless.contains(verb)
        let traffic = Task {
            while isEndless || ["replay", "decode"].contains(verb), !Task.isCancelled {
                _ = try? await client.getFlow(placementId: "onboarding")
                _ = try? await client.getScreen(with(GetScreenRequest()) { $0.viewId = "x" })
            }
        }
        defer { traffic.cancel() }
        // `drive` shows a flow of its own, which another one in its way would forbid.
        if verb != "drive" { _ = try await client.showFlow() }
        if verb == "report" {
            _ = try await client.openDevice(with(OpenDeviceRequest()) { $0.device = "phone" })
        }
        for line in try Program.named(verb).examples {
            let run = try await run(line, isEndless ? "1" : "30", in: folder)
            let allowed: Set<Int32> = isEndless ? [0, SIGKILL] : [0]
            #expect(allowed.contains(run.code), "\(line): \(run.code) \(run.errors)")
            #expect(!run.errors.contains("usage"), "\(line): \(run.errors)")
        }
    }
}
