"""Writes the schema as one JSON file, from which a codec of 200 lines can read and write protobuf:
for languages that have no protobuf runtime here (Node, Lua, Perl).

    make_tables.py DESCRIPTOR_SET OUTPUT

    {"messages": {"flowbridge.v1.Event": [
        {"number": 1, "name": "sequence", "json": "sequence", "type": "uint64"}, …]},
     "enums": {"flowbridge.v1.Error.Bridge": {"NONE": 0, …}}}

A field has "repeated": true or "oneof": its name; one of type "message" or "enum" has "of": the
full name; a map has type "map" with "key" and "value", which are fields.
"""

import json
import sys
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2


def main(source: str, output: str) -> None:
    files = descriptor_pb2.FileDescriptorSet.FromString(Path(source).read_bytes())
    messages: dict[str, Any] = {}
    enums: dict[str, Any] = {}
    entries: dict[str, Any] = {}  # what protobuf makes of maps, by full name
    for file in files.file:
        for enum in file.enum_type:
            add_enum(enums, file.package, enum)
        for message in file.message_type:
            add_message(messages, enums, entries, file.package, message)
    for fields in messages.values():
        for field in fields:
            if field.get("of") in entries:
                key, value = entries[field.pop("of")]
                del field["repeated"]
                field.update(type="map", key=key, value=value)
    Path(output).write_text(json.dumps({"messages": messages, "enums": enums}, indent=1))


def add_enum(enums: dict[str, Any], scope: str, enum: Any) -> None:
    enums[f"{scope}.{enum.name}"] = {value.name: value.number for value in enum.value}


def add_message(
    messages: dict[str, Any], enums: dict[str, Any], entries: dict[str, Any], scope: str,
    message: Any,
) -> None:
    name = f"{scope}.{message.name}"
    fields = [describe(field, message) for field in sorted(message.field, key=lambda f: f.number)]
    (entries if message.options.map_entry else messages)[name] = fields
    for enum in message.enum_type:
        add_enum(enums, name, enum)
    for nested in message.nested_type:
        add_message(messages, enums, entries, name, nested)


def describe(field: Any, message: Any) -> dict[str, Any]:
    kind = field.Type.Name(field.type).removeprefix("TYPE_").lower()
    made: dict[str, Any] = {
        "number": field.number, "name": field.name, "json": field.json_name, "type": kind}
    if field.type_name:
        made["of"] = field.type_name.removeprefix(".")
    if field.label == field.LABEL_REPEATED:
        made["repeated"] = True
    if field.HasField("oneof_index"):
        made["oneof"] = message.oneof_decl[field.oneof_index].name
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
