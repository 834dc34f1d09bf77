"""Goes through the steps of docs/conformance.md and prints the transcript.

    conformance.py [binary|line]

FLOWBRIDGE_SOCKET names a broker that serves the sample and that nobody else uses; see
scripts/conformance. FLOWBRIDGE_GOLDEN names the folder of the golden frames, else proto/golden.
"""

import os
import re
import socket
import struct
import sys
from pathlib import Path
from typing import Any

from flowbridge import Bridge, BridgeError, ClientFrame, Event, SDKError, ServerFrame
from flowbridge.framing import framing, read_line
from flowbridge.paths import address_of, default_socket_path
from google.protobuf.json_format import MessageToDict, Parse

MODE = sys.argv[1] if len(sys.argv) > 1 else "binary"
GOLDEN = Path(os.environ.get("FLOWBRIDGE_GOLDEN", "proto/golden"))
FIRST_MISSED = 18  # the sequence after that of the last event of step 11
BIG = 2**53 + 1  # no double holds it
START_MS = 1_767_225_600_000  # 1 January 2026
LONG_TEXTS = ["x" * 32_000, "y" * 32_000]  # what is there already would be no input
LONG_INPUTS = 24  # each makes an event of 64 kB; together more than the broker keeps for a reader

GESTURES: list[tuple[str, dict[str, Any]]] = [
    ("focus", {"element_id": "name"}),
    ("enter_text", {"text": "Zoë 🙂"}),
    ("blur", {}),
    ("open_picker", {"element_id": "birthday"}),
    ("pick", {"date": {"year": 1960, "month": 6, "day": 15}}),
    ("close_picker", {}),
    ("tap_button", {"element_id": "next"}),
    ("tap_option", {"element_id": "experience", "option_id": "pro"}),
    ("tap_option", {"element_id": "interests", "option_id": "sports"}),
    ("tap_option", {"element_id": "interests", "option_id": "sports"}),
    ("tap_toggle", {"element_id": "reminders"}),
    ("tap_button", {"element_id": "next"}),
    ("tap_button", {"element_id": "done"}),
]


# What a line of the transcript looks like


def quoted(text: str) -> str:
    """The text in quotes; bytes that are no printable ASCII, and three that are, as %XX."""
    plain = (chr(b) if 0x20 <= b < 0x7F and b not in b'"%\\' else f"%{b:02X}"
             for b in text.encode())
    return '"' + "".join(plain) + '"'


def value_text(value: Any) -> str:
    """A Value or AttributeValue as kind=value."""
    match value.WhichOneof("kind"):
        case None:
            return "none"
        case "string":
            return "string=" + quoted(value.string)
        case "double":  # as the bits have it, so that no language rounds
            nan = value.double != value.double
            return "double=" + ("nan" if nan else struct.pack(">d", value.double).hex())
        case "bool":
            return "bool=" + ("true" if value.bool else "false")
        case "string_list":
            return "string_list=[" + ",".join(map(quoted, value.string_list.values)) + "]"
        case kind:
            return f"{kind}={value.int64}"


def members(values: Any) -> str:
    """A map of values, ordered by the bytes of the names."""
    return "".join(f" {name}:{value_text(values[name])}"
                   for name in sorted(values, key=str.encode))


def event_text(event: Event) -> str:
    """One line for an event, without what differs from run to run."""
    kind = event.WhichOneof("kind")
    line = f"event {event.sequence} {kind or '(unknown kind)'}"
    match kind:
        case "did_receive_analytic_event":
            analytic = event.did_receive_analytic_event
            return f"{line} {analytic.name}{members(analytic.params)}"
        case "did_load_latest_profile":
            return line + members(event.did_load_latest_profile.profile.custom_attributes)
        case "did_perform_action":
            action = event.did_perform_action
            return f"{line} {action.Kind.Name(action.kind)}"
        case "view_presented":
            return f"{line} {event.view_presented.placement_id}"
    return line


def say(step: int, text: str) -> None:
    print(f"{step:02} {text}")


def show_events(bridge: Bridge) -> None:
    """The events that the calls so far have caused: all of them are there."""
    for event in bridge.events(timeout=0):
        print("   " + event_text(event))


