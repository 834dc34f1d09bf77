import BridgeProtocol

/// One connection with all that is known of it, for people.
struct ConnectionTable {
    private let status: StatusReply
    private let output: Output

    init(_ status: StatusReply, _ output: Output) {
        self.status = status
        self.output = output
    }

    /// An open one, or one that has ended.
    var text: String {
        if let connection = status.connections.first { return text(of: connection) }
        return status.closedConnections.first.map { text(of: $0) } ?? ""
    }

    private func text(of connection: ConnectionStatus) -> String {
        let rows = [
            ["process", Self.process(connection.pid, connection.uid)],
            ["age", StatusTable.span(connection.ageMs)],
            ["mode", connection.mode], ["device", connection.device],
            ["subscriptions", String(connection.subscriptions)],
            [
                "frames",
                "\(connection.framesIn) in, \(connection.framesOut) out, "
                    + "\(connection.requests) requests, \(connection.errors) errors",
            ],
            ["bytes", "\(connection.bytesIn) in, \(connection.bytesOut) out"],
            [
                "queue",
                "\(connection.queuedBytes) B now, \(connection.queueHighBytes) B at most",
            ],
            [
                "events",
                "\(connection.eventsDelivered) delivered, \(connection.eventsDropped) left out",
            ],
            ["last method", connection.lastMethod],
            ["waiting", "\(connection.pending.count) now, \(connection.pendingHigh) at most"],
        ]
        let waiting = connection.pending.map {
            ["", "\($0.method), id \($0.id), for \(StatusTable.span($0.ageMs))"]
        }
        return heading(connection.connectionId, connection.clientName)
            + Table.text(rows + waiting, indent: 2)
    }

    private func text(of connection: ClosedConnection) -> String {
        heading(connection.connectionId, connection.clientName)
            + Table.text(
                [
                    [
                        "ended",
                        "\(StatusTable.span(connection.endedAgoMs)) ago: \(connection.reason)",
                    ],
                    ["kind", connection.kind],
                    ["limit", connection.limit],
                    ["process", "pid \(connection.pid), uid \(connection.uid)"],
                    ["lived", StatusTable.span(connection.durationMs)],
                    ["frames", "\(connection.framesIn) in, \(connection.framesOut) out"],
                    ["bytes", "\(connection.bytesIn) in, \(connection.bytesOut) out"],
                    [
                        "queue",
                        "\(connection.queuedBytes) B at the end, \(connection.queueHighBytes) B at most",
                    ],
                    ["last method", connection.lastMethod],
                    ["waiting", "\(connection.pending) had no answer"],
                ].filter { $0[1] != "" }, indent: 2)
    }

    private func heading(_ id: UInt64, _ name: String) -> String {
        output.heading("Connection \(id)" + (name.isEmpty ? "" : " (\(name))")) + "\n"
    }

    /// With the program, where this user may see it.
    private static func process(_ pid: Int32, _ uid: UInt32) -> String {
        let program = ProcessFacts.program(of: pid).map { " \($0)," } ?? ""
        return "pid \(pid),\(program) uid \(uid)"
    }
}
