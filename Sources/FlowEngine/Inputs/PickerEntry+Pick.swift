extension PickerEntry {
    /// The value that a pick gives, in Unix milliseconds (IN-13 to IN-15, IN-39 to IN-44).
    ///
    /// - Parameter present: The value that it has now, if any.
    /// - Throws: INVALID_ARGUMENT for a day or time that does not exist or a part that this kind
    ///   of picker has not; WRONG_STATE outside its bounds.
    func value(
        picking date: CivilDate?, _ time: CivilTime?, over present: Int64?, named name: String,
        in environment: ViewEnvironment
    ) throws(GestureRefusal) -> Int64 {
        try checkParts(date, time, named: name)
        let zone = environment.zone
        if let date { try zone.check(date) }
        try time?.check()
        try checkBounds(date, time, named: name)
        let (shownDate, shownTime) = zone.civil(present.map(Instant.init) ?? environment.now)
        switch document.kind {
        case .date:
            guard let date, let ms = zone.dayStart(date) else { throw .skippedDay(zone) }
            return ms
        case .time, .dateTime:
            let picked = (date ?? shownDate, time ?? shownTime)
            if document.kind == .dateTime { try checkBounds(picked.0, picked.1, named: name) }
            guard let ms = zone.instant(picked.0, picked.1) else { throw .skippedDay(zone) }
            return Instant.flooredToMinute(ms)
        }
    }

    /// The preset value, in Unix milliseconds; nil: none, or a day that the zone skips.
    func initialValue(in environment: ViewEnvironment) -> Int64? {
        guard let initial = document.initial else { return nil }
        let zone = environment.zone
        let today = zone.civil(environment.now).0
        switch document.kind {
        case .date: return initial.date.flatMap(zone.dayStart)
        case .time:
            return initial.time.flatMap { zone.instant(today, $0) }.map(Instant.flooredToMinute)
        case .dateTime:
            return zone.instant(initial.date ?? today, initial.time ?? .midnight)
                .map(Instant.flooredToMinute)
        }
    }

    /// An instant as this kind of picker holds it; for values that actions set (IN-38).
    func normalized(_ ms: Int64, in zone: TimeZoneRules) -> Int64 {
        guard document.kind == .date else { return Instant.flooredToMinute(ms) }
        return zone.dayStart(zone.civil(Instant(ms: ms)).0) ?? ms
    }

    private func checkParts(_ date: CivilDate?, _ time: CivilTime?, named name: String)
        throws(GestureRefusal)
    {
        let fault: (text: String, field: String)?
        switch (document.kind, date != nil, time != nil) {
        case (.date, false, _): fault = ("is a date picker: give a date", "date")
        case (.date, _, true): fault = ("is a date picker and has no time", "time")
        case (.time, _, false): fault = ("is a time picker: give a time", "time")
        case (.time, true, _): fault = ("is a time picker and has no date", "date")
        case (.dateTime, false, false): fault = ("needs a date, a time, or both", "date")
        default: fault = nil
        }
        if let fault {
            throw GestureRefusal(.invalidArgument, "\"\(name)\" \(fault.text)", field: fault.field)
        }
    }

    private func checkBounds(_ date: CivilDate?, _ time: CivilTime?, named name: String)
        throws(GestureRefusal)
    {
        let time = time?.flooredToMinute
        if let minimum = document.minimum, isOutside(date, time, of: minimum, isUpper: false) {
            throw .outside(name, "before its minimum \(minimum.text)")
        }
        if let maximum = document.maximum, isOutside(date, time, of: maximum, isUpper: true) {
            throw .outside(name, "after its maximum \(maximum.text)")
        }
    }

    /// Compares what both have: days first; the time decides on the bound's own day, or on every
    /// day when the bound has no date.
    private func isOutside(
        _ date: CivilDate?, _ time: CivilTime?, of bound: PickerMoment, isUpper: Bool
    ) -> Bool {
        if let limit = bound.date, document.kind != .time {
            guard let date else { return false }
            if date != limit { return isUpper ? limit.isBefore(date) : date.isBefore(limit) }
        }
        guard let limit = bound.time?.flooredToMinute, let time, document.kind != .date else {
            return false
        }
        return isUpper ? time.dayMs > limit.dayMs : time.dayMs < limit.dayMs
    }
}

extension PickerMoment {
    fileprivate var text: String {
        switch (date, time) {
        case (let date?, let time?): "\(date.text) \(time.text)"
        case (let date?, nil): date.text
        case (nil, let time?): time.text
        case (nil, nil): "(none)"
        }
    }
}

extension TimeZoneRules {
    /// Refuses a day that the calendar has not (IN-42, IN-93).
    func check(_ date: CivilDate) throws(GestureRefusal) {
        guard (1...9999).contains(date.year), (1...12).contains(date.month),
            (1...31).contains(date.day), dayExists(date)
        else {
            throw GestureRefusal(
                .invalidArgument,
                "the calendar has no such day: year 1 to 9999, month 1 to 12, and a day of it",
                field: "date")
        }
    }
}

extension CivilTime {
    /// Refuses a time of day that no clock shows.
    func check() throws(GestureRefusal) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0...999).contains(millisecond)
        else {
            throw GestureRefusal(
                .invalidArgument,
                "no such time: hour 0 to 23, minute and second 0 to 59, millisecond 0 to 999",
                field: "time")
        }
    }
}

extension GestureRefusal {
    fileprivate static func skippedDay(_ zone: TimeZoneRules) -> GestureRefusal {
        GestureRefusal(
            .invalidArgument, "that day does not exist in \(zone.name): its clocks skipped it",
            field: "date")
    }

    static func outside(_ name: String, _ bound: String) -> GestureRefusal {
        GestureRefusal(.wrongState, "the pick for \"\(name)\" is \(bound)", field: "pick")
    }
}
