-- Shows captures of `bridgectl capture` in Wireshark and tshark (link type USER0).
--
--   wireshark -X lua_script:flowbridge.lua traffic.pcapng
--   tshark -X lua_script:flowbridge.lua -r traffic.pcapng
--
-- Put it into the folder "Personal Lua Plugins" (Help, About, Folders) to have it always.

local flowbridge = Proto("flowbridge", "Flowbridge")

-- Field numbers of ClientFrame and ServerFrame: proto/flowbridge/v1/frame.proto.
local METHODS = {
    [2] = "error", [3] = "event", [4] = "monitored",
    [10] = "hello", [11] = "cancel", [12] = "ping", [13] = "describe", [14] = "status",
    [20] = "reset_device", [21] = "open_device", [22] = "list_devices", [23] = "close_device",
    [24] = "advance_clock", [25] = "set_conditions", [26] = "enter_background",
    [27] = "enter_foreground", [30] = "inspect_profile", [31] = "list_backend_events",
    [40] = "activate", [41] = "identify", [42] = "logout", [43] = "get_profile",
    [44] = "update_profile", [45] = "get_flow", [46] = "get_flow_for_default_audience",
    [47] = "get_flow_configuration", [48] = "get_paywall_products", [49] = "get_onboarding",
    [50] = "get_onboarding_for_default_audience", [51] = "get_onboarding_configuration",
    [52] = "preload_flows", [53] = "set_fallback", [54] = "make_purchase",
    [55] = "restore_purchases", [56] = "log_show_flow", [60] = "create_flow_controller",
    [61] = "create_onboarding_controller", [62] = "present", [63] = "dismiss",
    [64] = "destroy_view", [65] = "list_views", [66] = "post_onboarding_message",
    [67] = "get_screen", [70] = "perform", [80] = "subscribe", [81] = "unsubscribe",
    [82] = "get_events", [83] = "answer", [84] = "monitor", [90] = "load_catalog",
    [91] = "list_placements",
}

local f = {
    version = ProtoField.uint8("flowbridge.version", "Version of the head"),
    is_text = ProtoField.bool("flowbridge.text", "Frame as JSON text", 8, nil, 0x01),
    redacted = ProtoField.bool("flowbridge.redacted", "Values hidden", 8, nil, 0x02),
    line = ProtoField.bool("flowbridge.line", "Line mode", 8, nil, 0x04),
    to_broker = ProtoField.bool("flowbridge.to_broker", "To the broker", 8, nil, 0x08),
    conn = ProtoField.uint64("flowbridge.conn", "Connection"),
    pid = ProtoField.uint32("flowbridge.pid", "Process"),
    uid = ProtoField.uint32("flowbridge.uid", "User"),
    size = ProtoField.uint32("flowbridge.size", "Bytes of the whole frame"),
    id = ProtoField.uint64("flowbridge.id", "Id"),
    method = ProtoField.string("flowbridge.method", "Method"),
    json = ProtoField.string("flowbridge.json", "JSON"),
    bytes = ProtoField.bytes("flowbridge.frame", "Frame"),
}
for _, field in pairs(f) do table.insert(flowbridge.fields, field) end

local HEAD = 24

-- A varint of at most ten bytes at `at`; returns its value (as far as a number holds it) and what
-- stands behind it; nil where the frame ends first.
local function varint(buffer, at)
    local value, scale = 0, 1
    for place = at, math.min(at + 9, buffer:len() - 1) do
        local byte = buffer(place, 1):uint()
        value = value + (byte % 128) * scale
        if byte < 128 then return value, place + 1 end
        scale = scale * 128
    end
    return nil, buffer:len()
end

-- The id and the member of a binary frame, by the numbers of its outermost fields.
local function outline(buffer, is_request)
    local at, id, method = 0, 0, nil
    while at < buffer:len() do
        local tag
        tag, at = varint(buffer, at)
        if tag == nil then break end
        local number, kind = math.floor(tag / 8), tag % 8
        if kind == 0 then
            local value
            value, at = varint(buffer, at)
            if number == 1 then id = value or 0 end
        elseif kind == 2 then
            local length
            length, at = varint(buffer, at)
            if length == nil then break end
            if not (is_request and number == 2) then method = METHODS[number] or ("field " .. number) end
            at = at + length
        elseif kind == 1 then at = at + 8
        elseif kind == 5 then at = at + 4
        else break end
    end
    return id, method
end

-- The same of a frame as JSON: {"id":"7",…"getFlow":{
local function outline_text(text)
    local id = text:match('"id"%s*:%s*"?(%d+)') or "0"
    for name in text:gmatch('"([%a]+)"%s*:%s*{') do
        return tonumber(id), (name:gsub("%u", function(c) return "_" .. c:lower() end))
    end
    return tonumber(id), nil
end

function flowbridge.dissector(buffer, packet, tree)
    if buffer:len() < HEAD or buffer(0, 2):string() ~= "FB" then return 0 end
    local flags = buffer(3, 1):uint()
    local is_text = flags % 2 == 1
    local is_line = math.floor(flags / 4) % 2 == 1
    local to_broker = math.floor(flags / 8) % 2 == 1
    local top = tree:add(flowbridge, buffer())
    top:add(f.version, buffer(2, 1))
    for _, flag in ipairs({ f.is_text, f.redacted, f.line, f.to_broker }) do
        top:add(flag, buffer(3, 1))
    end
    top:add(f.conn, buffer(4, 8))
    top:add(f.pid, buffer(12, 4))
    top:add(f.uid, buffer(16, 4))
    top:add(f.size, buffer(20, 4))

    local conn = "conn " .. tostring(buffer(4, 8):uint64())
    packet.cols.protocol = "Flowbridge"
    packet.cols.src = to_broker and conn or "broker"
    packet.cols.dst = to_broker and "broker" or conn

    local id, method = 0, nil
    if buffer:len() > HEAD then
        local frame = buffer(HEAD)
        if is_text or is_line then
            local text = frame:string()
            id, method = outline_text(text)
            top:add(f.json, frame, text)
        else
            id, method = outline(frame:tvb(), to_broker)
            top:add(f.bytes, frame)
        end
    end
    if method then top:add(f.method, buffer(), method):set_generated() end
    top:add(f.id, buffer(), UInt64(id or 0)):set_generated()
    packet.cols.info = string.format("%s id %d, %d bytes", method or "frame", id or 0,
        buffer(20, 4):uint())
    return buffer:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, flowbridge)
