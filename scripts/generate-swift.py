#!/usr/bin/python3
"""Writes the generated Swift of BridgeProtocol and the schema tables of CBridgeWire.

Reads a serialized FileDescriptorSet with source information (for the comments). Called by
scripts/generate, never by hand.
"""

import argparse
import os
import sys

from google.protobuf import descriptor_pb2

F = descriptor_pb2.FieldDescriptorProto

# protoc-c appends "_" to field names that are C++ keywords.
C_KEYWORDS = set(
    """and and_eq asm auto bitand bitor bool break case catch char class compl const const_cast
    continue default delete do double dynamic_cast else enum explicit extern false float for friend
    goto if inline int long mutable namespace new not not_eq operator or or_eq private protected
    public register reinterpret_cast return short signed sizeof static static_cast struct switch
    template this throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while xor xor_eq""".split()
)

SWIFT_KEYWORDS = set(
    """associatedtype class deinit enum extension fileprivate func import init inout internal let
    open operator private protocol public rethrows static struct subscript typealias var break case
    continue default defer do else fallthrough for guard if in repeat return switch where while as
    catch false is nil super self throw throws true try Self Any Type""".split()
)

# Message names that would hide a name of the standard library.
RENAMED = {"Error": "ErrorReply"}

# Payloads of an enum above this many bytes are boxed, so that frames stay cheap to move.
INLINE_BYTES_MAX = 96

SCALARS = {
    F.TYPE_INT32: ("Int32", "0", 4, "INT32"),
    F.TYPE_SINT32: ("Int32", "0", 4, "SINT32"),
    F.TYPE_SFIXED32: ("Int32", "0", 4, "SFIXED32"),
    F.TYPE_INT64: ("Int64", "0", 8, "INT64"),
    F.TYPE_SINT64: ("Int64", "0", 8, "SINT64"),
    F.TYPE_SFIXED64: ("Int64", "0", 8, "SFIXED64"),
    F.TYPE_UINT32: ("UInt32", "0", 4, "UINT32"),
    F.TYPE_FIXED32: ("UInt32", "0", 4, "FIXED32"),
    F.TYPE_UINT64: ("UInt64", "0", 8, "UINT64"),
    F.TYPE_FIXED64: ("UInt64", "0", 8, "FIXED64"),
    F.TYPE_FLOAT: ("Float", "0", 4, "FLOAT"),
    F.TYPE_DOUBLE: ("Double", "0", 8, "DOUBLE"),
    F.TYPE_BOOL: ("Bool", "false", 1, "BOOL"),
    F.TYPE_STRING: ("String", '""', 16, "STRING"),
    F.TYPE_BYTES: ("[UInt8]", "[]", 8, "BYTES"),
}


def fail(text):
    sys.exit(f"generate-swift.py: {text}")


def lower_camel(snake):
    parts = snake.lower().split("_")
    return parts[0] + "".join(p[:1].upper() + p[1:] for p in parts[1:])


def value_name(name):
    """A Swift name for an enum value: IN_APP_BROWSER and in_app_browser become inAppBrowser."""
    return lower_camel(name)


def quoted(name):
    return f"`{name}`" if name in SWIFT_KEYWORDS else name


def upper_first(name):
    return name[:1].upper() + name[1:]


def camel_to_lower(name):
    out, was_upper = "", True
    for c in name:
        if c.isupper() and not was_upper:
            out += "_"
        out += c.lower()
        was_upper = c.isupper()
    return out


def c_type(full_name):
    return "__".join(upper_first(lower_camel_keep(p)) for p in full_name.split("."))


def lower_camel_keep(name):
    """protoc-c's ToCamel: upper-cases after each underscore, keeps the rest."""
    return "".join(upper_first(p) for p in name.split("_"))


def c_function(full_name):
    return "__".join(camel_to_lower(p) for p in full_name.split("."))


def c_field(name):
    low = name.lower()
    return low + "_" if low in C_KEYWORDS else low


