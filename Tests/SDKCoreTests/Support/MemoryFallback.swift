import FlowEngine

@testable import SDKCore

/// A fallback file without a file.
final class MemoryFallback: FallbackFile {
    let createdAt: Instant
    var placements: [String: FallbackPlacement] = [:]
    var documents: [String: FallbackDocument] = [:]

    init(createdAt: Int64) {
        self.createdAt = Instant(ms: createdAt)
    }

    func placement(_ id: String) -> FallbackPlacement? { placements[id] }

    func document(flowVersionID: String) -> FallbackDocument {
        documents[flowVersionID] ?? .absent
    }

    /// A file with `main` as one flow, `tested` as an A/B test and `intro` as an onboarding.
    static func sample(createdAt: Int64 = 2_000_000) -> MemoryFallback {
        let file = MemoryFallback(createdAt: createdAt)
        file.add("main", [Samples.variation("f-main", version: "file-v1")])
        file.add(
            "tested",
            [
                Samples.variation("A", version: nil, weight: 50),
                Samples.variation("B", version: nil, weight: 50),
            ])
        file.add(
            "intro",
            [
                VariationDocument(
                    variationID: "f-intro", contentID: "onb", name: "Intro",
                    remoteConfigs: [RemoteConfigDocument(locale: "en", dataJSON: "{}")])
            ], type: .onboarding)
        return file
    }

    func add(_ id: String, _ variations: [VariationDocument], type: PlacementType = .flow) {
        placements[id] = FallbackPlacement(
            placement: PlacementValue(
                id: id, audienceName: "File", abTestName: "", revision: 9),
            type: type, audienceVersionID: "pav_file_\(id)", variations: variations)
    }
}
