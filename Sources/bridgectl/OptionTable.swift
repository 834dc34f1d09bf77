/// One option: the parser and every help text read this table.
struct OptionRow {
    /// What follows the name.
    enum Value {
        case none
        case required(String)
        /// `--name` alone means something too.
        case optional(String)
    }

    let name: String
    let short: Character?
    let value: Value
    let meaning: String
    /// Every verb takes it.
    var isCommon = false
    let take: @Sendable (inout Arguments, String?) throws(Exit) -> Void

    /// As the help shows it.
    var spelling: String {
        let long = short.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return switch value {
        case .none: long
        case .required(let name): "\(long) \(name)"
        case .optional(let name): "\(long)[=\(name)]"
        }
    }
}

extension OptionRow {
    static let all: [OptionRow] =
        [
            OptionRow(
                name: "socket", short: "s", value: .required("PATH"),
                meaning:
                    "the broker's socket, @name for an abstract one; else FLOWBRIDGE_SOCKET, else "
                    + "the standard path", isCommon: true
            ) { (arguments, value) in arguments.socket = value },
            OptionRow(
                name: "json", short: "j", value: .optional("pretty|short"),
                meaning: "JSON where a table would come; pretty on a terminal and short in a pipe "
                    + "unless one is named", isCommon: true
            ) { (arguments, value) throws(Exit) in arguments.json = try JSONChoice(value) },
            OptionRow(
                name: "timeout", short: nil, value: .required("SPAN"),
                meaning: "for connecting and for each call: 500ms, 5s (the default), 2m",
                isCommon: true
            ) { (arguments, value) throws(Exit) in
                arguments.timeout = try Span.read(value, "--timeout")
            },
            OptionRow(
                name: "broker-uid", short: nil, value: .required("UID"),
                meaning: "trust a broker of this user as well as your own and root's",
                isCommon: true
            ) { (arguments, value) throws(Exit) in
                arguments.trustedUids.append(try number(value, "--broker-uid"))
            },
            OptionRow(
                name: "wait-socket", short: "w", value: .none,
                meaning: "wait until a broker answers at the socket, for the time of --timeout",
                isCommon: true
            ) { (arguments, _) in arguments.watching.waitsForSocket = true },
            OptionRow(
                name: "quiet", short: "q", value: .none, meaning: "nothing on standard error",
                isCommon: true
            ) { (arguments, _) in arguments.isQuiet = true },
            OptionRow(
                name: "help", short: "h", value: .none, meaning: "show the help of a verb and end",
                isCommon: true
            ) { (arguments, _) in arguments.wantsHelp = true },
            OptionRow(
                name: "version", short: "V", value: .none, meaning: "show the version and end",
                isCommon: true
            ) { (arguments, _) in arguments.wantsVersion = true },
        ] + forVerbs + forWatching

