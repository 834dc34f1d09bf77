-- A small client of the Flowbridge broker: JSON lines over its Unix socket, or binary frames.
--
--     local bridge = flowbridge.connect("my program")
--     bridge:call("subscribe")
--     local reply, err = bridge:call("getFlow", { placementId = "onboarding" })
--     for _, event in ipairs(bridge:take_events()) do print(event.sequence) end

local cjson = require "cjson"
local socket = require "socket"
local unix = require "socket.unix"

local flowbridge = {}

local FRAME_BYTES_MAX = 1 << 20
local LINE_BYTES_MAX = 4 * FRAME_BYTES_MAX
local PATH_BYTES_MAX = 107 -- what a socket's address holds
local GRACE = 0.1          -- a call returns at its deadline plus this, whatever the broker does

-- Where the broker listens

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function output(command)
    local pipe = assert(io.popen(command))
    local line = pipe:read("l")
    pipe:close()
    return line or ""
end

local function variable(name)
    local value = os.getenv(name)
    return value ~= "" and value or nil
end

--- FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this user under the temporary
--- one, which nobody else may be able to enter.
function flowbridge.default_path()
    if variable("FLOWBRIDGE_SOCKET") then return variable("FLOWBRIDGE_SOCKET") end
    if variable("XDG_RUNTIME_DIR") then
        return variable("XDG_RUNTIME_DIR") .. "/flowbridge/bridge.sock"
    end
    local uid = output("id -u")
    local folder = (variable("TMPDIR") or "/tmp") .. "/flowbridge-" .. uid
    if output("stat -c '%F %u %a' " .. quoted(folder)) ~= "directory " .. uid .. " 700" then
        error(folder .. " must be a folder of uid " .. uid .. " with mode 0700")
    end
    return folder .. "/bridge.sock"
end

--- A connected socket, whose file must belong to this user or to root.
function flowbridge.open(path)
    if #path > PATH_BYTES_MAX then
        error(path .. " has " .. #path .. " bytes; a socket path has at most 107")
    end
    if path:sub(1, 1) == "@" then error(path .. ": lua-socket knows no abstract sockets") end
    local owner = output("stat -c %u " .. quoted(path))
    if owner ~= output("id -u") and owner ~= "0" then
        error(path .. " belongs to uid " .. owner .. ", not to this one or root")
    end
    local connection = unix()
    assert(connection:connect(path))
    return connection
end

-- Frames as bytes: pack makes them of a frame, take gives the first whole frame of a buffer and
-- what is left of it

flowbridge.lines = {
    pack = function(frame) return cjson.encode(frame) .. "\n" end,
    take = function(buffer)
        local stop = buffer:find("\n", 1, true)
        if stop then return cjson.decode(buffer:sub(1, stop - 1)), buffer:sub(stop + 1) end
        assert(#buffer <= LINE_BYTES_MAX, "a line is too long")
    end,
}

--- A length of four bytes, the highest first, and a protobuf message.
function flowbridge.binary(codec)
    return {
        pack = function(frame)
            return string.pack(">s4", codec:encode("flowbridge.v1.ClientFrame", frame))
        end,
        take = function(buffer)
            if #buffer < 4 then return end
            local length = string.unpack(">I4", buffer)
            assert(length >= 1 and length <= FRAME_BYTES_MAX, "a frame of " .. length .. " bytes")
            if #buffer < 4 + length then return end
            local payload = buffer:sub(5, 4 + length)
            return codec:decode("flowbridge.v1.ServerFrame", payload), buffer:sub(5 + length)
        end,
    }
end

-- One connection

local Bridge = {}
Bridge.__index = Bridge

--- Connects and greets. Without a path it is the standard one, without framing line mode.
function flowbridge.connect(client_name, options)
    options = options or {}
    local self = setmetatable({
        framing = options.framing or flowbridge.lines,
        connection = flowbridge.open(options.path or flowbridge.default_path()),
        buffer = "", events = {}, last_id = 0,
    }, Bridge)
    local welcome, err = self:call("hello", {
        protocolMajor = 1, protocolMinor = 1, clientName = client_name, maxFrame = FRAME_BYTES_MAX,
    })
    self.welcome = welcome or error(err.message)
    return self
end

function Bridge:send(frame)
    self.connection:settimeout(nil)
    assert(self.connection:send(self.framing.pack(frame)))
end

--- The next frame, or nil when the time is up. Then nothing is read, also while frames come.
function Bridge:receive(till)
    while true do
        local frame, rest = self.framing.take(self.buffer)
        if frame then
            self.buffer = rest
            return frame
        end
        local left = till - socket.gettime()
        if left < 0 or #socket.select({ self.connection }, nil, left) == 0 then return nil end
        self.connection:settimeout(0)
        local all, reason, part = self.connection:receive(65536)
        if not all and reason ~= "timeout" and part == "" then
            error("the broker closed the connection")
        end
        self.buffer = self.buffer .. (all or part)
    end
end

--- Keeps an event; drops the late answer of a call that was given up.
function Bridge:sort(frame)
    if frame.event then
        table.insert(self.events, frame.event)
    elseif frame.id == "0" and frame.error then
        error(frame.error.message) -- about the connection itself
    end
end

--- Sends one request and gives its reply, or nil and the error, at the latest 0.1 s after the
--- time-out in seconds.
function Bridge:call(method, fields, timeout)
    timeout = timeout or 10
    self.last_id = self.last_id + 1
    local id, till = tostring(self.last_id), socket.gettime() + timeout + GRACE
    local milliseconds = math.max(1, math.floor(timeout * 1000))
    self:send({ id = id, deadlineMs = milliseconds, [method] = fields or {} })
    for frame in function() return self:receive(till) end do
        if frame.id ~= id then
            self:sort(frame)
        elseif frame.error then
            -- A number here is of a newer broker.
            if type(frame.error.bridge) == "number" then frame.error.bridge = "INTERNAL" end
            return nil, frame.error
        else
            return frame[method == "hello" and "welcome" or method]
        end
    end
    self:send({ cancel = { id = id } }) -- without id: no answer is wanted
    local message = method .. " had no answer within " .. timeout .. " s"
    return nil, { bridge = "DEADLINE_EXCEEDED", message = message, field = "", retryable = true }
end

--- The events that are here, in order. Those that a call has caused are here when it returns.
function Bridge:take_events()
    local taken = self.events
    self.events = {}
    return taken
end

--- The next event, or nil when none came within the seconds.
function Bridge:next_event(timeout)
    local till = socket.gettime() + timeout
    while #self.events == 0 do
        local frame = self:receive(till)
        if not frame then return nil end
        self:sort(frame)
    end
    return table.remove(self.events, 1)
end

function Bridge:close() self.connection:close() end

local ABOUT_THE_EVENT = {
    sequence = true, device = true, viewId = true, timeMs = true, timeZone = true,
    subscriptionId = true,
}

--- The kind of an event, such as "flowDidAppear".
function flowbridge.kind_of(event)
    for name in pairs(event) do
        if not ABOUT_THE_EVENT[name] then return name end
    end
end

return flowbridge
