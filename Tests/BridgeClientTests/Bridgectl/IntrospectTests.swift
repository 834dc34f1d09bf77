import BridgeProtocol
import Foundation
import Testing

@testable import bridgectl

@Suite("bridgectl: the schema", .shared)
struct IntrospectTests {
    private static let methods = MethodTable.all.map(\.name)

    @Test("every method has a one-line meaning", arguments: methods)
    func meaning(method: String) {
        #expect(!MethodMeaning.of(method).isEmpty)
        #expect(MethodMeaning.of(method).count <= 60)
    }

    @Test("every field of every request is a row with a type", arguments: methods)
    func rows(method: String) throws {
        let info = try #require(MethodTable.named(method))
        let index = SchemaIndex(Schema.fileDescriptorSet)
        let rows = index.rows(of: "flowbridge.v1.\(info.request)")
        #expect(index.messages["flowbridge.v1.\(info.request)"] != nil)
        #expect(!rows.contains { $0.type == "unknown" || $0.type.isEmpty || $0.path.isEmpty })
        #expect(Set(rows.map(\.path)).count == rows.count)
    }

    @Test("types, lists, maps, enums and oneofs are told apart")
    func kinds() throws {
        let index = SchemaIndex(Schema.fileDescriptorSet)
        func row(_ message: String, _ path: String) throws -> FieldRow {
            try #require(index.rows(of: "flowbridge.v1.\(message)").first { $0.path == path })
        }
        #expect(try row("GetFlowConfigurationRequest", "timers").type == "map<string, int64>")
        #expect(try row("SubscribeRequest", "kinds[]").type == "string")
        #expect(try row("SubscribeRequest", "from_sequence").oneof == nil)
        #expect(try row("PerformRequest", "enter_text").oneof == "gesture")
        #expect(try row("PerformRequest", "pick.date.year").comment == "1 to 9999")
        let mode = try row("CreateFlowControllerRequest", "action_handling").type
        #expect(mode == "AUTOMATIC | SDK | APP")
    }

    @Test("the examples of a method are requests of it", arguments: methods)
    func examples(method: String) async throws {
        let object = try await Bridgectl.run(["introspect", method, "-j"]).object()
        #expect(object["method"] as? String == method)
        let examples = try #require(object["examples"] as? [[String: Any]])
        #expect(!examples.isEmpty)
        let info = try #require(MethodTable.named(method))
        for example in examples {
            let data = try JSONSerialization.data(withJSONObject: example)
            let body = try WireJSON.request(info, String(decoding: data, as: UTF8.self))
            #expect(body.method.name == method)
        }
    }

    @Test("every gesture shows in some example")
    func gestures() async throws {
        let object = try await Bridgectl.run(["introspect", "perform", "-j"]).object()
        let examples = try #require(object["examples"] as? [[String: Any]])
        let shown = Set(examples.flatMap(\.keys))
        #expect(shown.count == 17)
        #expect(shown.isSuperset(of: ["viewId", "focus", "dismissBySystem", "pick"]))
    }

    @Test("--example prints what call takes, and nothing else")
    func example() async throws {
        let run = try await Bridgectl.run(["introspect", "getFlow", "--example"])
        #expect(run.code == 0)
        #expect(
            try run.object().keys.sorted() == [
                "fetchPolicy", "loadTimeoutMs", "maxAgeMs", "placementId",
            ])
    }

    @Test("for people it shows fields with comments, the answer and the plain socket line")
    func text() async throws {
        let run = try await Bridgectl.run(["introspect", "get_flow"])
        #expect(run.output.contains("load_timeout_ms  uint32  5 000 without"))
        #expect(run.output.contains("Answer: GetFlowReply"))
        #expect(run.output.contains("bridgectl call get_flow '{\"placementId\""))
        #expect(run.output.contains("nc -U -N"))
    }
}
