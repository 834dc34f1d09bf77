-- From a placement to a view on screen. Tells each call before it makes it.

return function(bridge, placement, tell)
    tell("get_flow", placement)
    local flow = assert(bridge:call("getFlow", { placementId = placement })).flow
    tell("get_flow_configuration", flow.name .. ", locale en")
    local configuration = assert(bridge:call(
        "getFlowConfiguration", { variationId = flow.variationId, locale = "en" }))
    tell("create_flow_controller", "")
    local view = assert(bridge:call(
        "createFlowController", { configurationId = configuration.configurationId })).viewId
    tell("present", "")
    assert(bridge:call("present", { viewId = view }))
    return view
end
