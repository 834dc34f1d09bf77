import BridgeCatalog
import FlowEngine
import Foundation
import SDKCore
import Testing

@Suite("Fallback files: what is taken and what is refused")
struct FallbackLoaderTests {
    private func refusal(path: String) -> FallbackFault? {
        do throws(FallbackFault) {
            _ = try FallbackLoader.load(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "PL-72 another version of the form is refused with both numbers, wherever meta stands",
        arguments: [(9, "newer file"), (-1, "newer file"), (11, "newer SDK"), (100, "newer SDK")])
    func versions(version: Int, advice: String) throws {
        let meta = "{\"version\":\(version),\"response_created_at\":1}"
        let data = "{\"p\":" + FallbackTexts.placement(FallbackTexts.flow("v")) + "}"
        for text in [
            FallbackTexts.file(meta: meta, data: data), "{\"meta\":\(meta),\"data\":\(data)}",
            "{\"meta\":{\"version\":\(version)}}",
        ] {
            let fault = try #require(FallbackTexts.refusal(text))
            #expect(fault.isBroken)
            #expect(fault.message.contains("meta.version is \(version), 10 is read here"))
            #expect(fault.message.contains(advice))
        }
    }

    @Test("PL-72 PL-73 field case 13 a large file of an older form, its meta at the end")
    func olderFile() throws {
        let paywall = "{\"paywall_builder\":\"" + String(repeating: "x", count: 214_000) + "\"}"
        let placements = (1...7).map { "\"p\($0)\":{\"data\":[\(paywall)],\"meta\":{}}" }
        let data = "{\(placements.joined(separator: ","))}"
        let fault = FallbackTexts.refusal(
            FallbackTexts.file(meta: #"{"version":9,"response_created_at":1}"#, data: data))
        #expect(fault?.message.contains("9") == true)
        #expect(FallbackTexts.refusal(FallbackTexts.file(data: data)) == nil)
    }

    @Test(
        "PL-73 PL-74 the root meta has to be there, complete, of the right types",
        arguments: [
            ("{}", "meta"), ("{\"data\":{}}", "meta"), ("{\"meta\":null}", "object"),
            ("{\"meta\":[]}", "object"), ("{\"meta\":{}}", "version"),
            ("{\"meta\":{\"version\":\"10\",\"response_created_at\":1}}", "/version"),
            ("{\"meta\":{\"version\":10.5,\"response_created_at\":1}}", "/version"),
            ("{\"meta\":{\"version\":10}}", "response_created_at"),
            ("{\"meta\":{\"version\":10,\"response_created_at\":\"1\"}}", "/response_created_at"),
            (
                "{\"meta\":{\"version\":10,\"response_created_at\":1,\"developer_ids\":{}}}",
                "/developer_ids"
            ),
            (
                "{\"meta\":{\"version\":10,\"response_created_at\":1,\"developer_ids\":[1]}}",
                "/developer_ids/0"
            ),
        ])
    func metas(text: String, says: String) throws {
        let fault = try #require(FallbackTexts.refusal(text))
        #expect(fault.isBroken)
        #expect(fault.message.contains(says), "\(fault.message)")
    }

    @Test(
        "PL-73 broken JSON is refused with its line and column",
        arguments: [
            ("", "line 1, column 1"), ("x", "line 1, column 1"), ("[]", "line 1, column 1"),
            ("{\n\"data\":{},\n\"meta\":}", "line 3, column 8"),
            ("{\"meta\":{\"version\":10,\"response_created_at\":1}", "line 1, column 47"),
            ("{\"meta\":{\"version\":10,\"response_created_at\":1}} x", "line 1, column 49"),
            ("{\"data\":{\"p\":{\"data\":[nope]}},\"meta\":{}}", "line 1, column 23"),
        ])
    func brokenJSON(text: String, position: String) throws {
        let fault = try #require(FallbackTexts.refusal(text))
        #expect(fault.isBroken)
        #expect(fault.message.hasPrefix(position), "\(fault.message)")
    }

    @Test(
        "PL-73 what is not a local file", arguments: ["", "f.json", "./f", "https://a/f.json", "~"])
    func notLocal(path: String) {
        guard case .notLocal(let text)? = refusal(path: path) else {
            Issue.record("it was taken")
            return
        }
        #expect(text.contains("absolute path"))
    }

    @Test("PL-73 a file that is not there, cannot be read, or is no regular file")
    func unreadable() throws {
        let folder = try CatalogFolderTests.Folder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, pipe, "/dev/zero"] {
            let fault = try #require(refusal(path: path))
            #expect(fault.isBroken)
            #expect(fault.message.contains("no regular file"))
        }
        let missing = refusal(path: folder.path + "/nothing.json")
        #expect(missing?.isBroken == true)
        #expect(missing?.message.contains("cannot read") == true)
    }

    @Test("PL-70 a file is read once: what becomes of it later plays no part")
    func readOnce() throws {
        let folder = try CatalogFolderTests.Folder()
        let path = folder.path + "/f.json"
        let data = "{\"p\":\(FallbackTexts.placement(FallbackTexts.flow("v")))}"
        try FallbackTexts.file(data: data).write(
            toFile: path, atomically: false, encoding: .utf8)
        let file = LoadedFallback(try FallbackLoader.load(path: path))
        try "gone".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(file.placement("p") != nil)
        #expect(file.createdAt == Instant(ms: 1_779_548_581_818))
    }

    @Test("64 MiB are read, one byte more is refused unread")
    func sizes() throws {
        let folder = try CatalogFolderTests.Folder()
        let path = folder.path + "/f.json"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, CatalogLimits.fallbackBytesMax) == 0)
        #expect(refusal(path: path)?.isBroken == true, "it is read, and holds zeros")
        #expect(truncate(path, CatalogLimits.fallbackBytesMax + 1) == 0)
        guard case .oversize(let text)? = refusal(path: path) else {
            Issue.record("it was taken")
            return
        }
        #expect(text.contains("67108865 bytes") && text.contains("67108864"))
    }

    @Test("512 levels of nesting are taken, 513 are refused")
    func depth() {
        func file(_ levels: Int) -> String {
            // The root, ui_builder and the list are levels as well.
            let inner =
                String(repeating: "[", count: levels - 2)
                + String(repeating: "]", count: levels - 2)
            return FallbackTexts.file(uiBuilder: "{\"f\":\(inner)}")
        }
        #expect(FallbackTexts.refusal(file(513)) == nil)
        #expect(FallbackTexts.refusal(file(516))?.message.contains("512 levels") == true)
    }

    @Test(
        "PL-55 PL-74 PL-75 field case 15 a real file without placements, and its variants",
        arguments: [
            #"{"data":{},"meta":{"version":10,"developer_ids":[],"response_created_at":1779548581818}}"#,
            #"{"data":{},"meta":{"version":10,"response_created_at":1779548581818}}"#,
            #"{"data":{},"meta":{"version":10,"developer_ids":["main"],"response_created_at":1}}"#,
            #"{"meta":{"version":10,"developer_ids":null,"response_created_at":1,"more":{}}}"#,
            #"{"data":null,"ui_builder":null,"meta":{"version":10,"response_created_at":1}}"#,
            #"{"data":[1],"ui_builder":7,"meta":{"version":10,"response_created_at":1}}"#,
        ])
    func empty(text: String) throws {
        let file = try FallbackTexts.load(text)
        #expect(file.placement("main") == nil)
        guard case .absent = file.document(flowVersionID: "v") else {
            Issue.record("a document of nothing")
            return
        }
    }
}
