"""Lets the answer of a quiz in an onboarding choose the paywall that comes after it.

    quiz_paywall.py [--socket PATH] [--answer beginner|amateur|pro|none]

The broker serves examples/catalog-quiz. The app sets a custom attribute for the answer; segments of
the placement look at it. The button for the paywall carries the placement's ID: the app dismisses
the onboarding first, then fetches and presents the flow.
"""

import argparse
import json
import uuid

from flowbridge import Bridge
from narrator import say_app, say_callback, say_finger, title
from onboarding_events import show_onboarding
from register_user import show_flow

OPTIONS = {"beginner": "level_1", "amateur": "level_2", "pro": "level_3"}


class App:
    """What the app does in its delegate."""

    def __init__(self, bridge: Bridge) -> None:
        self.bridge = bridge
        self.onboarding = ""
        self.flow = ""

    def listen(self) -> None:
        """Takes the callbacks that have come. Those of a call are there before its reply."""
        for event in self.bridge.events(timeout=0):
            say_callback(event)
            match event.WhichOneof("kind"):
                case "on_state_updated_action":
                    self.answered(json.loads(event.on_state_updated_action.payload_json))
                case "on_paywall_action":
                    self.open_paywall(event.on_paywall_action.action_id)

    def answered(self, action: dict) -> None:
        """Keeps the value of the chosen option, neither its ID nor its label."""
        if action["params"]["type"] == "select" and action["elementId"] == "experience":
            value = action["params"]["value"]["value"]
            say_app("update_profile", f"experience = {value}")
            self.bridge.call(
                "update_profile", custom_attributes=[{"key": "experience", "string": value}])

    def open_paywall(self, placement: str) -> None:
        """On top of the onboarding the flow would be what a dismiss closes."""
        say_app("dismiss", "the onboarding")
        self.bridge.call("dismiss", view_id=self.onboarding, destroy=True)
        self.flow = show_flow(self.bridge, placement)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--socket", help="path of the broker's socket")
    arguments.add_argument(
        "--answer", default="pro", choices=[*OPTIONS, "none"], help="what the user taps")
    options = arguments.parse_args()

    with Bridge("quiz_paywall.py", options.socket) as bridge:
        title("A quiz decides the next paywall")
        device = f"phone-{uuid.uuid4().hex[:8]}"
        bridge.call("open_device", device=device)
        bridge.call("subscribe", device=device)
        say_app("activate")
        bridge.call("activate", api_key="public_live_sample")
        before = bridge.call("get_flow", placement_id="main").flow
        app = App(bridge)
        app.onboarding = show_onboarding(bridge, "welcome")
        app.listen()
        gestures = [("tap_button", {"element_id": button}) for button in ("start", "about_you_next")]
        if options.answer != "none":
            gestures.append((
                "tap_option", {"element_id": "experience", "option_id": OPTIONS[options.answer]}))
        gestures += [("tap_button", {"element_id": button}) for button in ("quiz_next", "see_plan")]
        for gesture, what in gestures:
            say_finger(gesture, what)
            bridge.call("perform", view_id=app.onboarding, **{gesture: what})
            app.listen()

        title("What is on screen")
        for view in bridge.call("list_views").views:
            print(f"{view.placement_id}: {view.variation_id}")
        screen = bridge.call("get_screen", view_id=app.flow).screens[-1]
        print(screen.elements[0].title)
        print(f"without an answer it is {before.variation_id}")


if __name__ == "__main__":
    main()