def error_text(bridge: Bridge, method: str, timeout: float = 10.0, /, **fields: Any) -> str:
    """Makes a call that has to fail and tells how it did."""
    try:
        bridge.call(method, timeout, **fields)
        return "no error"
    except SDKError as error:
        return f"sdk {error.code} {error.name}"
    except BridgeError as error:
        return f"bridge {error.code}" + (f" {error.field}" if error.field else "")


# The steps


def show_flow(bridge: Bridge) -> str:
    """Steps 6 and 7 are this: from the placement to a view on screen."""
    flow = bridge.call("get_flow", placement_id="onboarding").flow
    configuration = bridge.call("get_flow_configuration", variation_id=flow.variation_id)
    view: str = bridge.call(
        "create_flow_controller", configuration_id=configuration.configuration_id).view_id
    bridge.call("present", view_id=view)
    return view


def greet_and_open(bridge: Bridge) -> None:
    say(1, f"hello major {bridge.welcome.protocol_major} max_frame {bridge.welcome.max_frame}")
    opened = bridge.call(
        "open_device", device="conformance", time_zone="Asia/Kolkata", random_seed=BIG,
        clock={"kind": "MANUAL", "start_ms": START_MS})
    say(2, f"open_device created {str(opened.created).lower()} time_ms {opened.info.time_ms} "
           f"random_seed {opened.info.random_seed}")
    reply = bridge.call("subscribe", device="conformance")
    say(3, f"subscribe next_sequence {reply.next_sequence}")
    say(4, "get_profile error " + error_text(bridge, "get_profile"))
    bridge.call("activate", api_key="public_live_conformance")
    say(5, "activate")
    show_events(bridge)


def drive(bridge: Bridge) -> None:
    flow = bridge.call("get_flow", placement_id="onboarding").flow
    locales = " ".join(config.locale for config in flow.remote_configs)
    say(6, f"get_flow {flow.id} {quoted(flow.name)} remote configs {locales}")
    view = show_flow(bridge)
    say(7, "present")
    show_events(bridge)
    for gesture, fields in GESTURES:
        bridge.call("perform", view_id=view, **{gesture: fields})
        say(8, f"perform {gesture}")
        show_events(bridge)
    say(9, "perform error " + error_text(bridge, "perform", view_id="no-such-view", blur={}))


def update_profile(bridge: Bridge) -> None:
    bridge.call(
        "update_profile", first_name="Zoë", email="zoe@example.com", birthday="1960-06-15",
        custom_attributes=[
            {"key": "experience", "string": "pro"}, {"key": "score", "double": 3.25}])
    say(10, "update_profile set")
    show_events(bridge)
    bridge.call("update_profile", custom_attributes=[{"key": "experience", "remove": True}])
    say(11, "update_profile remove")
    show_events(bridge)
    seen = bridge.call("inspect_profile")
    say(12, f"inspect_profile {quoted(seen.first_name)} {quoted(seen.email)} {seen.birthday} "
            f"age {seen.age}{members(seen.profile.custom_attributes)}")


def give_up_a_call(bridge: Bridge) -> None:
    """The clock of the device stands, so only this side can notice that time is up."""
    bridge.call("set_conditions", calls=[{"method": "get_flow", "latency_ms": 60_000}])
    error = error_text(bridge, "get_flow", 0.2, placement_id="onboarding")
    say(13, f"get_flow error {error}")
    echo = bridge.call("ping", payload=b"still here").payload
    say(14, f"ping {quoted(echo.decode())}")
    bridge.call("set_conditions", clear=True)


def come_back(bridge: Bridge) -> Bridge:
    """Misses three events, and gets them from the record."""
    bridge.close()
    with Bridge("conformance while away", mode=MODE) as other:
        other.call("open_device", device="conformance")
        for number in (1.0, 2.0, 3.0):
            other.call("update_profile", custom_attributes=[{"key": "missed", "double": number}])
    bridge = Bridge("conformance again", mode=MODE)
    bridge.call("open_device", device="conformance")
    bridge.call("subscribe", device="conformance", from_sequence=FIRST_MISSED)
    bridge.call("update_profile", custom_attributes=[{"key": "missed", "remove": True}])
    say(15, "reconnect")
    show_events(bridge)
    return bridge


