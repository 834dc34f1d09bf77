import BridgeProtocol

/// The elements of a screen as lines: titles, values, and a sign at what Enter acts on.
struct ScreenPane {
    let model: DriveModel
    let columns: Int

    /// Cells before the text of an element.
    private static let margin = 2
    private static let labelMax = 24

    /// As many lines as there is room for, the one at the cursor among them.
    func lines(rows: Int) -> [StyledLine] {
        let (all, marked) = content
        var lines = all
        if all.count > rows {
            // The cursor's line in the middle, as far as the ends let it.
            let first = min(max(0, marked - rows / 2), all.count - rows)
            lines = Array(all[first..<first + rows])
            if first > 0 { lines[0] = StyledLine("  ↑ \(first + 1) more", .dim) }
            let below = all.count - first - rows
            if below > 0 { lines[rows - 1] = StyledLine("  ↓ \(below + 1) more", .dim) }
        }
        return lines + Array(repeating: StyledLine(), count: max(0, rows - lines.count))
    }

    /// The lines that all of it takes.
    var count: Int { content.lines.count }

    /// Every line, and the place of the one at the cursor.
    private var content: (lines: [StyledLine], marked: Int) {
        model.screen == nil ? startPage : elements
    }

    private var startPage: (lines: [StyledLine], marked: Int) {
        var lines = [
            StyledLine(), StyledLine("  Which placement shall be shown?", .bold), StyledLine(),
        ]
        if model.placements.isEmpty {
            lines.append(StyledLine("  The catalog has none.", .dim))
        }
        let width = model.placements.map { CellText.width($0.placementId) }.max() ?? 0
        var marked = 0
        for (place, placement) in model.placements.enumerated() {
            let isMarked = model.target == .placement(place)
            if isMarked { marked = lines.count }
            let name = CellText.padded(CellText.flat(placement.placementId), min(width, 40))
            var line = marker(isMarked)
            line.add(" \(name) ", isMarked ? .inverse : .plain)
            line.add("  \(placement.type)", .dim)
            lines.append(line)
        }
        return (lines, marked)
    }

    private var elements: (lines: [StyledLine], marked: Int) {
        var lines = [StyledLine()]
        var marked = 0
        for (place, element) in model.elements.enumerated() {
            switch element.kind {
            case "text": lines += text(element, place, &marked, lines.count)
            case "button":
                if lines.last?.parts.isEmpty == false, !isButton(place - 1) {
                    lines.append(StyledLine())
                }
                lines.append(button(element, place, &marked, lines.count))
            case "toggle": lines.append(toggle(element, place, &marked, lines.count))
            case "single_choice", "multi_choice", "product_list", "tabs":
                lines += choice(element, place, &marked, lines.count)
            case "unknown":
                lines.append(StyledLine("  (an element that this version cannot show)", .dim))
            default: lines.append(field(element, place, &marked, lines.count))
            }
        }
        return (lines, marked)
    }

    private func marker(_ isMarked: Bool) -> StyledLine {
        StyledLine(isMarked ? "› " : "  ", .accent)
    }

    private func isMarked(_ place: Int, _ marked: inout Int, _ row: Int) -> Bool {
        let isMarked = model.target == .element(place)
        if isMarked { marked = row }
        return isMarked
    }

    private func text(
        _ element: ScreenElement, _ place: Int, _ marked: inout Int, _ row: Int
    ) -> [StyledLine] {
        let isMarked = isMarked(place, &marked, row)
        let parts = CellText.wrapped(CellText.flat(element.title), columns - Self.margin - 1)
        return parts.enumerated().map { index, part in
            var line = marker(isMarked && index == 0)
            line.add(part, isMarked ? .inverse : .bold)
            return line
        } + [StyledLine()]
    }

    private func isButton(_ place: Int) -> Bool {
        model.elements.indices.contains(place) && model.elements[place].kind == "button"
    }

