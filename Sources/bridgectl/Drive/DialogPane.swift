/// What stands in front of a screen: a box in the middle of the pane.
struct DialogPane {
    let columns: Int
    let rows: Int

    func lines(_ picker: PickerDialog) -> [StyledLine] {
        var value = StyledLine()
        for (index, part) in picker.parts.enumerated() {
            let separator =
                switch part.name {
                case "month", "day": "-"
                case "minute": ":"
                case "hour" where index > 0: " "
                default: ""
                }
            value.add(separator)
            value.add(
                Moment.padded(part.value, part.width), index == picker.chosen ? .inverse : .plain)
        }
        return boxed(picker.title, [StyledLine(), value, StyledLine()])
    }

    func lines(_ question: DriveModel.OpenQuestion, _ chosen: Int) -> [StyledLine] {
        var lines = [StyledLine()]
        for (index, answer) in question.answers.enumerated() {
            var line = StyledLine(index == chosen ? "› " : "  ", .accent)
            line.add(" \(CellText.flat(answer.title)) ", index == chosen ? .inverse : .plain)
            lines.append(line)
        }
        lines.append(StyledLine())
        lines.append(StyledLine("without an answer: \(CellText.flat(question.standard))", .dim))
        return boxed(question.title, lines)
    }

    var helpLines: [StyledLine] {
        let keys = [
            ("Tab, arrows", "move"), ("Enter, Space", "tap, toggle, open a picker"),
            ("letters", "type into a field"), ("b, o", "go back, tap outside"),
            ("s", "swipe down, as the system does"), ("a", "answer an open question"),
            ("PgUp, PgDn", "scroll the callbacks"), ("Ctrl-L", "draw anew"),
            ("q, Ctrl-C", "quit; on a field Ctrl-C only"),
            (":, Ctrl-O", "a command: show PLACEMENT, advance 5s,"),
            ("", "dismiss, profile, call METHOD {…}, view N, …"),
        ]
        return boxed(
            "Keys",
            keys.map { key, meaning in
                var line = StyledLine(CellText.padded(key, 14), .bold)
                line.add(meaning)
                return line
            })
    }

    /// In a frame, in the middle; cut where there is no room.
    private func boxed(_ title: String, _ content: [StyledLine]) -> [StyledLine] {
        let title = CellText.cut(CellText.flat(title), columns - 8)
        let inner = min(
            columns - 6, max(content.map(\.width).max() ?? 0, CellText.width(title), 24))
        let left = String(repeating: " ", count: max(0, (columns - inner - 4) / 2))
        var box: [StyledLine] = []
        var top = StyledLine(left + "┌ ")
        top.add(title, .bold)
        top.add(" " + String(repeating: "─", count: max(0, inner - CellText.width(title))) + "┐")
        box.append(top)
        for line in content.prefix(max(0, rows - 2)) {
            var framed = StyledLine(left + "│ ")
            framed.add(line.fitted(inner))
            framed.add(" │")
            box.append(framed)
        }
        box.append(StyledLine(left + "└" + String(repeating: "─", count: inner + 2) + "┘"))
        let above = max(0, (rows - box.count) / 2)
        let lines = Array(repeating: StyledLine(), count: above) + box
        return Array(lines.prefix(rows))
            + Array(repeating: StyledLine(), count: max(0, rows - lines.count))
    }
}
