-- Reads and writes protobuf by the tables that examples/codec/make_tables.py makes of the schema.
--
-- Messages are plain tables in the shape of line mode: lowerCamelCase names, 64-bit integers as
-- strings, bytes in base64, names of enums, every field of a message that was read.

local cjson = require "cjson"
local mime = require "mime"

local Codec = {}
Codec.__index = Codec

local VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
local WIRE_TYPE = {
    double = FIXED64, fixed32 = FIXED32, string = BYTES, bytes = BYTES, message = BYTES, map = BYTES,
}
local DEPTH_MAX = 32

local function wire_type(field) return WIRE_TYPE[field.type] or VARINT end

--- Reads the tables.
function Codec.new(path)
    local file = assert(io.open(path))
    local self = setmetatable(cjson.decode(file:read("a")), Codec)
    file:close()
    self.by_number, self.value_names = {}, {}
    for name, fields in pairs(self.messages) do
        self.by_number[name] = {}
        for _, field in ipairs(fields) do self.by_number[name][field.number] = field end
    end
    for name, values in pairs(self.enums) do
        self.value_names[name] = {}
        for value, number in pairs(values) do self.value_names[name][number] = value end
    end
    return self
end

-- Writing

local function varint(number) -- its 64 bits, seven at a time, the lowest first
    local bytes = {}
    while number < 0 or number > 127 do
        bytes[#bytes + 1] = string.char(number & 127 | 128)
        number = number >> 7
    end
    bytes[#bytes + 1] = string.char(number)
    return table.concat(bytes)
end

local function with_length(bytes) return varint(#bytes) .. bytes end

--- A number or its digits as the 64 bits of it, also above the largest signed one.
local function integer(value)
    if type(value) == "number" then return math.tointeger(value) end
    local number = 0
    for digit in value:gmatch("%d") do number = number * 10 + tonumber(digit) end
    return value:sub(1, 1) == "-" and -number or number
end

local function is_default(codec, field, value)
    if field.type == "string" or field.type == "bytes" then return value == "" end
    if field.type == "bool" then return value == false end
    if field.type == "enum" then return (codec.enums[field.of][value] or value) == 0 end
    return tonumber(value) == 0
end

function Codec:scalar(field, value)
    local kind = field.type
    if kind == "string" then return with_length(value) end
    if kind == "bytes" then return with_length(mime.unb64(value) or "") end
    if kind == "bool" then return varint(value and 1 or 0) end
    if kind == "double" then
        local special = { NaN = 0 / 0, Infinity = math.huge, ["-Infinity"] = -math.huge }
        if value == "NaN" then return string.pack("<I8", 0x7ff8000000000000) end
        return string.pack("<d", special[value] or value)
    end
    if kind == "fixed32" then return string.pack("<I4", value) end
    if kind == "enum" then return varint(self.enums[field.of][value] or value) end
    return varint(integer(value))
end

function Codec:member(field, value)
    local tag = varint(field.number << 3 | wire_type(field))
    if field.type == "map" then return tag .. with_length(value) end
    if field.type == "message" then return tag .. with_length(self:encode(field.of, value)) end
    return tag .. self:scalar(field, value)
end

--- One pair of a map: a message with the fields 1 and 2.
function Codec:entry(field, key, value)
    local bytes = is_default(self, field.key, key) and "" or self:member(field.key, key)
    if field.value.type == "message" or not is_default(self, field.value, value) then
        bytes = bytes .. self:member(field.value, value)
    end
    return bytes
end

--- A list of numbers, which has one tag and one length.
function Codec:packed(field, values)
    local parts = {}
    for index, value in ipairs(values) do parts[index] = self:scalar(field, value) end
    if #parts == 0 then return "" end
    return varint(field.number << 3 | BYTES) .. with_length(table.concat(parts))
end

local function sorted_keys(map)
    local keys = {}
    for key in pairs(map) do keys[#keys + 1] = key end
    table.sort(keys)
    return keys
end

--- The bytes of a message such as "flowbridge.v1.ClientFrame".
function Codec:encode(name, message)
    local parts = {}
    local function add(bytes) parts[#parts + 1] = bytes end
    for _, field in ipairs(self.messages[name]) do
        local value = message[field.json]
        if value == nil then
            -- absent
        elseif field.type == "map" then
            for _, key in ipairs(sorted_keys(value)) do
                add(self:member(field, self:entry(field, key, value[key])))
            end
        elseif field["repeated"] and wire_type(field) == BYTES then
            for _, item in ipairs(value) do add(self:member(field, item)) end
        elseif field["repeated"] then
            add(self:packed(field, value))
        elseif field.oneof or field.type == "message" or not is_default(self, field, value) then
            add(self:member(field, value))
        end
    end
    return table.concat(parts)
end

-- Reading

local Reader = {}
Reader.__index = Reader

local function reader(bytes) return setmetatable({ bytes = bytes, at = 1 }, Reader) end

function Reader:at_end() return self.at > #self.bytes end

function Reader:unpack(format, size)
    assert(self.at + size <= #self.bytes + 1, "the message is cut off")
    self.at = self.at + size
    return (string.unpack(format, self.bytes, self.at - size))
end

function Reader:varint()
    local number = 0
    for shift = 0, 63, 7 do
        local byte = self:unpack("B", 1)
        number = number | (byte & 127) << shift
        if byte < 128 then return number end
    end
    error("a varint has more than ten bytes")
end

function Reader:take()
    local length = self:varint()
    local left = #self.bytes + 1 - self.at -- a sum with a huge length would overflow
    assert(length >= 0 and length <= left, "the message is cut off")
    self.at = self.at + length
    return self.bytes:sub(self.at - length, self.at - 1)
end

function Reader:skip(wire)
    if wire == VARINT then self:varint()
    elseif wire == FIXED64 then self:unpack("<I8", 8)
    elseif wire == BYTES then self:take()
    elseif wire == FIXED32 then self:unpack("<I4", 4)
    else error("wire type " .. wire .. " is none of proto3") end
end

local function unsigned(number)
    if number >= 0 then return tostring(number) end
    local tenth = (number >> 1) // 5
    return tenth .. tostring(number - tenth * 10)
end

local function int32(number)
    number = number & 0xffffffff
    return number < 0x80000000 and number or number - 0x100000000
end

local function plain_double(number) -- JSON has no numbers for these
    if number ~= number then return "NaN" end
    if number == math.huge then return "Infinity" end
    return number == -math.huge and "-Infinity" or number
end

function Codec:default(field)
    local kind = field.type
    if kind == "string" or kind == "bytes" then return "" end
    if kind == "bool" then return false end
    if kind == "enum" then return self.value_names[field.of][0] end
    return (kind == "int64" or kind == "uint64") and "0" or 0
end

--- A message without anything in it: every field that is not of a choice has its default.
function Codec:blank(name)
    local message = {}
    for _, field in ipairs(self.messages[name]) do
        if field.type == "map" or field["repeated"] then message[field.json] = {}
        elseif not field.oneof and field.type ~= "message" then
            message[field.json] = self:default(field)
        end
    end
    return message
end

function Codec:value(from, field, depth)
    local kind = field.type
    if kind == "message" then return self:read(reader(from:take()), field.of, depth + 1) end
    if kind == "string" then
        local text = from:take()
        return utf8.len(text) and text or error(field.name .. " is no UTF-8")
    end
    if kind == "bytes" then return mime.b64(from:take()) or "" end
    if kind == "double" then return plain_double(from:unpack("<d", 8)) end
    if kind == "fixed32" then return from:unpack("<I4", 4) end
    local number = from:varint()
    if kind == "bool" then return number ~= 0 end
    if kind == "int64" then return tostring(number) end
    if kind == "uint64" then return unsigned(number) end
    if kind == "uint32" then return number & 0xffffffff end
    if kind == "int32" then return int32(number) end
    assert(kind == "enum", kind)
    return self.value_names[field.of][int32(number)] or int32(number)
end

function Codec:pair(from, message, field, depth)
    local key, value = self:default(field.key), nil
    if field.value.type == "message" then value = self:blank(field.value.of)
    else value = self:default(field.value) end
    while not from:at_end() do
        local tag = from:varint()
        if tag >> 3 == 1 then key = self:value(from, field.key, depth)
        elseif tag >> 3 == 2 then value = self:value(from, field.value, depth)
        else from:skip(tag & 7) end
    end
    message[field.json][key] = value
end

function Codec:read(from, name, depth)
    assert(depth <= DEPTH_MAX, "messages are nested too deeply")
    local message = self:blank(name)
    while not from:at_end() do
        local tag = from:varint()
        local field = self.by_number[name][tag >> 3]
        if not field then
            from:skip(tag & 7)
        elseif field.type == "map" then
            self:pair(reader(from:take()), message, field, depth)
        elseif field["repeated"] then
            local list, items = message[field.json], from
            local is_packed = tag & 7 == BYTES and wire_type(field) ~= BYTES
            if is_packed then items = reader(from:take()) end
            while not (is_packed and items:at_end()) do
                list[#list + 1] = self:value(items, field, depth)
                if not is_packed then break end
            end
        else
            if field.oneof then -- of the members of a choice the last one counts
                for _, other in ipairs(self.messages[name]) do
                    if other.oneof == field.oneof then message[other.json] = nil end
                end
            end
            message[field.json] = self:value(from, field, depth)
        end
    end
    return message
end

--- The message in the bytes; what a newer broker added is passed over. Raises on broken bytes.
function Codec:decode(name, bytes) return self:read(reader(bytes), name, 0) end

return Codec
