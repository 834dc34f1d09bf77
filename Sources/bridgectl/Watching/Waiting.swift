import BridgeProtocol
import CLinux

/// `--wait-socket`: connecting again until a broker answers.
enum Waiting {
    private static let step = Duration.milliseconds(20)

    /// Connects; with `--wait-socket` again and again, for the time of `--timeout`.
    static func forSocket<Connected>(
        _ arguments: Arguments, _ connect: () async throws(BridgeError) -> Connected
    ) async throws(BridgeError) -> Connected {
        let end = fb_monotonic_ns() + UInt64(arguments.timeout.wholeMs) * 1_000_000
        while true {
            // Looked at before: past the time there is one attempt more.
            let isLast = fb_monotonic_ns() >= end
            do throws(BridgeError) {
                return try await connect()
            } catch {
                guard arguments.watching.waitsForSocket, error.code == .unavailable else {
                    throw error
                }
                if isLast {
                    throw BridgeError(.deadlineExceeded, "\(error.message), all the time")
                }
            }
            do {
                try await Task.sleep(for: step)
            } catch {
                throw BridgeError(.cancelled, "waiting for the socket was cancelled")
            }
        }
    }
}

/// `--graceful`: errors that count as success.
enum Graceful {
    private static let names = [
        BridgeError.Code.invalidFrame, .unknownMethod, .invalidArgument, .notFound, .wrongState,
        .limitExceeded, .deadlineExceeded, .cancelled, .unavailable, .permissionDenied, .internal,
    ].map(\.name)

    /// The word of the option.
    ///
    /// - Throws: for what is neither a name of an error of the bridge nor one of the SDK.
    static func checked(_ word: String) throws(Exit) -> String {
        let isSDK = Int32(word) != nil || word.first?.isLowercase == true
        if isSDK || names.contains(word) { return word }
        let hint = nearest(to: word, in: names).map { "did you mean \($0)?" }
        throw .usage(
            "--graceful \(word): no error; "
                + (hint ?? "there are \(names.joined(separator: ", "))"))
    }

    /// Whether an error is among them.
    static func covers(_ error: BridgeError, _ words: [String]) -> Bool {
        guard let sdk = error.sdk else { return words.contains(error.code.name) }
        return words.contains(String(sdk.code)) || words.contains(sdk.name)
    }
}