class Enum:
    def __init__(self, proto, parent, file, comments, path):
        self.proto = proto
        self.parent = parent
        self.full_name = f"{parent.full_name}.{proto.name}"
        self.swift = f"{parent.swift}.{proto.name}"
        self.comments = comments
        self.path = path
        self.c = c_type(self.full_name)
        self.signed = any(v.number < 0 for v in proto.value)


class Message:
    def __init__(self, proto, file, path, comments, parent=None):
        self.proto = proto
        self.file = file
        self.path = path
        self.comments = comments
        self.parent = parent
        package = file.package
        self.full_name = f"{parent.full_name}.{proto.name}" if parent else f"{package}.{proto.name}"
        plain = RENAMED.get(proto.name, proto.name)
        self.swift = f"{parent.swift}.{plain}" if parent else plain
        self.simple = plain
        self.c = c_type(self.full_name)
        self.f = c_function(self.full_name)
        self.is_entry = proto.options.map_entry
        self.nested = [
            Message(n, file, path + (3, i), comments, self) for i, n in enumerate(proto.nested_type)
        ]
        self.enums = [
            Enum(e, self, file, comments, path + (4, i)) for i, e in enumerate(proto.enum_type)
        ]
        self.fields = []
        self.oneofs = []

    def all(self):
        yield self
        for n in self.nested:
            yield from n.all()


class Field:
    def __init__(self, proto, message, path, schema):
        self.proto = proto
        self.message = message
        self.path = path
        self.name = proto.name
        self.swift = quoted(lower_camel(proto.name))
        self.c = c_field(proto.name)
        self.number = proto.number
        self.repeated = proto.label == F.LABEL_REPEATED
        self.oneof = proto.oneof_index if proto.HasField("oneof_index") else None
        self.target = None
        if proto.type == F.TYPE_MESSAGE:
            self.target = schema.messages[proto.type_name[1:]]
        elif proto.type == F.TYPE_ENUM:
            self.target = schema.enums[proto.type_name[1:]]
        elif proto.type not in SCALARS:
            fail(f"{message.full_name}.{proto.name}: groups are not supported")
        if proto.proto3_optional:
            fail(f"{message.full_name}.{proto.name}: protoc-c refuses proto3 optional")
        self.is_map = self.target is not None and getattr(self.target, "is_entry", False)

    @property
    def base(self):
        """The Swift type of one value."""
        return self.target.swift if self.target else SCALARS[self.proto.type][0]

    @property
    def is_message(self):
        return self.proto.type == F.TYPE_MESSAGE

    @property
    def is_enum(self):
        return self.proto.type == F.TYPE_ENUM

    @property
    def type_word(self):
        if self.is_message:
            return "MESSAGE"
        if self.is_enum:
            return "ENUM"
        return SCALARS[self.proto.type][3]

    @property
    def is_entry_value(self):
        return self.message.is_entry and self.name == "value"

    def size(self):
        if self.repeated:
            return 8
        if self.is_message:
            return self.target_size() + 1
        if self.is_enum:
            return 4
        return SCALARS[self.proto.type][2]

    def target_size(self):
        return struct_size(self.target)


def struct_size(message):
    total = sum(f.size() for f in message.fields if f.oneof is None)
    for oneof in message.oneofs:
        total += max(min(f.size(), INLINE_BYTES_MAX) for f in oneof.fields) + 1
    return total


class Oneof:
    def __init__(self, proto, message, path, fields):
        self.proto = proto
        self.message = message
        self.path = path
        self.fields = fields
        self.name = proto.name
        self.swift = quoted(lower_camel(proto.name))
        self.type = upper_first(lower_camel(proto.name))
        self.case = f"{c_field(proto.name)}_case"
        self.single = len(fields) == 1


