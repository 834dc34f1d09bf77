extension OptionRow {
    /// Options of the verbs that watch.
    static let forWatching: [OptionRow] = [
        OptionRow(
            name: "match", short: "m", value: .required("KEY=VALUE,…"),
            meaning:
                "only what fits, the keys device, kind, name, element, and of frames conn and "
                + "client; may come several times, any of them counts"
        ) { (arguments, value) throws(Exit) in
            arguments.matches.append(try MatchOption.read(value ?? ""))
        },
        OptionRow(
            name: "traffic", short: "t", value: .none,
            meaning: "the frames of all connections, both ways, instead of the events of a device"
        ) { (arguments, _) in arguments.showsTraffic = true },
        OptionRow(
            name: "headers-only", short: nil, value: .none,
            meaning: "what a frame is, without what it says"
        ) { (arguments, _) in arguments.hasHeadersOnly = true },
        OptionRow(
            name: "size", short: nil, value: .required("BYTES"),
            meaning: "cut each frame behind so many bytes; the line says how many there were"
        ) { (arguments, value) throws(Exit) in
            arguments.sizeMax = try number(value, "--size") as Int
        },
        OptionRow(
            name: "format", short: "f", value: .required("FORM"), meaning: "pcapng or ndjson"
        ) { (arguments, value) in arguments.watching.format = value },
        OptionRow(
            name: "as", short: nil, value: .required("SIDE"),
            meaning: "whose frames they are: client or broker"
        ) { (arguments, value) in arguments.watching.side = value },
        OptionRow(
            name: "depth", short: nil, value: .required("N"),
            meaning: "requests that are on their way at a time"
        ) { (arguments, value) throws(Exit) in
            arguments.watching.depth = try number(value, "--depth") as Int
        },
        OptionRow(
            name: "graceful", short: nil, value: .required("ERROR"),
            meaning:
                "end with 0 when the answer is this error: a name such as NOT_FOUND, a name or a "
                + "number of the SDK; may come several times"
        ) { (arguments, value) throws(Exit) in
            arguments.watching.graceful.append(try Graceful.checked(value ?? ""))
        },
        OptionRow(
            name: "hex", short: nil, value: .none, meaning: "hexadecimal digits instead of bytes"
        ) { (arguments, _) in arguments.watching.isHex = true },
    ]
}
