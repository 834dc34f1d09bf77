import BridgeProtocol

/// Draws the model: values in, lines out.
struct DriveView {
    let model: DriveModel
    let size: TerminalSize

    /// From here on the callbacks stand beside the screen, else below it.
    static let wideColumns = 110
    /// Nothing sensible can be drawn in less.
    static let least = TerminalSize(columns: 40, rows: 10)

    func draw() -> Canvas {
        guard size.columns >= Self.least.columns, size.rows >= Self.least.rows else {
            return tooSmall
        }
        let rows = size.rows - 2
        var lines = [head]
        lines += size.columns >= Self.wideColumns ? beside(rows) : below(rows)
        lines.append(foot)
        return Canvas(lines: lines.map { $0.fitted(size.columns) }, cursor: cursor)
    }

    private var tooSmall: Canvas {
        let text = "at least \(Self.least.columns)x\(Self.least.rows), please"
        let lines = (0..<size.rows).map { StyledLine($0 == 0 ? text : "").fitted(size.columns) }
        return Canvas(lines: lines, cursor: nil)
    }

    private var head: StyledLine {
        var words = [model.device]
        if let view = model.view {
            words.append(view.placementId)
            if let screen = model.screen {
                words.append("\(screen.screenId)\(screen.isLastScreen ? " (last)" : "")")
            }
            words.append(model.locale)
            if model.viewCount > 1 { words.append("\(model.viewCount) views") }
        } else {
            words.append("nothing is on screen")
        }
        let left = " " + words.map(CellText.flat).joined(separator: " · ")
        let gap = size.columns - model.time.count - 1
        return StyledLine(CellText.padded(left, gap) + model.time + " ", .inverse)
    }

    private var foot: StyledLine {
        if let command = model.command {
            return StyledLine(":" + CellText.tail(CellText.flat(command), size.columns - 2))
        }
        if !model.fault.isEmpty { return StyledLine(" ! " + CellText.flat(model.fault), .bad) }
        return StyledLine(" " + hints, .dim)
    }

    private var hints: String {
        switch model.dialog {
        case .picker: return "arrows or digits change   Enter picks   Esc closes"
        case .question: return "arrows choose   Enter answers   Esc later"
        case .help: return "any key goes on"
        case nil: break
        }
        if model.editing != nil { return "type   Enter done   Tab next   Esc leaves it as it was" }
        let questions = model.questions.isEmpty ? "" : "   a answers"
        guard model.screen != nil else {
            return "Enter shows\(questions)   : command   ? help   q quits"
        }
        if model.isOnField {
            return "letters type   Tab moves   Ctrl-O command   Ctrl-C quits"
        }
        return "Tab moves   Enter taps\(questions)   b back   : command   ? help   q quits"
    }

    /// Where the terminal's own cursor is: in what is typed.
    private var cursor: (row: Int, column: Int)? {
        guard let command = model.command else { return nil }
        let text = CellText.tail(CellText.flat(command), size.columns - 2)
        return (size.rows - 1, 1 + CellText.width(text))
    }

    private func beside(_ rows: Int) -> [StyledLine] {
        let left = min(76, size.columns * 45 / 100)
        let screen = pane(left, rows)
        let log = LogPane(model: model).lines(columns: size.columns - left - 2, rows: rows)
        return zip(screen, log).map { screen, log in
            var line = screen.fitted(left)
            line.add("│ ", .dim)
            line.add(log)
            return line
        }
    }

    private func below(_ rows: Int) -> [StyledLine] {
        let logRows = max(3, rows * 2 / 5)
        var rule = StyledLine("── callbacks ", .dim)
        rule.add(String(repeating: "─", count: max(0, size.columns - 13)), .dim)
        return pane(size.columns, rows - logRows - 1) + [rule]
            + LogPane(model: model).lines(columns: size.columns, rows: logRows)
    }

    /// The screen, or what stands in front of it.
    private func pane(_ columns: Int, _ rows: Int) -> [StyledLine] {
        switch model.dialog {
        case .picker(let picker): DialogPane(columns: columns, rows: rows).lines(picker)
        case .question(let chosen) where !model.questions.isEmpty:
            DialogPane(columns: columns, rows: rows).lines(model.questions[0], chosen)
        case .help: DialogPane(columns: columns, rows: rows).helpLines
        default: ScreenPane(model: model, columns: columns).lines(rows: rows)
        }
    }
}

/// The callbacks, the newest at the bottom.
struct LogPane {
    let model: DriveModel

    func lines(columns: Int, rows: Int) -> [StyledLine] {
        let end = max(0, model.log.count - model.scrolledBack)
        var lines: [StyledLine] = []
        for entry in model.log[..<end].reversed() where lines.count < rows {
            lines.insert(contentsOf: self.lines(entry, columns), at: 0)
        }
        lines = Array(lines.suffix(rows))
        if model.scrolledBack > 0, rows > 1 {
            lines[lines.count - 1] = StyledLine("  ↓ \(model.scrolledBack) newer", .dim)
        }
        return lines + Array(repeating: StyledLine(), count: max(0, rows - lines.count))
    }

    private func lines(_ entry: DriveModel.LogLine, _ columns: Int) -> [StyledLine] {
        let (sign, look): (String, StyledLine.Look) =
            switch entry.kind {
            case .done: ("→ ", .accent)
            case .came: ("← ", .plain)
            case .told: ("  ", .dim)
            case .failed: ("! ", .bad)
            }
        let parts = CellText.wrapped(CellText.flat(entry.text), columns - 12).prefix(4)
        return parts.enumerated().map { row, text in
            var line = StyledLine(row == 0 ? CellText.padded(entry.time, 9) : "         ", .dim)
            line.add(row == 0 ? sign : "  ", look)
            line.add(text, look)
            return line
        }
    }
}