    private static let forVerbs: [OptionRow] = [
        OptionRow(
            name: "device", short: "d", value: .required("NAME"),
            meaning: "the device, which is made if it is not there; default without"
        ) { (arguments, value) in arguments.device = value ?? "" },
        OptionRow(
            name: "kind", short: "k", value: .required("KIND"),
            meaning: "only events of this kind, such as flow_did_appear; may come several times"
        ) { (arguments, value) in arguments.kinds.append(value ?? "") },
        OptionRow(
            name: "view", short: nil, value: .required("ID"), meaning: "only events of this view"
        ) { (arguments, value) in arguments.view = value ?? "" },
        OptionRow(
            name: "from", short: nil, value: .required("SEQ"),
            meaning: "the record from this sequence on first; 1 for all that is kept"
        ) { (arguments, value) throws(Exit) in
            arguments.fromSequence = try number(value, "--from") as UInt64
        },
        OptionRow(
            name: "count", short: "n", value: .required("N"), meaning: "end after so many"
        ) { (arguments, value) throws(Exit) in
            arguments.count = try number(value, "--count") as Int
        },
        OptionRow(
            name: "interval", short: "i", value: .required("SPAN"),
            meaning: "between two pings, 200ms without, or two samples of top, 1s without"
        ) { (arguments, value) throws(Exit) in
            arguments.interval = try Span.read(value, "--interval")
        },
        OptionRow(
            name: "show-values", short: nil, value: .none,
            meaning: "show what users typed and chose, and attributes of profiles"
        ) { (arguments, _) in arguments.showsValues = true },
        OptionRow(
            name: "example", short: nil, value: .none, meaning: "print one example request only"
        ) { (arguments, _) in arguments.wantsExample = true },
        OptionRow(
            name: "broker", short: nil, value: .required("PATH"),
            meaning: "the flowbridged to start; else the one beside this program, or on PATH"
        ) { (arguments, value) in arguments.broker = value },
        OptionRow(
            name: "accept", short: nil, value: .none,
            meaning: "write the callbacks and errors that came into the files"
        ) { (arguments, _) in arguments.accepts = true },
        OptionRow(
            name: "catalog", short: nil, value: .required("DIR"),
            meaning: "start a broker with this catalog"
        ) { (arguments, value) in arguments.catalog = value },
        OptionRow(
            name: "plain", short: nil, value: .none,
            meaning: "commands from standard input, lines to standard output"
        ) { (arguments, _) in arguments.isPlain = true },
        OptionRow(
            name: "record", short: nil, value: .required("FILE"),
            meaning: "write what is driven as a scenario, what is typed included"
        ) { (arguments, value) in arguments.record = value },
        OptionRow(
            name: "output", short: "o", value: .required("FILE"), meaning: "write to this file"
        ) { (arguments, value) in arguments.outputFile = value },
        OptionRow(
            name: "jobs", short: nil, value: .required("N"),
            meaning: "how many at a time; one a core without"
        ) { (arguments, value) throws(Exit) in
            arguments.jobs = try number(value, "--jobs") as Int
        },
        OptionRow(
            name: "report", short: nil, value: .required("FORM[=FILE]"),
            meaning: "tap or junit, to standard output or to a file; may come several times"
        ) { (arguments, value) in arguments.reports.append(value ?? "") },
    ]

    static func number<Number: FixedWidthInteger>(
        _ text: String?, _ option: String
    ) throws(Exit) -> Number {
        guard let text, let number = Number(text), number >= 0 else {
            throw .usage("\(option) \(text ?? ""): a whole number is wanted, 0 or more")
        }
        return number
    }
}

/// How JSON is wanted.
enum JSONChoice {
    /// As on the command line.
    var option: String {
        switch self {
        case .automatic: "--json"
        case .pretty: "--json=pretty"
        case .short: "--json=short"
        }
    }

    /// `-j` without a name: by where the output goes.
    case automatic
    case pretty
    case short

    init(_ text: String?) throws(Exit) {
        switch text {
        case nil: self = .automatic
        case "pretty": self = .pretty
        case "short": self = .short
        case let text?: throw .usage("--json=\(text): pretty or short is wanted")
        }
    }
}

/// Spans of time on the command line.
enum Span {
    private static let units: [(suffix: String, ms: Double)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("", 1_000),
    ]

    /// Reads `500ms`, `1.5s`, `2m`, or a bare number of seconds; up to a day.
    static func read(_ text: String?, _ option: String) throws(Exit) -> Duration {
        let text = text ?? ""
        for unit in units where text.hasSuffix(unit.suffix) {
            guard let number = Double(text.dropLast(unit.suffix.count)) else { continue }
            let ms = number * unit.ms
            guard ms >= 1, ms <= 86_400_000 else { break }
            return .microseconds(Int64(ms * 1_000))
        }
        throw .usage("\(option) \(text): 1ms to 1440m is wanted, with the unit ms, s or m")
    }
}
