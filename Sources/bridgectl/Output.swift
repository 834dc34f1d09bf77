import BridgeProtocol
import CLinux
import Glibc

/// Where the program writes: data on standard output, talk on standard error.
///
/// Each line leaves with one write, so that a pipe sees it at once.
struct Output {
    let isQuiet: Bool
    private let json: JSONChoice?

    init(isQuiet: Bool, json: JSONChoice? = nil) {
        self.isQuiet = isQuiet
        self.json = json
    }

    /// Whether standard output is a terminal.
    static let isTerminal = isatty(1) == 1

    /// Whether a table is to be JSON: asked for, or read by a program.
    var prefersJSON: Bool { json != nil || !Self.isTerminal }

    /// Whether JSON was asked for.
    var isJSONAsked: Bool { json != nil }

    /// Whether JSON is broken into lines.
    var isPretty: Bool {
        switch json {
        case .pretty: true
        case .short: false
        case .automatic, nil: Self.isTerminal
        }
    }

    /// Writes JSON text that came without white space, in the wanted form.
    func printJSON(_ text: String) {
        print(isPretty ? JSONText.pretty(text) : text)
    }

    /// Writes a text and a line end to standard output.
    func print(_ text: String) {
        write(1, text.hasSuffix("\n") ? text : text + "\n")
    }

    /// A heading: bold on a terminal, unless NO_COLOR is set.
    func heading(_ text: String) -> String {
        Self.hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// Colors of terminals, by their SGR number.
    enum Color: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// A text in a color, where a heading would be bold.
    func colored(_ text: String, _ color: Color) -> String {
        Self.hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Standard output is a terminal, and NO_COLOR is not set.
    static var hasColor: Bool {
        isTerminal && !(getenv("NO_COLOR").map { $0.pointee != 0 } ?? false)
    }

    /// Asks for a line, on standard error, so that the output is data alone.
    func prompt(_ text: String) {
        write(2, text)
    }

    /// Talks to the person, on standard error.
    func say(_ text: String) {
        guard !isQuiet else { return }
        write(2, "bridgectl: \(text)\n")
    }

    private func write(_ fd: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(fd, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { endAfterFailedWrite(fd) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// A reader that went away ends the program without a word, as SIGPIPE does.
    private func endAfterFailedWrite(_ fd: Int32) {
        let error = errno
        if fd == 1, error != EPIPE {
            write(2, "bridgectl: standard output: \(errorText(error))\n")
        }
        exit(error == EPIPE ? 128 + SIGPIPE : ExitCode.failure)
    }
}
