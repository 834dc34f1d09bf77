import BridgeClient
import BridgeProtocol
import Foundation
import Glibc

/// A broker for tests: on a private socket, with nothing kept, ending with this process.
///
/// ```swift
/// let broker = try TestBroker(catalog: "examples/catalog-quiz")
/// ```
///
/// Letting go of it ends the broker. Isolation: any task. Blocking: `init`, for `readyMs` at most.
public final class TestBroker: Sendable {
    /// How long a broker may take until it says that it is ready, in milliseconds.
    public static let readyMs: Int32 = 10_000

    /// Where it listens.
    public let socket: String
    private let pid: pid_t

    /// One that serves the sample, shared by all tests of this process.
    public static func shared() throws(BridgeError) -> TestBroker {
        try sample.get()
    }

    private static let sample = Result { () throws(BridgeError) in try TestBroker() }

    /// Starts one.
    ///
    /// - Parameters:
    ///   - catalog: The folder that it serves; nil: the sample.
    ///   - program: `flowbridged`; nil: what `FLOWBRIDGED` names, else the one on `PATH`.
    /// - Throws: UNAVAILABLE when there is no program, or with what it said when it did not start.
    public init(catalog: String? = nil, program: String? = nil) throws(BridgeError) {
        let path = if let program { program } else { try Self.findProgram() }
        let words =
            ["--socket=auto", "--ephemeral", "--exit-with-parent=\(getpid())"]
            + (catalog.map { ["--catalog", $0] } ?? [])
        let process = Process()
        let output = Pipe()
        let log = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = log
        do {
            try process.run()
        } catch {
            throw BridgeError(.unavailable, "\(path): \(error)")
        }
        pid = process.processIdentifier
        guard let ready = Self.readyLine(output.fileHandleForReading.fileDescriptor) else {
            process.terminate()
            let said = log.fileHandleForReading.readDataToEndOfFile()
            let text = String(decoding: said, as: UTF8.self)
            throw BridgeError(.unavailable, "the broker did not become ready: \(text)")
        }
        socket = ready
        // What it logs is not wanted, and must not fill the pipe.
        log.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    deinit {
        kill(pid, SIGTERM)
    }

    /// A connection to it.
    public func connect(clientName: String = "tests") async throws(BridgeError) -> BridgeClient {
        try await BridgeClient.connect(path: socket, clientName: clientName)
    }

    private static func findProgram() throws(BridgeError) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["FLOWBRIDGED"] { return named }
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/flowbridged"
            if access(path, X_OK) == 0 { return path }
        }
        throw BridgeError(.unavailable, "flowbridged is not on PATH; FLOWBRIDGED may name it")
    }

    /// The socket out of the line that says that it is ready; nil: it ended, or took too long.
    private static func readyLine(_ descriptor: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while byte != UInt8(ascii: "\n") {
            guard poll(&waiting, 1, readyMs) == 1, read(descriptor, &byte, 1) == 1 else {
                return nil
            }
            line.append(byte)
        }
        let ready = try? JSONDecoder().decode(Ready.self, from: Data(line))
        return ready?.socket
    }

    private struct Ready: Decodable {
        let socket: String
    }
}
