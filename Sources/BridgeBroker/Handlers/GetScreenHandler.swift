import BridgeProtocol
import FlowEngine
import SDKCore

/// `get_screen`: what the live screens of a view show, in pages of elements of the top one.
enum GetScreenHandler {
    static func handle(_ request: GetScreenRequest, _ context: RequestContext) throws(BridgeError)
        -> Reply
    {
        let device = try context.device()
        let wanted = try Page(
            size: request.pageSize, token: request.pageToken, count: .max,
            limits: context.broker.limits, field: "get_screen"
        ).range
        let shown: (screens: [ScreenSnapshot], locale: LocaleDocument)
        do {
            shown = try device.core.screen(of: request.viewId, elements: wanted)
        } catch {
            throw BridgeError(error)
        }
        let alert = device.core.openAlert(of: request.viewId)
        let total = shown.screens.last?.elementsTotal ?? 0
        return .now(
            .getScreen(
                with(GetScreenReply()) {
                    $0.viewId = request.viewId
                    $0.locale = shown.locale.id
                    $0.isRightToLeft = shown.locale.isRightToLeft
                    $0.screens = shown.screens.map { Screen($0) }
                    $0.alert = alert.map { ScreenAlert($0.alert, $0.question) }
                    $0.nextPageToken =
                        wanted.upperBound < total ? String(wanted.upperBound) : ""
                }))
    }
}
