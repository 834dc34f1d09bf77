"""Frames as bytes, and bytes as frames; no socket here, so both clients share it."""

import struct
from typing import Literal, Protocol

from flowbridge.v1.frame_pb2 import ClientFrame, ServerFrame
from google.protobuf import json_format

PROTOCOL_MAJOR, PROTOCOL_MINOR = 1, 1
FRAME_BYTES_MAX = 1 << 20
LINE_BYTES_MAX = 4 * FRAME_BYTES_MAX

Mode = Literal["binary", "line"]


class Framing(Protocol):
    """One direction of each kind: `packed` makes the bytes of a request, `feed` takes bytes as
    they come, and `take` gives the next whole frame or None."""

    def packed(self, frame: ClientFrame) -> bytes: ...

    def feed(self, received: bytes) -> None: ...

    def take(self) -> ServerFrame | None: ...


class BinaryFraming:
    """A length of four bytes, the highest first, and a protobuf message."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def packed(self, frame: ClientFrame) -> bytes:
        payload = frame.SerializeToString()
        return struct.pack(">I", len(payload)) + payload

    def feed(self, received: bytes) -> None:
        self._buffer += received

    def take(self) -> ServerFrame | None:
        if len(self._buffer) < 4:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if not 1 <= length <= FRAME_BYTES_MAX:
            raise ConnectionError(
                f"a frame of {length} bytes; 1 to {FRAME_BYTES_MAX} are allowed")
        if len(self._buffer) < 4 + length:
            return None
        frame = ServerFrame.FromString(bytes(self._buffer[4:4 + length]))
        del self._buffer[:4 + length]
        return frame


class LineFraming:
    """One JSON object a line. What a newer broker adds is passed over."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._looked_at = 0  # bytes that are known to hold no end of a line

    def packed(self, frame: ClientFrame) -> bytes:
        text: str = json_format.MessageToJson(frame, indent=None)
        return text.encode() + b"\n"

    def feed(self, received: bytes) -> None:
        self._buffer += received

    def take(self) -> ServerFrame | None:
        end = self._buffer.find(b"\n", self._looked_at)
        if end < 0:
            self._looked_at = len(self._buffer)
            if self._looked_at > LINE_BYTES_MAX:
                raise ConnectionError(f"a line of more than {LINE_BYTES_MAX} bytes")
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[:end + 1]
        self._looked_at = 0
        return read_line(line)


def read_line(line: str | bytes) -> ServerFrame:
    """One line of the broker as a frame."""
    return json_format.Parse(line, ServerFrame(), ignore_unknown_fields=True)


def framing(mode: Mode) -> Framing:
    """The framing of a mode, with empty buffers."""
    if mode not in ("binary", "line"):
        raise ValueError(f'mode is "binary" or "line", not "{mode}"')
    return BinaryFraming() if mode == "binary" else LineFraming()
