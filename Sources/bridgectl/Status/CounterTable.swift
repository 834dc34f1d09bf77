import BridgeProtocol

/// What a broker counted, as rows for people.
struct CounterTable {
    private let status: StatusReply
    private let counters: Counters

    init(_ status: StatusReply) {
        self.status = status
        counters = status.counters ?? Counters()
    }

    /// Name and value.
    var totals: [[String]] {
        var rows = [
            ["frames", "\(counters.framesIn) in, \(counters.framesOut) out"],
            ["bytes", "\(counters.bytesIn) in, \(counters.bytesOut) out"],
            [
                "connections",
                "\(counters.connectionsAccepted) accepted\(list(counters.connectionsRefused, "refused"))"
                    + list(counters.connectionsClosed, "ended"),
            ],
            [
                "events",
                "\(counters.eventsRecorded) recorded, \(counters.eventsDelivered) delivered, "
                    + "\(counters.eventsDropped) left out (lagged \(counters.laggedTold) times)",
            ],
            [
                "at most",
                "\(counters.queueHighBytes) B queued for a connection, \(counters.pendingHigh) "
                    + "requests of one waiting",
            ],
            ["wake-ups", String(counters.wakeUps)],
        ]
        if let store = status.store, store.kind != "memory" {
            rows.append([
                "store",
                "\(store.batches) batches in \(store.transactions) transactions, \(store.rows) rows, "
                    + "\(store.bytesWritten) B saved, "
                    + "\(store.batchesWaiting) batches waiting, journal \(store.journalBytes) B",
            ])
        }
        return rows
    }

    /// The busiest first.
    var methods: [[String]] {
        guard !counters.methods.isEmpty else { return [] }
        return [["method", "requests", "time", "each"]]
            + counters.methods.sorted { $0.requests > $1.requests }.map {
                [
                    $0.method, String($0.requests), Self.time($0.totalNs),
                    Self.time($0.totalNs / max($0.requests, 1)),
                ]
            }
    }

    var errors: [[String]] {
        counters.errors.map { ["\($0.space) \($0.code)", $0.name, String($0.count)] }
    }

    var ended: [[String]] {
        guard !status.closedConnections.isEmpty else { return [] }
        return [["id", "pid", "name", "lived", "ago", "in", "out", "last method", "reason"]]
            + status.closedConnections.map {
                [
                    String($0.connectionId), String($0.pid), $0.clientName,
                    StatusTable.span($0.durationMs), StatusTable.span($0.endedAgoMs),
                    String($0.framesIn), String($0.framesOut), $0.lastMethod, $0.reason,
                ]
            }
    }

    private func list(_ counts: [ReasonCount], _ what: String) -> String {
        guard !counts.isEmpty else { return "" }
        let total = counts.reduce(0) { $0 + $1.count }
        let reasons = counts.map { "\($0.reason) \($0.count)" }.joined(separator: ", ")
        return ", \(total) \(what) (\(reasons))"
    }

    /// A time with a unit that fits.
    static func time(_ ns: UInt64) -> String {
        switch ns {
        case ..<10_000: "\(ns) ns"
        case ..<10_000_000: "\(ns / 1_000) µs"
        case ..<10_000_000_000: "\(ns / 1_000_000) ms"
        default: "\(ns / 1_000_000_000) s"
        }
    }
}
