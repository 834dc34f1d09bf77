"""A small client of the Flowbridge broker: binary frames over its Unix socket, no framework.

    with Bridge("my test") as bridge:
        bridge.call("subscribe")
        flow = bridge.call("get_flow", placement_id="onboarding").flow
        for event in bridge.events(timeout=0):
            print(event.WhichOneof("kind"))

The message classes are generated from proto/ by protoc (see README.md) into .build/python, or
into the folder that FLOWBRIDGE_PYTHON names.
"""

import os
import socket
import stat
import struct
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).resolve().parents[2]
_GENERATED = Path(os.environ.get("FLOWBRIDGE_PYTHON", _REPOSITORY / ".build" / "python"))
# The generated modules are called flowbridge.v1.…; this lets Python find them inside this one.
__path__ = [str(_GENERATED / "flowbridge")]

from flowbridge.v1.error_pb2 import Error  # noqa: E402
from flowbridge.v1.event_pb2 import Event  # noqa: E402
from flowbridge.v1.frame_pb2 import ClientFrame, ServerFrame  # noqa: E402

PROTOCOL_MAJOR, PROTOCOL_MINOR = 1, 1
FRAME_BYTES_MAX = 1 << 20
GRACE_S = 0.1  # a call returns at its deadline plus this, whatever the broker does


class CallError(Exception):
    """A refused call. `field` is a dotted path or empty; `retryable` says whether the same call
    may succeed later; `error` is the message as it came."""

    def __init__(self, text: str, error: Error) -> None:
        super().__init__(text)
        self.field, self.retryable, self.error = error.field, error.retryable, error


class BridgeError(CallError):
    """A fault of the bridge; `code` is a name such as "WRONG_STATE" or "DEADLINE_EXCEEDED"."""

    def __init__(self, error: Error) -> None:
        known = error.bridge in Error.Bridge.values()
        self.code = Error.Bridge.Name(error.bridge) if known else "INTERNAL"
        super().__init__(f"{self.code}: {error.message}", error)


class SDKError(CallError):
    """What the SDK itself would have thrown; `code` is its number such as 2002, `name` its name."""

    def __init__(self, error: Error) -> None:
        self.code, self.name = error.sdk.code, error.sdk.name
        super().__init__(f"{self.code} {self.name}: {error.message or error.sdk.message}", error)


def default_socket_path() -> str:
    """The path of the broker's socket: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a
    folder of this user under the temporary one, which nobody else may be able to enter."""
    if path := os.environ.get("FLOWBRIDGE_SOCKET"):
        return path
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        return os.path.join(runtime, "flowbridge", "bridge.sock")
    uid = os.geteuid()
    folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"flowbridge-{uid}")
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != uid or found.st_mode & 0o077:
        raise PermissionError(f"{folder} must be a folder of uid {uid} with mode 0700")
    return os.path.join(folder, "bridge.sock")


def _peer_uid(connection: socket.socket) -> int:
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return struct.unpack("iII", credentials)[1]  # pid, uid, gid


