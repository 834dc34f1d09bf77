import BridgeClient
import BridgeProtocol
import Glibc
import Synchronization

/// `record`: what other clients do with a device becomes a scenario.
enum RecordVerb: Verb {
    static let name = "record"
    static let summary = "write what other clients do with a device as a scenario"
    static let details = """
        Opens the device, which has to be a new one, with a clock that stands still, and watches the
        requests of other clients to it, their answers, and its events, until it is interrupted or
        the device is closed. Then the scenario is written; `bridgectl run` passes at once. Clients
        open the device by its name, let its time pass with advance_clock, and wait for each answer
        before the next request; calls that have to wait are put off as `later`.

        What users typed is written, so only the broker's own user and root can record. To record
        what you do yourself, see `bridgectl drive --record`.
        """
    static let examples = [
        "bridgectl record --device phone -o session.json",
        "bridgectl run session.json",
        "echo '{\"id\":1,\"monitor\":{}}' | nc -U \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["device", "output"]

    /// Set by a signal that ends the recording.
    private static let isOver = Atomic<Bool>(false)
    /// How often it is looked at.
    private static let lookMs: Int32 = 100

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        guard let path = arguments.outputFile else { throw .usage("record needs -o FILE") }
        guard !arguments.device.isEmpty else { throw .usage("record needs --device NAME") }
        // What a connection that watches gets is not shown to it: another one takes the events.
        let listener = try await Session.open(arguments, output)
        defer { listener.close() }
        let (catalog, events) = try await open(arguments.device, listener)
        defer { withExtendedLifetime(events) {} }
        let connection = try await watch(arguments)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let draft = ScenarioDraft(
            name: name.hasSuffix(".json") ? String(name.dropLast(5)) : name,
            catalog: catalog == "sample" ? nil : catalog, device: [], activates: false)
        for ending in [SIGINT, SIGTERM] {
            signal(ending) { _ in RecordVerb.isOver.store(true, ordering: .relaxed) }
        }
        output.say("recording \(arguments.device); Ctrl-C ends it and writes \(path)")
        try await record(connection, listener, into: draft)
        if path == "-" { return output.print(draft.text) }
        try FilePath.write(draft.text, to: path)
        output.say("\(path): \(draft.count) steps; play it with bridgectl run \(path)")
    }

    /// Opens the device and subscribes, so that its events pass; returns the catalog that is served.
    private static func open(
        _ device: String, _ client: BridgeClient
    ) async throws(Exit) -> (String, EventStream) {
        let opening = with(OpenDeviceRequest()) {
            $0.device = device
            $0.randomSeed = 1
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = ScenarioReader.startMs
            }
        }
        do throws(BridgeError) {
            guard try await client.openDevice(opening).created else {
                throw BridgeError(
                    .wrongState,
                    "the device \"\(device)\" was there before; a recording begins with a new one")
            }
            return (try await client.status().catalog, try await client.subscribe())
        } catch {
            throw .answered("record", error)
        }
    }

    private static func watch(_ arguments: Arguments) async throws(Exit) -> RawConnection {
        let connection = try await RawConnection.open(arguments)
        let request = with(MonitorRequest()) {
            $0.matches = [with(FrameMatch()) { $0.device = arguments.device }]
            $0.showValues = true
        }
        _ = try connection.call(.monitor(request), id: 2)
        return connection
    }

    /// Until a signal, the end of the device, or that of the broker.
    private static func record(
        _ connection: RawConnection, _ listener: BridgeClient, into draft: ScenarioDraft
    ) async throws(Exit) {
        var traffic = RecordedTraffic(draft: draft)
        defer { traffic.finish() }
        var isEnding = false
        while true {
            if isOver.load(ordering: .relaxed), !isEnding {
                isEnding = true
                try await mark(listener)
            }
            let frame: ServerFrame?
            do throws(Exit) {
                frame = try connection.next(waitMs: lookMs)
            } catch {
                if error.code == ExitCode.timeout { continue }
                throw error
            }
            switch frame?.body {
            case .monitored(let seen):
                if isEnding, seen.name == "ping", seen.text.contains(endMark) { return }
                if try traffic.take(seen) { return }
            case .error(let error): throw .answered("record", error.bridgeError)
            case nil: return
            default: break
            }
        }
    }

    /// The payload of a ping that passes when all before it has, in base64.
    private static let endMark = "ZW5kIG9mIHRoZSByZWNvcmRpbmc="

    /// Sends it: what was done before the signal is told before it.
    private static func mark(_ listener: BridgeClient) async throws(Exit) {
        do throws(BridgeError) {
            try await listener.ping(
                with(PingRequest()) { $0.payload = Array("end of the recording".utf8) })
        } catch {
            throw .answered("record", error)
        }
    }
}
