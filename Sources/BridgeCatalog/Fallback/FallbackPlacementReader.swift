import SDKCore

/// Reads one placement of a fallback file, in the form that the dashboard exports (PL-71).
///
/// Keys that it does not know are passed over. What the file says of a placement stands in its
/// `meta`; older exports repeat it in each variation, where it is looked for too.
struct FallbackPlacementReader {
    let faults: FaultList

    /// The placement; nil when something that is needed is missing or of another type (PL-74).
    func placement(_ bytes: [UInt8], id: String) -> FallbackPlacement? {
        guard
            let root = JSONDocument.parse(bytes, file: id, faults: faults)?.object(),
            let items = root.required("data", "the variations")?.array(), let first = items.first,
            let about = Self.meta(root) ?? first.object()
        else { return nil }
        let read = items.compactMap { variation($0, of: items.count) }
        let types = Set(read.map(\.type))
        let versionID = about.requiredString(
            "placement_audience_version_id", "what the draw depends on")
        let placement = PlacementValue(
            id: id, audienceName: about.string("audience_name") ?? "All Users",
            abTestName: about.string("ab_test_name") ?? "",
            revision: about["revision"]?.integer(in: Int64.min...Int64.max) ?? 0)
        guard !faults.hasErrors(), read.count == items.count, let type = types.first,
            types.count == 1
        else { return nil }
        return FallbackPlacement(
            placement: placement, type: type, audienceVersionID: versionID,
            variations: read.map(\.document))
    }

    /// The object of a placement's `meta` that tells of it.
    private static func meta(_ root: JSONObject) -> JSONObject? {
        guard let meta = root["meta"], meta.isObject, let placement = meta.object()?["placement"]
        else { return nil }
        return placement.object()
    }

    private func variation(
        _ cursor: JSONCursor, of count: Int
    ) -> (document: VariationDocument, type: PlacementType)? {
        guard let object = cursor.object("a variation") else { return nil }
        let isOnboarding = object["onboarding_id"] != nil
        let contentID = object.requiredString(
            isOnboarding ? "onboarding_id" : "flow_id", "the content's id")
        var document = VariationDocument(
            variationID: object.requiredString("variation_id", "the variation's id"),
            weight: weight(object, count), contentID: contentID,
            name: text(object[isOnboarding ? "onboarding_name" : "flow_name"]) ?? contentID)
        if isOnboarding {
            document.remoteConfigs = remoteConfigs(object["remote_config"].map { [$0] } ?? [])
        } else {
            document.flowVersionID = text(object["flow_version_id"])
            document.remoteConfigs = remoteConfigs(list(object["remote_configs"]))
            document.paywalls = list(object["variations"]).compactMap(paywall)
        }
        return (document, isOnboarding ? .onboarding : .flow)
    }

    /// Without a weight a single variation is as good as drawn (PL-22).
    private func weight(_ object: JSONObject, _ count: Int) -> Int {
        if count == 1, object["weight"] == nil { return 100 }
        return object.required("weight", "the variation's share")?
            .integer(in: 0...Int64(Int32.max)).map(Int.init) ?? 0
    }

    private func remoteConfigs(_ items: [JSONCursor]) -> [RemoteConfigDocument] {
        items.compactMap { item in
            guard !item.isNull, let object = item.object("a remote config") else { return nil }
            let data = object.required("data", "the JSON that the app gets")
            return RemoteConfigDocument(
                locale: object.requiredString("lang", "the locale of the remote config"),
                dataJSON: data.map { $0.isString ? $0.rawString : $0.jsonText } ?? "")
        }
    }

    private func paywall(_ item: JSONCursor) -> PaywallDocument? {
        guard let object = item.object("a paywall") else { return nil }
        return PaywallDocument(
            name: object.requiredString("paywall_name", "the paywall's name"),
            variationID: object.requiredString("variation_id", "the paywall's variation id"),
            products: list(object["products"]).compactMap(product))
    }

    private func product(_ item: JSONCursor) -> ProductReferenceDocument? {
        guard let object = item.object("a product") else { return nil }
        let isEligible = object["promotional_offer_eligibility"]?.bool() ?? true
        let promotional = isEligible ? text(object["promotional_offer_id"]) : nil
        return ProductReferenceDocument(
            vendorProductID: object.requiredString("vendor_product_id", "the id in the store"),
            offerID: promotional ?? text(object["win_back_offer_id"]) ?? "")
    }

    /// A text that may be left out or null.
    private func text(_ cursor: JSONCursor?) -> String? {
        guard let cursor, !cursor.isNull else { return nil }
        return cursor.string()
    }

    /// Items of an array that may be left out or null.
    private func list(_ cursor: JSONCursor?) -> [JSONCursor] {
        guard let cursor, !cursor.isNull else { return [] }
        return cursor.array() ?? []
    }
}
