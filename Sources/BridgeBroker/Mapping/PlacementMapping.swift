import BridgeProtocol
import SDKCore

extension Placement {
    init(_ placement: PlacementValue) {
        self.init()
        id = placement.id
        audienceName = placement.audienceName
        abTestName = placement.abTestName
        revision = placement.revision
    }
}

extension RemoteConfig {
    init(_ config: RemoteConfigDocument) {
        self.init()
        locale = config.locale
        dataJson = config.dataJSON
    }
}

extension BridgeProtocol.Flow {
    /// The flow as a message (PL-7); no store data.
    init(_ flow: SDKCore.Flow) {
        self.init()
        placement = Placement(flow.placement)
        id = flow.content.contentID
        variationId = flow.content.variationID
        name = flow.content.name
        remoteConfigs = flow.content.remoteConfigs.map { RemoteConfig($0) }
        hasViewConfiguration = flow.hasViewConfiguration
        paywalls = flow.content.paywalls.map { FlowPaywall($0) }
    }
}

extension FlowPaywall {
    init(_ paywall: PaywallDocument) {
        self.init()
        name = paywall.name
        variationId = paywall.variationID
        products = paywall.products.map { product in
            with(ProductReference()) {
                $0.vendorProductId = product.vendorProductID
                $0.offerId = product.offerID
            }
        }
    }
}

extension BridgeProtocol.Onboarding {
    /// The onboarding as a message (PL-80).
    init(_ onboarding: SDKCore.Onboarding) {
        self.init()
        placement = Placement(onboarding.placement)
        id = onboarding.content.contentID
        variationId = onboarding.content.variationID
        name = onboarding.content.name
        remoteConfig = onboarding.remoteConfig.map { RemoteConfig($0) }
        hasViewConfiguration = true
    }
}
