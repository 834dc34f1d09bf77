"""The client for asyncio: any number of calls at a time on one connection."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

from flowbridge.v1.event_pb2 import Event
from flowbridge.v1.frame_pb2 import ClientFrame, ServerFrame

from . import paths
from .client import GRACE_S
from .errors import deadline_exceeded, raised
from .framing import FRAME_BYTES_MAX, PROTOCOL_MAJOR, PROTOCOL_MINOR, Mode, framing


class AsyncBridge:
    """One connection, for the tasks of one event loop.

        async with await AsyncBridge.connect("my test") as bridge:
            await bridge.call("subscribe")
            async for event in bridge.events():
                …
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, mode: Mode
    ) -> None:
        self.welcome: Any = None
        self._writer, self._framing = writer, framing(mode)
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[ServerFrame]] = {}
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()  # None: the connection ended
        self._fault: BaseException | None = None
        self._reading = asyncio.create_task(self._read(reader))

    @classmethod
    async def connect(
        cls, client_name: str, path: str | None = None, timeout: float = 5.0,
        mode: Mode = "binary",
    ) -> "AsyncBridge":
        """Connects and greets. The path is found as `Bridge` finds it."""
        path = path or paths.default_socket_path()
        reader, writer = await asyncio.wait_for(
            asyncio.open_unix_connection(paths.address_of(path)), timeout)
        bridge = cls(reader, writer, mode)
        try:
            paths.check_peer(writer.get_extra_info("socket"), path)
            bridge.welcome = await bridge.call(
                "hello", timeout, protocol_major=PROTOCOL_MAJOR, protocol_minor=PROTOCOL_MINOR,
                client_name=client_name, max_frame=FRAME_BYTES_MAX)
        except BaseException:
            await bridge.close()
            raise
        return bridge

    async def call(self, method: str, timeout: float = 10.0, /, **fields: Any) -> Any:
        """As `Bridge.call`; others may wait for their answers at the same time. A cancelled task
        cancels its request."""
        if self._fault:
            raise ConnectionError(str(self._fault)) from self._fault
        frame = ClientFrame(
            id=next(self._ids), deadline_ms=max(1, round(timeout * 1000)), **{method: fields})
        answer = self._waiting[frame.id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(timeout + GRACE_S):
                self._writer.write(self._framing.packed(frame))
                await self._writer.drain()
                reply = await answer
        except TimeoutError:
            self._give_up(frame.id)
            raise deadline_exceeded(method, timeout) from None
        except asyncio.CancelledError:
            self._give_up(frame.id)
            raise
        finally:
            del self._waiting[frame.id]
        return self._reply(reply)

    async def events(self, timeout: float | None = None) -> AsyncIterator[Event]:
        """As `Bridge.events`; for one task at a time."""
        while True:
            try:
                if timeout == 0:
                    event = self._events.get_nowait()
                else:
                    event = await asyncio.wait_for(self._events.get(), timeout)
            except (TimeoutError, asyncio.QueueEmpty):
                return
            if event is None:
                self._events.put_nowait(None)  # for whoever asks next
                raise ConnectionError(str(self._fault)) from self._fault
            yield event

    async def close(self) -> None:
        """Closes the connection; a second time does nothing."""
        self._reading.cancel()
        self._writer.close()
        await asyncio.gather(self._reading, self._writer.wait_closed(), return_exceptions=True)

    async def __aenter__(self) -> "AsyncBridge":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Sorts what comes, until the connection ends; then nothing waits any longer."""
        try:
            while received := await reader.read(65536):
                self._framing.feed(received)
                while (frame := self._framing.take()) is not None:
                    self._sort(frame)
            raise ConnectionError("the broker closed the connection")
        except Exception as fault:  # noqa: BLE001
            self._fault = fault
        except asyncio.CancelledError:
            self._fault = ConnectionError("the connection was closed")
            raise
        finally:
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(ConnectionError(str(self._fault)))
            self._events.put_nowait(None)

    def _sort(self, frame: ServerFrame) -> None:
        if frame.WhichOneof("body") == "event":
            self._events.put_nowait(frame.event)
        elif frame.id == 0:
            self._reply(frame)  # a fault of the framing: ends the connection
        elif (answer := self._waiting.get(frame.id)) and not answer.done():
            answer.set_result(frame)

    def _give_up(self, request: int) -> None:
        if not self._fault:
            self._writer.write(self._framing.packed(ClientFrame(cancel={"id": request})))

    @staticmethod
    def _reply(frame: ServerFrame) -> Any:
        body = frame.WhichOneof("body")
        if body == "error":
            raise raised(frame.error)
        return getattr(frame, body) if body else None
