"""Prints what happens in aligned lines: the app's calls, the user's gestures, the callbacks."""

import json
from typing import Any

from flowbridge import Event
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

WIDTH = 28


def as_python(value: Message) -> Any:
    """The plain Python value of a flowbridge.v1.Value; integer, double and bool stay apart."""
    kind = value.WhichOneof("kind")
    return list(value.string_list.values) if kind == "string_list" else getattr(value, kind)


def as_json(value: Any) -> str:
    """Indented JSON of a message or of plain values."""
    if isinstance(value, Message):
        value = MessageToDict(value, preserving_proto_field_name=True)
    return json.dumps(value, indent=2, ensure_ascii=False)


def title(text: str) -> None:
    """Starts a new part of the output."""
    print(f"\n{text}\n{'-' * len(text)}")


def say_app(call: str, what: str = "") -> None:
    """One line for a call of the app."""
    _say("app", call, what)


def say_finger(gesture: str, what: dict[str, Any]) -> None:
    """One line for a gesture of the user."""
    _say("finger", gesture, " ".join(map(_brief, what.values())))


def say_callback(event: Event) -> None:
    """One line for a callback."""
    kind = event.WhichOneof("kind")
    if kind is None:
        return  # of a newer broker
    content = getattr(event, kind)
    if kind == "did_receive_analytic_event":
        _say("  callback", content.name, _analytic(content))
    else:
        _say("  callback", kind, _content(kind, content))


def _say(who: str, what: str, details: str) -> None:
    print(f"{who:<11} {what:<{WIDTH}} {details}".rstrip())


def _analytic(content: Message) -> str:
    params = {name: as_python(value) for name, value in content.params.items()}
    if content.name != "flow_user_input":
        return params["instanceId"]
    value = params.get("value", params.get("item_titles"))
    return f"{params['element_id']} = {json.dumps(value, ensure_ascii=False)}"


def _content(kind: str, content: Message) -> str:
    match kind:
        case "did_perform_action":
            return content.Kind.Name(content.kind)
        case "did_load_latest_profile":
            attributes = content.profile.custom_attributes
            return ", ".join(
                f"{key} = {json.dumps(getattr(value, value.WhichOneof('kind')))}"
                for key, value in attributes.items())
        case "view_presented":
            return content.placement_id
        case "on_close_action" | "on_custom_action" | "on_paywall_action":
            return content.action_id
        case "on_analytics_event":
            return f"{content.name} {content.meta.screen_index}"
        case "on_state_updated_action":
            return f"{content.element_id} {content.WhichOneof('params')}"
        case _:
            return ""


def _brief(value: Any) -> str:
    """What a gesture carries: a name, a text, or a day."""
    if isinstance(value, dict):
        return f"{value['year']:04}-{value['month']:02}-{value['day']:02}"
    return str(value)
