import SDKCore

/// Looks up what `placements.json` names in the other files, and compares variations.
struct PlacementCheck {
    let scope: PlacementScope
    /// Nil when the file could not be parsed: then nothing can be said of products.
    let products: Set<String>?
    let flows: Set<String>
    let onboardings: Set<String>

    /// Runs all checks.
    func run() {
        var first: [String: PlacementScope.Place] = [:]
        for place in scope.places {
            checkDocument(place)
            checkProducts(place)
            checkMap(place)
            let id = place.variation.variationID
            if let other = first[id] {
                compare(place, other)
            } else if !id.isEmpty {
                first[id] = place
            }
        }
    }

    private func checkDocument(_ place: PlacementScope.Place) {
        guard let cursor = place.document, cursor.isString, !cursor.rawString.isBlank else {
            return
        }
        let id = cursor.rawString
        switch place.type {
        case .flow where !flows.contains(id):
            cursor.fault("unknown flow \(id.shown); there is no file flows/\(id).json")
        case .onboarding where !onboardings.contains(id):
            cursor.fault("unknown onboarding \(id.shown); there is no file onboardings/\(id).json")
        default: break
        }
    }

    private func checkProducts(_ place: PlacementScope.Place) {
        guard let products else { return }
        for (id, cursor) in place.products where !products.holds(id) {
            cursor.fault("unknown product \(id.shown); add it to products.json")
        }
    }

    private func checkMap(_ place: PlacementScope.Place) {
        for (placement, cursor) in place.map {
            let variation = cursor.rawString
            guard let variations = scope.placements[placement] else {
                cursor.fault("unknown placement \(placement.shown)")
                continue
            }
            if !variations.contains(variation) {
                cursor.fault(
                    "the placement \(placement.shown) has no variation \(variation.shown) (PL-31)")
            }
        }
    }

    /// One variation id stands for one content; weights may differ from audience to audience.
    private func compare(_ place: PlacementScope.Place, _ other: PlacementScope.Place) {
        var variation = place.variation
        variation.weight = other.variation.weight
        guard variation != other.variation || place.type != other.type else { return }
        (place.id ?? place.object).fault(
            "the variation \(variation.variationID.shown) has other content at "
                + "\(other.object.pointer?.text ?? ""); give it an id of its own")
    }
}
