import FlowEngine

// Configurations of flows and onboardings (FC).
extension SDKDevice {
    /// Checks what the device can check before it asks the backend (ID-8, FC-1).
    func flowConfigurationRequest(
        _ request: ConfigurationRequest
    ) throws(DeviceFault) -> BackendRequest {
        try requireUI(for: .flow)
        let flow = try fetchedFlow(request.variationID)
        guard flow.hasViewConfiguration else {
            throw .sdk(
                AdaptyError(
                    .wrongParam,
                    "flow \"\(flow.content.name)\" (variation \"\(request.variationID)\") "
                        + "has no view configuration"))
        }
        return .flowConfiguration(request, .flow(flow))
    }

    /// The flow that the device has fetched under that variation id.
    ///
    /// - Throws: NOT_FOUND, naming get_flow.
    func fetchedFlow(_ variationID: String) throws(DeviceFault) -> Flow {
        if let flow = fetched.flow(variationID: variationID) { return flow }
        throw .notFound(
            "this device has fetched no flow with the variation id "
                + "\"\(variationID.readable())\": call get_flow first",
            field: "variation_id")
    }

    /// Makes the configuration out of the document that the backend has (FC-2 to FC-8).
    mutating func flowConfiguration(
        _ request: ConfigurationRequest, of flow: Flow
    ) throws(DeviceFault) -> SDKAnswer {
        let versionID = flow.content.flowVersionID ?? ""
        guard let document = backend.catalog.flowDocuments[versionID] else {
            throw .sdk(
                AdaptyError(
                    .badRequest,
                    "flow version \"\(versionID)\" is not in the loaded catalog"))
        }
        let wanted = request.locale.trimmed()
        let locale =
            document.localeIndex(of: wanted.isEmpty ? "en" : wanted)
            ?? document.content.defaultLocale
        let source = FlowSource(
            locale: locale, tags: request.tags, timers: request.timers,
            products: request.products ?? productsOfStore(flow))
        let configuration = ViewConfiguration(
            id: generator.nextID(), placementID: flow.placement.id,
            variationID: flow.content.variationID, source: .flow(document, source))
        configurations.keep(configuration)
        return .flowConfiguration(
            id: configuration.id.description, flowVersionID: versionID,
            locale: document.content.locales[locale])
    }

    mutating func onboardingConfiguration(
        variationID: String, opensExternalBrowser: Bool
    ) throws(DeviceFault) -> SDKAnswer {
        try requireUI(for: .onboarding)
        guard let onboarding = fetched.onboarding(variationID: variationID) else {
            throw .notFound(
                "this device has fetched no onboarding with the variation id "
                    + "\"\(variationID.readable())\": call get_onboarding first",
                field: "variation_id")
        }
        let onboardingID = onboarding.content.contentID
        guard let document = backend.catalog.onboardingDocuments[onboardingID] else {
            throw .sdk(
                AdaptyError(
                    .badRequest, "onboarding \"\(onboardingID)\" is not in the loaded catalog"))
        }
        let configuration = ViewConfiguration(
            id: generator.nextID(), placementID: onboarding.placement.id,
            variationID: variationID,
            source: .onboarding(
                document, locale: OnboardingLocale(onboarding.locale).index(in: document.content),
                opensExternalBrowser: opensExternalBrowser))
        configurations.keep(configuration)
        return .onboardingConfiguration(
            id: configuration.id.description, onboardingID: onboardingID)
    }

    /// AdaptyUI has to be active (ID-8).
    func requireUI(for kind: ViewKind) throws(DeviceFault) {
        if identity.isUIActivated { return }
        let code: AdaptyError.Code = kind == .flow ? .adaptyUINotActivated : .adaptyNotActivated
        throw .sdk(
            AdaptyError(
                code,
                "AdaptyUI is not activated on this device: activate without "
                    + "activate_ui false first"))
    }

    /// The products of the flow's paywalls that the store knows, each once, in catalog order
    /// (FC-20).
    private func productsOfStore(_ flow: Flow) -> [String] {
        var ids: [String] = []
        for paywall in flow.content.paywalls {
            for product in paywall.products
            where backend.catalog.products[product.vendorProductID]?.isInStore == true
                && !ids.contains(product.vendorProductID)
            {
                ids.append(product.vendorProductID)
            }
        }
        return ids
    }
}
