import BridgeProtocol
import Glibc

/// The view without a terminal: commands in, lines out.
struct PlainDrive {
    let session: DriveSession
    let output: Output
    /// What was printed last.
    private var shown = ""

    init(session: DriveSession, output: Output) {
        self.session = session
        self.output = output
    }

    private static let columns = 78

    /// Until standard input ends. A command that fails is told, and the next one is read; at the end
    /// it is exit code 1.
    mutating func run() async throws(Exit) {
        var (told, faults) = (0, 0)
        tell(&told)
        show()
        while let line = readLine() {
            let actions: [DriveAction]
            do throws(DriveFault) {
                actions = try DriveCommand.read(line, session.model)
            } catch {
                faults += 1
                output.say(error.text)
                continue
            }
            for action in actions {
                guard await session.act(action) else { return try end(faults) }
                tell(&told)
                faults += session.model.fault.isEmpty ? 0 : 1
                if action == .redraw { shown = "" }
                if session.model.fault.isEmpty { show() }
                session.model.fault = ""
            }
        }
        try end(faults)
    }

    private func end(_ faults: Int) throws(Exit) {
        guard faults > 0 else { return }
        throw .failure(faults == 1 ? "a command failed" : "\(faults) commands failed")
    }

    /// What was done and came since the last time.
    private func tell(_ told: inout Int) {
        session.hearBuffered()
        let lines = session.model.log
        for line in lines[min(told, lines.count)...] {
            let sign =
                switch line.kind {
                case .done: "->"
                case .came: "<-"
                case .told: "  "
                case .failed: "!!"
                }
            output.print("\(line.time) \(sign) \(CellText.flat(line.text))")
        }
        told = lines.count
    }

    /// The screen, without the mark of a cursor.
    private mutating func show() {
        var model = session.model
        model.cursor = -1
        let pane = ScreenPane(model: model, columns: Self.columns)
        var lines = pane.lines(rows: pane.count).map { line -> String in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        let place = model.screen.map { "\(model.view?.placementId ?? "") · \($0.screenId)" }
        var text = "-- \(CellText.flat(place ?? "nothing is on screen")) --\n"
        text += lines.joined(separator: "\n") + "\n"
        if let question = model.questions.first {
            let answers = question.answers.map(\.title).joined(separator: ", ")
            text += "\n?? \(CellText.flat(question.title)) (\(CellText.flat(answers)))"
        }
        if text != shown { output.print(text + "\n") }
        shown = text
    }
}
