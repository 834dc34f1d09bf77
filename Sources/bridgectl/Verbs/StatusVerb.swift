import BridgeClient
import BridgeProtocol

/// `status`: what the broker is, holds and waits for.
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "show the broker: version, connections, devices, limits"
    static let details = """
        A table on a terminal; in a pipe, or with -j, the result of the method `status` as line mode
        prints it.
        """
    static let examples = [
        "bridgectl status", "bridgectl status --json=short | jq '.connections[].clientName'",
        "echo '{\"id\":1,\"status\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let status: StatusReply
        do throws(BridgeError) {
            status = try await client.status()
        } catch {
            throw .answered("status", error)
        }
        if output.prefersJSON {
            output.printJSON(WireJSON.text(of: .status(status)))
        } else {
            output.print(StatusTable(status, output).text)
        }
    }
}
