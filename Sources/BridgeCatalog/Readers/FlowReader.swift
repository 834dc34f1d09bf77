import FlowEngine

/// Reads a file of `flows/`.
struct FlowReader {
    /// What a timer of mode custom without an entry runs: one hour (FC-14).
    private static let customTimerMs: Int64 = 3_600_000
    /// Seconds that a timer may run: 100 years of 365 days.
    private static let timerSecondsMax: Int64 = 100 * 365 * 86_400

    let scope: DocumentScope

    /// Reads the flow of that version id.
    func flow(_ cursor: JSONCursor, id: String) -> FlowContent? {
        guard let object = cursor.object("a flow: an object with \"screens\"") else { return nil }
        defer { object.close() }
        LocaleReader(scope: scope).readLocales(of: object)
        let reportsAnalytics = object.flag("reports_analytics", default: true)
        let variables = variables(object)
        let navigators = navigators(object)
        let timers = timers(object)
        return FlowContent(
            id: id, locales: scope.locales, defaultLocale: scope.defaultLocale,
            screens: ScreenReader(scope: scope).screens(of: object), navigators: navigators,
            timers: timers, variables: variables, reportsAnalytics: reportsAnalytics)
    }

    private func variables(_ object: JSONObject) -> [String: VariableValue] {
        var variables: [String: VariableValue] = [:]
        for (name, cursor) in object.map("variables") {
            scope.variables.insert(name)
            if cursor.isNull { continue }
            variables[name] = ConditionReader(scope: scope).value(cursor)
        }
        return variables
    }

    private func navigators(_ object: JSONObject) -> [NavigatorDocument] {
        var navigators = [NavigatorDocument(id: "main", order: 0)]
        var orders = [0: "main"]
        scope.navigators = ["main"]
        for item in object.items("navigators") {
            guard let entry = item.object("a navigator with \"id\" and \"order\"") else { continue }
            let id = entry.requiredName("id", "the navigator's id")
            let order = entry.required("order", "the highest order is on top")?
                .integer(in: Int64(Int32.min)...Int64(Int32.max)).map(Int.init)
            entry.close()
            guard let order, !id.isEmpty else { continue }
            if !scope.navigators.insert(id).inserted {
                item.fault("the navigator \(id.shown) is there twice; \"main\" is always there")
            } else if let other = orders.updateValue(id, forKey: order) {
                item.fault(
                    "the order \(order) is that of the navigator \(other.shown) too; orders have "
                        + "to differ (NAV-17)")
            }
            navigators.append(NavigatorDocument(id: id, order: order))
        }
        return navigators
    }

    private func timers(_ object: JSONObject) -> [TimerDocument] {
        object.items("timers").compactMap { item in
            guard let entry = item.object("a timer with \"id\"") else { return nil }
            defer { entry.close() }
            let id = entry.requiredName("id", "the timer's id")
            if !id.isEmpty, !scope.timers.insert(id).inserted {
                item.fault("the timer \(id.shown) is there twice")
            }
            let mode = mode(entry["mode"])
            let end = entry["ends_at"].flatMap(instant)
            return TimerDocument(
                id: id, mode: mode, durationMs: duration(entry, mode), endsAt: end,
                actions: ActionReader(scope: scope).actions("actions", of: entry))
        }
    }

    private func duration(_ entry: JSONObject, _ mode: TimerMode) -> Int64 {
        if let cursor = entry["duration_seconds"] {
            return (cursor.integer(in: 1...Self.timerSecondsMax) ?? 0) * 1000
        }
        if mode == .custom { return Self.customTimerMs }
        if entry["ends_at"] == nil {
            entry.cursor.fault(
                "\"duration_seconds\" is missing: a timer needs it, or \"ends_at\", or the mode "
                    + "\"custom\" (FC-15)")
        }
        return 0
    }

    private func instant(_ cursor: JSONCursor) -> Instant? {
        let expected = "an instant in UTC, such as \"2025-12-31T23:59:59Z\""
        guard let text = cursor.string(expected) else { return nil }
        return MomentText.instant(text) ?? cursor.mismatch(expected)
    }

    private func mode(_ cursor: JSONCursor?) -> TimerMode {
        guard let cursor, let name = cursor.string() else { return .continue }
        switch name {
        case "restart": return .restart
        case "continue": return .continue
        case "persisted": return .persisted
        case "custom": return .custom
        default:
            return cursor.mismatch("\"restart\", \"continue\", \"persisted\" or \"custom\"")
                ?? .continue
        }
    }
}