    private func button(
        _ element: ScreenElement, _ place: Int, _ marked: inout Int, _ row: Int
    ) -> StyledLine {
        let isMarked = isMarked(place, &marked, row)
        var line = marker(isMarked)
        let title = CellText.flat(element.title.isEmpty ? element.elementId : element.title)
        let look: StyledLine.Look = isMarked ? .inverse : element.enabled ? .accent : .dim
        line.add("[ \(CellText.cut(title, columns - 8)) ]", look)
        if !element.enabled { line.add(" (disabled)", .dim) }
        return line
    }

    private func toggle(
        _ element: ScreenElement, _ place: Int, _ marked: inout Int, _ row: Int
    ) -> StyledLine {
        let isOn = element.value?.kind == .bool(true)
        return labelled(element, place, isOn ? "(on ●)" : "(○ off)", .plain, &marked, row)
    }

    private func field(
        _ element: ScreenElement, _ place: Int, _ marked: inout Int, _ row: Int
    ) -> StyledLine {
        let isEdited = model.editing != nil && model.target == .element(place)
        let isPicker = element.kind.hasSuffix("_picker")
        var value = model.instants[place] ?? element.plainText
        if isEdited { value = model.editing ?? "" }
        if element.kind == "password_input" {
            value = String(repeating: "•", count: value.count)
        }
        let width = max(4, columns - Self.margin - labelWidth - 6)
        let isEmpty = value.isEmpty && !isEdited
        let shown = isEmpty ? CellText.flat(element.placeholder) : CellText.flat(value)
        let caret = isEdited ? "▏" : ""
        let inner = isPicker ? width - 2 : width
        let box = CellText.padded(CellText.tail(shown, inner - caret.count) + caret, inner)
        return labelled(
            element, place, "[\(box)\(isPicker ? " ▾" : "")]", isEmpty ? .dim : .plain, &marked, row
        )
    }

    private func labelled(
        _ element: ScreenElement, _ place: Int, _ value: String, _ look: StyledLine.Look,
        _ marked: inout Int, _ row: Int
    ) -> StyledLine {
        let isMarked = isMarked(place, &marked, row)
        var line = marker(isMarked)
        let title = CellText.flat(element.title.isEmpty ? element.elementId : element.title)
        line.add(CellText.padded(title, labelWidth) + "  ", element.enabled ? .plain : .dim)
        line.add(value, isMarked ? .inverse : element.enabled ? look : .dim)
        if element.focused { line.add(" ◂", .accent) }
        return line
    }

    /// As wide as the longest title of the fields of the screen.
    private var labelWidth: Int {
        let titles = model.elements.filter { $0.kind.isLabelled }
            .map { CellText.width($0.title.isEmpty ? $0.elementId : $0.title) }
        return min(Self.labelMax, titles.max() ?? 0)
    }

    private func choice(
        _ element: ScreenElement, _ place: Int, _ marked: inout Int, _ row: Int
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        if !element.title.isEmpty {
            lines.append(StyledLine("  " + CellText.flat(element.title), .bold))
        }
        let signs = element.kind == "multi_choice" ? ("[x]", "[ ]") : ("(•)", "( )")
        for (index, option) in element.options.enumerated() {
            let isMarked = model.target == .option(element: place, option: index)
            if isMarked { marked = row + lines.count }
            var line = marker(isMarked)
            line.add("  \(option.selected ? signs.0 : signs.1) ", option.selected ? .good : .plain)
            let title = CellText.flat(option.title.isEmpty ? option.optionId : option.title)
            line.add(title, isMarked ? .inverse : option.enabled ? .plain : .dim)
            if !option.enabled { line.add(" (disabled)", .dim) }
            lines.append(line)
        }
        return lines + [StyledLine()]
    }
}

extension ScreenElement {
    /// A value as it stands; that of pickers is an instant and shown by the model.
    var plainText: String {
        switch value?.kind {
        case .string(let text): text
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let flag): flag ? "on" : "off"
        case .stringList(let list): list.values.joined(separator: ", ")
        case nil: ""
        }
    }
}

extension String {
    /// Kinds of elements with a title before a value.
    fileprivate var isLabelled: Bool {
        hasSuffix("_input") || hasSuffix("_picker") || self == "toggle"
    }
}
