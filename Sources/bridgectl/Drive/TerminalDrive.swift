import BridgeProtocol

/// The view in a terminal: draws, waits for a key or an event, and goes on.
struct TerminalDrive {
    let session: DriveSession

    private enum Turn: Sendable {
        case input(Terminal.Input)
        case event(Event)
        case lost(BridgeError)
    }

    /// Until the end is asked for.
    ///
    /// - Throws: when the connection is lost.
    func run() async throws(Exit) {
        let terminal = try Terminal()
        defer { Terminal.restore() }
        let hasColor = Output.hasColor
        var shown: Canvas?
        for await turn in turns(terminal) {
            var actions: [DriveAction] = []
            switch turn {
            case .input(.key(let key)): actions = session.model.press(key)
            case .input(.resized): shown = nil
            case .input(.ended): return
            case .event(let event):
                session.hear(event)
                _ = await session.act(.redraw)
            case .lost(let error):
                Terminal.restore()
                throw .answered("drive", error)
            }
            for action in actions {
                if action == .redraw { shown = nil }
                guard await session.act(action) else { return }
            }
            let canvas = DriveView(model: session.model, size: terminal.size).draw()
            if canvas != shown {
                Terminal.write(canvas.painted(over: shown, hasColor: hasColor))
            }
            shown = canvas
        }
    }

    /// Keys and events in one row; the first turn draws.
    private func turns(_ terminal: Terminal) -> AsyncStream<Turn> {
        let (stream, continuation) = AsyncStream<Turn>.makeStream()
        continuation.yield(.input(.resized))
        let (inputs, events) = (terminal.inputs(), session.events)
        Task {
            for await input in inputs { continuation.yield(.input(input)) }
        }
        Task {
            let iterator = events.makeAsyncIterator()
            do throws(BridgeError) {
                while let event = try await iterator.next() { continuation.yield(.event(event)) }
            } catch {
                continuation.yield(.lost(error))
            }
        }
        return stream
    }
}
