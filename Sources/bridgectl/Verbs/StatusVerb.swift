import BridgeClient
import BridgeProtocol

/// `status`: what the broker is, holds, waits for and has done.
enum StatusVerb: Verb {
    static let name = "status"
    static let operands = "[CLIENT]"
    static let operandCount = 0...1
    static let summary = "show the broker: version, connections, devices, counters, limits"
    static let details = """
        With CLIENT, the id or the name of a connection, only that one: its process, queue, counters
        and waiting calls with their age; one of the last that ended too, with its reason. A table
        on a terminal; in a pipe, or with -j, the result of the method `status` as line mode prints
        it.
        """
    static let examples = [
        "bridgectl status", "bridgectl status --json=short | jq '.connections[].clientName'",
        "bridgectl status bridgectl", "bridgectl status 1",
        "bridgectl status -j | jq '.counters.errors'",
        "echo '{\"id\":1,\"status\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let client = try await Session.open(arguments, output)
        defer { client.close() }
        let status = try await status(client)
        guard let word = arguments.operands.first else {
            return print(status, output) { StatusTable(status, output).text }
        }
        let one = try await Self.status(client, of: connection(word, in: status))
        print(one, output) { ConnectionTable(one, output).text }
    }

    private static func print(_ status: StatusReply, _ output: Output, _ table: () -> String) {
        if output.prefersJSON {
            output.printJSON(WireJSON.text(of: .status(status)))
        } else {
            output.print(table())
        }
    }

    /// Of the broker, or of one connection.
    static func status(
        _ client: BridgeClient, of connection: UInt64 = 0
    ) async throws(Exit) -> StatusReply {
        do throws(BridgeError) {
            return try await client.status(with(StatusRequest()) { $0.connectionId = connection })
        } catch {
            throw .answered("status", error)
        }
    }

    /// The connection that a word names: by its id, or by its name when one alone has it.
    private static func connection(
        _ word: String, in status: StatusReply
    ) throws(Exit) -> UInt64 {
        if let id = UInt64(word), id > 0 { return id }
        let named = status.connections.filter { $0.clientName == word }.map(\.connectionId)
        let ended = status.closedConnections.filter { $0.clientName == word }.map(\.connectionId)
        let found = named.isEmpty ? Array(ended.prefix(1)) : named
        if found.count == 1 { return found[0] }
        if found.count > 1 {
            let ids = found.map(String.init).joined(separator: ", ")
            throw .failure("\(found.count) connections are named \"\(word)\": give an id of \(ids)")
        }
        let names = Set(status.connections.map(\.clientName)).filter { !$0.isEmpty }.sorted()
        let close = nearest(to: word, in: names).map { "did you mean \($0)?" }
        throw .failure(
            "no connection is named \"\(word)\"; "
                + (close ?? "there are \(names.joined(separator: ", "))"))
    }
}
