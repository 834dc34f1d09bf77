import BridgeProtocol

/// The exit codes; docs/bridgectl.md has the table.
enum ExitCode {
    static let success: Int32 = 0
    /// The tool failed: a file that cannot be read, output that cannot be written.
    static let failure: Int32 = 1
    /// The command line or the JSON on it is wrong.
    static let usage: Int32 = 2
    /// No connection to a broker.
    static let unreachable: Int32 = 3
    /// The time of `--timeout` was over, as with timeout(1).
    static let timeout: Int32 = 124
    /// Plus the number of a fault of the bridge.
    static let bridge: Int32 = 64
    /// An error of the SDK.
    static let sdk: Int32 = 64 + 32

    /// The code for an answer that is an error.
    static func of(_ error: BridgeError) -> Int32 {
        if error.sdk != nil { return sdk }
        return error.code == .deadlineExceeded ? timeout : bridge + error.code.number
    }
}

/// The end of the program before its time.
struct Exit: Error {
    let code: Int32
    /// One line for standard error, or empty.
    let message: String

    static func usage(_ message: String) -> Exit { Exit(code: ExitCode.usage, message: message) }

    static func failure(_ message: String) -> Exit {
        Exit(code: ExitCode.failure, message: message)
    }

    /// An error as a line: what was called, the class or the SDK's code, the text.
    static func answered(_ what: String, _ error: BridgeError) -> Exit {
        Exit(code: ExitCode.of(error), message: "\(what): \(error.line)")
    }
}

extension BridgeError {
    /// One line for people.
    var line: String {
        guard let sdk else { return "\(code.name): \(message)" }
        return "SDK error \(sdk.code) \(sdk.name): \(sdk.message)"
    }
}
