"""Prints what happens in three columns: the app's calls, the user's gestures, the callbacks."""

import json
from typing import Any

from flowbridge import Event
from google.protobuf.json_format import MessageToDict

WIDTH = 24


def as_python(value: Any) -> Any:
    """The plain Python value of a flowbridge.v1.Value; integer, double and bool stay apart."""
    kind = value.WhichOneof("kind")
    return list(value.string_list.values) if kind == "string_list" else getattr(value, kind)


def title(text: str) -> None:
    """Starts a new part of the output."""
    print(f"\n{text}\n{'-' * len(text)}")


def say_app(call: str, what: str = "") -> None:
    """One line for a call of the app."""
    print(f"app       {call:<{WIDTH}} {what}".rstrip())


def say_finger(gesture: str, what: dict[str, Any]) -> None:
    """One line for a gesture of the user."""
    print(f"finger    {gesture:<{WIDTH}} {_brief(what)}".rstrip())


def say_callback(event: Event) -> None:
    """One line for a callback, indented under what caused it."""
    kind = event.WhichOneof("kind")
    if kind == "did_receive_analytic_event":
        analytic = event.did_receive_analytic_event
        kind, what = analytic.name, _analytic(analytic)
    else:
        what = _brief(MessageToDict(getattr(event, kind), preserving_proto_field_name=True))
    print(f"  callback  {kind:<{WIDTH - 2}} {what}".rstrip())


def _analytic(analytic: Any) -> str:
    params = {name: as_python(value) for name, value in analytic.params.items()}
    if analytic.name != "flow_user_input":
        return params["instanceId"]
    value = params.get("value", params.get("item_titles"))
    return f"{params['element_id']} = {json.dumps(value, ensure_ascii=False)}"


def _brief(value: Any) -> str:
    """The leaves of a nested value, without names: enough to follow the story."""
    if isinstance(value, dict):
        return " ".join(filter(None, map(_brief, value.values())))
    if isinstance(value, list):
        return ", ".join(map(_brief, value))
    return str(value)
