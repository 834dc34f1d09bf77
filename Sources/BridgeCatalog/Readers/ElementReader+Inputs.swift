import FlowEngine

extension ElementReader {
    /// Reads a field (IN-9 to IN-12, IN-61).
    func field(_ kind: FieldKind, _ object: JSONObject) -> FieldDocument {
        let field = FieldDocument(
            kind: kind, placeholder: locales.text(object["placeholder"]),
            initialText: object.string("initial_text") ?? "",
            isMultiline: object.flag("multiline", default: false),
            maxLength: object["max_length"]?.integer(in: 1...Int64(Int32.max)).map(Int.init),
            regex: object.string("regex"))
        if !field.isMultiline, field.initialText.contains(where: \.isNewline) {
            object["initial_text"]?.fault(
                "a line break in a field of one line; set \"multiline\" to true (IN-32)")
        }
        if let regex = field.regex, let fault = TextPattern.fault(of: regex) {
            object["regex"]?.warn(
                "the pattern does not compile and will be ignored (IN-30): \(fault)")
        }
        return field
    }

    /// Reads a picker (IN-13 to IN-16, IN-93).
    func picker(_ kind: PickerKind, _ object: JSONObject) -> PickerDocument {
        let picker = PickerDocument(
            kind: kind, initial: moment(kind, object["preset"]),
            minimum: moment(kind, object["min"]), maximum: moment(kind, object["max"]))
        if let low = picker.minimum, let high = picker.maximum, high.precedes(low) {
            object["max"]?.fault("\"max\" is before \"min\": nothing could be picked (IN-39)")
        }
        if let initial = picker.initial,
            picker.minimum.map(initial.precedes) ?? false
                || picker.maximum.map({ $0.precedes(initial) }) ?? false
        {
            object["preset"]?.warn("the preset is outside \"min\" and \"max\"")
        }
        return picker
    }

    private func moment(_ kind: PickerKind, _ cursor: JSONCursor?) -> PickerMoment? {
        guard let cursor else { return nil }
        switch kind {
        case .date:
            let expected = "a day that exists, such as \"1990-06-15\""
            guard let text = cursor.string(expected) else { return nil }
            return MomentText.date(text[...]).map { PickerMoment(date: $0) }
                ?? cursor.mismatch(expected)
        case .time:
            let expected = "a time of day, such as \"07:30\""
            guard let text = cursor.string(expected) else { return nil }
            return MomentText.time(text[...]).map { PickerMoment(time: $0) }
                ?? cursor.mismatch(expected)
        case .dateTime:
            let expected =
                "a day, a time or both, such as \"2024-05-06\", \"07:30\" or "
                + "\"2024-05-06T07:30\""
            guard let text = cursor.string(expected) else { return nil }
            return moment(text[...]) ?? cursor.mismatch(expected)
        }
    }

    private func moment(_ text: Substring) -> PickerMoment? {
        MomentText.dateTime(text).map { PickerMoment(date: $0, time: $1) }
            ?? MomentText.date(text).map { PickerMoment(date: $0) }
            ?? MomentText.time(text).map { PickerMoment(time: $0) }
    }

    /// Reads a text element: its tags, its links and the timer it shows.
    func textContent(_ object: JSONObject) -> TextDocument {
        var tags: [String: String] = [:]
        for (key, value) in object.map("tags") { tags[key] = value.string() ?? "" }
        let links = object.items("links").compactMap(actions.address)
        let timer = object.name("timer_id")
        if let timer, let cursor = object["timer_id"] { scope.mention(.timer(timer), at: cursor) }
        TagCheck.run(on: object, tags: tags)
        return TextDocument(tags: tags, links: links, timerID: timer)
    }
}

extension PickerMoment {
    /// Whether it lies before another moment; never when both cannot be compared.
    fileprivate func precedes(_ other: PickerMoment) -> Bool {
        guard (date == nil) == (other.date == nil) else { return false }
        if let date, date != other.date { return parts.lexicographicallyPrecedes(other.parts) }
        guard (time == nil) == (other.time == nil) else { return false }
        return parts.lexicographicallyPrecedes(other.parts)
    }

    private var parts: [Int32] {
        [
            date?.year ?? 0, date?.month ?? 0, date?.day ?? 0, time?.hour ?? 0, time?.minute ?? 0,
            time?.second ?? 0, time?.millisecond ?? 0,
        ]
    }
}
