#!/usr/bin/python3
"""A second decoder: messages made at random out of the schema, and changed at random, with what
protobuf for Python makes of them.

    protobuf_verdicts.py [COUNT [SEED]]

Prints a line for each: C or S for the frame, its bytes, 1 if Python takes them, and for some of
those that it takes what they say, as line mode prints it.
"""

import importlib.machinery
import importlib.util
import pathlib
import random
import sys
import warnings

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load_golden():
    """scripts/generate-golden as a module: the classes of the frames, and their lines."""
    loader = importlib.machinery.SourceFileLoader("golden", str(ROOT / "scripts/generate-golden"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


TEXTS = ["", "a", "onboarding", "Nguyễn 😀", "x" * 40, "\u2028", "1990-06-15"]
NUMBERS = [0, 1, 2, 3, 127, 128, 300, 2**31 - 1, 2**31, 2**32 - 1, 2**53 + 1, 2**63 - 1]


def fill(rng, message, depth=0):
    """Gives some fields of a message values."""
    fields = message.DESCRIPTOR.fields
    for field in rng.sample(list(fields), min(len(fields), 1 if depth == 0 else rng.randint(0, 4))):
        if field.message_type is not None and depth > 6:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            fill_map(rng, message, field, depth)
        elif field.label == FieldDescriptor.LABEL_REPEATED:
            for _ in range(rng.randint(0, 3)):
                if field.message_type is not None:
                    fill(rng, getattr(message, field.name).add(), depth + 1)
                else:
                    getattr(message, field.name).append(scalar(rng, field))
        elif field.message_type is not None:
            getattr(message, field.name).SetInParent()
            fill(rng, getattr(message, field.name), depth + 1)
        else:
            setattr(message, field.name, scalar(rng, field))


def fill_map(rng, message, field, depth):
    value = field.message_type.fields_by_name["value"]
    entries = getattr(message, field.name)
    for _ in range(rng.randint(0, 3)):
        key = rng.choice(TEXTS)
        if value.message_type is not None:
            fill(rng, entries[key], depth + 1)
        else:
            entries[key] = scalar(rng, value)


def scalar(rng, field):
    kind = field.type
    if kind == FieldDescriptor.TYPE_STRING:
        return rng.choice(TEXTS)
    if kind == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.randint(0, 6))
    if kind == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == FieldDescriptor.TYPE_ENUM:
        return rng.choice(field.enum_type.values).number
    if kind == FieldDescriptor.TYPE_DOUBLE:
        return rng.choice([0.0, -1.5, 1e21, 5e-324, 0.1])
    number = rng.choice(NUMBERS)
    if kind in (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32):
        number &= 2**31 - 1
    signed = kind in (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64)
    return -number if signed and rng.random() < 0.3 else number


def change(rng, data, other):
    """One change: of a bit, a byte, some bytes, the end, or a piece of another message."""
    data = bytearray(data)
    place = rng.randrange(len(data) + 1)
    what = rng.randrange(7)
    if what == 0 and data:
        data[place % len(data)] ^= 1 << rng.randrange(8)
    elif what == 1 and data:
        data[place % len(data)] = rng.choice([0, 1, 2, 0x7F, 0x80, 0xFF, rng.randrange(256)])
    elif what == 2:
        data[place:place] = rng.randbytes(rng.randint(1, 3))
    elif what == 3:
        del data[place : place + rng.randint(1, 4)]
    elif what == 4:
        del data[place:]
    elif what == 5:
        start = rng.randrange(len(other) + 1)
        data[place:place] = other[start : start + rng.randint(1, 12)]
    else:
        data += other
    return bytes(data)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    # A message that an end of a group cuts short is a warning there; here it is none.
    warnings.simplefilter("error")
    golden = load_golden()
    kinds = dict(zip("CS", golden.frames()))
    made = {"C": [b"\x08\x01"], "S": [b"\x08\x01"]}
    for number in range(count):
        letter = "CS"[number % 2]
        kind = kinds[letter]
        if number % 3 == 0 or len(made[letter]) < 20:
            frame = kind(id=rng.choice(NUMBERS))
            member = rng.choice(kind.DESCRIPTOR.oneofs[0].fields)
            getattr(frame, member.name).SetInParent()
            fill(rng, getattr(frame, member.name), 1)
            data = frame.SerializeToString(deterministic=True)
            made[letter] = made[letter][-199:] + [data]
        else:
            data = rng.choice(made[letter])
            for _ in range(rng.randint(1, 3)):
                data = change(rng, data, rng.choice(made[letter]))
        try:
            frame = kind.FromString(data)
        except (DecodeError, RuntimeWarning, SystemError):
            print(letter, data.hex() or "-", 0)
            continue
        says = golden.line(frame) if number % 10 < 2 else ""
        print(letter, data.hex() or "-", 1, says)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.stderr.close()
