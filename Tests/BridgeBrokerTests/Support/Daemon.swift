import BridgeProtocol
import CLinux
import Foundation
import Glibc

/// A `flowbridged` of its own, started from the build folder that holds these tests.
final class Daemon {
    static let program: URL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("flowbridged")

    let folder: String
    /// A folder that was given belongs to the test.
    private let ownsFolder: Bool
    let socket: String
    let process = Process()
    /// The line that says that it serves.
    private(set) var readyLine = ""
    private let output = Pipe()
    private let logPath: String
    private let ended = DispatchSemaphore(value: 0)

    var pid: Int32 { process.processIdentifier }

    /// Starts one and waits until it serves. It keeps nothing unless the arguments name a store.
    ///
    /// - Parameter prelude: what a shell does before it becomes the broker, such as `ulimit -n 32`.
    init(
        _ arguments: [String] = [], in folder: String? = nil,
        environment: [String: String]? = nil, prelude: String? = nil
    ) throws {
        ownsFolder = folder == nil
        self.folder = folder ?? Self.makeFolder()
        socket = self.folder + "/s"
        logPath = self.folder + "/log-\(UUID().uuidString)"
        let store = arguments.contains { ["--store", "--ephemeral", "--durability"].contains($0) }
        let words =
            (environment == nil ? ["--socket", socket] : []) + (store ? [] : ["--ephemeral"])
            + arguments
        if let prelude {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "\(prelude); exec \"$0\" \"$@\"", Self.program.path]
                + words
        } else {
            process.executableURL = Self.program
            process.arguments = words
        }
        if let environment { process.environment = environment }
        _ = FileManager.default.createFile(atPath: logPath, contents: nil)
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: logPath)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        readyLine = try readLine()
    }

    deinit {
        if process.isRunning { Glibc.kill(pid, SIGKILL) }
        if ownsFolder { try? FileManager.default.removeItem(atPath: folder) }
    }

    static func makeFolder() -> String {
        var template = Array("/tmp/fbtest-XXXXXX".utf8CString)
        return mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    private func readLine() throws -> String {
        let fd = output.fileHandleForReading.fileDescriptor
        var line: [UInt8] = []
        while line.last != 0x0A {
            var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, sharedTimeoutMs) > 0 else { throw TestTimeout() }
            var byte: UInt8 = 0
            guard fb_read(fd, &byte, 1) == 1 else { throw Unexpected(log) }
            line.append(byte)
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// What it writes on standard output until its end.
    func restOfOutput() throws -> String { try output.rest() }

    func client(_ mode: WireMode) throws -> TestClient {
        let client = TestClient(wire: try connect(), mode: mode)
        if mode == .binary { try client.hello() }
        return client
    }

    func connect() throws -> SocketWire { try SocketWire(path: socket) }

    func send(_ signal: Int32) { Glibc.kill(pid, signal) }

    /// Waits for its end; returns its exit code, or minus the signal that killed it.
    func wait() throws -> Int32 {
        guard ended.wait(timeout: .now() + .milliseconds(Int(sharedTimeoutMs))) == .success else {
            throw TestTimeout()
        }
        ended.signal()
        let isKilled = process.terminationReason == .uncaughtSignal
        return isKilled ? -process.terminationStatus : process.terminationStatus
    }

    /// What it wrote on standard error.
    var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }

    /// How many descriptors it has open.
    func descriptors() throws -> Int { try descriptorNumbers().count }

    /// Its open descriptors. It may have got some from tests that run beside it.
    func descriptorNumbers() throws -> Set<Int> {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
        return Set(names.compactMap { Int($0) })
    }

    /// Processor time so far, in hundredths of a second.
    func ticks() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }

    /// The most memory it had so far, in KiB.
    func peakKiB() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

/// Runs a program to its end.
func run(
    _ program: URL, _ arguments: [String], environment: [String: String]? = nil
) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let environment { process.environment = environment }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let errorText = errors.fileHandleForReading.readDataToEndOfFile()
    guard ended.wait(timeout: .now() + .milliseconds(Int(sharedTimeoutMs))) == .success else {
        Glibc.kill(process.processIdentifier, SIGKILL)
        throw TestTimeout()
    }
    return (
        process.terminationStatus, String(decoding: text, as: UTF8.self),
        String(decoding: errorText, as: UTF8.self)
    )
}
