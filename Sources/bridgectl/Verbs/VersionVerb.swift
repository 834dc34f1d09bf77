import BridgeClient
import BridgeProtocol

/// `version`: of this program and of what it speaks.
enum VersionVerb: Verb {
    static let name = "version"
    static let summary = "show the version of this program and of its schema"
    static let details = """
        Needs no broker; `bridgectl status` shows the broker's version.
        """
    static let needsBroker = false
    static let examples = ["bridgectl version", "bridgectl version -j"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let version = "\(ClientOptions.protocolMajor).\(ClientOptions.protocolMinor)"
        if output.isJSONAsked {
            output.printJSON(
                "{\"version\":\"\(Program.version)\",\"protocol\":\"\(version)\","
                    + "\"schemaSha256\":\"\(Schema.sha256)\"}")
        } else {
            output.print(
                "bridgectl \(Program.version), protocol \(version), schema \(Schema.sha256)")
        }
    }
}
