import BridgeProtocol
import Glibc

/// A watched frame as one line, for programs and for people. Both hold the same.
struct FrameLine {
    private let frame: MonitoredFrame

    init(_ frame: MonitoredFrame) {
        self.frame = frame
    }

    /// Whether the text is whole.
    private var isWhole: Bool { frame.text.utf8.count == Int(frame.textSize) }

    /// Names and values, in order; what is empty or 0 is left out but for the first ones.
    private var fields: [(name: String, value: String, isText: Bool)] {
        var fields: [(String, String, Bool)] = [
            ("number", String(frame.number), false), ("dropped", String(frame.dropped), false),
        ]
        guard frame.direction != .none else { return fields }
        fields += [
            ("realtimeNs", String(frame.realtimeNs), false),
            ("monotonicNs", String(frame.monotonicNs), false),
            ("direction", frame.direction == .toBroker ? "in" : "out", true),
            ("conn", String(frame.connectionId), false), ("pid", String(frame.pid), false),
            ("uid", String(frame.uid), false), ("client", frame.clientName, true),
            ("mode", frame.mode, true), ("device", frame.device, true),
            ("kind", frame.kind, true), ("name", frame.name, true),
            ("id", String(frame.id), false), ("size", String(frame.size), false),
            ("textSize", String(frame.textSize), false),
            ("redacted", String(frame.redacted), false),
        ]
        return fields
    }

    /// One JSON object. `realtimeNs`, `monotonicNs`, `id` and the like are strings where they can
    /// be over 2^53, as in line mode.
    var json: String {
        let members = fields.map { field in
            let isLong = ["number", "dropped", "realtimeNs", "monotonicNs", "conn", "id"]
                .contains(field.name)
            let value =
                field.isText || isLong ? JSONText.quoted(field.value) : field.value
            return "\"\(field.name)\":\(value)"
        }
        return "{" + (members + content.map { "\"\($0.name)\":\($0.json)" }).joined(separator: ",")
            + "}"
    }

    /// Words `name=value`, then the frame.
    var text: String {
        let words = fields.map { field in
            "\(field.name)="
                + (field.isText && !field.value.isBareWord
                    ? JSONText.quoted(field.value) : field.value)
        }
        let time = frame.direction == .none ? "" : Self.time(frame.realtimeNs) + " "
        return time + (words + content.map { "\($0.name)=\($0.json)" }).joined(separator: " ")
    }

    /// The frame: whole as JSON, cut as a text.
    private var content: [(name: String, json: String)] {
        if frame.text.isEmpty { return [] }
        return isWhole ? [("frame", frame.text)] : [("cut", JSONText.quoted(frame.text))]
    }

    /// Local time of day to the microsecond.
    private static func time(_ realtimeNs: Int64) -> String {
        var seconds = time_t(realtimeNs / 1_000_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let micros = realtimeNs % 1_000_000_000 / 1_000
        let digits = [parts.tm_hour, parts.tm_min, parts.tm_sec].map {
            ($0 < 10 ? "0" : "") + String($0)
        }
        let fraction = String(micros)
        return digits.joined(separator: ":") + "."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

extension String {
    /// Whether it needs no quotes as a word of a line.
    fileprivate var isBareWord: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
    }
}
