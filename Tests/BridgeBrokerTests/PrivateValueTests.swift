import BridgeProtocol
import Foundation
import Testing

/// Every method with a secret in every text that is no name, at the level that logs the most.
@Suite("Values stay out of the log")
struct PrivateValueTests {
    /// Texts that name something of the catalog or the broker; they may be told.
    private static let names: Set<String> = [
        "id", "device", "placementId", "placementIds", "profileId", "viewId", "view", "variationId",
        "configurationId",
        "elementId", "optionId", "kinds", "method", "path", "clientName", "pageToken", "tabId",
        "productId", "vendorProductId", "questionId", "timeZone", "storefront",
    ]

    /// Replaces every value of a request by secrets; keys of maps too, which a user may have typed.
    private func poisoned(_ value: Any, _ key: String, _ secret: () -> String) -> Any {
        switch value {
        case let object as [String: Any]:
            return object.reduce(into: [String: Any]()) { result, member in
                result[member.key] =
                    Self.names.contains(member.key)
                    ? member.value : poisoned(member.value, member.key, secret)
            }
        case let list as [Any]: return list.map { poisoned($0, key, secret) }
        case is String: return secret()
        default: return value
        }
    }

    private func lines(_ methods: [MethodInfo], view: String, _ secret: () -> String) throws
        -> [String]
    {
        try methods.flatMap { method in
            try (0..<18).map { variant in
                let example = method.exampleRequest(id: 1, variant: variant)
                var frame = try #require(
                    JSONSerialization.jsonObject(with: Data(example.utf8)) as? [String: Any])
                for (name, body) in frame where name != "id" {
                    var body = poisoned(body, name, secret) as? [String: Any] ?? [:]
                    if body["viewId"] != nil { body["viewId"] = view }
                    if body["device"] != nil { body["device"] = "default" }
                    for (gesture, content) in body {
                        guard var content = content as? [String: Any], content["elementId"] != nil
                        else { continue }
                        content["elementId"] = ["name", "email", "birthday"][variant % 3]
                        body[gesture] = content
                    }
                    frame[name] = body
                }
                let data = try JSONSerialization.data(withJSONObject: frame)
                return String(decoding: data, as: UTF8.self)
            }
        }
    }

    @Test("GEN-7 secrets in every field of every method and gesture are in no line and no error")
    func everyMethod() throws {
        let daemon = try Daemon(["--log-level", "debug"])
        let client = try daemon.client(.line)
        let view = try client.makeFlowView("onboarding")
        try client.present(view)
        var made = 0
        let secret: () -> String = {
            made += 1
            return "s3cr3t-\(made)-zaphod@example.com"
        }
        // What ends or moves the device comes last, so that the others find it alive.
        let last = ["close_device", "reset_device", "logout", "hello", "destroy_view", "dismiss"]
        let methods =
            MethodTable.all.filter { !last.contains($0.name) }
            + MethodTable.all.filter { last.contains($0.name) }
        #expect(methods.count > 40)
        let talk = LineTalk(try daemon.connect())
        var errors = 0
        var leaks: [String: String] = [:]
        for line in try lines(methods, view: view, secret) {
            let answer = try talk.ask(line)
            guard answer.contains("\"error\"") else { continue }
            errors += 1
            if answer.contains("s3cr3t") { leaks[String(line.prefix(40))] = answer }
        }
        #expect(leaks == [:])
        #expect(made > 500)
        #expect(errors > 50)
        try client.expectServed()
        #expect(daemon.log.contains("event=request"))
        #expect(!daemon.log.contains("s3cr3t"))
        // The search finds one where there is one: a device's name is no typed value.
        _ = try talk.ask("{\"id\":1,\"openDevice\":{\"device\":\"s3cr3t\"}}")
        #expect(daemon.log.contains("s3cr3t"))
    }
}
