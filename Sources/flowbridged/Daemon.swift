import BridgeBroker
import BridgeCatalog
import BridgeProtocol
import BridgeStore
import BridgeTransport
import CLinux
import Glibc
import SDKCore

/// The program: reads its arguments, loads the catalog, serves until a signal ends it.
enum Daemon {
    /// Returns the exit code.
    static func run(arguments words: [String]) -> Int32 {
        let arguments: Arguments
        do {
            arguments = try Arguments(words)
        } catch {
            say("flowbridged: \(error.message)\nTry flowbridged --help.\n")
            return ExitCode.usage
        }
        if arguments.showsHelp {
            print(Arguments.help, terminator: "")
            return ExitCode.success
        }
        if arguments.showsVersion {
            print("flowbridged \(BrokerConfiguration.version)")
            return ExitCode.success
        }
        if let folder = arguments.checkedCatalog { return check(folder) }
        return serve(arguments)
    }

    private static func check(_ folder: String) -> Int32 {
        let report = CatalogLoader.load(folder: folder)
        for fault in report.faults { print(fault.description) }
        let faults = report.faults.count { !$0.isWarning }
        let warnings = report.faults.count - faults
        guard let catalog = report.catalog else {
            print("\(folder): \(faults) faults, \(warnings) warnings")
            return ExitCode.catalog
        }
        print("\(folder): \(catalog.placements.count) placements, no faults, \(warnings) warnings")
        return ExitCode.success
    }

    private static func serve(_ arguments: Arguments) -> Int32 {
        let report =
            arguments.catalog.map { CatalogLoader.load(folder: $0) } ?? CatalogLoader.sample()
        guard let catalog = report.catalog else {
            for fault in report.faults { say(fault.description + "\n") }
            return ExitCode.catalog
        }
        do throws(TransportError) {
            try serve(arguments, catalog)
            return ExitCode.success
        } catch {
            say("flowbridged: \(error)\n")
            return error.isConfiguration ? ExitCode.configuration : ExitCode.failure
        }
    }

    private static func serve(_ arguments: Arguments, _ catalog: Catalog) throws(TransportError) {
        fb_give_memory_back()
        var parent: ParentProcess?
        if arguments.exitsWithParent { parent = try ParentProcess(expected: arguments.parentPid) }
        let service = try ServiceManager()
        let listeners = try openListeners(arguments, service)
        let store = try openStore(arguments)
        let server = try Server(
            configuration: BrokerConfiguration(
                limits: arguments.limits, catalog: catalog,
                catalogName: arguments.catalog.map(absolute) ?? "sample",
                socketPath: listeners.first?.path.path ?? ""),
            access: AccessRule(allowed: arguments.allowedUids),
            log: Log(level: arguments.logLevel), store: store)
        try server.serve(listeners, service: service, parent: parent)
    }

    private static func openListeners(
        _ arguments: Arguments, _ service: ServiceManager
    ) throws(TransportError) -> [Listener] {
        let passed = service.sockets
        guard let named = arguments.socket else {
            return passed.isEmpty ? [try Listener.open(at: .standard())] : passed
        }
        guard passed.isEmpty else {
            throw TransportError(
                "the service manager passed \(passed.map(\.path.path).joined(separator: ", ")): "
                    + "leave --socket \(named) out", isConfiguration: true)
        }
        if named == "auto" { return [try .openPrivate()] }
        return [try .open(at: SocketPath(named), isForAll: !arguments.allowedUids.isEmpty)]
    }

    /// The same path from the root on.
    private static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The store that the command line asks for; nil: memory.
    private static func openStore(
        _ arguments: Arguments
    ) throws(TransportError) -> SQLiteStore? {
        if arguments.isEphemeral { return nil }
        do throws(StoreFault) {
            var path = arguments.store ?? ""
            if arguments.store == nil { path = try StorePath.standard() }
            return try SQLiteStore(
                path: path, durability: arguments.durability ?? .process,
                limits: arguments.limits.store)
        } catch {
            // A broker that holds the file may end; all else only an operator can mend.
            throw TransportError(error.message, isConfiguration: error.kind != .locked)
        }
    }

    private static func say(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = fb_write_all(2, bytes.baseAddress, bytes.count) }
    }
}

/// A C copy of a string; `release` gives it back.
func duplicated(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
    strdup(text)
}

func release(_ pointer: UnsafeMutablePointer<CChar>?) {
    free(pointer)
}
