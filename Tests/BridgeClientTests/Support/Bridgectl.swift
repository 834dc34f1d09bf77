import Foundation

/// The program, as a person starts it.
struct Bridgectl {
    /// What one run came to.
    struct Run {
        let code: Int32
        let output: String
        let errors: String

        /// Standard output, line by line, as JSON objects.
        func lines() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return object as? [String: Any] ?? [:]
            }
        }

        /// Standard output as one JSON object.
        func object() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// Beside the program that runs the tests.
    static let path: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/bridgectl"
    }()

    /// Runs it to its end, with pipes for both outputs.
    ///
    /// - Parameter program: another program, such as a shell.
    static func run(
        program: String = path, _ words: [String], socket: String? = nil, input: String = "",
        environment: [String: String] = [:]
    ) async throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        var variables = ProcessInfo.processInfo.environment
        variables["FLOWBRIDGE_SOCKET"] = socket
        process.environment = variables.merging(environment) { $1 }
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? stdin.fileHandleForWriting.close()
        async let output = text(of: stdout)
        async let errors = text(of: stderr)
        for await _ in ended.stream {}
        return await Run(code: process.terminationStatus, output: output, errors: errors)
    }

    private static func text(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