class Schema:
    def __init__(self, descriptor_set):
        self.files = [f for f in descriptor_set.file if f.package.startswith("flowbridge")]
        self.messages, self.enums, self.top = {}, {}, []
        for file in self.files:
            if file.enum_type:
                fail(f"{file.name}: put enums into a message")
            comments = {tuple(l.path): l for l in file.source_code_info.location}
            for i, proto in enumerate(file.message_type):
                message = Message(proto, file, (4, i), comments)
                self.top.append(message)
                for m in message.all():
                    self.messages[m.full_name] = m
                    for e in m.enums:
                        self.enums[e.full_name] = e
        for m in self.messages.values():
            m.fields = [
                Field(p, m, m.path + (2, i), self) for i, p in enumerate(m.proto.field)
            ]
            for i, o in enumerate(m.proto.oneof_decl):
                fields = [f for f in m.fields if f.oneof == i]
                m.oneofs.append(Oneof(o, m, m.path + (8, i), fields))
            self.check(m)

    def check(self, m):
        if len(m.fields) > 64 or len(m.oneofs) > 62:
            fail(f"{m.full_name}: fb_wire_check counts at most 64 fields and 62 oneofs")
        names = [e.proto.name for e in m.enums] + [o.type for o in m.oneofs if not o.single]
        names += [n.simple for n in m.nested]
        if len(set(names)) != len(names):
            fail(f"{m.full_name}: a oneof, an enum and a nested message share a name: {names}")

    def entries_and_messages(self):
        for m in self.top:
            yield from m.all()


# Comments


def comment_lines(comments, path):
    location = comments.get(tuple(path))
    if location is None:
        return []
    texts = [t for t in (location.leading_comments, location.trailing_comments) if t]
    lines = []
    for text in texts:
        lines += [line.strip() for line in text.strip().split("\n")]
    return lines


def doc(indent, lines, fallback):
    lines = [l for l in lines] or [fallback]
    lines[0] = upper_first(lines[0])
    if lines[-1] and lines[-1][-1] not in ".:!?":
        lines[-1] += "."
    out = []
    for line in lines:
        text = f"{indent}/// {line}".rstrip()
        out += wrapped(indent, text)
    return out


def wrapped(indent, text):
    if len(text) <= 100:
        return [text]
    out, line = [], indent + "///"
    for word in text.strip()[3:].split():
        if len(line) + 1 + len(word) > 100:
            out.append(line)
            line = indent + "///"
        line += " " + word
    return out + [line]


# Swift values

HEADER = "// Generated by scripts/generate from {file}. Do not edit.\n"


def field_declaration(f, indent):
    lines = doc(
        indent, comment_lines(f.message.comments, f.path), f"`{f.name}`, field {f.number}."
    )
    if f.repeated:
        kind, value = f"[{f.base}]", "[]"
    elif f.is_entry_value and f.is_message:
        kind, value = f.base, f"{f.base}()"
    elif f.is_message:
        kind, value = f"{f.base}?", None
    elif f.is_enum:
        zero = next((v for v in f.target.proto.value if v.number == 0))
        kind, value = f.base, f".{quoted(value_name(zero.name))}"
    else:
        kind, value = SCALARS[f.proto.type][0], SCALARS[f.proto.type][1]
    text = f"{indent}public var {f.swift}: {kind}"
    if value is not None:
        text += f" = {value}"
    return lines + [text]


def oneof_declaration(o, indent):
    own = comment_lines(o.message.comments, o.path)
    if o.single:
        f = o.fields[0]
        lines = doc(
            indent,
            comment_lines(f.message.comments, f.path),
            f"`{f.name}`, field {f.number}; nil: not given.",
        )
        return lines + [f"{indent}public var {f.swift}: {f.base}?"]
    fallback = f"Which member of `{o.name}` there is; nil: none."
    return doc(indent, own, fallback) + [f"{indent}public var {o.swift}: {o.type}?"]


def members(m):
    """Fields and oneofs in the order of declaration."""
    seen = set()
    for f in m.fields:
        if f.oneof is None:
            yield f
        elif f.oneof not in seen:
            seen.add(f.oneof)
            yield m.oneofs[f.oneof]


