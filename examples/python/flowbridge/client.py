"""The client that waits: one socket, one thread."""

import socket
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

from flowbridge.v1.event_pb2 import Event
from flowbridge.v1.frame_pb2 import ClientFrame, ServerFrame

from . import paths
from .errors import deadline_exceeded, raised
from .framing import FRAME_BYTES_MAX, PROTOCOL_MAJOR, PROTOCOL_MINOR, Mode, framing

GRACE_S = 0.1  # a call returns at its deadline plus this, whatever the broker does


class Bridge:
    """One connection. `welcome` is the broker's answer to the greeting. Not for several threads."""

    def __init__(
        self, client_name: str, path: str | None = None, timeout: float = 5.0,
        mode: Mode = "binary",
    ) -> None:
        self._framing = framing(mode)
        self._events: deque[Event] = deque()
        self._last_id = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._connect(path or paths.default_socket_path(), timeout)
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
            raise deadline_exceeded(method, timeout) from None
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

    @property
    def connected(self) -> bool:
        """Whether the connection was not closed from this side."""
        return self._socket.fileno() >= 0

    def close(self) -> None:
        """Closes the connection; a second time does nothing."""
        self._socket.close()

    def __enter__(self) -> "Bridge":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self, path: str, timeout: float) -> None:
        self._socket.settimeout(timeout)
        self._socket.connect(paths.address_of(path))
        paths.check_peer(self._socket, path)

    def _send(self, frame: ClientFrame, until: float) -> None:
        try:
            self._wait_at_most(until)
            self._socket.sendall(self._framing.packed(frame))
        except (TimeoutError, BlockingIOError):
            self.close()  # part of the frame may be on its way: no other can follow it
            raise

    def _receive(self, until: float | None) -> ServerFrame:
        while (frame := self._framing.take()) is None:
            self._wait_at_most(until)
            try:
                received = self._socket.recv(65536)
            except BlockingIOError:
                raise TimeoutError from None
            if not received:
                raise ConnectionError("the broker closed the connection")
            self._framing.feed(received)
        return frame

    def _wait_at_most(self, until: float | None) -> None:
        self._socket.settimeout(None if until is None else max(0.0, until - time.monotonic()))

    def _sort(self, frame: ServerFrame) -> None:
        """Keeps an event; drops the late answer of a call that was given up."""
        if frame.WhichOneof("body") == "event":
            self._events.append(frame.event)
        elif frame.id == 0:
            self._reply(frame)  # a fault of the framing: raises it

    def _give_up(self, request: int) -> None:
        if self.connected:
            frame = ClientFrame(cancel={"id": request})  # id 0: wants no answer
            try:
                self._send(frame, time.monotonic())
            except OSError:
                pass  # the broker reads nothing, or is gone

    def _reply(self, frame: ServerFrame) -> Any:
        body = frame.WhichOneof("body")
        if body == "error":
            raise raised(frame.error)
        return getattr(frame, body) if body else None  # None: of a newer broker
