"""Forwards the analytics of an onboarding to a file, one line of JSON each.

    forward_analytics.py FILE [--socket PATH]

The broker serves examples/catalog-quiz. One connection listens to the analytics alone, as a tool
beside the app does; another one is the app and the user. The lines are the JSON of the SDK.
"""

import argparse
import uuid
from typing import Any, TextIO

from flowbridge import Bridge
from narrator import say_app, say_callback, say_finger, title
from onboarding_events import show_onboarding

GESTURES: list[tuple[str, dict[str, Any]]] = [
    ("tap_button", {"element_id": "start"}),
    ("focus", {"element_id": "email"}),
    ("enter_text", {"text": "jane@example.com"}),
    ("tap_button", {"element_id": "about_you_next"}),
    ("tap_button", {"element_id": "quiz_next"}),
]


def forward(listener: Bridge, file: TextIO) -> None:
    """Writes the events that have come. A round trip first: what was sent before it is here then."""
    listener.call("ping")
    for event in listener.events(timeout=0):
        file.write(event.on_analytics_event.payload_json + "\n")
    file.flush()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=argparse.FileType("w", encoding="utf-8"))
    arguments.add_argument("--socket", help="path of the broker's socket")
    options = arguments.parse_args()

    with options.file as file, Bridge("listener", options.socket) as listener, Bridge(
            "forward_analytics.py", options.socket) as bridge:
        title("Analytics go where the app wants them")
        device = f"phone-{uuid.uuid4().hex[:8]}"
        bridge.call("open_device", device=device)
        bridge.call("subscribe", device=device)
        listener.call("subscribe", device=device, kinds=["on_analytics_event"])
        say_app("activate")
        bridge.call("activate", api_key="public_live_sample")
        view = show_onboarding(bridge, "welcome")
        for gesture, what in [("", {}), *GESTURES]:
            if gesture:
                say_finger(gesture, what)
                bridge.call("perform", view_id=view, **{gesture: what})
            for event in bridge.events(timeout=0):
                say_callback(event)
            forward(listener, file)


if __name__ == "__main__":
    main()