def enum_declaration(e, indent):
    lines = doc(
        indent,
        comment_lines(e.comments, e.path),
        f"`{e.full_name}`. A number that is not listed here is kept as it came.",
    )
    lines.append(f"{indent}public struct {e.proto.name}: RawRepresentable, Sendable, Hashable {{")
    inner = indent + "    "
    lines += [
        f"{inner}/// The number on the wire.",
        f"{inner}public var rawValue: Int32",
        "",
        f"{inner}/// Keeps any number, also one that is not listed here.",
        f"{inner}public init(rawValue: Int32) {{",
        f"{inner}    self.rawValue = rawValue",
        f"{inner}}}",
        "",
    ]
    for i, v in enumerate(e.proto.value):
        lines += doc(
            inner, comment_lines(e.comments, e.path + (2, i)), f"`{v.name}`, {v.number}."
        )
        lines.append(
            f"{inner}public static let {quoted(value_name(v.name))} = "
            f"{e.proto.name}(rawValue: {v.number})"
        )
    return lines + [f"{indent}}}"]


def oneof_enum(o, indent):
    inner = indent + "    "
    lines = doc(indent, [], f"The members of `{o.name}`.")
    lines.append(f"{indent}public enum {o.type}: Sendable, Equatable {{")
    for f in o.fields:
        lines += doc(
            inner, comment_lines(f.message.comments, f.path), f"`{f.name}`, field {f.number}."
        )
        boxed = f.is_message and f.target_size() > INLINE_BYTES_MAX
        word = "indirect case" if boxed else "case"
        lines.append(f"{inner}{word} {f.swift}({f.base})")
    return lines + [f"{indent}}}"]


def message_declaration(m, indent=""):
    fallback = f"`{m.full_name}`."
    if m.is_entry:
        fallback = "One entry of the map; entries keep their order."
    lines = doc(indent, comment_lines(m.comments, m.path), fallback)
    lines.append(f"{indent}public struct {m.simple}: Sendable, Equatable {{")
    inner = indent + "    "
    blocks = [enum_declaration(e, inner) for e in m.enums]
    blocks += [oneof_enum(o, inner) for o in m.oneofs if not o.single]
    blocks += [message_declaration(n, inner) for n in m.nested]
    properties = []
    for member in members(m):
        make = field_declaration if isinstance(member, Field) else oneof_declaration
        properties += make(member, inner)
    if properties:
        blocks.append(properties)
    made = "no field set" if m.fields else "nothing in it"
    blocks.append([f"{inner}/// Makes one with {made}.", f"{inner}public init() {{}}"])
    for i, block in enumerate(blocks):
        if i:
            lines.append("")
        lines += block
    return lines + [f"{indent}}}"]


# Swift mapping


def read_value(f, source):
    t = f.proto.type
    if f.is_message:
        return f"{f.base}(wire: {source})"
    if f.is_enum:
        return f"{f.base}(rawValue: Int32(truncatingIfNeeded: {source}.rawValue))"
    if t == F.TYPE_STRING:
        return f"readText({source})"
    if t == F.TYPE_BYTES:
        return f"readBytes({source})"
    if t == F.TYPE_BOOL:
        return f"{source} != 0"
    return source


def c_name(name):
    return quoted(name)


