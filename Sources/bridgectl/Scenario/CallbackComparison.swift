import BridgeProtocol

/// Compares the callbacks of a step with those that it has to bring.
struct CallbackComparison {
    let expected: [ExpectedCallback]
    let seen: [Event]
    /// What is captured before the step.
    let captures: [String: JSONNode]

    /// What was captured on the way, when all is as expected; nil: it is not.
    func captured() -> [String: JSONNode]? {
        guard expected.count == seen.count else { return nil }
        var captures = captures
        for (wanted, event) in zip(expected, seen) {
            guard case let (differences, found) = compare(wanted, event, captures),
                differences.isEmpty
            else { return nil }
            captures = found
        }
        return captures
    }

    /// Both lists side by side: what they share, what is missing, what came unexpectedly, and where
    /// two events of one kind part.
    func lines() -> [FailureLine] {
        var lines: [FailureLine] = []
        var captures = captures
        var (missing, unexpected): ([ExpectedCallback], [Event]) = ([], [])
        for move in alignment() {
            switch move {
            case .both(let wanted, let event):
                lines += parted(missing, unexpected, captures)
                (missing, unexpected) = ([], [])
                captures = compare(wanted, event, captures).captures
                lines.append(
                    FailureLine(kind: .both, text: CallbackForm.line(CallbackForm.of(event))))
            case .missing(let wanted): missing.append(wanted)
            case .unexpected(let event): unexpected.append(event)
            }
        }
        return lines + parted(missing, unexpected, captures)
    }

    /// A stretch in which nothing fits: events of one kind are set against each other.
    private func parted(
        _ missing: [ExpectedCallback], _ unexpected: [Event], _ captures: [String: JSONNode]
    ) -> [FailureLine] {
        var lines: [FailureLine] = []
        var left = unexpected[...]
        for wanted in missing {
            lines.append(FailureLine(kind: .missing, text: CallbackForm.line(wanted.written)))
            guard let place = left.firstIndex(where: { isRelated(wanted, $0) }) else { continue }
            for event in left[..<place] { lines.append(line(unexpected: event)) }
            lines.append(line(unexpected: left[place]))
            for difference in compare(wanted, left[place], captures).differences {
                let path = difference.path.isEmpty ? "" : difference.path + ": "
                lines.append(FailureLine(kind: .detail, text: path + difference.text))
            }
            left = left[(place + 1)...]
        }
        return lines + left.map(line(unexpected:))
    }

    private func line(unexpected event: Event) -> FailureLine {
        FailureLine(kind: .unexpected, text: CallbackForm.line(CallbackForm.of(event)))
    }

    /// Whether an event is likely the one that was meant.
    private func isRelated(_ wanted: ExpectedCallback, _ event: Event) -> Bool {
        guard wanted.kind == event.kind?.name else { return false }
        guard case .didReceiveAnalyticEvent(let analytic) = event.kind else { return true }
        return wanted.written["analytic"]?.text == analytic.name
    }

    private func compare(
        _ wanted: ExpectedCallback, _ event: Event, _ captures: [String: JSONNode]
    ) -> (differences: [Difference], captures: [String: JSONNode]) {
        let seen = SeenTree.event(event)
        var matcher = Matcher(captures: captures)
        if wanted.kind != seen.kind {
            let text = "expected \(wanted.kind), seen \(seen.kind)"
            return ([Difference(path: "", text: text)], captures)
        }
        if let content = wanted.content { matcher.compare(content, seen.content) }
        if !wanted.around.isEmpty { matcher.compare(.message(wanted.around), seen.around) }
        return (matcher.differences, matcher.captures)
    }
}

extension CallbackComparison {
    private enum Move {
        case both(ExpectedCallback, Event)
        case missing(ExpectedCallback)
        case unexpected(Event)
    }

    /// The longest common subsequence of both lists, and what stands between.
    private func alignment() -> [Move] {
        let (rows, columns) = (expected.count, seen.count)
        var fits = [[Bool]](repeating: [], count: rows)
        var length = [[Int]](
            repeating: [Int](repeating: 0, count: columns + 1), count: rows + 1)
        for row in stride(from: rows - 1, through: 0, by: -1) {
            fits[row] = seen.map { compare(expected[row], $0, captures).differences.isEmpty }
            for column in stride(from: columns - 1, through: 0, by: -1) {
                length[row][column] =
                    fits[row][column]
                    ? length[row + 1][column + 1] + 1
                    : max(length[row + 1][column], length[row][column + 1])
            }
        }
        var (row, column, moves) = (0, 0, [Move]())
        while row < rows || column < columns {
            if row < rows, column < columns, fits[row][column] {
                moves.append(.both(expected[row], seen[column]))
                (row, column) = (row + 1, column + 1)
            } else if column == columns
                || row < rows && length[row + 1][column] >= length[row][column + 1]
            {
                moves.append(.missing(expected[row]))
                row += 1
            } else {
                moves.append(.unexpected(seen[column]))
                column += 1
            }
        }
        return moves
    }
}
