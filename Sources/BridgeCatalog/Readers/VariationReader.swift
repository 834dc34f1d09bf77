import SDKCore

/// Reads the variations of an audience.
struct VariationReader {
    let scope: PlacementScope
    let isCrossPlacement: Bool
    /// Variations of the audience.
    let count: Int

    /// Reads one variation; nil, and a fault, when it is no object.
    func variation(_ cursor: JSONCursor) -> VariationDocument? {
        guard let object = cursor.object("a variation: an object with \"variation_id\"") else {
            return nil
        }
        defer { object.close() }
        let id = object.requiredName("variation_id", "the variation's id")
        let weight = weight(object)
        let isOnboarding =
            scope.type.map { $0 == .onboarding } ?? (object["onboarding_id"] != nil)
        let contentID =
            isOnboarding
            ? object.requiredName("onboarding_id", "the file in onboardings/, without .json")
            : object.requiredName("flow_id", "the flow's id")
        var variation = VariationDocument(
            variationID: id, weight: weight, contentID: contentID,
            name: object.name("name") ?? contentID, remoteConfigs: remoteConfigs(object))
        var products: [(String, JSONCursor)] = []
        if !isOnboarding {
            variation.flowVersionID = object.name("flow_version_id")
            (variation.paywalls, products) = paywalls(object, id)
        }
        let map = placementMap(object)
        variation.placementMap =
            map.isEmpty
            ? nil
            : Dictionary(
                map.map { ($0.placement, $0.variation.rawString) }, uniquingKeysWith: { $1 })
        scope.placements[scope.placement, default: []].append(id)
        scope.places.append(
            PlacementScope.Place(
                variation: variation, type: scope.type, object: cursor, id: object["variation_id"],
                document: object[isOnboarding ? "onboarding_id" : "flow_version_id"],
                products: products, map: map))
        return variation
    }

    private func weight(_ object: JSONObject) -> Int {
        if object["weight"] == nil, count > 1 {
            object.cursor.fault("\"weight\" is missing: 0 to 100, the variation's share (PL-24)")
            return 0
        }
        return object["weight"]?.integer(in: 0...100).map(Int.init) ?? (count > 1 ? 0 : 100)
    }

    private func remoteConfigs(_ object: JSONObject) -> [RemoteConfigDocument] {
        var locales = Set<String>()
        return object.items("remote_configs").compactMap { item in
            guard let config = item.object("a remote config with \"locale\" and \"data\"") else {
                return nil
            }
            defer { config.close() }
            let locale = config.requiredName("locale", "the locale of this remote config")
            if !locale.isEmpty, !locales.insert(locale).inserted {
                item.fault("the remote config in \(locale.shown) is there twice")
            }
            let data = config.required("data", "the JSON that the app gets")
            return RemoteConfigDocument(locale: locale, dataJSON: data?.jsonText ?? "")
        }
    }

    private func paywalls(
        _ object: JSONObject, _ variationID: String
    ) -> ([PaywallDocument], [(String, JSONCursor)]) {
        var products: [(String, JSONCursor)] = []
        let paywalls = object.items("paywalls").compactMap { item -> PaywallDocument? in
            guard let paywall = item.object("a paywall with \"name\" and \"products\"") else {
                return nil
            }
            defer { paywall.close() }
            return PaywallDocument(
                name: paywall.requiredName("name", "the paywall's name"),
                variationID: paywall.name("variation_id") ?? variationID,
                products: paywall.items("products").compactMap { reference($0, &products) })
        }
        return (paywalls, products)
    }

    /// A product of a paywall: its vendor product id, or an object with an offer too.
    private func reference(
        _ cursor: JSONCursor, _ products: inout [(String, JSONCursor)]
    ) -> ProductReferenceDocument? {
        var reference = ProductReferenceDocument(vendorProductID: "")
        var place = cursor
        if cursor.isObject, let object = cursor.object() {
            reference.vendorProductID = object.requiredName(
                "vendor_product_id", "the product's id in the store")
            reference.offerID = object.string("offer_id") ?? ""
            place = object["vendor_product_id"] ?? cursor
            object.close()
        } else {
            reference.vendorProductID =
                cursor.name("a vendor product id, or an object with \"vendor_product_id\"") ?? ""
        }
        if reference.vendorProductID.isEmpty { return nil }
        products.append((reference.vendorProductID, place))
        return reference
    }

    private func placementMap(
        _ object: JSONObject
    ) -> [(placement: String, variation: JSONCursor)] {
        let map = object.map("placement_map").filter { $0.value.name() != nil }
        if isCrossPlacement, object["placement_map"] == nil {
            object.cursor.fault(
                "\"placement_map\" is missing: a cross-placement test says which variation each "
                    + "placement gives (PL-31)")
        } else if !isCrossPlacement, let cursor = object["placement_map"] {
            cursor.fault(
                "only a cross-placement test has a map: set \"cross_placement\" of the audience "
                    + "to true (PL-21)")
        }
        return map.map { (placement: $0.key, variation: $0.value) }
    }
}
