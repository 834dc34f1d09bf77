"""Everything that a broker can wait for, with the span after which it has to end."""
import json
import select
import socket
import threading
import time
from pathlib import Path
from typing import Callable

from load.broker import Fault
from load.client import Client

# Deadlines of connections, which the broker looks at ten times in the shortest of them.
LIMITS = {"firstByteMs": 1000, "helloMs": 1000, "unfinishedFrameMs": 1000, "queueSoftMs": 500,
          "queueSoftBytes": 65536}
SWEEP_MS = 50
# The broker counts whole milliseconds.
EARLY_MS = 5
# A ping of the watchdog comes after half of it.
WATCHDOG_MS = 800
FLOW = {
    "timers": [{"id": "t", "mode": "restart", "duration_seconds": 1,
                "actions": [{"type": "custom", "action_id": "over"}]}],
    "screens": [{"id": "s", "elements": [
        {"type": "button", "element_id": "ask", "actions": [
            {"type": "request_permission", "permission": "push",
             "on_denied": [{"type": "custom", "action_id": "denied"}]}]},
        {"type": "text", "element_id": "left", "timer_id": "t"}]}]}
PLACEMENTS = {"placements": [{"id": "main", "type": "flow", "audiences": [
    {"name": "All Users", "all_users": True, "variations": [
        {"variation_id": "v", "flow_id": "f", "flow_version_id": "f_1"}]}]}]}


def write_catalog(folder: Path) -> str:
    """A flow with a timer of a second and a button that asks for a permission."""
    (folder / "flows").mkdir(parents=True)
    (folder / "placements.json").write_text(json.dumps(PLACEMENTS))
    (folder / "products.json").write_text('{"products": []}')
    (folder / "flows/f_1.json").write_text(json.dumps(FLOW))
    return str(folder)


class Wait:
    """Something that has to end so many ms after it began: some time between `since` and now."""

    def __init__(self, name: str, ms: float, end: Callable[[], object], since: float,
                 slack_ms: float = 0) -> None:
        self.name, self.ms, self.slack_ms = name, ms, slack_ms
        self.end = end
        self.error = ""
        self.ended = 0.0
        self.since, self.began = since, time.monotonic()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.end()
        except (Fault, OSError, KeyError) as fault:
            self.error = f"{type(fault).__name__}: {fault}"
        self.ended = time.monotonic()

    def check(self, late_ms: float) -> float:
        """Returns how many ms too late it ended."""
        self.thread.join(max(0, self.ms / 1000 + 5 - (time.monotonic() - self.began)))
        if self.thread.is_alive():
            raise Fault(f"{self.name} has not ended 5 s after its time")
        if self.error:
            raise Fault(f"{self.name}: {self.error}")
        late = 1000 * (self.ended - self.began) - self.ms
        early = self.ms - 1000 * (self.ended - self.since)
        if early > EARLY_MS or late > late_ms + self.slack_ms:
            raise Fault(f"{self.name} ended after {self.ms + late:.0f} ms instead of {self.ms:.0f}")
        return late


class App:
    """A device with a real clock, and the connection that drives it."""

    def __init__(self, path: str, name: str) -> None:
        self.name = name
        self.client = Client(path)
        self.client.ask(openDevice={"device": name, "questionDeadlineMs": 1000})
        self.client.ask(may_fail=True, activate={})
        self.client.ask(subscribe={})
        self.last_ms = 0
        self.shown = ""

    def view(self) -> str:
        """A view of the flow; it is not on screen yet, and no other one any more."""
        ask = self.client.ask
        if self.shown:
            ask(dismiss={"viewId": self.shown})
        flow = ask(getFlow={"placementId": "main"})["getFlow"]["flow"]
        made = ask(getFlowConfiguration={"variationId": flow["variationId"]})
        made = ask(createFlowController={
            "configurationId": made["getFlowConfiguration"]["configurationId"]})
        self.shown = made["createFlowController"]["viewId"]
        return self.shown

    def until(self, action: str) -> None:
        """Reads events until the flow has sent this custom action."""
        events, self.client.events = self.client.events, []
        while True:
            for event in events:
                now = int(event["timeMs"])
                if now < self.last_ms:
                    raise Fault(f"{self.name}: an event of {now} after one of {self.last_ms}")
                self.last_ms = now
                if f'"{action}"' in json.dumps(event):
                    return
            events = [self.client.read()["event"]]


