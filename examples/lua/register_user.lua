-- Registers a user through the sample flow, as an app would.
--
-- One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
-- user's finger, which types and taps. The app keeps the last value of every input; when the flow
-- has disappeared it has all that its own backend needs, and enriches the profile with it.

package.path = arg[0]:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local cjson = require "cjson"
local flowbridge = require "flowbridge"
local show_flow = require "flow"

local TIME_ZONE = "Asia/Kolkata"

local gestures = {
    { "focus", { elementId = "name" }, "name" },
    { "enterText", { text = "Jane" }, "Jane" },
    { "blur", {} },
    { "focus", { elementId = "email" }, "email" },
    { "enterText", { text = "jane@example.com" }, "jane@example.com" },
    { "blur", {} },
    { "openPicker", { elementId = "birthday" }, "birthday" },
    { "pick", { date = { year = 1990, month = 6, day = 15 } }, "1990-06-15" },
    { "closePicker", {} },
    { "tapButton", { elementId = "next" }, "next" },
    { "tapOption", { elementId = "experience", optionId = "pro" }, "experience pro" },
    { "tapOption", { elementId = "interests", optionId = "sports" }, "interests sports" },
    { "tapOption", { elementId = "interests", optionId = "music" }, "interests music" },
    { "tapToggle", { elementId = "reminders" }, "reminders" },
    { "tapButton", { elementId = "next" }, "next" },
    { "tapButton", { elementId = "done" }, "done" },
}

local answers, finished = {}, false -- the last value of every input

local function say(who, what, details)
    print((("%-11s %-28s %s"):format(who, what, details or ""):gsub(" +$", "")))
end

local function title(text) print("\n" .. text .. "\n" .. ("-"):rep(#text)) end

local function snake(name)
    return (name:gsub("%u", function(letter) return "_" .. letter:lower() end))
end

--- What a Value holds; a 64-bit integer stays a string.
local function plain(value)
    if value.stringList then return value.stringList.values end
    if value.bool ~= nil then return value.bool end
    return value.string or value.int64 or value.double
end

local function json(value)
    if value.int64 then return value.int64 end
    return (cjson.encode(plain(value)):gsub('","', '", "'))
end

--- The event has the instant at which the picked day begins where the user is. It is turned into
--- a day now and in that zone: read later or elsewhere, the instant is another day.
local function local_day(milliseconds, zone)
    assert(zone:match("^[%w/_+-]+$"), "no name of a zone")
    local seconds = tonumber(milliseconds) // 1000
    local pipe = assert(io.popen(("TZ=%s date -d @%d +%%F"):format(zone, seconds)))
    local day = pipe:read("l")
    pipe:close()
    return day
end

local function answer(params, zone)
    local kind = params.element_type.string
    if kind == "single_choice" then return plain(params.item_ids)[1] end
    if kind == "multi_choice" then return plain(params.item_ids) end
    if kind == "date_picker" then return local_day(plain(params.value), zone) end
    return plain(params.value)
end

--- What is printed of a callback: its name and what it carries.
local function story(kind, content)
    if kind == "didReceiveAnalyticEvent" then
        local params = content.params
        if content.name ~= "flow_user_input" then return content.name, plain(params.instanceId) end
        local shown = json(params.value or params.item_titles)
        return content.name, plain(params.element_id) .. " = " .. shown
    elseif kind == "didPerformAction" then
        return snake(kind), content.kind
    elseif kind == "viewPresented" then
        return snake(kind), content.placementId
    elseif kind == "didLoadLatestProfile" then
        local shown = {}
        for name, value in pairs(content.profile.customAttributes) do
            shown[#shown + 1] = name .. " = " .. json(value)
        end
        return snake(kind), table.concat(shown, ", ")
    end
    return snake(kind)
end

--- Takes the callbacks that have come. Those of a call are there before its reply.
local function listen(bridge)
    for _, event in ipairs(bridge:take_events()) do
        local kind = flowbridge.kind_of(event)
        local content = event[kind]
        say("  callback", story(kind, content))
        finished = finished or kind == "flowDidDisappear"
        if content.name == "flow_user_input" then
            answers[plain(content.params.element_id)] = answer(content.params, event.timeZone)
        end
    end
end

local bridge = flowbridge.connect("register_user.lua")
title("A user registers")
local device = ("phone-%x"):format(os.time())
say("app", "open_device", TIME_ZONE)
assert(bridge:call("openDevice", { device = device, timeZone = TIME_ZONE }))
assert(bridge:call("subscribe", { device = device }))
say("app", "activate")
assert(bridge:call("activate", { apiKey = "public_live_sample" }))
listen(bridge)

local view = show_flow(bridge, "onboarding", function(...) say("app", ...) end)
listen(bridge)
for _, gesture in ipairs(gestures) do
    local name, fields, details = table.unpack(gesture)
    say("finger", snake(name), details)
    assert(bridge:call("perform", { viewId = view, [name] = fields }))
    listen(bridge)
end
assert(finished, "the flow is still on screen: nothing is sent")

title("One request to the app's own backend")
local members = {}
for name, value in pairs(answers) do
    members[#members + 1] = ("%s:%s"):format(cjson.encode(name), cjson.encode(value))
end
table.sort(members)
print("POST /users\n{" .. table.concat(members, ",") .. "}")

title("The profile, enriched")
say("app", "update_profile", "first name, email, birthday, experience")
assert(bridge:call("updateProfile", {
    firstName = answers.name, email = answers.email, birthday = answers.birthday,
    customAttributes = { { key = "experience", string = answers.experience } },
}))
listen(bridge)
bridge:close()