def init_lines(m):
    lines = [f"    init(wire: UnsafePointer<{m.c}>) {{"]
    for member in members(m):
        if isinstance(member, Oneof):
            lines += oneof_read(member)
            continue
        f = member
        src = f"wire.pointee.{c_name(f.c)}"
        if f.repeated:
            count = f"wire.pointee.n_{f.c}"
            if f.proto.type == F.TYPE_STRING:
                lines.append(f"        self.{f.swift} = readTexts({src}, {count})")
            elif f.is_message:
                lines += [
                    f"        if {count} > 0, let list = {src} {{",
                    f"            self.{f.swift}.reserveCapacity({count})",
                    f"            for i in 0..<{count} {{",
                    "                guard let value = list[i] else { continue }",
                    f"                self.{f.swift}.append({f.base}(wire: value))",
                    "            }",
                ]
                if f.is_map:
                    lines.append(f"            self.{f.swift}.keepLastOfEachKey()")
                lines.append("        }")
            else:
                value = read_value(f, "list[i]")
                lines += [
                    f"        if {count} > 0, let list = {src} {{",
                    f"            self.{f.swift} = (0..<{count}).map {{ i in {value} }}",
                    "        }",
                ]
        elif f.is_message:
            lines.append(f"        if let value = {src} {{ self.{f.swift} = {f.base}(wire: value) }}")
        else:
            lines.append(f"        self.{f.swift} = {read_value(f, src)}")
    if len(lines) == 1:
        return [f"    init(wire: UnsafePointer<{m.c}>) {{}}"]
    return lines + ["    }"]


def oneof_read(o):
    if o.single:
        f = o.fields[0]
        src = f"wire.pointee.{c_name(f.c)}"
        out = [f"        if wire.pointee.{o.case}.rawValue == {f.number} {{"]
        if f.is_message:
            out.append(f"            if let value = {src} {{ self.{f.swift} = {f.base}(wire: value) }}")
        else:
            out.append(f"            self.{f.swift} = {read_value(f, src)}")
        return out + ["        }"]
    out = [f"        switch wire.pointee.{o.case}.rawValue {{"]
    for f in o.fields:
        src = f"wire.pointee.{c_name(f.c)}"
        out.append(f"        case {f.number}:")
        if f.is_message:
            out.append(
                f"            if let value = {src} {{ self.{o.swift} = .{f.swift}({f.base}(wire: value)) }}"
            )
        else:
            out.append(f"            self.{o.swift} = .{f.swift}({read_value(f, src)})")
    return out + ["        default: break", "        }"]


def write_value(f, source):
    t = f.proto.type
    if f.is_message:
        return f"{source}.makeWire(arena)"
    if f.is_enum:
        return f"{f.target.c}(rawValue: .init(truncatingIfNeeded: {source}.rawValue))"
    if t == F.TYPE_STRING:
        return f"arena.text({source})"
    if t == F.TYPE_BYTES:
        return f"arena.bytes({source})"
    if t == F.TYPE_BOOL:
        return f"{source} ? 1 : 0"
    return source


def c_element(f):
    t = f.proto.type
    if f.is_message:
        return f"UnsafeMutablePointer<{f.target.c}>?"
    if f.is_enum:
        return f.target.c
    if t == F.TYPE_STRING:
        return "UnsafeMutablePointer<CChar>?"
    if t == F.TYPE_BYTES:
        return "ProtobufCBinaryData"
    if t == F.TYPE_BOOL:
        return "protobuf_c_boolean"
    return SCALARS[t][0]


def make_lines(m):
    lines = [
        f"    func makeWire(_ arena: WireArena) -> UnsafeMutablePointer<{m.c}> {{",
        f"        let wire = arena.take({m.c}.self)",
        f"        {m.f}__init(wire)",
    ]
    for member in members(m):
        if isinstance(member, Oneof):
            lines += oneof_write(member)
            continue
        f = member
        dst = f"wire.pointee.{c_name(f.c)}"
        if f.repeated:
            lines += [
                f"        if !self.{f.swift}.isEmpty {{",
                f"            let list = arena.take({c_element(f)}.self, self.{f.swift}.count)",
                f"            for i in 0..<self.{f.swift}.count {{",
                f"                list[i] = {write_value(f, f'self.{f.swift}[i]')}",
                "            }",
                f"            {dst} = list",
                f"            wire.pointee.n_{f.c} = self.{f.swift}.count",
                "        }",
            ]
        elif f.is_message and not f.is_entry_value:
            lines.append(f"        if let value = self.{f.swift} {{ {dst} = value.makeWire(arena) }}")
        elif f.proto.type == F.TYPE_STRING:
            lines.append(f"        if !self.{f.swift}.isEmpty {{ {dst} = arena.text(self.{f.swift}) }}")
        elif f.proto.type == F.TYPE_BYTES:
            lines.append(f"        if !self.{f.swift}.isEmpty {{ {dst} = arena.bytes(self.{f.swift}) }}")
        else:
            lines.append(f"        {dst} = {write_value(f, 'self.' + f.swift)}")
    return lines + ["        return wire", "    }"]


