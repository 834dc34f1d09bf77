-- Goes through the steps of docs/conformance.md and prints the transcript.
--
--     FLOWBRIDGE_SOCKET=… lua5.4 conformance.lua binary|line

package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local cjson = require "cjson"
local mime = require "mime"
local Codec = require "codec"
local flowbridge = require "flowbridge"
local show = require "flow"

local MODE = arg[1] or "line"
local GOLDEN = os.getenv("FLOWBRIDGE_GOLDEN") or "proto/golden"
local BIG = "9007199254740993" -- 2^53 + 1, which no double holds
local CLOCK = { kind = "MANUAL", startMs = "1767225600000" } -- 1 January 2026
local FIRST_MISSED, LONG_INPUTS, LONG_BYTES = 18, 24, 32000
local codec = Codec.new(os.getenv("FLOWBRIDGE_TABLES") or ".build/clients/tables.json")
local framing = MODE == "binary" and flowbridge.binary(codec) or flowbridge.lines

local gestures = {
    { "focus", { elementId = "name" } },
    { "enterText", { text = "Zoë 🙂" } },
    { "blur", {} },
    { "openPicker", { elementId = "birthday" } },
    { "pick", { date = { year = 1960, month = 6, day = 15 } } },
    { "closePicker", {} },
    { "tapButton", { elementId = "next" } },
    { "tapOption", { elementId = "experience", optionId = "pro" } },
    { "tapOption", { elementId = "interests", optionId = "sports" } },
    { "tapOption", { elementId = "interests", optionId = "sports" } },
    { "tapToggle", { elementId = "reminders" } },
    { "tapButton", { elementId = "next" } },
    { "tapButton", { elementId = "done" } },
}

-- What a line of the transcript looks like

local function snake(name)
    return (name:gsub("%u", function(letter) return "_" .. letter:lower() end))
end

local function quoted(text)
    local function escaped(byte) return ("%%%02X"):format(byte:byte()) end
    return '"' .. text:gsub('[%c\x80-\xff"%%\\]', escaped) .. '"'
end

local function double_bits(value)
    if value == "NaN" then return "nan" end
    local special = { Infinity = math.huge, ["-Infinity"] = -math.huge }
    return ("%016x"):format(string.unpack(">I8", string.pack(">d", special[value] or value)))
end

local function value_text(value)
    if value.string then return "string=" .. quoted(value.string) end
    if value.int64 then return "int64=" .. value.int64 end
    if value.double then return "double=" .. double_bits(value.double) end
    if value.bool ~= nil then return "bool=" .. tostring(value.bool) end
    if not value.stringList then return "none" end
    local texts = {}
    for index, text in ipairs(value.stringList.values) do texts[index] = quoted(text) end
    return "string_list=[" .. table.concat(texts, ",") .. "]"
end

--- A map of values, ordered by the bytes of the names.
local function members(values)
    local names, text = {}, ""
    for name in pairs(values) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do text = text .. " " .. name .. ":" .. value_text(values[name]) end
    return text
end

local known = {}
for _, field in ipairs(codec.messages["flowbridge.v1.Event"]) do known[field.json] = true end

local function event_text(event)
    local kind = flowbridge.kind_of(event)
    local line = ("event %s %s"):format(event.sequence, known[kind] and snake(kind) or "(unknown kind)")
    local content = event[kind]
    if kind == "didReceiveAnalyticEvent" then
        return line .. " " .. content.name .. members(content.params)
    elseif kind == "didLoadLatestProfile" then
        return line .. members(content.profile.customAttributes)
    elseif kind == "didPerformAction" then
        return line .. " " .. content.kind
    elseif kind == "viewPresented" then
        return line .. " " .. content.placementId
    end
    return line
end

local function say(step, text) print(("%02d %s"):format(step, text)) end

local function show_events(bridge)
    for _, event in ipairs(bridge:take_events()) do print("   " .. event_text(event)) end
end

--- How a call failed, from what it gave.
local function error_text(reply, err)
    if reply then return "no error" end
    if err.sdk then return ("sdk %d %s"):format(err.sdk.code, err.sdk.name) end
    return (("bridge %s %s"):format(err.bridge, err.field):gsub(" $", ""))
end

-- The requests of the steps

local function connected(name) return flowbridge.connect(name, { framing = framing }) end

