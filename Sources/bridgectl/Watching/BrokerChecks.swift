import BridgeClient
import BridgeProtocol
import CLinux

/// Checks of the broker that listens.
enum BrokerChecks {
    /// Who listens, its versions, store, limits and what went wrong.
    static func findings(_ arguments: Arguments) async -> [Finding] {
        do throws(Exit) {
            let connection = try await RawConnection.open(arguments)
            guard case .status(let status) = try connection.call(.status(StatusRequest()), id: 2)
            else { return [] }
            return [listener(connection, status), versions(connection.welcome), store(status)]
                + limits(status) + ends(status)
        } catch {
            return [Finding(level: .fault, check: "broker", text: error.message)]
        }
    }

    private static func listener(_ connection: RawConnection, _ status: StatusReply) -> Finding {
        let program = ProcessFacts.program(of: status.pid).map { " (\($0))" } ?? ""
        return Finding(
            level: .ok, check: "broker",
            text: "pid \(status.pid)\(program) listens, up \(StatusTable.span(status.uptimeMs))")
    }

    private static func versions(_ welcome: WelcomeReply) -> Finding {
        let text =
            "broker \(welcome.brokerVersion), protocol \(welcome.protocolMajor)."
            + "\(welcome.protocolMinor)"
        if welcome.schemaSha256 == Schema.sha256 {
            return Finding(level: .ok, check: "versions", text: text + ", the same schema")
        }
        return Finding(
            level: .warn, check: "versions",
            text: text
                + ", another schema than this program's; use bridgectl \(welcome.brokerVersion)"
        )
    }

    private static func store(_ status: StatusReply) -> Finding {
        let store = status.store ?? StoreStatus()
        let place = store.path.isEmpty ? "" : " at \(store.path)"
        let text = "\(store.kind)\(place), durability \(status.durability)"
        if !store.fault.isEmpty {
            return Finding(level: .fault, check: "store", text: store.fault)
        }
        if store.journalBytes > 64 << 20 {
            return Finding(
                level: .warn, check: "store",
                text: "\(text); its journal has \(store.journalBytes) bytes: does another program "
                    + "keep it open?")
        }
        if store.faults > 0 {
            return Finding(
                level: .warn, check: "store",
                text: "\(text); it had \(store.faults) faults, the last: \(store.lastFault)")
        }
        return Finding(level: .ok, check: "store", text: text)
    }

    private static func limits(_ status: StatusReply) -> [Finding] {
        let uses: [(String, UInt64)] = [
            ("connectionsMax", status.connectionsOpen), ("devicesMax", status.devicesOpen),
            (
                "pendingRequestsMax",
                status.connections.map { UInt64($0.pending.count) }.max() ?? 0
            ),
            ("queueHardBytes", status.connections.map(\.queuedBytes).max() ?? 0),
        ]
        return uses.map { name, used in
            let limit = status.limits.first { $0.name == name }?.value ?? 0
            let isNear = limit > 0 && used * 10 >= limit * 8
            return Finding(
                level: isNear ? .warn : .ok, check: name,
                text: "\(used) of \(limit)"
                    + (isNear ? "; raise it with flowbridged --limit \(name)=…" : ""))
        }
    }

    private static func ends(_ status: StatusReply) -> [Finding] {
        let cut = status.closedConnections.filter { $0.kind == "limit" || $0.kind == "store" }
        guard let last = cut.first else {
            return [Finding(level: .ok, check: "ends", text: "no connection was cut lately")]
        }
        return [
            Finding(
                level: .warn, check: "ends",
                text:
                    "\(cut.count) connections were cut lately, the last \(last.connectionId) of pid "
                    + "\(last.pid): \(last.reason); see bridgectl status \(last.connectionId)")
        ]
    }
}
