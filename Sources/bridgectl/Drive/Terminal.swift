import CLinux
import Glibc
import Synchronization

/// The terminal in raw mode, and the way back from it.
///
/// The former mode comes back at every end of the program: on return, on `exit`, and on the signals
/// that end a program.
final class Terminal: Sendable {
    /// What to write back when the program ends. Signal handlers read it, so it is only ever set
    /// once, before they are there.
    private nonisolated(unsafe) static var former = termios()
    private static let isRaw = Atomic<Bool>(false)
    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The other screen, the cursor, no autowrap; and back.
    private static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[2J"
    private static let leave: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Written to by the handler of SIGWINCH.
    private nonisolated(unsafe) static var resizeSignal: Int32 = -1

    /// Whether both ends are a terminal that obeys escapes.
    static var isUsable: Bool {
        let kind = getenv("TERM").map { String(cString: $0) } ?? ""
        return isatty(0) == 1 && isatty(1) == 1 && kind != "" && kind != "dumb"
    }

    /// - Throws: when the terminal does not let its mode be changed.
    init() throws(Exit) {
        guard tcgetattr(0, &Self.former) == 0 else {
            throw .failure("the terminal's mode: \(errorText(errno)); try --plain")
        }
        Self.resizeSignal = fb_event_create()
        Self.enterRawMode()
    }

    private static func enterRawMode() {
        var raw = former
        cfmakeraw(&raw)
        tcsetattr(0, TCSAFLUSH, &raw)
        isRaw.store(true, ordering: .relaxed)
        atexit { Terminal.restore() }
        for ending in endings {
            signal(ending) { number in
                Terminal.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        signal(SIGWINCH) { _ in fb_event_signal(Terminal.resizeSignal) }
        signal(SIGTSTP, SIG_IGN)
        write(enter)
    }

    /// Gives the terminal back as it was. May be called in a signal handler, and twice.
    static func restore() {
        guard isRaw.exchange(false, ordering: .relaxed) else { return }
        _ = Glibc.write(1, leave.utf8Start, leave.utf8CodeUnitCount)
        tcsetattr(0, TCSAFLUSH, &former)
    }

    deinit { Self.restore() }

    var size: TerminalSize {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Writes all of it at once.
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(1, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                if count <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// What the person does.
    enum Input: Sendable {
        case key(Key)
        case resized
        /// The terminal is gone.
        case ended
    }

    /// Keys and changes of the size, read on a thread of their own.
    func inputs() -> AsyncStream<Input> {
        let (stream, continuation) = AsyncStream<Input>.makeStream(bufferingPolicy: .unbounded)
        let resized = Self.resizeSignal
        startThread("drive-keys") {
            var reader = KeyReader()
            while true {
                var waiting = [
                    pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: resized, events: Int16(POLLIN), revents: 0),
                ]
                // An escape by itself is one that nothing follows for a moment.
                let count = poll(&waiting, 2, reader.isWaiting ? 50 : -1)
                if count == 0 { reader.flush().forEach { continuation.yield(.key($0)) } }
                if count <= 0 { continue }
                if waiting[1].revents != 0 {
                    fb_event_clear(resized)
                    continuation.yield(.resized)
                }
                guard waiting[0].revents != 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let read = fb_read(0, &bytes, bytes.count)
                guard read > 0 else { break }
                reader.read(bytes[..<read]).forEach { continuation.yield(.key($0)) }
            }
            continuation.yield(.ended)
            continuation.finish()
        }
        return stream
    }
}

/// Runs something on a thread of its own, which ends with it.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    let result = pthread_create(
        &thread, nil,
        { raw in
            guard let raw else { return nil }
            Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work()
            return nil
        }, box.toOpaque())
    if result == 0 {
        pthread_detach(thread)
    } else {
        box.release()
    }
}
