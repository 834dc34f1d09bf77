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
    ]
}
