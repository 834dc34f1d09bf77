import FlowEngine

@testable import SDKCore

extension Samples {
    /// Two cross-placement tests. `first` joins the one, whose variations `x` and `y` map all three
    /// placements of it; `second` and `third` have variations of it besides their own for all.
    /// `other` joins another test.
    static func crossPlacementCatalog() -> Catalog {
        Catalog(
            placements: [
                crossPlacement("first", own: "first-all", test: ["x1", "y1"], priority: 5),
                crossPlacement("second", own: "second-all", test: ["x2", "y2"], priority: 5),
                crossPlacement("third", own: "third-all", test: [], priority: 5),
                crossPlacement("other", own: "other-all", test: ["z1"], priority: 5),
            ],
            flows: [:], onboardings: [:], products: [:])
    }

    private static let maps = [
        "x1": ["first": "x1", "second": "x2", "gone": "x9"],
        "x2": ["first": "x1", "second": "x2", "gone": "x9"],
        "y1": ["first": "y1", "second": "y2"], "y2": ["first": "y1", "second": "y2"],
        "z1": ["other": "z1", "first": "first-all"],
    ]

    private static func crossPlacement(
        _ id: String, own: String, test: [String], priority: Int
    ) -> PlacementDocument {
        var audiences = [
            audience(
                "All", versionID: "pav_\(id)_all", isAllUsers: true,
                variations: [variation(own, version: nil)]),
            audience(
                "First by number", priority: 1, versionID: "pav_\(id)_nobody",
                [.init("custom:nothing", "nothing")],
                variations: [variation("\(id)-nobody", version: nil)]),
        ]
        if !test.isEmpty {
            var joined = audience(
                "Test", priority: priority, versionID: "pav_\(id)_test",
                variations: test.map { mapped($0, weight: 100 / test.count) })
            joined.abTestName = "Everywhere"
            joined.isCrossPlacement = true
            audiences.append(joined)
        }
        return PlacementDocument(id: id, type: .flow, audiences: audiences)
    }

    private static func mapped(_ id: String, weight: Int) -> VariationDocument {
        var variation = variation(id, version: nil, weight: weight)
        variation.placementMap = maps[id]
        return variation
    }
}
