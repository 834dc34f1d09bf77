import BridgeClient
import BridgeProtocol

/// `diagnose`: what is wrong between this program and a broker, and what to do.
enum DiagnoseVerb: Verb {
    static let name = "diagnose"
    static let summary = "look for what is wrong with the socket, the broker or its store"
    static let details = """
        One line a check: ok, warn or fault, what was found, and what to do. Looks at the path, the
        folder with its owner and mode, the socket file, the lock, who listens, the versions, the
        store, and the limits that are nearly met. Ends with 1 when there is a fault. No values of
        users are shown.
        """
    static let examples = [
        "bridgectl diagnose", "bridgectl diagnose -j | jq -r '.[] | select(.level != \"ok\")'",
        "ls -ld \"$FLOWBRIDGE_SOCKET\" && echo '{\"id\":1,\"status\":{}}' | "
            + "nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        var findings = try SocketChecks.findings(arguments.socket)
        findings += await BrokerChecks.findings(arguments)
        if output.prefersJSON {
            output.printJSON("[\(findings.map(\.json).joined(separator: ","))]")
        } else {
            let rows = findings.map { [$0.level.rawValue, $0.check, $0.text] }
            output.print(Table.text(rows))
        }
        let faults = findings.count { $0.level == .fault }
        if faults > 0 { throw .failure("\(faults) fault\(faults == 1 ? "" : "s") found") }
    }
}

/// What one check found.
struct Finding {
    /// How bad it is.
    enum Level: String {
        case ok, warn, fault
    }

    let level: Level
    let check: String
    /// What was found, and behind a semicolon what to do.
    let text: String

    var json: String {
        "{\"level\":\"\(level.rawValue)\",\"check\":\(JSONText.quoted(check)),"
            + "\"text\":\(JSONText.quoted(text))}"
    }
}
