import BridgeClient
import BridgeProtocol

/// `info`: what answers at the socket, in a few lines.
enum InfoVerb: Verb {
    static let name = "info"
    static let summary = "show in a few lines what answers at the socket"
    static let details = """
        The socket, the broker's version and process, the protocol and whether its schema is that of
        this program, its features, store and catalog. `status` has all the rest.
        """
    static let examples = [
        "bridgectl info", "bridgectl info -j | jq -r .brokerVersion",
        "echo '{\"id\":1,\"hello\":{\"protocolMajor\":1}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let status = try await StatusVerb.status(client)
        let rows = rows(client.path, client.welcome, status)
        guard output.prefersJSON else {
            return output.print(Table.text(rows.map { [$0.label, $0.value] }))
        }
        let members = rows.map { "\"\($0.name)\":\(JSONText.quoted($0.value))" }
        output.printJSON("{\(members.joined(separator: ","))}")
    }

    private static func rows(
        _ path: String, _ welcome: WelcomeReply, _ status: StatusReply
    ) -> [(name: String, label: String, value: String)] {
        let isOurs = welcome.schemaSha256 == Schema.sha256
        return [
            ("socket", "socket", path),
            ("brokerVersion", "version", welcome.brokerVersion),
            ("pid", "process", String(status.pid)),
            ("uptime", "up", StatusTable.span(status.uptimeMs)),
            ("protocol", "protocol", "\(welcome.protocolMajor).\(welcome.protocolMinor)"),
            ("schema", "schema", isOurs ? "that of this program" : "another than this program's"),
            ("schemaSha256", "", welcome.schemaSha256),
            ("sdkRelease", "SDK", status.sdkRelease),
            ("features", "features", welcome.features.joined(separator: " ")),
            ("catalog", "catalog", status.catalog),
            ("store", "store", status.store?.kind ?? ""),
            ("durability", "durability", status.durability),
            ("maxFrame", "max frame", String(welcome.maxFrame)),
        ]
    }
}