local function call(bridge, method, fields)
    local reply, err = bridge:call(method, fields)
    return reply or error(method .. ": " .. error_text(nil, err))
end

local function show_flow(bridge) return show(bridge, "onboarding", function() end) end

local function update(bridge, ...) call(bridge, "updateProfile", { customAttributes = { ... } }) end

-- The steps

local function greet_and_open(bridge)
    say(1, ("hello major %d max_frame %d"):format(
        bridge.welcome.protocolMajor, bridge.welcome.maxFrame))
    local opened = call(bridge, "openDevice", {
        device = "conformance", timeZone = "Asia/Kolkata", randomSeed = BIG, clock = CLOCK })
    say(2, ("open_device created %s time_ms %s random_seed %s"):format(
        opened.created, opened.info.timeMs, opened.info.randomSeed))
    local reply = call(bridge, "subscribe", { device = "conformance" })
    say(3, "subscribe next_sequence " .. reply.nextSequence)
    say(4, "get_profile error " .. error_text(bridge:call("getProfile")))
    call(bridge, "activate", { apiKey = "public_live_conformance" })
    say(5, "activate")
    show_events(bridge)
end

local function drive(bridge)
    local flow, locales = call(bridge, "getFlow", { placementId = "onboarding" }).flow, ""
    for _, config in ipairs(flow.remoteConfigs) do locales = locales .. " " .. config.locale end
    say(6, ("get_flow %s %s remote configs%s"):format(flow.id, quoted(flow.name), locales))
    local view = show_flow(bridge)
    say(7, "present")
    show_events(bridge)
    for _, gesture in ipairs(gestures) do
        call(bridge, "perform", { viewId = view, [gesture[1]] = gesture[2] })
        say(8, "perform " .. snake(gesture[1]))
        show_events(bridge)
    end
    say(9, "perform error "
        .. error_text(bridge:call("perform", { viewId = "no-such-view", blur = {} })))
end

local function update_profile(bridge)
    call(bridge, "updateProfile", {
        firstName = "Zoë", email = "zoe@example.com", birthday = "1960-06-15",
        customAttributes = {
            { key = "experience", string = "pro" }, { key = "score", double = 3.25 } },
    })
    say(10, "update_profile set")
    show_events(bridge)
    update(bridge, { key = "experience", remove = true })
    say(11, "update_profile remove")
    show_events(bridge)
    local seen = call(bridge, "inspectProfile")
    say(12, ("inspect_profile %s %s %s age %d%s"):format(quoted(seen.firstName), quoted(seen.email),
        seen.birthday, seen.age, members(seen.profile.customAttributes)))
end

--- The clock of the device stands, so only this side can notice that time is up.
local function give_up_a_call(bridge)
    call(bridge, "setConditions", { calls = { { method = "get_flow", latencyMs = 60000 } } })
    say(13, "get_flow error "
        .. error_text(bridge:call("getFlow", { placementId = "onboarding" }, 0.2)))
    local echo = call(bridge, "ping", { payload = mime.b64("still here") }).payload
    say(14, "ping " .. quoted(mime.unb64(echo)))
    call(bridge, "setConditions", { clear = true })
end

--- Misses three events, and gets them from the record.
local function come_back(bridge)
    bridge:close()
    local other = connected("conformance while away")
    call(other, "openDevice", { device = "conformance" })
    for number = 1, 3 do update(other, { key = "missed", double = number }) end
    other:close()
    bridge = connected("conformance again")
    call(bridge, "openDevice", { device = "conformance" })
    call(bridge, "subscribe", { device = "conformance", fromSequence = FIRST_MISSED })
    update(bridge, { key = "missed", remove = true })
    say(15, "reconnect")
    show_events(bridge)
    return bridge
end

--- Types so much that a connection that does not read is told that it lags.
local function type_a_lot(reader)
    local writer = connected("conformance lag")
    call(writer, "openDevice", { device = "lag", clock = CLOCK })
    call(writer, "activate", { apiKey = "public_live_conformance" })
    local view = show_flow(writer)
    local begin = tonumber(call(reader, "subscribe", { device = "lag" }).nextSequence)
    for number = 1, LONG_INPUTS do
        local text = (number % 2 == 1 and "x" or "y"):rep(LONG_BYTES)
        call(writer, "perform", { viewId = view, focus = { elementId = "name" } })
        call(writer, "perform", { viewId = view, enterText = { text = text } })
        call(writer, "perform", { viewId = view, blur = {} })
    end
    writer:close()
    return begin
