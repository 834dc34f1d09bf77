"""Enriches the profile with what the user enters in an onboarding, at each callback.

    enrich_profile.py [--socket PATH]

The broker serves examples/catalog-quiz. Two inputs are parts of the profile; another input and the
quiz are not, and lead to no call.
"""

import argparse
import json
import uuid
from typing import Any

from flowbridge import Bridge
from narrator import as_json, say_app, say_callback, say_finger, title
from onboarding_events import show_onboarding

GESTURES: list[tuple[str, dict[str, Any]]] = [
    ("tap_button", {"element_id": "start"}),
    ("focus", {"element_id": "name"}),
    ("enter_text", {"text": "Jane"}),
    ("focus", {"element_id": "email"}),
    ("enter_text", {"text": "jane@example.com"}),
    ("focus", {"element_id": "nickname"}),
    ("enter_text", {"text": "JJ"}),
    ("tap_button", {"element_id": "about_you_next"}),
    ("tap_option", {"element_id": "experience", "option_id": "level_3"}),
]

# Element IDs of the builder, and the fields of update_profile.
FIELDS = {"name": "first_name", "email": "email"}


def profile_part(action: dict[str, Any]) -> dict[str, str]:
    """What an action, in the JSON of the SDK, says about the profile; often nothing."""
    if action["params"]["type"] != "input" or action["elementId"] not in FIELDS:
        return {}
    return {FIELDS[action["elementId"]]: action["params"]["value"]["value"]}


def listen(bridge: Bridge) -> None:
    """Takes the callbacks that have come, and updates the profile for those that tell of it."""
    for event in bridge.events(timeout=0):
        say_callback(event)
        if event.WhichOneof("kind") == "on_state_updated_action":
            part = profile_part(json.loads(event.on_state_updated_action.payload_json))
            if part:
                say_app("update_profile", ", ".join(part))
                bridge.call("update_profile", **part)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--socket", help="path of the broker's socket")
    options = arguments.parse_args()

    with Bridge("enrich_profile.py", options.socket) as bridge:
        title("What is entered goes into the profile")
        device = f"phone-{uuid.uuid4().hex[:8]}"
        bridge.call("open_device", device=device)
        bridge.call("subscribe", device=device)
        say_app("activate")
        bridge.call("activate", api_key="public_live_sample")
        view = show_onboarding(bridge, "welcome")
        listen(bridge)
        for gesture, what in GESTURES:
            say_finger(gesture, what)
            bridge.call("perform", view_id=view, **{gesture: what})
            listen(bridge)

        title("What the service has stored")
        print(as_json(bridge.call("inspect_profile")))


if __name__ == "__main__":
    main()
