"""Registers a user through the sample flow, as an app would.

One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
user's finger, which types and taps. The app keeps the last value of every input; when the flow
has disappeared it has all that its own backend needs, and enriches the profile with it.

    register_user.py [--socket PATH] [--time-zone NAME]
"""

import argparse
import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flowbridge import Bridge, Event
from narrator import as_json, as_python, say_app, say_callback, say_finger, title

GESTURES: list[tuple[str, dict[str, Any]]] = [
    ("focus", {"element_id": "name"}),
    ("enter_text", {"text": "Jane"}),
    ("blur", {}),
    ("focus", {"element_id": "email"}),
    ("enter_text", {"text": "jane@example.com"}),
    ("blur", {}),
    ("open_picker", {"element_id": "birthday"}),
    ("pick", {"date": {"year": 1990, "month": 6, "day": 15}}),
    ("close_picker", {}),
    ("tap_button", {"element_id": "next"}),
    ("tap_option", {"element_id": "experience", "option_id": "pro"}),
    ("tap_option", {"element_id": "interests", "option_id": "sports"}),
    ("tap_option", {"element_id": "interests", "option_id": "music"}),
    ("tap_toggle", {"element_id": "reminders"}),
    ("tap_button", {"element_id": "next"}),
    ("tap_button", {"element_id": "done"}),
]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Registration:
    """What the app collects: the last value of every input (each event carries the whole one)."""

    def __init__(self) -> None:
        self.answers: dict[tuple[str, str], Any] = {}
        self.finished = False

    def hear(self, event: Event) -> None:
        """Takes one callback of the flow's delegate."""
        kind = event.WhichOneof("kind")
        if kind == "flow_did_disappear":
            self.finished = True
        elif kind == "did_receive_analytic_event":
            analytic = event.did_receive_analytic_event
            if analytic.name == "flow_user_input":
                params = {name: as_python(value) for name, value in analytic.params.items()}
                place = (params["instanceId"], params["element_id"])
                self.answers[place] = self._answer(params, event.time_zone)

    def body(self) -> dict[str, Any]:
        """The request to the app's own backend, by element id."""
        return {element: answer for (_, element), answer in self.answers.items()}

    @staticmethod
    def _answer(params: dict[str, Any], zone: str) -> Any:
        match params["element_type"]:
            case "single_choice":
                return params["item_ids"][0]
            case "multi_choice":
                return params["item_ids"]
            case "date_picker":
                # The instant at which the day begins where the user is. Turn it into a day now and
                # in that zone: read later or elsewhere, the instant is another day.
                return local_time(params["value"], zone).date().isoformat()
            case _:
                return params["value"]


def local_time(milliseconds: int, zone: str) -> datetime:
    """The local time of an instant, also before 1970."""
    return (EPOCH + timedelta(milliseconds=milliseconds)).astimezone(ZoneInfo(zone))


def show_flow(bridge: Bridge, placement: str) -> str:
    """Fetches the flow of the placement and puts it on screen; returns the id of its view."""
    say_app("get_flow", placement)
    flow = bridge.call("get_flow", placement_id=placement).flow
    say_app("get_flow_configuration", f"{flow.name}, locale en")
    configuration = bridge.call(
        "get_flow_configuration", variation_id=flow.variation_id, locale="en")
    say_app("create_flow_controller")
    view = bridge.call(
        "create_flow_controller", configuration_id=configuration.configuration_id).view_id
    say_app("present")
    bridge.call("present", view_id=view)
    return view


def listen(bridge: Bridge, registration: Registration) -> None:
    """Takes the callbacks that have come. Those of a call are there before its reply."""
    for event in bridge.events(timeout=0):
        say_callback(event)
        registration.hear(event)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--socket", help="path of the broker's socket")
    arguments.add_argument("--time-zone", default="Asia/Kolkata", help="where the user is")
    options = arguments.parse_args()

    registration = Registration()
    with Bridge("register_user.py", options.socket) as bridge:
        title("A user registers")
        device = f"phone-{uuid.uuid4().hex[:8]}"
        say_app("open_device", options.time_zone)
        bridge.call("open_device", device=device, time_zone=options.time_zone)
        bridge.call("subscribe", device=device)
        say_app("activate")
        bridge.call("activate", api_key="public_live_sample")
        listen(bridge, registration)

        view = show_flow(bridge, "onboarding")
        listen(bridge, registration)
        for gesture, what in GESTURES:
            say_finger(gesture, what)
            bridge.call("perform", view_id=view, **{gesture: what})
            listen(bridge, registration)
        if not registration.finished:
            raise SystemExit("the flow is still on screen: nothing is sent")

        answers = registration.body()
        title("One request to the app's own backend")
        print("POST /users")
        print(json.dumps(answers, ensure_ascii=False, separators=(",", ":"), sort_keys=True))

        title("The profile, enriched")
        say_app("update_profile", "first name, email, birthday, experience")
        bridge.call(
            "update_profile", first_name=answers["name"], email=answers["email"],
            birthday=answers["birthday"],
            custom_attributes=[{"key": "experience", "string": answers["experience"]}])
        listen(bridge, registration)
        say_app("get_profile", "what the SDK gives back")
        print(as_json(bridge.call("get_profile").profile))
        say_app("inspect_profile", "what the service has stored")
        print(as_json(bridge.call("inspect_profile")))


if __name__ == "__main__":
    main()
