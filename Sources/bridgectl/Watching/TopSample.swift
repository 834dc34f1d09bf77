import BridgeProtocol

/// What happened between two statuses, for a second.
struct TopSample {
    private let before: StatusReply
    private let now: StatusReply
    private let seconds: Double

    init(_ before: StatusReply, _ now: StatusReply) {
        self.before = before
        self.now = now
        seconds = Double(max(now.uptimeMs - min(before.uptimeMs, now.uptimeMs), 1)) / 1_000
    }

    private func rate(_ new: UInt64, _ old: UInt64) -> UInt64 {
        UInt64(Double(new - min(old, new)) / seconds)
    }

    private func counted(_ path: KeyPath<Counters, UInt64>) -> UInt64 {
        rate(now.counters?[keyPath: path] ?? 0, before.counters?[keyPath: path] ?? 0)
    }

    private var figures: [(name: String, value: UInt64)] {
        [
            ("requestsPerSecond", methods.reduce(0) { $0 + $1.perSecond }),
            ("bytesInPerSecond", counted(\.bytesIn)), ("bytesOutPerSecond", counted(\.bytesOut)),
            ("eventsPerSecond", counted(\.eventsRecorded)),
            ("eventsDroppedPerSecond", counted(\.eventsDropped)),
            ("connections", now.connectionsOpen), ("devices", now.devicesOpen),
            ("pending", now.pendingRequests), ("queuedBytes", now.queuedBytes),
        ]
    }

    private var methods: [(name: String, perSecond: UInt64, eachNs: UInt64)] {
        let old = Dictionary(
            (before.counters?.methods ?? []).map { ($0.method, $0) },
            uniquingKeysWith: { a, _ in a })
        return (now.counters?.methods ?? []).map { method in
            let was = old[method.method] ?? MethodCount()
            let count = method.requests - min(was.requests, method.requests)
            let time = method.totalNs - min(was.totalNs, method.totalNs)
            return (method.method, UInt64(Double(count) / seconds), count == 0 ? 0 : time / count)
        }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }

    private var connections: [(status: ConnectionStatus, perSecond: UInt64)] {
        let old = Dictionary(
            before.connections.map { ($0.connectionId, $0.requests) },
            uniquingKeysWith: { a, _ in a })
        return now.connections.map { connection in
            (connection, rate(connection.requests, old[connection.connectionId] ?? 0))
        }.sorted { ($0.1, $1.0.connectionId) > ($1.1, $0.0.connectionId) }
    }

    /// One object.
    var json: String {
        let members = figures.map { "\"\($0.name)\":\($0.value)" }
        let methods = methods.map {
            "{\"method\":\"\($0.name)\",\"perSecond\":\($0.perSecond),\"eachNs\":\($0.eachNs)}"
        }
        let connections = connections.map {
            "{\"conn\":\"\($0.status.connectionId)\",\"client\":\(JSONText.quoted($0.status.clientName)),"
                + "\"pid\":\($0.status.pid),\"perSecond\":\($0.perSecond),"
                + "\"queuedBytes\":\"\($0.status.queuedBytes)\",\"pending\":\($0.status.pending.count)}"
        }
        return "{\"uptimeMs\":\"\(now.uptimeMs)\",\(members.joined(separator: ",")),"
            + "\"methods\":[\(methods.joined(separator: ","))],"
            + "\"clients\":[\(connections.joined(separator: ","))]}"
    }

    /// The table, no line over `columns`.
    func lines(_ columns: Int) -> [String] {
        let value = Dictionary(figures.map { ($0.name, $0.value) }, uniquingKeysWith: { a, _ in a })
        func figure(_ name: String) -> UInt64 { value[name] ?? 0 }
        let head = [
            "flowbridged \(now.brokerVersion), pid \(now.pid), up \(StatusTable.span(now.uptimeMs))",
            "\(figure("requestsPerSecond")) requests/s, \(figure("eventsPerSecond")) events/s "
                + "(\(figure("eventsDroppedPerSecond")) left out), in \(figure("bytesInPerSecond")) "
                + "B/s, out \(figure("bytesOutPerSecond")) B/s",
            "\(now.connectionsOpen) connections, \(now.devicesOpen) devices, "
                + "\(now.pendingRequests) waiting, \(now.queuedBytes) B queued",
            "",
        ]
        let methods =
            [["method", "a second", "each"]]
            + methods.prefix(8).map {
                [$0.name, String($0.perSecond), CounterTable.time($0.eachNs)]
            }
        let clients =
            [["conn", "pid", "name", "a second", "waiting", "queued", "last method"]]
            + connections.map { connection, perSecond in
                [
                    String(connection.connectionId), String(connection.pid), connection.clientName,
                    String(perSecond), String(connection.pending.count),
                    "\(connection.queuedBytes) B", connection.lastMethod,
                ]
            }
        let all =
            head + Table.text(methods).split(separator: "\n").map(String.init) + [""]
            + Table.text(clients).split(separator: "\n").map(String.init)
        return all.map { String($0.prefix(columns)) }
    }

    /// The whole screen, drawn from its first line.
    func screen(_ size: TerminalSize) -> String {
        let shown = lines(size.columns).prefix(max(size.rows - 1, 1))
        let rows = shown.map { $0 + "\u{1B}[K\r\n" }.joined()
        return "\u{1B}[H" + rows + "\u{1B}[J" + String("q ends".prefix(size.columns))
    }
}
