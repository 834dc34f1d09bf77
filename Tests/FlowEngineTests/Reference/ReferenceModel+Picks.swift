extension Reference.Model {
    /// A pick in the open picker (IN-37 to IN-45, IN-93). All that is wrong with it is told: the
    /// rules do not say which fault comes first.
    mutating func pick(_ day: Reference.Day?, _ time: Reference.Time?) -> Set<Fault> {
        guard let open, case .picker(let picker)? = element(open.spot)?.kind else {
            return [.wrongState]
        }
        let wantsDay = picker.type != "time_picker"
        let wantsTime = picker.type != "date_picker"
        if day == nil && time == nil || day != nil && !wantsDay || time != nil && !wantsTime {
            return [.invalidArgument]
        }
        var faults: Set<Fault> = []
        if let day, !day.exists { faults.insert(.invalidArgument) }
        if let time, !time.exists { faults.insert(.invalidArgument) }
        if !faults.isEmpty { return faults }
        // IN-43: what is not picked stays as it is, or is that of now.
        let shown = zone.local(instants[open.spot] ?? now)
        let picked = (day ?? shown.0, time ?? shown.1)
        if isOutside(picked, of: picker) { faults.insert(.wrongState) }
        let value =
            wantsTime
            ? zone.instant(picked.0, picked.1).map(Reference.minute)
            : zone.firstInstant(of: picked.0)
        if value == nil { faults.insert(.invalidArgument) }
        if faults.isEmpty { instants[open.spot] = value }
        return faults
    }

    private func isOutside(
        _ picked: (Reference.Day, Reference.Time), of picker: Reference.Picker
    ) -> Bool {
        if let minimum = picker.minimum, compare(picked, minimum, picker.type) < 0 { return true }
        if let maximum = picker.maximum, compare(picked, maximum, picker.type) > 0 { return true }
        return false
    }

    /// Below, at or above a bound, in what the picker picks and the bound has.
    private func compare(
        _ picked: (Reference.Day, Reference.Time), _ bound: Reference.Moment, _ type: String
    ) -> Int {
        if type != "time_picker", let day = bound.day, day != picked.0 {
            return picked.0 < day ? -1 : 1
        }
        guard type != "date_picker", let time = bound.time else { return 0 }
        return (picked.1.minuteOfDay - time.minuteOfDay).signum()
    }
}
