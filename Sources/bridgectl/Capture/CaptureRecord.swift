import BridgeProtocol

/// One frame of a capture: what is known of it, and what it says.
struct CaptureRecord {
    /// As `monitor --traffic` names them, in its order.
    var headers: [JSONNode.Member]
    /// The frame as line mode writes it; nil: it was not kept, or was cut.
    var frame: JSONNode?
    /// The beginning of a frame that was cut.
    var cut: String?

    subscript(name: String) -> String? {
        guard let value = headers.first(where: { $0.name == name })?.value else { return nil }
        switch value.value {
        case .string(let text), .number(let text): return text
        default: return nil
        }
    }

    var kind: String { self["kind"] ?? "" }
    var name: String { self["name"] ?? "" }
    var connection: UInt64 { self["conn"].flatMap { UInt64($0) } ?? 0 }
    var id: UInt64 { self["id"].flatMap { UInt64($0) } ?? 0 }
    var isFromClient: Bool { self["direction"] == "in" }

    /// One line of JSON.
    var json: String {
        var members = headers.map { ($0.name, $0.value) }
        if let frame { members.append(("frame", frame)) }
        if let cut { members.append(("cut", .string(cut))) }
        return JSONNode.object(members).compact
    }

    /// Words for people.
    var text: String {
        var words = headers.map { header in
            header.value.text.map { "\(header.name)=\($0.isEmpty ? "\"\"" : $0)" }
                ?? "\(header.name)=\(header.value.compact)"
        }
        if let frame { words.append("frame=\(frame.compact)") }
        if let cut { words.append("cut=\(JSONText.quoted(cut))") }
        return words.joined(separator: " ")
    }
}

extension CaptureRecord {
    /// A line of `monitor --traffic -j`.
    init(line: JSONNode) {
        headers = line.members.filter { $0.name != "frame" && $0.name != "cut" }
        frame = line["frame"]
        cut = line["cut"]?.text
    }

    /// A frame of which nothing else is known.
    init(_ frame: JSONNode, isFromClient: Bool?) {
        let direction = isFromClient.map { $0 ? "in" : "out" }
        headers = direction.map { [.init(name: "direction", value: .string($0))] } ?? []
        self.frame = frame
    }
}

/// Which side a frame comes from.
enum FrameSide: String {
    case client, broker

    /// Reads `--as`.
    init(_ text: String?) throws(Exit) {
        guard let side = FrameSide(rawValue: text ?? "") else {
            throw .usage("--as \(text ?? ""): client or broker is wanted")
        }
        self = side
    }
}

/// Bytes of frames as their JSON, by the schema of this program.
enum FrameDecoding {
    /// The frame as line mode writes it.
    ///
    /// - Parameter side: nil: a client's if it can be, else the broker's.
    /// - Throws: what is wrong with the bytes.
    static func json(
        _ bytes: [UInt8], _ mode: WireMode, _ side: FrameSide?
    ) throws(Exit) -> (text: String, side: FrameSide) {
        switch side {
        case .client: return (try client(bytes, mode), .client)
        case .broker: return (try broker(bytes, mode), .broker)
        case nil:
            do throws(Exit) {
                return (try client(bytes, mode), .client)
            } catch {
                if let text = try? broker(bytes, mode) { return (text, .broker) }
                throw error
            }
        }
    }

    private static func client(_ bytes: [UInt8], _ mode: WireMode) throws(Exit) -> String {
        do {
            let frame = try bytes.withUnsafeBytes {
                mode == .binary
                    ? try WireCoder().decodeClientFrame(binary: $0)
                    : try WireCoder().decodeClientFrame(line: $0)
            }
            return try FrameJSON.line(of: frame)
        } catch {
            throw .failure("no frame of a client: \(text(error))")
        }
    }

    private static func broker(_ bytes: [UInt8], _ mode: WireMode) throws(Exit) -> String {
        do {
            let frame = try bytes.withUnsafeBytes {
                mode == .binary
                    ? try WireCoder().decodeServerFrame(binary: $0)
                    : try WireCoder().decodeServerFrame(line: $0)
            }
            guard frame.body != nil else { throw WireFault.undecodable("it has no content") }
            return FrameJSON.line(of: frame)
        } catch {
            throw .failure("no frame of a broker: \(text(error))")
        }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case WireFault.undecodable(let text): text
        case WireFault.payload(_, let error): error.message
        case let error as BridgeError: error.message
        default: "\(error)"
        }
    }
}
