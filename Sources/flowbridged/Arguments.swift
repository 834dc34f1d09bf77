import BridgeBroker
import BridgeProtocol
import BridgeStore
import CLinux

/// One option of the command line: the parser, the help and the completions read this table.
struct OptionRow {
    let name: String
    let short: Character
    /// What the value is called in the help; nil: none is taken.
    let value: String?
    /// Whether `--name` is good without one; a value comes after an equals sign then.
    var isValueOptional = false
    let meaning: String
}

/// What the command line asks for.
struct Arguments {
    var socket: String?
    var catalog: String?
    var checkedCatalog: String?
    /// nil: the standard file of the user.
    var store: String?
    var isEphemeral = false
    /// nil: `process`.
    var durability: Durability?
    var exitsWithParent = false
    /// The parent that is expected; nil: whichever process it is.
    var parentPid: Int32?
    var limits = Limits()
    var allowedUids: [UInt32] = []
    var logLevel = LogLevel.notice
    var showsHelp = false
    var showsVersion = false

    static let options: [OptionRow] = [
        OptionRow(
            name: "socket", short: "s", value: "PATH",
            meaning: "listen there; @name is an abstract socket; auto: in a fresh folder"),
        OptionRow(
            name: "catalog", short: "c", value: "DIR",
            meaning: "serve this catalog; without it the built-in sample"),
        OptionRow(
            name: "check-catalog", short: " ", value: "DIR",
            meaning: "print every fault of a catalog and end"),
        OptionRow(
            name: "limit", short: "l", value: "NAME=VALUE",
            meaning: "set a limit; may come several times (docs/limits.md)"),
        OptionRow(
            name: "max-frame", short: " ", value: "BYTES",
            meaning: "short for --limit frameBytesMax=…"),
        OptionRow(
            name: "allow-uid", short: " ", value: "UID",
            meaning: "let another user in; may come several times"),
        OptionRow(
            name: "store", short: " ", value: "FILE",
            meaning: "keep profiles, devices and events in this SQLite file"),
        OptionRow(
            name: "ephemeral", short: " ", value: nil, meaning: "keep everything in memory"),
        OptionRow(
            name: "durability", short: " ", value: "LEVEL",
            meaning: "an answer survives: none, process (kill -9, default) or power"),
        OptionRow(
            name: "exit-with-parent", short: " ", value: "PID", isValueOptional: true,
            meaning: "end when the process that started it ends; it must be PID"),
        OptionRow(
            name: "log-level", short: " ", value: "LEVEL",
            meaning: "error, notice (default), info or debug; see docs/logging.md"),
        OptionRow(name: "help", short: "h", value: nil, meaning: "show this and end"),
        OptionRow(name: "version", short: "V", value: nil, meaning: "show the version and end"),
    ]

    /// Reads a command line, the program's name first.
    ///
    /// - Throws: INVALID_ARGUMENT naming the word at fault.
    init(_ words: [String]) throws(BridgeError) {
        var vector = words.map { word in word.withCString { duplicated($0) } }
        defer { for pointer in vector { release(pointer) } }
        let names = Self.options.map { option in option.name.withCString { duplicated($0) } }
        defer { for pointer in names { release(pointer) } }
        let takesValue = Self.options.map {
            UInt8($0.value == nil ? 0 : $0.isValueOptional ? 2 : 1)
        }
        let shorts = Self.options.map { CChar($0.short.asciiValue ?? 0x20) }
        var state = fb_options(index: 1, value: nil, fault: nil)
        while true {
            let found = fb_option_next(
                &state, Int32(vector.count), &vector, names.map { UnsafePointer($0) }, shorts,
                takesValue, Int32(names.count))
            if found == -1 { break }
            let word = state.fault.map { String(cString: $0) } ?? ""
            if found == -2 { throw BridgeError(.invalidArgument, "unknown option \(word)") }
            if found == -3 { throw BridgeError(.invalidArgument, "\(word) needs a value") }
            try take(
                Self.options[Int(found)].name, state.value.map { String(cString: $0) })
        }
        if isEphemeral, store != nil || durability.map({ $0 != .none }) ?? false {
            throw BridgeError(
                .invalidArgument,
                "--ephemeral keeps everything in memory: give no --store, and no --durability but "
                    + "none, with it")
        }
        if Int(state.index) < words.count {
            throw BridgeError(
                .invalidArgument,
                "\"\(words[Int(state.index)])\" is no option; none takes a bare word")
        }
    }

    private mutating func take(_ name: String, _ given: String?) throws(BridgeError) {
        let value = given ?? ""
        switch name {
        case "socket": socket = value
        case "catalog": catalog = value
        case "check-catalog": checkedCatalog = value
        case "limit": try limits.set(value)
        case "max-frame": try limits.set("frameBytesMax=\(value)")
        case "allow-uid":
            guard let uid = UInt32(value) else {
                throw BridgeError(.invalidArgument, "--allow-uid \(value): a number is wanted")
            }
            allowedUids.append(uid)
        case "log-level":
            guard let level = LogLevel(value) else {
                throw BridgeError(
                    .invalidArgument, "--log-level \(value): error, notice, info or debug")
            }
            logLevel = level
        case "exit-with-parent":
            exitsWithParent = true
            guard let given else { return }
            guard let pid = Int32(given), pid > 0 else {
                throw BridgeError(
                    .invalidArgument, "--exit-with-parent=\(given): the pid of the parent is wanted"
                )
            }
            parentPid = pid
        case "store": store = value
        case "ephemeral": isEphemeral = true
        case "durability":
            guard let level = Durability(rawValue: value) else {
                throw BridgeError(
                    .invalidArgument, "--durability \(value): none, process or power")
            }
            durability = level
        case "help": showsHelp = true
        case "version": showsVersion = true
        default: break
        }
    }

    /// The text of `--help`.
    static var help: String {
        var text = """
            flowbridged runs headless Adapty flow sessions and serves them on a Unix socket.

            Usage: flowbridged [options]


            """
        for option in options {
            let short = option.short == " " ? "    " : "-\(option.short), "
            var left = "  \(short)--\(option.name)"
            if let value = option.value {
                left += option.isValueOptional ? "[=\(value)]" : " \(value)"
            }
            let gap = String(repeating: " ", count: max(2, 32 - left.count))
            text += left + gap + option.meaning + "\n"
        }
        return text + """

            Without --socket it listens at $FLOWBRIDGE_SOCKET, else at
            $XDG_RUNTIME_DIR/flowbridge/bridge.sock, else in /tmp/flowbridge-<uid>/.
            Without --store it keeps $XDG_STATE_HOME/flowbridge/store.db, else
            ~/.local/state/flowbridge/store.db; one broker has it at a time.

            When it serves it prints one line on standard output:
            {"ready":true,"socket":"…","pid":…,"version":"…"}

            SIGHUP reads the catalog's folder again; SIGTERM and SIGINT end it.

            Examples:
              flowbridged
              flowbridged --socket /tmp/bridge.sock --catalog examples/catalog
              flowbridged --check-catalog my-catalog
              flowbridged --socket=auto --exit-with-parent --ephemeral
              echo '{"id":1,"getFlow":{"placementId":"onboarding"}}' | nc -U -N /tmp/bridge.sock

            """
    }
}
