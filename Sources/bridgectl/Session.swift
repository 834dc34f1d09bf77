import BridgeClient
import BridgeProtocol

/// A connection for one verb, made by the common options.
enum Session {
    static func open(_ arguments: Arguments, _ output: Output) async throws(Exit) -> BridgeClient {
        try await open(arguments, output, deadline: arguments.timeout)
    }

    /// - Parameter deadline: of calls that name none; nil: they wait.
    static func open(
        _ arguments: Arguments, _ output: Output, bufferedEventsMax: Int = 8_192,
        deadline: Duration?
    ) async throws(Exit) -> BridgeClient {
        var options = ClientOptions(clientName: "bridgectl", deadline: deadline)
        options.bufferedEventsMax = bufferedEventsMax
        options.connectDeadline = arguments.timeout
        options.trustedUids.formUnion(arguments.trustedUids)
        do throws(BridgeError) {
            let client = try await Waiting.forSocket(arguments) { () throws(BridgeError) in
                try await BridgeClient.connect(path: arguments.socket, options: options)
            }
            if client.welcome.schemaSha256 != Schema.sha256 {
                output.say(
                    "the broker (version \(client.welcome.brokerVersion)) has another schema; "
                        + "fields that only it knows are not shown")
            }
            return client
        } catch {
            throw .unreachable(error)
        }
    }

    /// Attaches the connection to a device, unless the default one is meant.
    static func attach(_ client: BridgeClient, _ device: String) async throws(Exit) {
        guard !device.isEmpty else { return }
        do throws(BridgeError) {
            try await client.openDevice(with(OpenDeviceRequest()) { $0.device = device })
        } catch {
            throw .answered("open_device", error)
        }
    }

    /// The method with a name in either spelling.
    static func method(_ name: String) throws(Exit) -> MethodInfo {
        if let method = MethodTable.named(name) { return method }
        let close = nearest(to: name, in: MethodTable.all.map(\.name))
        let hint = close.map { "did you mean \($0)? " } ?? ""
        throw .usage("no method \"\(name)\"; \(hint)bridgectl list shows all")
    }
}
