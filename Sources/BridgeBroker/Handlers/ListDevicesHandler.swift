import BridgeProtocol

/// `list_devices`: the open devices by name, in pages.
enum ListDevicesHandler {
    static func handle(_ request: ListDevicesRequest, _ context: RequestContext)
        throws(BridgeError) -> Reply
    {
        let broker = context.broker
        let names = broker.openNames
        let page = try Page(
            size: request.pageSize, token: request.pageToken, count: names.count,
            limits: broker.limits, field: "list_devices")
        return .now(
            .listDevices(
                with(ListDevicesReply()) {
                    $0.devices = names[page.range].compactMap { broker.info(ofDevice: $0) }
                    $0.nextPageToken = page.nextToken
                }))
    }
}

extension Broker {
    /// The first open devices by name.
    func firstDevices(_ count: Int) -> [DeviceInfo] {
        openNames.prefix(count).compactMap { info(ofDevice: $0) }
    }

    func info(ofDevice name: String) -> DeviceInfo? {
        devices[name].map { DeviceInfo($0, at: now(of: $0), self) }
    }
}
