import CLinux
import Glibc

/// How much the log tells; see docs/logging.md.
public enum LogLevel: Int, Sendable, Comparable {
    /// The operator must act.
    case error
    /// A state changed.
    case notice
    /// One summary a request.
    case info
    /// Frames, never their payload.
    case debug

    /// From the rarest lines to the most.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    /// Reads the name of a level; nil for any other text.
    public init?(_ name: String) {
        guard let level = Self.names[name] else { return nil }
        self = level
    }

    private static let names: [String: LogLevel] = [
        "error": .error, "notice": .notice, "info": .info, "debug": .debug,
    ]

    var name: String {
        switch self {
        case .error: "error"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}

/// Structured lines on standard error: `level=notice event=listening socket=/run/…`.
///
/// Never takes a value that a user typed (GEN-7): fields are ids, counts, names of methods and
/// texts of the broker's own. One event is written at most `linesPerSecondMax` times a second; the
/// next second tells how many were left out.
public final class Log {
    /// Lines of one event in one second.
    public static let linesPerSecondMax = 20

    private struct Rate {
        var second: UInt64
        var lines = 0
        var suppressed = 0
    }

    /// Lines of this level and those above it are written.
    public let level: LogLevel
    private let write: (String) -> Void
    private let nowNs: () -> UInt64
    private var rates: [String: Rate] = [:]

    /// Makes a log; without `write` it goes to standard error, one write a line.
    public init(
        level: LogLevel, nowNs: @escaping () -> UInt64 = { fb_monotonic_ns() },
        write: ((String) -> Void)? = nil
    ) {
        self.level = level
        self.nowNs = nowNs
        self.write = write ?? Self.writeToStandardError
    }

    /// Writes one line, if the level is on.
    public func callAsFunction(
        _ level: LogLevel, _ event: String, _ fields: @autoclosure () -> [(String, String)] = []
    ) {
        guard level <= self.level else { return }
        guard admits(event, level) else { return }
        write(line(level, event, fields()))
    }

    private func line(_ level: LogLevel, _ event: String, _ fields: [(String, String)]) -> String {
        var line = "level=\(level.name) event=\(event)"
        for (key, value) in fields { line += " \(key)=\(Self.quoted(value))" }
        return line + "\n"
    }

    private func admits(_ event: String, _ level: LogLevel) -> Bool {
        let second = nowNs() / 1_000_000_000
        var rate = rates[event] ?? Rate(second: second)
        if rate.second != second {
            if rate.suppressed > 0 {
                write(self.line(level, event, [("suppressed", String(rate.suppressed))]))
            }
            rate = Rate(second: second)
        }
        let isAdmitted = rate.lines < Self.linesPerSecondMax
        if isAdmitted { rate.lines += 1 } else { rate.suppressed += 1 }
        rates[event] = rate
        return isAdmitted
    }

    /// A bare word as it is; anything else in quotes, with control characters escaped.
    static func quoted(_ value: String) -> String {
        let isBare =
            !value.isEmpty
            && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
        if isBare { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _
            where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x85
                || scalar.value == 0x2028 || scalar.value == 0x2029:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func writeToStandardError(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            _ = fb_write_all(2, bytes.baseAddress, bytes.count)
        }
    }
}
