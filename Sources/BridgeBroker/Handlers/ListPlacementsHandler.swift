import BridgeProtocol
import SDKCore

/// `list_placements`: what the catalog serves, in the order of its files.
enum ListPlacementsHandler {
    static func handle(_ request: ListPlacementsRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let placements = context.broker.backend.catalog.placements
        let page = try Page(
            size: request.pageSize, token: request.pageToken, count: placements.count,
            limits: context.broker.limits, field: "list_placements")
        return .now(
            .listPlacements(
                with(ListPlacementsReply()) {
                    $0.placements = placements[page.range].map { PlacementInfo($0) }
                    $0.nextPageToken = page.nextToken
                }))
    }
}

extension PlacementInfo {
    fileprivate init(_ placement: PlacementDocument) {
        self.init()
        placementId = placement.id
        type = placement.type.rawValue
        audiences = placement.audiences.map(\.name)
        variations = UInt32(clamping: placement.audiences.reduce(0) { $0 + $1.variations.count })
    }
}