end

local function lag(reader)
    local begin = type_a_lot(reader)
    local count, missed, total, told = {}, {}, 0, false
    while total < LONG_INPUTS do
        local event = assert(reader:next_event(10), "no more events")
        local lagged = event.lagged
        local first = tonumber(lagged and lagged.fromSequence or event.sequence)
        for sequence = first, tonumber(lagged and lagged.toSequence or event.sequence) do
            total = total + 1
            if lagged then missed[sequence] = true
            else count[sequence] = (count[sequence] or 0) + 1 end
        end
        told = told or lagged ~= nil
    end
    say(16, "lagged " .. (told and "told" or "nothing"))
    local page = { nextFromSequence = begin }
    repeat -- the record, page by page
        page = call(reader, "getEvents",
            { device = "lag", fromSequence = page.nextFromSequence, pageSize = 8 })
        for _, event in ipairs(page.events) do
            local sequence = tonumber(event.sequence)
            if missed[sequence] then count[sequence] = (count[sequence] or 0) + 1 end
        end
    until page.atEnd
    local whole = true
    for sequence = begin, begin + LONG_INPUTS - 1 do whole = whole and count[sequence] == 1 end
    say(17, "get_events " .. (whole and "nothing missing, nothing twice" or "not the missing ones"))
end

--- A length of 0, or a line that is no JSON object: answered, then closed.
local function break_the_framing()
    local connection = flowbridge.open(flowbridge.default_path())
    connection:send(MODE == "binary" and "\0\0\0\0" or "GET / HTTP/1.1\r\n\r\n")
    local answer = framing.take((assert(connection:receive("*a"))))
    say(18, ("broken framing id %s error %s, then the end"):format(
        answer.id, error_text(nil, answer.error)))
end

-- The golden frames

local function read_file(name)
    local file = io.open(GOLDEN .. "/" .. name)
    local text = file and file:read("a")
    if file then file:close() end
    return text
end

--- The message of a commented hex file, without its length.
local function payload(name)
    local digits = read_file(name .. ".hex"):gsub("#[^\n]*", ""):gsub("%s", "")
    return (digits:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end)):sub(5)
end

--- A golden frame in this run's mode; .line is what a newer broker would write.
local function golden(name)
    if MODE == "binary" then return codec:decode("flowbridge.v1.ServerFrame", payload(name)) end
    return cjson.decode(read_file(name .. ".line") or read_file(name .. ".json"))
end

local function same(left, right)
    if type(left) ~= "table" or type(right) ~= "table" then return left == right end
    for key, value in pairs(left) do if not same(value, right[key]) then return false end end
    for key in pairs(right) do if left[key] == nil then return false end end
    return true
end

--- Whether the bytes give exactly the JSON, and the JSON the bytes; those of read/ are unusual.
local function is_read(name)
    local kind = "flowbridge.v1." .. (name:match("^client/") and "Client" or "Server") .. "Frame"
    local json = cjson.decode(read_file(name .. ".json"))
    return same(codec:decode(kind, payload(name)), json)
        and (name:match("^read/") or codec:encode(kind, json) == payload(name))
end

local function read_golden_frames()
    say(19, event_text(golden("read/unknown-event-kind").event))
    local fields = golden("read/unknown-fields")
    say(20, ("unknown fields id %s ping %s"):format(
        fields.id, quoted(mime.unb64(fields.ping.payload))))
    for _, kind in ipairs({ "string", "int64", "double", "bool", "string-list", "none" }) do
        say(21, event_text(golden("server/value-" .. kind).event))
    end
    local wrong, found = "", false
    for path in assert(io.popen("ls '" .. GOLDEN .. "'/*/*.hex")):lines() do
        local name = path:sub(#GOLDEN + 2, -5)
        found = true
        if not is_read(name) then wrong = wrong .. " " .. name end
    end
    say(22, "golden frames" .. (found and wrong == "" and " all read" or wrong))
end

local bridge = connected("conformance")
greet_and_open(bridge)
drive(bridge)
update_profile(bridge)
give_up_a_call(bridge)
bridge = come_back(bridge)
lag(bridge)
bridge:close()
break_the_framing()
read_golden_frames()
