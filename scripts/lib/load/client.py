"""Clients in line mode: one that waits for its answers, and many on one epoll."""
import heapq
import json
import select
import socket
import time
from random import Random

from .broker import Fault

# What a client asks for in turn; all of it can be answered at once.
REQUESTS = [
    {"ping": {"payload": "AAECAwQFBgc="}}, {"getFlow": {"placementId": "onboarding"}},
    {"listPlacements": {}}, {"getProfile": {}},
]


class Client:
    """One connection that waits for each answer."""

    def __init__(self, path: str, device: str | None = None) -> None:
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(20)
        self.link.connect(path)
        self.lines = self.link.makefile("rb")
        self.last = 0
        self.events: list[dict] = []
        if device:
            self.ask(openDevice={"device": device, "clock": {"kind": "MANUAL"}})
            self.ask(may_fail=True, activate={})

    def ask(self, may_fail: bool = False, **body: dict) -> dict:
        """Sends one request; events that come before its answer are kept."""
        self.last += 1
        self.link.sendall(json.dumps({"id": self.last, **body}).encode() + b"\n")
        while True:
            frame = self.read()
            if "event" in frame:
                self.events.append(frame["event"])
            elif "error" in frame and not may_fail:
                raise Fault(f"{list(body)[0]} failed: {frame['error']}")
            else:
                return frame

    def read(self) -> dict:
        line = self.lines.readline()
        if not line:
            raise ConnectionError("the broker closed the connection")
        return json.loads(line)

    def close(self) -> None:
        self.lines.close()
        self.link.close()


class Fleet:
    """Clients that each send so many requests a second, at times that the seed spreads."""

    def __init__(self, path: str, count: int, per_second: float, random: Random) -> None:
        self.random = random
        self.span = 1 / per_second
        self.poll = select.epoll()
        self.links: dict[int, socket.socket] = {}
        self.unread: dict[int, bytes] = {}
        self.sent: dict[int, dict[int, float]] = {}
        self.latencies: list[float] = []
        self.errors: list[str] = []
        self.requests = 0
        # A device for all: a fleet loads the broker, not the number of its devices.
        Client(path, "fleet").close()
        for _ in range(count):
            link = socket.socket(socket.AF_UNIX)
            link.connect(path)
            link.setblocking(False)
            self.links[link.fileno()] = link
            self.unread[link.fileno()] = b""
            self.sent[link.fileno()] = {}
            self.poll.register(link, select.EPOLLIN)
            self._send(link.fileno(), {"openDevice": {"device": "fleet"}})
        self.run(0.2, sends=False)
        self.latencies.clear()

    def run(self, seconds: float, sends: bool = True) -> None:
        """Sends for so long, then waits for what is still to be answered."""
        start = time.monotonic()
        due = [(start + self.random.random() * self.span, fd) for fd in self.links] if sends else []
        heapq.heapify(due)
        while (now := time.monotonic()) < start + seconds:
            while due and due[0][0] <= now:
                at, fd = heapq.heappop(due)
                if fd in self.links:
                    self._send(fd, REQUESTS[self.requests % len(REQUESTS)])
                    heapq.heappush(due, (at + self.span, fd))
            wait = min(due[0][0] if due else start + seconds, start + seconds)
            self._receive(max(0, wait - time.monotonic()))
        end = time.monotonic() + 20
        while any(self.sent.values()) and time.monotonic() < end:
            self._receive(0.1)
        waiting = sum(len(sent) for sent in self.sent.values())
        if waiting:
            self.errors.append(f"{waiting} requests were never answered")

    def _send(self, fd: int, body: dict) -> None:
        self.requests += 1
        self.sent[fd][self.requests] = time.monotonic()
        try:
            self.links[fd].send(json.dumps({"id": self.requests, **body}).encode() + b"\n")
        except OSError as error:
            self._lose(fd, str(error))

    def _receive(self, wait: float) -> None:
        for fd, _ in self.poll.poll(wait):
            try:
                data = self.links[fd].recv(1 << 20)
            except OSError as error:
                self._lose(fd, str(error))
                continue
            if not data:
                self._lose(fd, "closed by the broker: " + self.unread[fd].decode()[:200])
                continue
            *lines, self.unread[fd] = (self.unread[fd] + data).split(b"\n")
            for line in lines:
                self._take(fd, json.loads(line))

    def _take(self, fd: int, frame: dict) -> None:
        at = self.sent[fd].pop(int(frame.get("id", 0)), None)
        if at is None:
            self.errors.append(f"an answer that nobody asked for: {frame}"[:300])
        else:
            self.latencies.append(time.monotonic() - at)
        if "error" in frame:
            self.errors.append(f"{frame['error']}"[:300])

    def _lose(self, fd: int, why: str) -> None:
        self.errors.append(why)
        self.poll.unregister(fd)
        self.links.pop(fd).close()
        self.sent[fd] = {}

    def close(self) -> None:
        for link in self.links.values():
            link.close()
        self.poll.close()

    def percentile(self, percent: float) -> float:
        """Milliseconds."""
        ranked = sorted(self.latencies)
        return 1_000 * ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))]

    def check(self) -> None:
        if self.errors:
            raise Fault(f"{len(self.errors)} errors, the first: {self.errors[0]}")
