import BridgeProtocol
import FlowEngine

extension ZoneData {
    /// As `rules(named:)`, for a request.
    ///
    /// - Throws: INVALID_ARGUMENT naming the zone, with the field that it was given in.
    static func requiredRules(
        named name: String, field: String
    ) throws(BridgeError) -> TimeZoneRules {
        if let zone = rules(named: name) { return zone }
        throw BridgeError(
            .invalidArgument,
            "no time zone \"\(name)\" in the host's zone data; give an IANA name such as "
                + "Europe/Madrid", field: field)
    }
}