def oneof_write(o):
    def assign(f, value, indent):
        return [
            f"{indent}wire.pointee.{c_name(f.c)} = {write_value(f, value)}",
            f"{indent}wire.pointee.{o.case} = .init(rawValue: {f.number})",
        ]

    if o.single:
        f = o.fields[0]
        return [f"        if let value = self.{f.swift} {{", *assign(f, "value", "            "), "        }"]
    out = [f"        switch self.{o.swift} {{"]
    for f in o.fields:
        out.append(f"        case .{f.swift}(let value):")
        out += assign(f, "value", "            ")
    return out + ["        case nil: break", "        }"]


# The oneofs of the frames: their members are packed and unpacked by themselves, since protobuf-c
# looks at every field of a message, and these have dozens.
FRAMES = ("ClientFrame", "ServerFrame", "Event")


def member_mapping(o):
    lines = [
        f"extension {o.message.swift}.{o.type} {{",
        "    /// Reads the member of that number; nil for a number that is none.",
        "    init?(number: UInt32, wire: UnsafeRawPointer) {",
        "        switch number {",
    ]
    for f in o.fields:
        lines += [
            f"        case {f.number}:",
            f"            self = .{f.swift}({f.base}(wire: wire.assumingMemoryBound(to: {f.target.c}.self)))",
        ]
    lines += [
        "        default: return nil",
        "        }",
        "    }",
        "",
        "    /// The member's number and its message, to be packed by itself.",
        "    func makeMember(_ arena: WireArena) -> (number: UInt32, wire: UnsafeRawPointer) {",
        "        switch self {",
    ]
    for f in o.fields:
        lines.append(
            f"        case .{f.swift}(let value): ({f.number}, UnsafeRawPointer(value.makeWire(arena)))"
        )
    return lines + ["        }", "    }", "}"]


def mapping(m):
    kind = ": MapEntry" if m.is_entry else ""
    lines = [f"extension {m.swift}{kind} {{", *init_lines(m), "", *make_lines(m), "}"]
    if m.simple in FRAMES:
        for o in m.oneofs:
            lines += ["", *member_mapping(o)]
    return lines


# Tables in Swift


def method_table(schema):
    client = schema.messages["flowbridge.v1.ClientFrame"]
    server = schema.messages["flowbridge.v1.ServerFrame"]
    replies = {f.name: f for f in server.fields}
    body = [f for f in client.fields if f.oneof is not None]
    rows, cases = [], []
    for i, f in enumerate(body):
        reply = replies["welcome" if f.name == "hello" else f.name]
        if reply.number != f.number:
            fail(f"{f.name}: request {f.number} and reply {reply.number} differ in number")
        camel = lower_camel(f.name)
        rows += [
            "        MethodInfo(",
            f'            index: {i}, name: "{f.name}", jsonName: "{camel}", number: {f.number},',
            f'            request: "{f.target.proto.name}", reply: "{reply.name}",',
            f'            replyMessage: "{reply.target.proto.name}"),',
        ]
        cases.append(f"        case .{f.swift}: {i}")
    lines = [
        "/// Every method of the protocol, in the order of `ClientFrame.body`.",
        "public enum MethodTable {",
        "    /// One row a method; the place in the list is `MethodInfo.index`.",
        "    public static let all: [MethodInfo] = [",
        *rows,
        "    ]",
        "}",
        "",
        "extension ClientFrame.Body {",
        "    /// The place of this member's method in `MethodTable.all`.",
        "    public var methodIndex: Int {",
        "        switch self {",
        *cases,
        "        }",
        "    }",
        "}",
    ]
    return lines


