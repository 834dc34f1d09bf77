/// What a run of scenarios came to, in the forms that people and programs read.
enum RunReport {
    /// One scenario for people; of one that failed, the step and what was not as expected.
    static func text(_ outcome: ScenarioOutcome, _ output: Output) -> String {
        guard let failure = outcome.failure else {
            let steps = outcome.steps == 1 ? "1 step" : "\(outcome.steps) steps"
            return "\(output.colored("ok", .green))    \(outcome.file)  \(outcome.name)  "
                + "(\(steps), \(outcome.ms) ms)"
        }
        var lines = ["\(output.colored("FAIL", .red))  \(outcome.file)  \(outcome.name)"]
        lines.append("  \(place(failure, outcome)): \(failure.title)")
        for line in failure.lines {
            let color: Output.Color? =
                switch line.kind {
                case .missing: .red
                case .unexpected: .green
                case .detail: .yellow
                default: nil
                }
            lines.append("    " + (color.map { output.colored(line.signed, $0) } ?? line.signed))
        }
        return lines.joined(separator: "\n")
    }

    /// One scenario as a line of JSON.
    static func json(_ outcome: ScenarioOutcome) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("file", .string(outcome.file)), ("name", .string(outcome.name)),
            ("passed", .bool(outcome.failure == nil)), ("steps", .int(outcome.steps)),
            ("ms", .int(outcome.ms)),
        ]
        if let failure = outcome.failure {
            members.append(
                (
                    "failure",
                    .object([
                        ("step", .int(failure.step)), ("line", .int(failure.line)),
                        ("title", .string(failure.title)),
                        ("text", .list(failure.lines.map { .string($0.signed) })),
                    ])
                ))
        }
        return .object(members)
    }

    /// The last line: `2 passed, 1 failed`.
    static func summary(_ outcomes: [ScenarioOutcome]) -> String {
        let failed = outcomes.count { $0.failure != nil }
        return "\(outcomes.count - failed) passed, \(failed) failed"
    }

    /// Test Anything Protocol, version 13.
    static func tap(_ outcomes: [ScenarioOutcome]) -> String {
        var lines = ["TAP version 13", "1..\(outcomes.count)"]
        for (index, outcome) in outcomes.enumerated() {
            let name = "\(outcome.file) \(outcome.name)".map {
                "#\n".contains($0) ? " " : String($0)
            }
            let word = outcome.failure == nil ? "ok" : "not ok"
            lines.append("\(word) \(index + 1) - \(name.joined())")
            guard let failure = outcome.failure else { continue }
            lines += ["  ---", "  at: \(JSONText.quoted(place(failure, outcome)))"]
            lines += ["  step: \(JSONText.quoted(failure.title))", "  text: |"]
            lines += failure.lines.map { "    " + $0.signed.controlFree }
            lines.append("  ...")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The XML that JUnit made common.
    static func junit(_ outcomes: [ScenarioOutcome]) -> String {
        let failed = outcomes.count { $0.failure != nil }
        let seconds = outcomes.reduce(0) { $0 + $1.ms }.seconds
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites tests=\"\(outcomes.count)\" failures=\"\(failed)\" time=\"\(seconds)\">",
            "  <testsuite name=\"bridgectl run\" tests=\"\(outcomes.count)\" failures=\"\(failed)\""
                + " errors=\"0\" skipped=\"0\" time=\"\(seconds)\">",
        ]
        for outcome in outcomes {
            let head =
                "    <testcase classname=\"\(outcome.file.xmlEscaped)\" "
                + "name=\"\(outcome.name.xmlEscaped)\" file=\"\(outcome.file.xmlEscaped)\" "
                + "time=\"\(outcome.ms.seconds)\""
            guard let failure = outcome.failure else {
                lines.append(head + "/>")
                continue
            }
            let message = "\(place(failure, outcome)): \(failure.title)"
            let text = failure.lines.map(\.signed).joined(separator: "\n")
            lines.append(head + ">")
            lines.append(
                "      <failure message=\"\(message.xmlEscaped)\">\(text.xmlEscaped)</failure>")
            lines.append("    </testcase>")
        }
        return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func place(
        _ failure: ScenarioOutcome.Failure, _ outcome: ScenarioOutcome
    ) -> String {
        failure.step == 0
            ? "before the first step" : "step \(failure.step), \(outcome.file):\(failure.line)"
    }
}

extension Int {
    /// Milliseconds as seconds with three digits.
    fileprivate var seconds: String { "\(self / 1_000).\(Moment.padded(self % 1_000, 3))" }
}

extension String {
    /// For text and attributes of XML 1.0, which cannot hold most control characters at all.
    var xmlEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n": text += "&#10;"
            case "\t": text += "\t"
            case _ where scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value):
                text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// With control characters shown as U+FFFD, so that no terminal obeys them.
    var controlFree: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.isControl ? "\u{FFFD}" : scalar)
        }
        return text
    }
}

extension Unicode.Scalar {
    /// C0, DEL and C1.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
