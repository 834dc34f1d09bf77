/// A line of a terminal: parts with a look each.
struct StyledLine: Equatable, Sendable {
    /// How a part looks. Each look is told by more than its color, so that none is needed.
    enum Look: Sendable {
        case plain
        case bold
        case dim
        /// The thing that Enter acts on.
        case inverse
        case good
        case bad
        case accent

        /// Numbers of SGR without color; with, those of `colored`.
        fileprivate var sgr: String {
            switch self {
            case .plain: ""
            case .bold, .accent: "1"
            case .dim: "2"
            case .inverse: "7"
            case .good: ""
            case .bad: "1"
            }
        }

        fileprivate var colored: String {
            switch self {
            case .good: "32"
            case .bad: "1;31"
            case .accent: "1;36"
            default: sgr
            }
        }
    }

    /// Text of one look.
    struct Part: Equatable, Sendable {
        let text: String
        let look: Look
    }

    private(set) var parts: [Part]

    init(_ text: String = "", _ look: Look = .plain) {
        parts = text.isEmpty ? [] : [Part(text: text, look: look)]
    }

    /// In cells.
    var width: Int { parts.reduce(0) { $0 + CellText.width($1.text) } }

    /// Without its looks.
    var text: String { parts.map(\.text).joined() }

    mutating func add(_ text: String, _ look: Look = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, look: look)) }
    }

    mutating func add(_ line: StyledLine) { parts += line.parts }

    /// Exactly so many cells: cut, or with spaces behind it.
    func fitted(_ cells: Int) -> StyledLine {
        var (line, used) = (StyledLine(), 0)
        for part in parts where used < cells {
            let text = CellText.cut(part.text, cells - used)
            line.add(text, part.look)
            used += CellText.width(text)
        }
        line.add(String(repeating: " ", count: max(0, cells - used)))
        return line
    }

    /// For a terminal.
    func escaped(hasColor: Bool) -> String {
        parts.map { part in
            let sgr = hasColor ? part.look.colored : part.look.sgr
            return sgr.isEmpty ? part.text : "\u{1B}[\(sgr)m\(part.text)\u{1B}[0m"
        }.joined()
    }
}

/// Columns and rows of a terminal.
struct TerminalSize: Equatable, Sendable {
    let columns: Int
    let rows: Int
}

/// What a terminal shows, and where its cursor is.
struct Canvas: Equatable, Sendable {
    var lines: [StyledLine]
    /// From 0; nil: hidden.
    var cursor: (row: Int, column: Int)?

    static func == (a: Canvas, b: Canvas) -> Bool {
        a.lines == b.lines && a.cursor?.row == b.cursor?.row && a.cursor?.column == b.cursor?.column
    }

    /// The bytes that turn one picture into another: the lines that differ, nothing else.
    func painted(over former: Canvas?, hasColor: Bool) -> String {
        var text = "\u{1B}[?25l"
        if former == nil { text += "\u{1B}[2J" }
        for (row, line) in lines.enumerated() {
            if let former, row < former.lines.count, former.lines[row] == line { continue }
            text += "\u{1B}[\(row + 1);1H" + line.escaped(hasColor: hasColor) + "\u{1B}[K"
        }
        if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return text
    }
}
