import SDKCore

/// Reads `placements.json`.
struct PlacementReader {
    let scope: PlacementScope

    /// Reads the file; what it names is looked up later, by `PlacementCheck`.
    func placements(_ cursor: JSONCursor) -> [PlacementDocument] {
        guard let object = cursor.object("an object with \"placements\"") else { return [] }
        defer { object.close() }
        let items = object.required("placements", "the placements of the app")?.array() ?? []
        return items.compactMap(placement)
    }

    private func placement(_ cursor: JSONCursor) -> PlacementDocument? {
        guard let object = cursor.object("a placement: an object with \"id\"") else { return nil }
        defer { object.close() }
        let id = object.requiredName("id", "the placement ID that the app asks for")
        if id != id.trimmed {
            object["id"]?.warn(
                "white space around a placement ID: no app can ask for it, as IDs are trimmed (PL-1)"
            )
        }
        let type = type(object)
        let revision = object["revision"]?.integer(in: 0...Int64.max) ?? 1
        if scope.placements[id] != nil, !id.isEmpty {
            object["id"]?.fault(
                "the placement \(id.shown) is there twice; placement IDs are unique over flows "
                    + "and onboardings (PL-2)")
        }
        scope.placements[id] = scope.placements[id] ?? []
        scope.placement = id
        scope.type = type
        return PlacementDocument(
            id: id, type: type ?? .flow, revision: revision, audiences: audiences(object))
    }

    private func type(_ object: JSONObject) -> PlacementType? {
        guard let cursor = object.required("type", "what it shows: \"flow\" or \"onboarding\""),
            let name = cursor.string("\"flow\" or \"onboarding\"")
        else { return nil }
        return PlacementType(rawValue: name) ?? cursor.mismatch("\"flow\" or \"onboarding\"")
    }

    private func audiences(_ object: JSONObject) -> [AudienceDocument] {
        guard let cursor = object.required("audiences", "who sees what; \"All Users\" at least"),
            let items = cursor.array()
        else { return [] }
        var priorities: [Int: String] = [:]
        var allUsers = 0
        let audiences = items.compactMap { item -> AudienceDocument? in
            guard let object = item.object("an audience: an object with \"name\"") else {
                allUsers += 1
                return nil
            }
            defer { object.close() }
            let audience = AudienceReader(scope: scope).audience(object)
            if audience.isAllUsers {
                allUsers += 1
                if allUsers > 1 { item.fault("a placement has one audience of all users (PL-11)") }
            } else if audience.priority > 0 {
                if let other = priorities.updateValue(audience.name, forKey: audience.priority) {
                    object["priority"]?.fault(
                        "the priority \(audience.priority) is that of \(other.shown) too; "
                            + "priorities of one placement have to differ (PL-10)")
                }
            }
            return audience
        }
        if allUsers == 0 {
            cursor.fault(
                "no audience of all users: add one with \"all_users\" true, which everybody falls "
                    + "back to (PL-11)")
        }
        return audiences
    }
}

extension String {
    /// Without white space and line ends at both ends (GEN-5).
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
