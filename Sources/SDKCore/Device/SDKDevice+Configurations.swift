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
        return .flowConfiguration(request, flow)
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

    /// Answers with a configuration out of the cache or the fallback file, or with the fault of
    /// the file's document (FC-7, FC-8).
    ///
    /// - Returns: False if the backend has to be asked.
    mutating func endLocally(
        _ request: ConfigurationRequest, of flow: Flow, at index: Int,
        outputs: inout [DeviceOutput]
    ) -> Bool {
        let versionID = flow.content.flowVersionID ?? ""
        if let document = cachedDocument(versionID) {
            let answer = configure(flow, with: document, isOfFile: false, request)
            self.answer(index, .success(answer), outputs: &outputs)
            return true
        }
        if !filesBeingRead.isEmpty {
            calls[index].phase = .awaitingFile(nil)
            return true
        }
        switch fallbackFile?.document(flowVersionID: versionID) {
        case .flow(let document):
            let answer = configure(flow, with: document, isOfFile: true, request)
            self.answer(index, .success(answer), outputs: &outputs)
        case .broken(let message):
            let error = AdaptyError(.decodingFailed, message)
            answer(index, .failure(.sdk(error)), outputs: &outputs)
        case .absent, .foreign, nil: return false
        }
        return true
    }

    /// The cached document, unless another catalog was loaded that has another one of that id.
    private func cachedDocument(_ versionID: String) -> FlowDocument? {
        guard let cached = documents.flow(versionID: versionID) else { return nil }
        guard let current = backend.catalog.flowDocuments[versionID], current !== cached else {
            return cached
        }
        return current.content == cached.content ? cached : nil
    }

    /// The document that the backend has of a flow.
    func documentOfBackend(for flow: Flow) -> BackendReply {
        let versionID = flow.content.flowVersionID ?? ""
        if let document = backend.catalog.flowDocuments[versionID] { return .document(document) }
        return .failure(
            ServerFailure(
                AdaptyError(
                    .badRequest, "flow version \"\(versionID)\" is not in the loaded catalog")))
    }

    /// What to say when the backend gave no document: that the file has one which cannot be shown
    /// here, else the backend's error (FC-8).
    func documentError(for flow: Flow, _ error: AdaptyError) -> AdaptyError {
        guard let versionID = flow.content.flowVersionID,
            case .foreign(let message)? = fallbackFile?.document(flowVersionID: versionID)
        else { return error }
        return AdaptyError(.decodingFailed, "\(message); \(error.message)")
    }

    /// Makes a configuration out of a document (FC-2 to FC-6). One of the fallback file has texts
    /// in `en` only (FC-9).
    mutating func configure(
        _ flow: Flow, with document: FlowDocument, isOfFile: Bool, _ request: ConfigurationRequest
    ) -> SDKAnswer {
        let trimmed = request.locale.trimmed()
        let wanted = trimmed.isEmpty ? "en" : trimmed
        let hit = isOfFile && wanted != "en" ? nil : document.localeIndex(of: wanted)
        let locale = hit ?? document.content.defaultLocale
        let offer = backend.catalog.offer(of: flow.content)
        let source = FlowSource(
            locale: locale, tags: request.tags, timers: request.timers,
            offer: offer, load: firstLoad(given: request.products, of: offer))
        let configuration = ViewConfiguration(
            id: generator.nextID(), placementID: flow.placement.id,
            variationID: flow.content.variationID, source: .flow(document, source))
        configurations.keep(configuration)
        return .flowConfiguration(
            id: configuration.id.description, flowVersionID: flow.content.flowVersionID ?? "",
            locale: document.content.locales[locale])
    }

    /// The document of a fetched onboarding; nil: a fallback file named it, and the catalog does
    /// not have it.
    func onboardingDocument(_ id: String) -> OnboardingDocument? {
        documents.onboarding(id) ?? backend.catalog.onboardingDocuments[id]
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
        guard let document = onboardingDocument(onboardingID) else {
            throw .sdk(
                AdaptyError(
                    .decodingFailed,
                    "onboarding \"\(onboardingID)\" of the fallback file is a web page, which "
                        + "cannot be shown here, and the loaded catalog has none of that id"))
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

    /// What views get: the products given, without a question to the store, or those that it is
    /// asked for now (FC-22, FC-23). A flow that offers nothing loads nothing.
    private mutating func firstLoad(given: [String]?, of offer: PaywallOffer) -> ProductLoad {
        guard given != nil || offer.products.isEmpty else { return askForProducts(of: offer) }
        let products = (given ?? []).map { id in
            offer.products.first(id)
                ?? PaywallProduct(product: backend.catalog.product(id) ?? .unknown(id))
        }
        return ProductLoad(readyAt: now, result: .success(LoadedProducts(products: products)))
    }
}
