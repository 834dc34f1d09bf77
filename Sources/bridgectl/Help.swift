/// The help texts, made from the verbs and the table of options.
enum Help {
    /// Of the program.
    static var overview: String {
        let verbs = Program.verbs.map { [$0.name, $0.summary] }
        return """
            bridgectl looks into a Flowbridge broker and calls it.

            Usage: bridgectl [options] VERB [words]

            Verbs:
            \(Table.text(verbs, indent: 2))

            Options of every verb:
            \(options { $0.isCommon })

            Exit codes: 0 done, 1 the tool failed, 2 wrong usage, 3 no connection, 124 time over,
            64 + n error n of the bridge, 96 error of the SDK (docs/bridgectl.md).

            Examples:
              bridgectl status
              bridgectl call get_flow '{"placementId":"onboarding"}'
              echo '{"id":1,"getFlow":{"placementId":"onboarding"}}' | nc -U -N "$FLOWBRIDGE_SOCKET"
            """
    }

    /// Of one verb.
    static func text(of verb: any Verb.Type) -> String {
        if verb.name == HelpVerb.name { return overview }
        let own = OptionRow.all.filter { verb.options.contains($0.name) }
        let operands = verb.operands.isEmpty ? "" : " \(verb.operands)"
        let ownText =
            own.isEmpty
            ? ""
            : "\n\nOptions:\n"
                + options { row in
                    own.contains { $0.name == row.name }
                }
        return """
            bridgectl \(verb.name): \(verb.summary)

            Usage: bridgectl \(verb.name)\(operands) [options]

            \(verb.details)\(ownText)

            Options of every verb:
            \(options { $0.isCommon })

            Examples:
            \(verb.examples.map { "  \($0)" }.joined(separator: "\n"))
            """
    }

    private static func options(_ isShown: (OptionRow) -> Bool) -> String {
        let rows = OptionRow.all.filter(isShown)
        let width = 28
        return rows.map { row in
            let left = "  \(row.spelling)"
            let gap =
                left.count < width
                ? String(repeating: " ", count: width - left.count)
                : "\n" + String(repeating: " ", count: width)
            let lines = wrapped(row.meaning, columns: 100 - width)
            return left + gap
                + lines.joined(separator: "\n" + String(repeating: " ", count: width))
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= columns {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
