import BridgeProtocol

/// Which handler serves which method.
enum Router {
    /// Serves one request.
    ///
    /// - Throws: what the method's handler throws.
    static func route(
        _ body: consuming ClientFrame.Body, _ context: RequestContext
    ) throws(BridgeError) -> Reply {
        switch consume body {
        case .perform(let request): try PerformHandler.handle(request, context)
        case .ping(let request): PingHandler.handle(request)
        case .hello(let request): try HelloHandler.handle(request, context)
        case .cancel(let request): CancelHandler.handle(request, context)
        case .describe: DescribeHandler.handle()
        case .status(let request): try StatusHandler.handle(request, context)

        case .openDevice(let request): try OpenDeviceHandler.handle(request, context)
        case .closeDevice(let request): try CloseDeviceHandler.handle(request, context)
        case .resetDevice(let request): try ResetDeviceHandler.handle(request, context)
        case .listDevices(let request): try ListDevicesHandler.handle(request, context)
        case .advanceClock(let request): try AdvanceClockHandler.handle(request, context)
        case .setConditions(let request): try SetConditionsHandler.handle(request, context)
        case .enterBackground: try BackgroundHandler.enterBackground(context)
        case .enterForeground: try BackgroundHandler.enterForeground(context)
        case .inspectProfile(let request): try InspectProfileHandler.handle(request, context)
        case .listBackendEvents(let request):
            try ListBackendEventsHandler.handle(request, context)

        case .activate(let request): try ActivateHandler.handle(request, context)
        case .identify(let request): try IdentifyHandler.handle(request, context)
        case .logout: try LogoutHandler.handle(context)
        case .logShowFlow(let request): try LogShowFlowHandler.handle(request, context)
        case .getProfile: try GetProfileHandler.handle(context)
        case .updateProfile(let request): try UpdateProfileHandler.handle(request, context)
        case .getFlow(let request): try GetFlowHandler.handle(request, context)
        case .getFlowConfiguration(let request):
            try GetFlowConfigurationHandler.handle(request, context)
        case .getPaywallProducts(let request):
            try GetPaywallProductsHandler.handle(request, context)
        case .getFlowForDefaultAudience(let request):
            try GetFlowForDefaultAudienceHandler.handle(request, context)
        case .getOnboarding(let request): try GetOnboardingHandler.handle(request, context)
        case .getOnboardingForDefaultAudience(let request):
            try GetOnboardingForDefaultAudienceHandler.handle(request, context)
        case .setFallback(let request): try SetFallbackHandler.handle(request, context)
        case .preloadFlows(let request): try PreloadFlowsHandler.handle(request, context)
        case .getOnboardingConfiguration(let request):
            try GetOnboardingConfigurationHandler.handle(request, context)
        case .makePurchase(let request): try MakePurchaseHandler.handle(request, context)
        case .restorePurchases: try RestorePurchasesHandler.handle(context)

        case .createFlowController(let request):
            try CreateFlowControllerHandler.handle(request, context)
        case .createOnboardingController(let request):
            try CreateOnboardingControllerHandler.handle(request, context)
        case .present(let request): try PresentHandler.handle(request, context)
        case .dismiss(let request): try DismissHandler.handle(request, context)
        case .destroyView(let request): try DestroyViewHandler.handle(request, context)
        case .listViews(let request): try ListViewsHandler.handle(request, context)
        case .postOnboardingMessage(let request):
            try PostOnboardingMessageHandler.handle(request, context)
        case .getScreen(let request): try GetScreenHandler.handle(request, context)

        case .subscribe(let request): try SubscribeHandler.handle(request, context)
        case .unsubscribe(let request): try UnsubscribeHandler.handle(request, context)
        case .getEvents(let request): try GetEventsHandler.handle(request, context)
        case .answer(let request): try AnswerHandler.handle(request, context)
        case .monitor(let request): try MonitorHandler.handle(request, context)
        case .loadCatalog(let request): try LoadCatalogHandler.handle(request, context)
        case .listPlacements(let request): try ListPlacementsHandler.handle(request, context)
        }
    }
}
