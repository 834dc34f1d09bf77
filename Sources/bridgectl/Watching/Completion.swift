import BridgeProtocol

/// Completions, made from the tables of verbs, options, methods and events.
enum Completion {
    private static let methodVerbs = ["call", "introspect", "bench"]

    /// Words that may follow a verb, besides options.
    private static func words(behind verb: any Verb.Type) -> [String] {
        switch verb.name {
        case let name where methodVerbs.contains(name): MethodTable.all.map(\.name)
        case "help", "cheat": Program.verbs.map { $0.name }
        case "completion": ["bash", "zsh", "fish"]
        case "catalog": ["check", "list"]
        default: []
        }
    }

    /// Values of options that are known.
    private static let values: [(option: String, values: [String])] = [
        ("kind", EventKindTable.names), ("json", ["pretty", "short"]),
        ("format", ["pcapng", "ndjson"]), ("as", ["client", "broker"]),
    ]

    private static func options(of verb: any Verb.Type) -> [OptionRow] {
        OptionRow.all.filter { $0.isCommon || verb.options.contains($0.name) }
    }

    static var bash: String {
        let verbs = Program.verbs
        let cases = verbs.map { verb in
            let options = options(of: verb).map { "--\($0.name)" }
            let words = words(behind: verb)
            return "        \(verb.name)) words=\"\((words + options).joined(separator: " "))\" ;;"
        }
        let values = values.map { row in
            let short = OptionRow.all.first { $0.name == row.option }?.short.map { "|-\($0)" } ?? ""
            return
                "        --\(row.option)\(short)) words=\"\(row.values.joined(separator: " "))\" ;;"
        }
        return """
            # Completions of bridgectl for bash; made by bridgectl completion bash.
            _bridgectl() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local verb= word words=
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) verb=$word; break ;; esac
                done
                case $verb in
            \(cases.joined(separator: "\n"))
                    *) words="\(verbs.map { $0.name }.joined(separator: " "))" ;;
                esac
                case $previous in
            \(values.joined(separator: "\n"))
                    --socket|-s|--output|-o|--catalog|--broker|--record) words= ;;
                esac
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            }
            complete -o default -F _bridgectl bridgectl
            """
    }

    static var zsh: String {
        let verbs = Program.verbs.map { "'\($0.name):\(zshQuoted($0.summary))'" }
        let cases = Program.verbs.map { verb in
            let options = options(of: verb).map { zshOption($0) }
            let words = words(behind: verb).joined(separator: " ")
            let rest = words.isEmpty ? "'*:file:_files'" : "'*:word:(\(words))'"
            return
                "        \(verb.name)) _arguments \((options + [rest]).joined(separator: " ")) ;;"
        }
        return """
            #compdef bridgectl
            # Completions of bridgectl for zsh; made by bridgectl completion zsh.
            _bridgectl() {
                local -a verbs=(\(verbs.joined(separator: " ")))
                if (( CURRENT == 2 )); then
                    _describe verb verbs
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            \(cases.joined(separator: "\n"))
                esac
            }
            _bridgectl "$@"
            """
    }

    private static func zshOption(_ row: OptionRow) -> String {
        let known = values.first { $0.option == row.name }?.values.joined(separator: " ")
        let action = known.map { "(\($0))" } ?? ""
        let meaning = "[\(zshQuoted(row.meaning))]"
        return switch row.value {
        case .none: "'--\(row.name)\(meaning)'"
        case .required(let name): "'--\(row.name)\(meaning):\(zshQuoted(name)):\(action)'"
        case .optional(let name): "'--\(row.name)=-\(meaning)::\(zshQuoted(name)):\(action)'"
        }
    }

    private static func zshQuoted(_ text: String) -> String {
        text.replacing("'", with: "'\\''").replacing("[", with: "(").replacing("]", with: ")")
            .replacing(":", with: "\\:")
    }

    static var fish: String {
        var lines = ["# Completions of bridgectl for fish; made by bridgectl completion fish."]
        let names = Program.verbs.map { $0.name }.joined(separator: " ")
        for verb in Program.verbs {
            lines.append(
                "complete -c bridgectl -f -n \"not __fish_seen_subcommand_from \(names)\" "
                    + "-a \(verb.name) -d \(fishQuoted(verb.summary))")
            let words = words(behind: verb)
            if !words.isEmpty {
                lines.append(
                    "complete -c bridgectl -f -n \"__fish_seen_subcommand_from \(verb.name)\" "
                        + "-a \"\(words.joined(separator: " "))\"")
            }
        }
        for row in OptionRow.all {
            let verbs = Program.verbs.filter { $0.options.contains(row.name) }.map { $0.name }
            let condition =
                row.isCommon
                ? "" : " -n \"__fish_seen_subcommand_from \(verbs.joined(separator: " "))\""
            let short = row.short.map { " -s \($0)" } ?? ""
            let known = values.first { $0.option == row.name }?.values.joined(separator: " ")
            let takes = if case .required = row.value { " -r" } else { "" }
            lines.append(
                "complete -c bridgectl\(condition)\(short) -l \(row.name)\(takes)"
                    + (known.map { " -a \"\($0)\"" } ?? "") + " -d \(fishQuoted(row.meaning))")
        }
        return lines.joined(separator: "\n")
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
