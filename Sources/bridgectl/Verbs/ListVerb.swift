import BridgeClient
import BridgeProtocol

/// `list`: the methods and whether the broker has them.
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "list the methods, and which of them the broker has built"
    static let details = """
        One line a method: its name, `-` if the broker answers UNKNOWN_METHOD to it, and what it
        does.
        """
    static let examples = [
        "bridgectl list", "bridgectl list --json=short | jq -r '.[] | select(.isBuilt) | .method'",
        "echo '{\"id\":1,\"describe\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    /// The beginning of a feature of `welcome` that names a method which is not built.
    private static let unbuilt = "unbuilt:"

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let missing = Set(
            client.welcome.features.filter { $0.hasPrefix(unbuilt) }
                .map { String($0.dropFirst(unbuilt.count)) })
        if output.prefersJSON {
            let rows = MethodTable.all.map { json($0, isBuilt: !missing.contains($0.name)) }
            output.printJSON("[\(rows.joined(separator: ","))]")
        } else {
            let rows = MethodTable.all.map {
                [$0.name, missing.contains($0.name) ? "-" : "", MethodMeaning.of($0.name)]
            }
            output.print(Table.text(rows))
        }
    }

    private static func json(_ method: MethodInfo, isBuilt: Bool) -> String {
        "{\"method\":\(JSONText.quoted(method.name)),\"isBuilt\":\(isBuilt),"
            + "\"meaning\":\(JSONText.quoted(MethodMeaning.of(method.name)))}"
    }
}