class Waits:
    """Makes all waits of a round at one broker."""

    def __init__(self, path: str, watchdog: socket.socket) -> None:
        self.path = path
        self.watchdog = watchdog
        self.idle = Client(path)
        self.idle.ask(ping={})
        self.apps = [App(path, "timer"), App(path, "question")]
        calls = Client(path)
        calls.ask(openDevice={"device": "calls"})
        calls.ask(activate={})
        calls.ask(setConditions={"calls": [
            {"method": "get_profile", "latencyMs": 1000},
            {"method": "get_flow", "latencyMs": 60000},
            {"method": "get_flow", "server": "FALLBACK", "latencyMs": 60000}]})
        calls.ask(openDevice={"device": "manual", "clock": {"kind": "MANUAL"}})
        calls.close()

    def begin(self) -> list[Wait]:
        timer, question = self.apps
        for app in self.apps:
            app.view()
        question.client.ask(present={"viewId": question.shown})
        load = {"getFlow": {"placementId": "main", "loadTimeoutMs": 1000}}
        bounded = {"getFlow": {"placementId": "main"}, "deadlineMs": 1000}
        waits = [
            self._call("a delayed call", {"getProfile": {}}, '"getProfile"'),
            self._call("the time-out of a load", load, '"error"'),
            self._call("the deadline of a request", bounded, "DEADLINE_EXCEEDED"),
            self._cut("firstByteMs", b""),
            self._cut("helloMs", b"\0\0\0\x09\x08"),
            self._cut("unfinishedFrameMs", b'{"id":'),
            self._cut("queueSoftMs", b'{"id":1,"describe":{}}\n' * 40),
            Wait("the watchdog", 1000, self._watch, time.monotonic()),
        ]
        since = time.monotonic()
        timer.client.ask(present={"viewId": timer.shown})
        waits.append(Wait("the timer of a flow", 1000, lambda: timer.until("over"), since))
        since = time.monotonic()
        question.client.ask(perform={"viewId": question.shown, "tapButton": {"elementId": "ask"}})
        waits.append(
            Wait("the deadline of a question", 1000, lambda: question.until("denied"), since))
        return waits

    def device_times(self) -> dict[str, int]:
        """The time of each device, now."""
        devices = self.idle.ask(listDevices={})["listDevices"]["devices"]
        return {device["device"]: int(device["timeMs"]) for device in devices}

    def opens(self, name: str) -> int:
        """Opens a new device; returns its time."""
        client = Client(self.path)
        info = client.ask(openDevice={"device": name})["openDevice"]["info"]
        client.ask(closeDevice={"device": name})
        client.close()
        return int(info["timeMs"])

    def _call(self, name: str, request: dict, answer: str) -> Wait:
        client = Client(self.path)
        client.ask(openDevice={"device": "calls"})
        since = time.monotonic()
        client.link.sendall(json.dumps({"id": 99, **request}).encode() + b"\n")

        def end() -> None:
            got = json.dumps(client.read())
            client.close()
            if answer not in got:
                raise Fault(f"{answer} was expected, and came {got[:300]}")

        return Wait(name, 1000, end, since)

    def _cut(self, limit: str, sent: bytes) -> Wait:
        """A connection that does what is not allowed for longer than the limit."""
        since = time.monotonic()
        link = socket.socket(socket.AF_UNIX)
        link.connect(self.path)
        link.sendall(sent)

        def end() -> None:
            link.settimeout(10)
            if limit == "queueSoftMs":
                _hung_up(link)
            elif limit not in (said := _read_all(link)):
                raise Fault(f"the last words of the broker are {said[-300:]}")
            link.close()

        return Wait(limit, LIMITS[limit], end, since, slack_ms=SWEEP_MS)

    def _watch(self) -> None:
        """Pings come in time, for a second."""
        end = time.monotonic() + 1
        self.watchdog.setblocking(False)
        try:
            while self.watchdog.recv(4096):
                pass
        except BlockingIOError:
            pass
        while (left := end - time.monotonic()) > 0:
            self.watchdog.settimeout(min(left, WATCHDOG_MS / 1000))
            try:
                self.watchdog.recv(4096)
            except TimeoutError:
                if left > WATCHDOG_MS / 1000:
                    raise Fault(f"no ping for {WATCHDOG_MS} ms") from None


def _read_all(link: socket.socket) -> str:
    said = b""
    while data := link.recv(65536):
        said += data
    return said.decode(errors="replace")


def _hung_up(link: socket.socket) -> None:
    """Waits for the end of a connection without reading from it."""
    poll = select.poll()
    poll.register(link, 0)
    if not poll.poll(10_000):
        raise Fault("it is not cut")
