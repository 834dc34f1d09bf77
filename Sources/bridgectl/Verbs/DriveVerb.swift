import BridgeClient
import BridgeProtocol
import CLinux
import Glibc

/// `drive`: a live flow in the terminal.
enum DriveVerb: Verb {
    static let name = "drive"
    static let operands = "[PLACEMENT]"
    static let operandCount = 0...1
    static let summary = "show a live flow in the terminal, with keys as the finger"
    static let details = """
        Draws the screen with its elements, focus and values as text; keys tap, type and pick; the
        callbacks scroll beside it, or below it on a narrow terminal. ? shows the keys, : takes
        commands such as `show onboarding`, `advance 5s` or `call get_profile`. Questions of the flow
        are asked here. What is typed is shown.

        Without a PLACEMENT it shows what is on the device's screen, or asks. If no broker runs, and
        none is named, one is started that keeps nothing, with --catalog if that is given.

        --plain reads commands from standard input, one a line, and prints the screen and the
        callbacks as lines; so does an input or output that is no terminal. --record writes what was
        driven as a scenario for `bridgectl run`, values that were typed included: then the device is
        a new one, and its clock stands still.
        """
    static let examples = [
        "bridgectl drive", "bridgectl drive onboarding --device phone",
        "bridgectl drive onboarding --record mine.json && bridgectl run mine.json",
        "printf 'type name Jane\\ntap next\\n' | bridgectl drive onboarding --plain",
        "echo '{\"id\":1,\"listViews\":{}}' | nc -U -N \"$FLOWBRIDGE_SOCKET\"",
    ]
    static let options = ["broker", "catalog", "device", "plain", "record"]

    static func run(_ arguments: Arguments, _ output: Output) async throws(Exit) {
        let (client, fleet) = try await connect(arguments, output)
        do throws(Exit) {
            try await drive(try await session(client, arguments), arguments, output)
        } catch {
            client.close()
            await fleet?.stop()
            throw error
        }
        client.close()
        await fleet?.stop()
    }

    private static func session(
        _ client: BridgeClient, _ arguments: Arguments
    ) async throws(Exit) -> DriveSession {
        do throws(BridgeError) {
            let draft = try await draft(arguments, client)
            let session = try await DriveSession(
                client, opening: opening(arguments), draft: draft, timeout: arguments.timeout)
            if let placement = arguments.operands.first {
                _ = await session.act(.show(placement: placement))
            }
            return session
        } catch {
            throw .answered("drive", error)
        }
    }

    private static func drive(
        _ session: DriveSession, _ arguments: Arguments, _ output: Output
    ) async throws(Exit) {
        var failure: Exit?
        do throws(Exit) {
            if arguments.isPlain || !Terminal.isUsable {
                var plain = PlainDrive(session: session, output: output)
                try await plain.run()
            } else {
                try await TerminalDrive(session: session).run()
            }
        } catch {
            failure = error
        }
        if let path = arguments.record, let draft = session.draft {
            try FilePath.write(draft.text, to: path)
            output.say("\(path) is written; play it with bridgectl run \(path)")
        }
        if let failure { throw failure }
    }

    /// A recording has a new device whose clock stands still.
    private static func opening(_ arguments: Arguments) -> OpenDeviceRequest {
        with(OpenDeviceRequest()) {
            $0.device = arguments.device
            guard arguments.record != nil else { return }
            if arguments.device.isEmpty { $0.device = "drive-\(getpid())" }
            $0.randomSeed = 1
            $0.clock = with(DeviceClock()) {
                $0.kind = .manual
                $0.startMs = ScenarioReader.startMs
            }
        }
    }

    private static func draft(
        _ arguments: Arguments, _ client: BridgeClient
    ) async throws(BridgeError) -> ScenarioDraft? {
        guard let path = arguments.record else { return nil }
        let catalog = try await client.status().catalog
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ScenarioDraft(
            name: name.hasSuffix(".json") ? String(name.dropLast(5)) : name,
            catalog: catalog == "sample" ? nil : catalog, device: [])
    }

    /// The broker that is named or runs; else one of this program's own.
    private static func connect(
        _ arguments: Arguments, _ output: Output
    ) async throws(Exit) -> (BridgeClient, BrokerFleet?) {
        let isNamed = arguments.socket != nil || getenv("FLOWBRIDGE_SOCKET") != nil
        let wantsOwn = arguments.catalog != nil || arguments.broker != nil
        if isNamed || !wantsOwn {
            do throws(Exit) {
                return (try await Session.open(arguments, output), nil)
            } catch {
                if isNamed || error.code != ExitCode.unreachable { throw error }
            }
        }
        let program = try ChildBroker.program(arguments.broker)
        output.say("starting a broker of its own, which keeps nothing")
        let fleet = BrokerFleet(program: program, timeout: max(arguments.timeout, .seconds(5)))
        var own = arguments
        do throws(Exit) {
            let catalog = arguments.catalog.map { FilePath.real($0) ?? $0 }
            own.socket = try await fleet.socket(catalog: catalog, key: "")
            return (try await Session.open(own, output), fleet)
        } catch {
            await fleet.stop()
            throw error
        }
    }
}
