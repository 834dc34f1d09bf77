import BridgeProtocol

/// A status for people.
struct StatusTable {
    private let status: StatusReply
    private let output: Output

    init(_ status: StatusReply, _ output: Output) {
        self.status = status
        self.output = output
    }

    /// Broker, connections with what they wait for, devices, counters, the last ends, limits.
    var text: String {
        var parts = [broker]
        parts.append(section("Connections", connections))
        if !status.devices.isEmpty { parts.append(section("Devices", devices)) }
        let counters = CounterTable(status)
        parts.append(section("Since the start", counters.totals))
        if !counters.methods.isEmpty { parts.append(section("Requests", counters.methods)) }
        if !counters.errors.isEmpty { parts.append(section("Errors", counters.errors)) }
        if !counters.ended.isEmpty {
            parts.append(section("Ended, the latest first", counters.ended))
        }
        parts.append(section("Limits", limits))
        return parts.joined(separator: "\n\n")
    }

    private func section(_ name: String, _ rows: [[String]]) -> String {
        output.heading(name) + "\n" + Table.text(rows, indent: 2)
    }

    private var broker: String {
        var rows = [
            [
                "protocol",
                "\(status.protocolMajor).\(status.protocolMinor), SDK \(status.sdkRelease)",
            ],
            ["process", "pid \(status.pid), up \(Self.span(status.uptimeMs))"],
            ["socket", status.socketPath],
            ["catalog", status.catalog],
        ]
        if let store = status.store {
            let place = store.path.isEmpty ? "" : " at \(store.path)"
            rows.append([
                "store",
                "\(store.kind)\(place), \(store.events) events, \(store.bytes) bytes, durability "
                    + status.durability,
            ])
            if !store.fault.isEmpty { rows.append(["store fault", store.fault]) }
            if store.fault.isEmpty, !store.lastFault.isEmpty {
                rows.append(["store", "had \(store.faults) faults, the last: \(store.lastFault)"])
            }
        }
        rows.append([
            "data", "time zones \(status.zoneDataVersion), Unicode \(status.unicodeVersion)",
        ])
        return output.heading("flowbridged \(status.brokerVersion)") + "\n"
            + Table.text(rows, indent: 2)
    }

    private var connections: [[String]] {
        var rows = [
            [
                "id", "pid", "uid", "name", "mode", "device", "subscriptions", "queued", "in",
                "out",
                "age",
            ]
        ]
        for connection in status.connections {
            rows.append([
                String(connection.connectionId), String(connection.pid), String(connection.uid),
                connection.clientName, connection.mode, connection.device,
                String(connection.subscriptions), "\(connection.queuedBytes) B",
                String(connection.framesIn), String(connection.framesOut),
                Self.span(connection.ageMs),
            ])
            rows += connection.pending.map {
                ["", "", "", "waits for \($0.method), id \($0.id), \(Self.span($0.ageMs))"]
            }
        }
        return rows
    }

    private var devices: [[String]] {
        let head = [
            "name", "locale", "time zone", "clock", "activated", "views", "events", "connections",
        ]
        return [head]
            + status.devices.map {
                [
                    $0.device, $0.locale, $0.timeZone, $0.clock == .manual ? "manual" : "real",
                    $0.activated ? "yes" : "no", String($0.views), String($0.lastSequence),
                    String($0.connections),
                ]
            }
    }

    private var limits: [[String]] {
        status.limits.map { [$0.name, "\($0.value) \($0.unit)", $0.meaning] }
    }

    /// A span with its two largest units.
    static func span(_ ms: UInt64) -> String {
        switch ms {
        case ..<1_000: "\(ms) ms"
        case ..<60_000: "\(ms / 1_000).\(ms % 1_000 / 100) s"
        case ..<3_600_000: "\(ms / 60_000) min \(ms / 1_000 % 60) s"
        case ..<86_400_000: "\(ms / 3_600_000) h \(ms / 60_000 % 60) min"
        default: "\(ms / 86_400_000) d \(ms / 3_600_000 % 24) h"
        }
    }
}