def kind_table(schema):
    event = schema.messages["flowbridge.v1.Event"]
    kinds = [f for f in event.fields if f.oneof is not None]
    lines = [
        "/// Every kind of event, in the order of `Event.kind`.",
        "public enum EventKindTable {",
        "    /// The member names, as `subscribe` takes them.",
        "    public static let names: [String] = [",
        *[f'        "{f.name}",' for f in kinds],
        "    ]",
        "}",
        "",
        "extension Event.Kind {",
        "    /// The place of this member in `EventKindTable.names`.",
        "    public var index: Int {",
        "        switch self {",
        *[f"        case .{f.swift}: {i}" for i, f in enumerate(kinds)],
        "        }",
        "    }",
        "}",
    ]
    return lines


# Tables in C


def fnv(name):
    value = 2166136261
    for byte in name.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value ^ (value >> 15)


def name_table(m):
    names = []
    for i, f in enumerate(m.fields):
        for name in sorted({f.name, f.proto.json_name}):
            names.append((name, i + 1))
    size = 2
    while size < 2 * len(names):
        size *= 2
    table = [0] * size
    for name, place in names:
        slot = fnv(name) & (size - 1)
        while table[slot]:
            slot = (slot + 1) & (size - 1)
        table[slot] = place
    return table


def rows_of(numbers, per=24):
    for i in range(0, len(numbers), per):
        yield "    " + ", ".join(str(n) for n in numbers[i : i + per]) + ","


def c_schema(schema):
    lines = [
        "// Generated by scripts/generate. Do not edit.",
        '#include "fb_schema.h"',
        "",
        "#include <stddef.h>",
        "",
    ]
    lines += [f'#include "{f.name[:-6]}.pb-c.h"' for f in schema.files]
    lines.append("")
    every = list(schema.entries_and_messages())
    for m in every:
        lines.append(f"static const fb_message {m.f}_schema;")
    for m in every:
        lines += ["", *c_message(m)]
    lines += ["", "const fb_message *const fb_schema_messages[] = {"]
    lines += [f"    &{m.f}_schema," for m in every]
    lines += ["};", f"const size_t fb_schema_message_count = {len(every)};", ""]
    for name in ("client_frame", "server_frame", "event"):
        lines.append(
            f"const fb_message *fb_schema_{name}(void) "
            f"{{ return &flowbridge__v1__{name}_schema; }}"
        )
    return lines


def oneof_rest(f):
    """How many members of the same oneof follow; the JSON writer steps over them."""
    if f.oneof is None:
        return 0
    members = f.message.oneofs[f.oneof].fields
    fields = f.message.fields
    first = fields.index(members[0])
    if fields[first : first + len(members)] != members:
        fail(f"{f.message.full_name}: the members of a oneof do not follow each other")
    return len(members) - 1 - members.index(f)


def text_form(f):
    """The form of a text, if its comment gives one; wrong JSON types are told about it."""
    comment = " ".join(comment_lines(f.message.comments, f.path))
    if f.proto.type == F.TYPE_STRING and "YYYY-MM-DD" in comment:
        return '"YYYY-MM-DD"'
    return "NULL"


