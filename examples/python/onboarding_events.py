"""Goes through the sample onboarding and prints the JSON of every callback as it comes.

    onboarding_events.py [--socket PATH]

The JSON is that of the SDK's documentation: some events spell their keys in camel case, others in
snake case.
"""

import argparse
import uuid
from typing import Any

from flowbridge import Bridge
from narrator import say_app, say_finger, title

GESTURES: list[tuple[str, dict[str, Any]]] = [
    ("tap_button", {"element_id": "start_button"}),
    ("focus", {"element_id": "name_input"}),
    ("enter_text", {"text": "John Doe"}),
    ("focus", {"element_id": "email_input"}),
    ("enter_text", {"text": "john@example.com"}),
    ("focus", {"element_id": "age_input"}),
    ("enter_text", {"text": "36"}),
    ("open_picker", {"element_id": "birthday_picker"}),
    ("pick", {"date": {"year": 1990, "month": 6, "day": 15}}),
    ("close_picker", {}),
    ("tap_button", {"element_id": "allow_notifications"}),
    ("tap_button", {"element_id": "profile_form"}),
    ("tap_option", {"element_id": "preference_selector", "option_id": "option_1"}),
    ("tap_button", {"element_id": "preferences_next"}),
    ("tap_option", {"element_id": "interests_selector", "option_id": "interest_1"}),
    ("tap_option", {"element_id": "interests_selector", "option_id": "interest_2"}),
    ("tap_button", {"element_id": "interests_next"}),
    ("tap_button", {"element_id": "see_offer"}),
    ("tap_button", {"element_id": "pricing_next"}),
    ("tap_button", {"element_id": "close_button"}),
]


def show_onboarding(bridge: Bridge, placement: str) -> str:
    """Fetches the onboarding of the placement and puts it on screen; returns its view's id."""
    say_app("get_onboarding", placement)
    onboarding = bridge.call("get_onboarding", placement_id=placement).onboarding
    say_app("get_onboarding_configuration", onboarding.name)
    configuration = bridge.call(
        "get_onboarding_configuration", variation_id=onboarding.variation_id)
    say_app("create_onboarding_controller")
    view = bridge.call(
        "create_onboarding_controller", configuration_id=configuration.configuration_id).view_id
    say_app("present")
    bridge.call("present", view_id=view)
    return view


def print_callbacks(bridge: Bridge, view: str) -> None:
    """Prints the callbacks of the view that have come; those of a call precede its reply."""
    for event in bridge.events(timeout=0):
        if event.view_id != view:
            continue
        kind = event.WhichOneof("kind")
        if payload := getattr(getattr(event, kind), "payload_json", ""):
            print(f"  {kind:<23} {payload}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--socket", help="path of the broker's socket")
    options = arguments.parse_args()

    with Bridge("onboarding_events.py", options.socket) as bridge:
        title("An onboarding and its callbacks")
        device = f"phone-{uuid.uuid4().hex[:8]}"
        bridge.call("open_device", device=device)
        bridge.call("subscribe", device=device)
        say_app("activate")
        bridge.call("activate", api_key="public_live_sample")
        view = show_onboarding(bridge, "legacy_onboarding")
        print_callbacks(bridge, view)
        for gesture, what in GESTURES:
            say_finger(gesture, what)
            bridge.call("perform", view_id=view, **{gesture: what})
            print_callbacks(bridge, view)
        # Closing is the app's part: the close action has only told it so.
        say_app("dismiss")
        bridge.call("dismiss", view_id=view, destroy=True)


if __name__ == "__main__":
    main()
