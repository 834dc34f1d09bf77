import SDKCore

/// Reads one audience of a placement.
struct AudienceReader {
    let scope: PlacementScope

    /// Reads an audience; the caller closes the object.
    func audience(_ object: JSONObject) -> AudienceDocument {
        let name = object.requiredName("name", "the audience's name, such as \"All Users\"")
        let isAllUsers = object.flag("all_users", default: false)
        let isCross = object.flag("cross_placement", default: false)
        return AudienceDocument(
            name: name, priority: priority(object, isAllUsers), isAllUsers: isAllUsers,
            conditions: segment(object, isAllUsers), versionID: versionID(object, name),
            abTestName: abTest(object, isCross), isCrossPlacement: isCross,
            variations: variations(object, isCross))
    }

    /// The priority; 0 for all users and after a fault.
    private func priority(_ object: JSONObject, _ isAllUsers: Bool) -> Int {
        let cursor = object["priority"]
        if isAllUsers {
            cursor?.warn("not looked at: all users come last (PL-11)")
            return 0
        }
        if cursor == nil {
            object.cursor.fault(
                "\"priority\" is missing: 1 is tried first (PL-10); or set \"all_users\" to true")
        }
        return cursor?.integer(in: 1...Int64(Int32.max)).map(Int.init) ?? 0
    }

    private func segment(_ object: JSONObject, _ isAllUsers: Bool) -> [SegmentCondition] {
        let items = object.items("segment")
        if isAllUsers, !items.isEmpty {
            object["segment"]?.fault(
                "all users have no segment: they always match (PL-11); leave out one of both")
        }
        return items.compactMap(SegmentReader().condition)
    }

    /// The version id, which the draw depends on (PL-23); made of placement and name without it.
    private func versionID(_ object: JSONObject, _ name: String) -> String {
        let cursor = object["version_id"]
        let id = cursor == nil ? "\(scope.placement)/\(name)" : cursor?.name() ?? ""
        if id.isEmpty || name.isEmpty { return id }
        let place = "\(name.shown) of \(scope.placement.shown)"
        if let other = scope.versions[id] {
            (cursor ?? object.cursor).fault(
                "the audience version id \(id.shown) is that of the audience \(other) too; give "
                    + "each its own \"version_id\", as draws depend on it (PL-23)")
        } else {
            scope.versions[id] = place
        }
        return id
    }

    private func abTest(_ object: JSONObject, _ isCross: Bool) -> String {
        let name = object.name("ab_test") ?? ""
        if isCross, object["ab_test"] == nil {
            object["cross_placement"]?.fault(
                "a cross-placement test needs the name of its A/B test: give \"ab_test\"")
        }
        return name
    }

    private func variations(_ object: JSONObject, _ isCross: Bool) -> [VariationDocument] {
        guard let cursor = object.required("variations", "what the audience sees"),
            let items = cursor.array()
        else { return [] }
        if items.isEmpty { cursor.warn("without a variation fetching it fails with 2006 (PL-22)") }
        let reader = VariationReader(scope: scope, isCrossPlacement: isCross, count: items.count)
        var ids = Set<String>()
        let variations = items.compactMap { item -> VariationDocument? in
            let variation = reader.variation(item)
            if let id = variation?.variationID, !id.isEmpty, !ids.insert(id).inserted {
                item.fault("the variation \(id.shown) is there twice in this audience")
            }
            return variation
        }
        checkWeights(variations, cursor)
        return variations
    }

    private func checkWeights(_ variations: [VariationDocument], _ cursor: JSONCursor) {
        let sum = variations.reduce(0) { $0 + $1.weight }
        if sum > 100 {
            cursor.fault(
                "the weights add up to \(sum); at most 100 are drawn from (PL-25)")
        } else if variations.count > 1, sum < 100 {
            cursor.warn(
                "the weights add up to \(sum): what is missing to 100 goes to the heaviest "
                    + "variation (PL-25)")
        }
    }
}
