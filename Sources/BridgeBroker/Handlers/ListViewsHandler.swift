import BridgeProtocol

/// `list_views`: the views of a device in the order of their creation, in pages.
enum ListViewsHandler {
    static func handle(_ request: ListViewsRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let views = try context.device(named: request.device).core.views
        let page = try Page(
            size: request.pageSize, token: request.pageToken, count: views.count,
            limits: context.broker.limits, field: "list_views")
        return .now(
            .listViews(
                with(ListViewsReply()) {
                    $0.views = views[page.range].map { ViewInfo($0) }
                    $0.nextPageToken = page.nextToken
                }))
    }
}
