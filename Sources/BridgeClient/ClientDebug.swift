import BridgeProtocol
import Glibc

/// `FLOWBRIDGE_DEBUG`: every frame of every client of this process as a line on standard error, with
/// values of users hidden; `FLOWBRIDGE_DEBUG=values` shows them. Read once.
enum ClientDebug {
    /// What the variable asks for.
    enum Level: Sendable {
        case off, hidden, values

        init(_ text: String?) {
            switch text {
            case nil, "", "0": self = .off
            case "values": self = .values
            default: self = .hidden
            }
        }
    }

    static let level = Level(getenv("FLOWBRIDGE_DEBUG").map { String(cString: $0) })

    /// Tells what is sent.
    static func sent(_ frame: ClientFrame) {
        if level == .off { return }
        do {
            let text =
                level == .values ? try FrameJSON.line(of: frame) : try Redaction.text(of: frame)
            write("> " + text)
        } catch {
            write("> a frame that cannot be sent: \(error.message)")
        }
    }

    /// Tells what came.
    static func received(_ frame: ServerFrame) {
        if level == .off { return }
        write("< " + (level == .values ? FrameJSON.line(of: frame) : Redaction.text(of: frame)))
    }

    private static func write(_ text: String) {
        let line = Array("flowbridge \(text)\n".utf8)
        _ = Glibc.write(2, line, line.count)
    }
}
