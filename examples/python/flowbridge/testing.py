"""For tests: a broker of their own, and a phone on it that is driven and listened to.

    with Broker() as broker, Phone(broker) as phone:
        phone.show("onboarding")
        phone.type("name", "Jane")
        assert phone.inputs == {"name": "Jane"}

With pytest these are fixtures: see flowbridge.pytest_plugin.
"""

import itertools
import json
import os
import selectors
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from flowbridge.v1.event_pb2 import Event
from flowbridge.v1.value_pb2 import Value

from .client import Bridge

READY_S = 10.0
START_MS = 1_767_225_600_000  # 1 January 2026, where the clocks of phones begin


def find_broker() -> str:
    """The program: what FLOWBRIDGED names, else flowbridged on PATH."""
    if found := os.environ.get("FLOWBRIDGED") or shutil.which("flowbridged"):
        return found
    raise FileNotFoundError("flowbridged is not on PATH; FLOWBRIDGED may name it")


class Broker:
    """A broker on a private socket, which ends with this process and keeps nothing. `catalog` is
    the folder that it serves, without one the sample; `socket` is where it listens."""

    def __init__(
        self, catalog: str | Path | None = None, program: str | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        self._log = tempfile.TemporaryFile()
        served = ["--catalog", str(catalog)] if catalog else []
        self._process = subprocess.Popen(
            [program or find_broker(), "--socket=auto", "--ephemeral",
             f"--exit-with-parent={os.getpid()}", *served, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, text=True)
        self.socket: str = self._wait_until_ready()["socket"]

    def connect(self, client_name: str = "tests") -> Bridge:
        """A connection of its own, for the caller to close."""
        return Bridge(client_name, self.socket)

    def stop(self) -> None:
        """Ends the broker; a second time does nothing."""
        self._process.terminate()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _wait_until_ready(self) -> dict[str, Any]:
        output = self._process.stdout
        assert output
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            line = output.readline() if selector.select(READY_S) else ""
        if line:
            ready: dict[str, Any] = json.loads(line)
            return ready
        self._log.seek(0)
        told = self._log.read().decode(errors="replace")
        self.stop()
        raise RuntimeError(f"the broker did not become ready:\n{told}")


def plain(value: Value) -> Any:
    """The plain Python value of a Value; integer, double and bool stay apart."""
    kind = value.WhichOneof("kind")
    if kind is None:
        return None
    return list(value.string_list.values) if kind == "string_list" else getattr(value, kind)


class Phone:
    """One device with its own manual clock, the view on its screen, and the app that listens.

    `callbacks` are the events so far, in order; `inputs` the last value of every input by its
    element id (a list of item ids for choices), `profile` what the app was told last."""

    _numbers = itertools.count(1)

    def __init__(
        self, broker: Broker, device: str | None = None, time_zone: str = "UTC",
        activate: bool = True, **options: Any,
    ) -> None:
        self.device = device or f"phone-{next(self._numbers)}"
        self.bridge = broker.connect(self.device)
        self.callbacks: list[Event] = []
        self.inputs: dict[str, Any] = {}
        self.profile: Any = None
        self.view = ""
        self.call(
            "open_device", device=self.device, time_zone=time_zone,
            **{"clock": {"kind": "MANUAL", "start_ms": START_MS}, **options})
        self.call("subscribe", device=self.device)
        if activate:
            self.call("activate", api_key="public_live_tests")

    def call(self, method: str, timeout: float = 10.0, /, **fields: Any) -> Any:
        """Any call of the protocol. Its callbacks have been heard when it returns."""
        try:
            return self.bridge.call(method, timeout, **fields)
        finally:
            self.hear()

    def hear(self, timeout: float = 0) -> None:
        """Takes the callbacks that have come; those of calls from here are taken anyway."""
        for event in self.bridge.events(timeout):
            self.callbacks.append(event)
            self._note(event)

    # The app

    def show(self, placement: str, locale: str = "en") -> str:
        """Gets the flow of a placement and presents it; gives the view's id."""
        flow = self.call("get_flow", placement_id=placement).flow
        configuration = self.call(
            "get_flow_configuration", variation_id=flow.variation_id, locale=locale)
        self.view = self.call(
            "create_flow_controller", configuration_id=configuration.configuration_id).view_id
        self.call("present", view_id=self.view)
        return self.view

    def show_onboarding(self, placement: str, locale: str = "en") -> str:
        """Gets an onboarding and presents it; gives the view's id."""
        onboarding = self.call("get_onboarding", placement_id=placement, locale=locale).onboarding
        configuration = self.call(
            "get_onboarding_configuration", variation_id=onboarding.variation_id)
        self.view = self.call(
            "create_onboarding_controller",
            configuration_id=configuration.configuration_id).view_id
        self.call("present", view_id=self.view)
        return self.view

    # The finger

    def perform(self, gesture: str, **fields: Any) -> None:
        """Any gesture, on the view that was shown last."""
        self.call("perform", view_id=self.view, **{gesture: fields})

    def type(self, element: str, text: str) -> None:
        """Types into a field, and leaves it."""
        self.perform("focus", element_id=element)
        self.perform("enter_text", text=text)
        self.perform("blur")

    def pick(self, element: str, date: str) -> None:
        """Opens a date picker, picks YYYY-MM-DD, and closes it."""
        year, month, day = map(int, date.split("-"))
        self.perform("open_picker", element_id=element)
        self.perform("pick", date={"year": year, "month": month, "day": day})
        self.perform("close_picker")

    def choose(self, group: str, *options: str) -> None:
        """Taps options of a choice."""
        for option in options:
            self.perform("tap_option", element_id=group, option_id=option)

    def toggle(self, element: str) -> None:
        self.perform("tap_toggle", element_id=element)

    def tap(self, element: str) -> None:
        """Taps a button."""
        self.perform("tap_button", element_id=element)

    def advance(self, seconds: float) -> None:
        """Lets time pass on this phone."""
        self.call("advance_clock", device=self.device, by_ms=round(seconds * 1000))

    # What came of it

    def story(self) -> list[str]:
        """The names of all callbacks: kinds, and for analytic events their own names."""
        return list(map(_name, self.callbacks))

    def expect(self, name: str) -> Any:
        """The content of the last callback of that name; fails, and lists what came, if there is
        none."""
        for event in reversed(self.callbacks):
            if _name(event) == name:
                return getattr(event, event.WhichOneof("kind") or "")
        raise AssertionError(f"no {name}; there were: {', '.join(self.story()) or 'none'}")

    def close(self) -> None:
        """Closes the app and the connection."""
        if self.bridge.connected:
            self.bridge.call("close_device", device=self.device)
        self.bridge.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, event: Event) -> None:
        analytic = event.did_receive_analytic_event
        if analytic.name == "flow_user_input":
            params = {name: plain(value) for name, value in analytic.params.items()}
            self.inputs[params["element_id"]] = params.get("value", params.get("item_ids"))
        elif event.WhichOneof("kind") == "did_load_latest_profile":
            self.profile = event.did_load_latest_profile.profile


def _name(event: Event) -> str:
    kind = event.WhichOneof("kind") or "(unknown kind)"
    if kind == "did_receive_analytic_event":
        return event.did_receive_analytic_event.name
    return event.on_analytics_event.name if kind == "on_analytics_event" else kind
