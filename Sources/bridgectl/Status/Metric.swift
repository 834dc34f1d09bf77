/// One metric of the text exposition format of Prometheus, with its samples.
struct Metric {
    /// What kind it is.
    enum Kind: String {
        /// Only rises, but for a new start of the broker.
        case counter
        case gauge
    }

    /// One value with its labels, in their order.
    struct Sample {
        var labels: [(name: String, value: String)] = []
        var value: String
    }

    let name: String
    let kind: Kind
    let help: String
    var samples: [Sample]

    /// HELP, TYPE and a line for each sample.
    var text: String {
        var lines = [
            "# HELP \(name) \(Self.escaped(help, quotes: false))",
            "# TYPE \(name) \(kind.rawValue)",
        ]
        for sample in samples {
            let labels = sample.labels.map {
                "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\""
            }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            lines.append("\(name)\(list) \(sample.value)")
        }
        return lines.joined(separator: "\n")
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
