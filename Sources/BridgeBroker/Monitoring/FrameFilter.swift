import BridgeProtocol

/// Which frames a monitor wants: any of its matches holds, and it has none: all.
///
/// What a header tells is looked at before a frame is copied; what is in the frame, when it is
/// written down.
struct FrameFilter: Sendable {
    private let matches: [FrameMatch]

    /// - Throws: INVALID_ARGUMENT naming an unknown kind and the ones there are, or an unknown
    ///   method.
    init(_ matches: [FrameMatch]) throws(BridgeError) {
        for (index, match) in matches.enumerated() {
            try Self.check(kind: match.kind, "monitor.matches[\(index)].kind")
        }
        self.matches = matches
    }

    private static func check(kind: String, _ field: String) throws(BridgeError) {
        if kind.isEmpty || SeenFrame.Kind(rawValue: kind) != nil { return }
        if EventKindTable.index(of: kind) != nil { return }
        let kinds = SeenFrame.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw BridgeError(
            .invalidArgument,
            "no kind \"\(kind)\" of a frame; there are \(kinds), and the kinds of events: "
                + EventKindTable.names.joined(separator: ", "), field: field)
    }

    /// Whether a frame with this header may be wanted.
    func mayPass(kind: SeenFrame.Kind, _ session: ClientSession) -> Bool {
        if matches.isEmpty { return true }
        return matches.contains { match in
            if match.connectionId != 0, match.connectionId != session.connection.id { return false }
            if !match.clientName.isEmpty, match.clientName != session.clientName { return false }
            if match.kind.isEmpty || match.kind == kind.rawValue { return true }
            return kind == .event && SeenFrame.Kind(rawValue: match.kind) == nil
        }
    }

    /// Whether a frame is wanted, now that its content is known.
    func passes(_ frame: SeenFrame, _ content: FrameContent) -> Bool {
        if matches.isEmpty { return true }
        return matches.contains { match in
            if match.connectionId != 0, match.connectionId != frame.connection { return false }
            if !match.clientName.isEmpty, match.clientName != frame.clientName { return false }
            if !match.device.isEmpty, match.device != content.device { return false }
            if !match.kind.isEmpty, match.kind != frame.kind.rawValue,
                frame.kind != .event || match.kind != content.name
            {
                return false
            }
            if !match.name.isEmpty, match.name != content.name, match.name != content.about {
                return false
            }
            return match.element.isEmpty || match.element == content.element
        }
    }
}

/// What a frame says, as far as filters ask for it.
struct FrameContent {
    /// The method, or the kind of the event.
    var name: String
    /// What an event is about: `Event.matchName`.
    var about = ""
    var element = ""
    var device: String
    /// As line mode writes it; nil for what cannot be read.
    var text: String?

    /// Reads a frame.
    init(_ frame: SeenFrame, _ coder: WireCoder, showsValues: Bool, needsText: Bool) {
        name = frame.method
        device = frame.device
        frame.bytes.withUnsafeBytes { bytes in
            do {
                if frame.isRequest {
                    try read(request: bytes, frame.mode, coder, showsValues, needsText)
                } else {
                    try read(answer: bytes, frame.mode, coder, showsValues, needsText)
                }
            } catch {
                text = nil
            }
        }
    }

    private mutating func read(
        request bytes: UnsafeRawBufferPointer, _ mode: WireMode, _ coder: WireCoder,
        _ showsValues: Bool, _ needsText: Bool
    ) throws {
        let request =
            mode == .binary
            ? try coder.decodeClientFrame(binary: bytes) : try coder.decodeClientFrame(line: bytes)
        element = request.body?.matchElement ?? ""
        guard needsText else { return }
        text = showsValues ? try FrameJSON.line(of: request) : try Redaction.text(of: request)
    }

    private mutating func read(
        answer bytes: UnsafeRawBufferPointer, _ mode: WireMode, _ coder: WireCoder,
        _ showsValues: Bool, _ needsText: Bool
    ) throws {
        let answer =
            mode == .binary
            ? try coder.decodeServerFrame(binary: bytes) : try coder.decodeServerFrame(line: bytes)
        if case .event(let event) = answer.body {
            name = event.kind?.name ?? ""
            about = event.matchName
            element = event.matchElement
            device = event.device
        }
        guard needsText else { return }
        text = showsValues ? FrameJSON.line(of: answer) : Redaction.text(of: answer)
    }
}