class Bridge:
    """One connection. `welcome` is the broker's answer to the greeting. Not for several threads."""

    def __init__(self, client_name: str, path: str | None = None, timeout: float = 5.0) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._buffer = bytearray()
        self._events: deque[Event] = deque()
        self._last_id = 0
        try:
            self._connect(path or default_socket_path(), timeout)
            self.welcome = self.call(
                "hello", timeout, protocol_major=PROTOCOL_MAJOR, protocol_minor=PROTOCOL_MINOR,
                client_name=client_name, max_frame=FRAME_BYTES_MAX)
        except BaseException:
            self.close()
            raise

    def call(self, method: str, timeout: float = 10.0, /, **fields: Any) -> Any:
        """Sends one request and returns its typed reply. Messages inside `fields` are given as
        dictionaries. Raises BridgeError or SDKError, at the latest 0.1 s after `timeout` s."""
        self._last_id += 1
        frame = ClientFrame(
            id=self._last_id, deadline_ms=max(1, round(timeout * 1000)), **{method: fields})
        until = time.monotonic() + timeout + GRACE_S
        try:
            self._send(frame, until)
            while (answer := self._receive(until)).id != frame.id:
                self._sort(answer)
                if time.monotonic() > until:  # events keep coming, the answer does not
                    raise TimeoutError
        except TimeoutError:
            self._give_up(frame.id)
            raise BridgeError(Error(
                bridge=Error.DEADLINE_EXCEEDED, retryable=True,
                message=f"{method} had no answer within {timeout} s")) from None
        return self._reply(answer)

    def events(self, timeout: float | None = None) -> Iterator[Event]:
        """The events of this connection's subscriptions, in order. Ends when none came for
        `timeout` seconds: 0 gives those that are here already, None waits without an end."""
        while True:
            until = None if timeout is None else time.monotonic() + timeout
            while not self._events:
                try:
                    self._sort(self._receive(until))
                except TimeoutError:
                    return
            yield self._events.popleft()

    def close(self) -> None:
        """Closes the connection; a second time does nothing."""
        self._socket.close()

    def __enter__(self) -> "Bridge":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self, path: str, timeout: float) -> None:
        if (length := len(os.fsencode(path))) > 107:
            raise ValueError(f"{path} has {length} bytes; a socket path has at most 107")
        self._socket.settimeout(timeout)
        self._socket.connect("\0" + path[1:] if path.startswith("@") else path)
        if (uid := _peer_uid(self._socket)) not in (os.geteuid(), 0):
            raise PermissionError(f"{path} is served by uid {uid}, not by {os.geteuid()} or root")

    def _send(self, frame: ClientFrame, until: float) -> None:
        payload = frame.SerializeToString()
        try:
            self._wait_at_most(until)
            self._socket.sendall(struct.pack(">I", len(payload)) + payload)
        except (TimeoutError, BlockingIOError):
            self.close()  # part of the frame may be on its way: no other can follow it
            raise

    def _receive(self, until: float | None) -> ServerFrame:
        while (end := self._frame_end()) > len(self._buffer):
            self._wait_at_most(until)
            try:
                received = self._socket.recv(65536)
            except BlockingIOError:
                raise TimeoutError from None
            if not received:
                raise ConnectionError("the broker closed the connection")
            self._buffer += received
        frame = ServerFrame.FromString(bytes(self._buffer[4:end]))
        del self._buffer[:end]
        return frame

    def _frame_end(self) -> int:
        if len(self._buffer) < 4:
            return 4 + 1  # the length and at least one byte
        (length,) = struct.unpack_from(">I", self._buffer)
        if not 1 <= length <= FRAME_BYTES_MAX:
            raise ConnectionError(f"a frame of {length} bytes; 1 to {FRAME_BYTES_MAX} are allowed")
        return 4 + length

    def _wait_at_most(self, until: float | None) -> None:
        self._socket.settimeout(None if until is None else max(0.0, until - time.monotonic()))

    def _sort(self, frame: ServerFrame) -> None:
        """Keeps an event; drops the late answer of a call that was given up."""
        if frame.WhichOneof("body") == "event":
            self._events.append(frame.event)
        elif frame.id == 0:
            self._reply(frame)  # a fault of the framing: raises it

    def _give_up(self, request: int) -> None:
        if self._socket.fileno() >= 0:
            frame = ClientFrame(cancel={"id": request})  # id 0: wants no answer
            try:
                self._send(frame, time.monotonic())
            except OSError:
                pass  # the broker reads nothing, or is gone

    def _reply(self, frame: ServerFrame) -> Any:
        body = frame.WhichOneof("body")
        if body != "error":
            return getattr(frame, body)
        raise SDKError(frame.error) if frame.error.HasField("sdk") else BridgeError(frame.error)