def lag(reader: Bridge) -> None:
    """A connection that does not read is told what it missed, and the record has it."""
    with Bridge("conformance lag", mode=MODE) as writer:
        writer.call("open_device", device="lag", clock={"kind": "MANUAL", "start_ms": START_MS})
        writer.call("activate", api_key="public_live_conformance")
        view = show_flow(writer)
        begin = reader.call("subscribe", device="lag").next_sequence
        for number in range(LONG_INPUTS):
            writer.call("perform", view_id=view, focus={"element_id": "name"})
            writer.call("perform", view_id=view, enter_text={"text": LONG_TEXTS[number % 2]})
            writer.call("perform", view_id=view, blur={})
    seen, missed = [], []
    for event in reader.events():
        if event.WhichOneof("kind") == "lagged":
            missed += range(event.lagged.from_sequence, event.lagged.to_sequence + 1)
        else:
            seen.append(event.sequence)
        if len(seen) + len(missed) == LONG_INPUTS:
            break
    say(16, "lagged " + ("told" if missed else "nothing"))
    kept = [sequence for sequence in recorded(reader, begin) if sequence in missed]
    whole = sorted(seen + kept) == list(range(begin, begin + LONG_INPUTS))
    say(17, "get_events " + ("nothing missing, nothing twice" if whole else "not the missing ones"))


def recorded(bridge: Bridge, begin: int) -> list[int]:
    """The sequences of the record, page by page."""
    found: list[int] = []
    while True:
        page = bridge.call("get_events", device="lag", from_sequence=begin, page_size=8)
        found += [event.sequence for event in page.events]
        if page.at_end:
            return found
        begin = page.next_from_sequence


def break_the_framing() -> None:
    """A length of 0, or a line that is no JSON object: answered, then closed."""
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(address_of(default_socket_path()))
        raw.sendall(b"\0\0\0\0" if MODE == "binary" else b"GET / HTTP/1.1\r\n\r\n")
        received = b"".join(iter(lambda: raw.recv(65536), b""))
    answers = framing(MODE)
    answers.feed(received)
    answer = answers.take()
    assert answer is not None
    error = BridgeError(answer.error)
    say(18, f"broken framing id {answer.id} error bridge {error.code}, then the end")


# The golden frames


def payload_of(name: str) -> bytes:
    """The message of a commented hex file, without its length."""
    text = re.sub("#.*", "", (GOLDEN / f"{name}.hex").read_text())
    return bytes.fromhex(text)[4:]


def golden(name: str) -> ServerFrame:
    """A golden frame in this run's mode; .line is what a newer broker would write."""
    if MODE == "binary":
        return ServerFrame.FromString(payload_of(name))
    line = GOLDEN / f"{name}.line"
    return read_line((line if line.exists() else GOLDEN / f"{name}.json").read_text())


def read_golden_frames() -> None:
    say(19, event_text(golden("read/unknown-event-kind").event))
    fields = golden("read/unknown-fields")
    say(20, f"unknown fields id {fields.id} ping {quoted(fields.ping.payload.decode())}")
    for kind in ("string", "int64", "double", "bool", "string-list", "none"):
        say(21, event_text(golden(f"server/value-{kind}").event))
    names = sorted(str(file.relative_to(GOLDEN))[:-4] for file in GOLDEN.glob("*/*.hex"))
    wrong = [name for name in names if not same_in_both_forms(name)]
    say(22, "golden frames " + (" ".join(wrong) if wrong or not names else "all read"))


def same_in_both_forms(name: str) -> bool:
    """Whether the bytes and the JSON of a golden frame are the same message."""
    frame = ClientFrame if name.startswith("client/") else ServerFrame
    binary = frame.FromString(payload_of(name))
    line = Parse((GOLDEN / f"{name}.json").read_text(), frame())
    return MessageToDict(binary) == MessageToDict(line)


def main() -> None:
    bridge = Bridge("conformance", mode=MODE)
    greet_and_open(bridge)
    drive(bridge)
    update_profile(bridge)
    give_up_a_call(bridge)
    bridge = come_back(bridge)
    lag(bridge)
    bridge.close()
    break_the_framing()
    read_golden_frames()


if __name__ == "__main__":
    main()