def c_message(m):
    prefix = m.f
    out = []
    if m.fields:
        out.append(f"static const fb_field {prefix}_fields[] = {{")
        for f in m.fields:
            flags = []
            if f.repeated:
                flags.append("FB_FIELD_REPEATED")
            if f.is_map:
                flags.append("FB_FIELD_MAP")
            if f.oneof is not None:
                flags.append("FB_FIELD_ONEOF")
            quantifier = "0"
            if f.repeated:
                quantifier = f"offsetof({m.c}, n_{f.c})"
            elif f.oneof is not None:
                quantifier = f"offsetof({m.c}, {m.oneofs[f.oneof].case})"
            key = f'"\\"{f.proto.json_name}\\":"'
            message = f"&{f.target.f}_schema" if f.is_message else "NULL"
            enumeration = f"&{c_function(f.target.full_name)}__descriptor" if f.is_enum else "NULL"
            out += [
                f'    {{"{f.name}", {key}, {len(f.name)}, {len(f.proto.json_name) + 3}, {f.number},',
                f"     PROTOBUF_C_TYPE_{f.type_word}, {' | '.join(flags) or '0'}, "
                f"{0 if f.oneof is None else f.oneof + 1}, {oneof_rest(f)},",
                f"     offsetof({m.c}, {f.c}), {quantifier},",
                f"     {message}, {enumeration}, {text_form(f)}}},",
            ]
        out.append("};")
        highest = max(f.number for f in m.fields)
        if highest > 1023:
            fail(f"{m.full_name}: a field number over 1023 makes the table too large")
        by_number = [0] * (highest + 1)
        for i, f in enumerate(m.fields):
            by_number[f.number] = i + 1
        names = name_table(m)
        out += [f"static const uint8_t {prefix}_numbers[] = {{", *rows_of(by_number), "};"]
        out += [f"static const uint8_t {prefix}_names[] = {{", *rows_of(names), "};"]
        if m.oneofs:
            texts = ", ".join(f'"{o.name}"' for o in m.oneofs)
            out.append(f"static const char *const {prefix}_oneofs[] = {{{texts}}};")
        tables = [
            f"{prefix}_fields, {prefix}_numbers, {prefix}_names,",
            f"{prefix}_oneofs," if m.oneofs else "NULL,",
            f"{len(m.fields)}, {highest}, {len(names) - 1}, {len(m.oneofs)},",
        ]
    else:
        zero = f"{prefix}_none"
        out.append(f"static const uint8_t {zero}[] = {{0}};")
        tables = [f"NULL, {zero}, {zero}, NULL,", "0, 0, 0, 0,"]
    out += [
        f"static const fb_message {prefix}_schema = {{",
        f'    "{m.full_name}", &{prefix}__descriptor,',
        *[f"    {t}" for t in tables],
        "};",
    ]
    return out


# Output


def write(folder, name, lines):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--descriptors", required=True)
    parser.add_argument("--swift", required=True, help="folder for the Swift files")
    parser.add_argument("--c", required=True, help="file for the C tables")
    arguments = parser.parse_args()
    descriptor_set = descriptor_pb2.FileDescriptorSet()
    with open(arguments.descriptors, "rb") as source:
        descriptor_set.ParseFromString(source.read())
    schema = Schema(descriptor_set)

    for m in schema.top:
        header = HEADER.format(file=f"proto/{m.file.name}")
        write(arguments.swift, f"Messages/{m.simple}.swift", [header, *message_declaration(m)])
    for file in schema.files:
        lines = [HEADER.format(file=f"proto/{file.name}"), "import CBridgeWire", "import CProtobufC"]
        for top in schema.top:
            if top.file is file:
                for m in top.all():
                    lines += ["", *mapping(m)]
        stem = lower_camel_keep(os.path.basename(file.name)[:-6])
        write(arguments.swift, f"Mapping/{stem}+Wire.swift", lines)
    header = HEADER.format(file="proto/flowbridge/v1/frame.proto")
    write(arguments.swift, "Tables/MethodTable.swift", [header, *method_table(schema)])
    header = HEADER.format(file="proto/flowbridge/v1/event.proto")
    write(arguments.swift, "Tables/EventKindTable.swift", [header, *kind_table(schema)])
    write(os.path.dirname(arguments.c), os.path.basename(arguments.c), c_schema(schema))


if __name__ == "__main__":
    main()
