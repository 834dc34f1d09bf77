"""Clients that are broken on purpose: the conformance run has to notice each of them.

    broken.py          prints the names of the faults
    broken.py FAULT    goes through the steps as the Python client does, but with that fault
"""

import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent


def loses_an_event() -> None:
    """Drops the first event that comes with an answer."""
    sort = flowbridge.Bridge._sort

    def forgetful(self: flowbridge.Bridge, frame: flowbridge.ServerFrame) -> None:
        if frame.event.sequence != 7:
            sort(self, frame)

    flowbridge.Bridge._sort = forgetful


def rounds_integers() -> None:
    """Reads integers as doubles, as JSON parsers like to."""
    text = conformance.value_text

    def rounded(value: object) -> str:
        whole = value.WhichOneof("kind") == "int64"
        return f"int64={int(float(value.int64))}" if whole else text(value)

    conformance.value_text = rounded


def hides_empty_lists() -> None:
    """Takes an empty list for no value."""
    text = conformance.value_text
    conformance.value_text = lambda value: text(value).replace("string_list=[]", "none")


def mixes_error_spaces() -> None:
    """Takes an error of the SDK for a fault of the bridge."""
    client.raised = flowbridge.BridgeError


def waits_without_end() -> None:
    """Leaves deadlines to the broker."""
    client.GRACE_S = 3600.0


def forgets_where_it_was() -> None:
    """Subscribes anew without the sequence that it had come to."""
    call = flowbridge.Bridge.call

    def forgetful(self: flowbridge.Bridge, method: str, *arguments: float, **fields: object):
        fields.pop("from_sequence", None) if method == "subscribe" else None
        return call(self, method, *arguments, **fields)

    flowbridge.Bridge.call = forgetful


def ignores_lagged() -> None:
    """Passes over what it is told that it missed, and takes what it has for all."""
    sort = flowbridge.Bridge._sort

    def deaf(self: flowbridge.Bridge, frame: flowbridge.ServerFrame) -> None:
        if frame.event.WhichOneof("kind") == "lagged":
            raise ConnectionError("an event that this client does not know")
        sort(self, frame)

    flowbridge.Bridge._sort = deaf


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__.replace("_", "-"): fault
    for fault in (
        loses_an_event, rounds_integers, hides_empty_lists, mixes_error_spaces, waits_without_end,
        forgets_where_it_was, ignores_lagged)
}

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*FAULTS)
    else:
        fault = sys.argv.pop(1)
        sys.path.insert(0, str(HERE.parent / "python"))
        import conformance
        import flowbridge
        from flowbridge import client

        FAULTS[fault]()
        conformance.main()
