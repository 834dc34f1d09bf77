#!/usr/bin/python3
"""An outside opinion on messages of onboardings: generated ones are posted to a running broker in
line mode, and what it makes of each is compared with a naive reading of the rules (OB-9 to OB-14,
OB-22 to OB-28, OB-44, OB-45, OB-50, OB-52 to OB-55) that shares no code with it.

    onboarding_messages.py SOCKET [COUNT [SEED]]     the broker serves its sample catalog

Prints the seed and the figures; a message on which the two disagree ends it with 1.
"""

import collections
import json
import math
import os
import random
import socket
import sys
import time

BATCH = 250  # messages of one device; what they cause stays below the broker's queue limit


# The naive reading.

class Malformed(ValueError):
    """The text is no JSON that a message can be."""


def number(text):
    value = float(text)
    if math.isinf(value):
        raise Malformed("beyond the range of a double")
    return value


def constant(text):
    raise Malformed(f"{text} is no JSON")


def check_text(value):
    if isinstance(value, str) and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value):
        raise Malformed("a text that is no Unicode text without NUL")
    for item in value if isinstance(value, list) else ():
        check_text(item)


def members(pairs):
    for key, value in pairs:
        check_text(key)
        check_text(value)
    return dict(pairs)  # of a key that is there twice the last one counts


def parse(text):
    return json.loads(
        text, parse_int=number, parse_float=number, parse_constant=constant,
        object_pairs_hook=members)


class Dropped(Exception):
    """OB-14."""


def need(obj, key, kind):
    value = obj.get(key)
    if value is None:  # missing, or null (OB-52)
        raise Dropped
    return kind(value)


def text(value):
    if not isinstance(value, str):
        raise Dropped
    return value


def real(value):
    if not isinstance(value, (bool, float)):
        raise Dropped
    return float(value)


def whole(value):
    cut = math.trunc(real(value))
    if not -2**31 <= cut < 2**31:
        raise Dropped
    return cut


def obj(value):
    if not isinstance(value, dict):
        raise Dropped
    return value


def array(value):
    if not isinstance(value, list):
        raise Dropped
    return value


def maybe(of, key, kind):
    return None if of.get(key) is None else kind(of[key])


def option(value):
    return {key: need(obj(value), key, text) for key in ("id", "value", "label")}


def state(message):
    """The kind in camel and in snake case, and the value (OB-22 to OB-28)."""
    kind = need(message, "element_type", text)
    value = need(message, "value", lambda value: value)
    if kind == "select":
        return "select", "select", option(value)
    if kind == "multi_select":
        return "multiSelect", "multi_select", [option(item) for item in array(value)]
    if kind == "input":
        kinds = {"text": text, "email": text, "number": real}
        named = need(obj(value), "type", text)
        given = need(value, "value", lambda value: value)
        if named not in kinds:
            raise Dropped
        return "input", "input", {"type": named, "value": kinds[named](given)}
    if kind == "date_picker":
        parts = {key: maybe(obj(value), key, whole) for key in ("day", "month", "year")}
        return "datePicker", "date_picker", {k: v for k, v in parts.items() if v is not None}
    raise Dropped


NAMES = {
    "onboarding_started", "screen_presented", "screen_completed", "second_screen_presented",
    "user_email_collected", "onboarding_completed", "registration_screen_presented",
    "products_screen_presented"}


def reading(given):
    """The event that a message gives, as kind, fields, payload in camel and in snake case, and
    whether it tells the backend of a screen; None when it is dropped."""
    try:
        message = obj(parse(given))
        meta = need(message, "meta", obj)
        place = (
            need(meta, "onboarding_id", text), need(meta, "screen_cid", text),
            need(meta, "screen_index", whole), need(meta, "total_screens", whole))
        return content(message, place)
    except (Dropped, ValueError):  # json's own fault is a ValueError
        return None


def content(message, place):
    camel_meta = dict(zip(("onboardingId", "screenClientId", "screenIndex", "screensTotal"), place))
    snake_meta = dict(zip(("onboarding_id", "screen_cid", "screen_index", "total_screens"), place))
    fields, camel, snake = {"meta": camel_meta}, {"meta": camel_meta}, {"meta": snake_meta}
    kind = need(message, "type", text)
    actions = {"close": "onCloseAction", "custom": "onCustomAction",
               "open_paywall": "onPaywallAction"}
    told = None
    if kind == "onboarding_loaded":
        event = "didFinishLoading"
    elif kind in actions:
        event = actions[kind]
        fields["actionId"] = camel["actionId"] = snake["action_id"] = need(
            message, "action_id", text)
    elif kind == "state_updated":
        event = "onStateUpdatedAction"
        fields["elementId"] = camel["elementId"] = snake["element_id"] = need(
            message, "element_id", text)
        camel_kind, snake_kind, value = state(message)
        fields[camel_kind] = typed_state(camel_kind, value)
        camel["params"] = {"type": camel_kind, "value": value}
        snake["params"] = {"type": snake_kind, "value": value}
    elif kind == "analytics":
        event = "onAnalyticsEvent"
        name = need(message, "name", text)
        params = maybe(message, "params", obj)
        fields["name"] = camel["name"] = snake["name"] = name
        fields["kind"] = name if name in NAMES else "unknown"
        if name == "screen_completed" and params is not None:
            element, reply = maybe(params, "element_id", text), maybe(params, "reply", text)
            add(fields, "elementId", element)
            add(fields, "reply", reply)
            if element is not None or reply is not None:
                add(camel.setdefault("params", {}), "elementId", element)
                add(camel["params"], "reply", reply)
                add(snake.setdefault("params", {}), "element_id", element)
                add(snake["params"], "reply", reply)
        if name == "screen_presented":
            told = {"onboarding_screen_name": place[1], "onboarding_screen_order": str(place[2]),
                    "onboarding_latest_screen": place[2] == place[3] - 1}
    else:
        raise Dropped
    return event, fields, camel, snake, told


def add(to, key, value):
    if value is not None:
        to[key] = value


def typed_state(kind, value):
    if kind == "multiSelect":
        return {"items": value}
    if kind == "input":
        return {value["type"]: value["value"]}
    return value


CAMEL = {"onStateUpdatedAction", "onCustomAction"}  # OB-11; the others are documented in snake case


# The broker.

class Line:
    """A connection in line mode."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.made = 0

    def frame(self, method, **fields):
        self.made += 1
        return self.made, json.dumps({"id": self.made, method: fields}) + "\n"

    def read(self):
        line = self.lines.readline()
        if not line:
            sys.exit("the broker closed the connection")
        return json.loads(line)

    def call(self, method, **fields):
        number, line = self.frame(method, **fields)
        self.socket.sendall(line.encode())
        while int((answer := self.read())["id"]) != number:
            pass
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer[method]


def open_view(line, device):
    line.call("openDevice", device=device, clock={"kind": "MANUAL", "startMs": 0})
    line.call("activate")
    variation = line.call("getOnboarding", placementId="legacy_onboarding")["onboarding"]
    made = line.call("getOnboardingConfiguration", variationId=variation["variationId"])
    view = line.call("createOnboardingController", configurationId=made["configurationId"])["viewId"]
    line.call("present", viewId=view)
    return view, variation["variationId"]


def post(line, view, messages):
    """What the broker makes of each message: (delivered, events)."""
    numbers, out = [], []
    for message in messages:
        number, text = line.frame("postOnboardingMessage", viewId=view, json=message)
        numbers.append(number)
        out.append(text)
    line.socket.sendall("".join(out).encode())
    outcomes, events = [], []
    while len(outcomes) < len(messages):
        frame = line.read()
        if "event" in frame:
            events.append(frame["event"])
            continue
        if "error" in frame:
            sys.exit(f"refused: {frame['error']}\n{messages[len(outcomes)]!r}")
        assert int(frame["id"]) == numbers[len(outcomes)], frame
        outcomes.append((frame["postOnboardingMessage"]["delivered"], events))
        events = []
    return outcomes


def backend_events(line, device):
    events, token = [], ""
    while True:
        page = line.call("listBackendEvents", device=device, pageToken=token)
        events += page["events"]
        if not (token := page["nextPageToken"]):
            return events


def same(a, b):
    """Equal, with types: no integer is a text, no boolean a number; 25 and 25.0 are one number."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return type(a) is type(b) and a == b


def disagreement(wanted, delivered, events):
    """What differs; None when broker and reading agree."""
    if delivered != (wanted is not None):
        return f"delivered is {delivered}"
    kinds = [next(iter(set(event) - ENVELOPE)) for event in events]
    if not delivered:
        return None if kinds == ["onboardingMessageDropped"] else f"events {kinds}"
    event, fields, camel, snake, _ = wanted
    if kinds != [event]:
        return f"events {kinds}, not {event}"
    told = dict(events[0][event])
    payload, other = json.loads(told.pop("payloadJson")), json.loads(told.pop("payloadJsonOther"))
    first, second = (camel, snake) if event in CAMEL else (snake, camel)
    if told.pop("spelling") != ("CAMEL_CASE" if event in CAMEL else "SNAKE_CASE"):
        return "spelling"
    for name, got, due in (
            ("fields", told, fields), ("payload", payload, first), ("other", other, second)):
        if not same(got, due):
            return f"{name}: {got}, not {due}"
    return None


ENVELOPE = {"sequence", "device", "viewId", "timeMs", "timeZone", "subscriptionId"}


# The messages.

TEXTS = ["", "x", "name", "final", "jane@example.com", "Zoë", "z\u0308", "李小龍", "👩‍👩‍👦", "\u2028",
         "\u0085", "\x7f", "\t", "\"\\/", " ", "K\u212a", "null", "0", "a" * 300]
NUMBERS = ["0", "1", "-1", "3", "25", "2.9", "-2.9", "1e3", "0.1e1", "-0.0", "-0", "2147483647",
           "2147483648", "-2147483648", "-2147483649", "2147483647.9", "9007199254740993",
           "12345678901234567890", "1e308", "1e309", "-1e400", "1e-400", "0.1", "true", "false"]
VALUES = ["null", '""', '"1"', "{}", "[]", "[1]", '{"id":"i"}', "7", "1.5", "true", '"\\u0000"',
          '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', "1e999", "NaN", "-Infinity", "01",
          "1.", ".5", "+1", '"\\x"', "nul"]
KEYS = ["type", "meta", "action_id", "element_id", "element_type", "value", "name", "params", "id",
        "label", "day", "month", "year", "onboarding_id", "screen_cid", "screen_index",
        "total_screens", "reply", "actionId", "extra"]
EDITS = list("{}[]:,\"\\ \n\t0123456789-+.eEtrufalsn_x\u00e9\u2028\x01") + ["\\u0000", "\\ud800", "null"]


class Raw(str):
    """Goes into a message as it is."""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        return self.random.choice(TEXTS)

    def number(self):
        if self.random.random() < 0.3:
            return Raw(repr(self.random.uniform(-1e12, 1e12)))
        return Raw(self.random.choice(NUMBERS))

    def index(self):
        return Raw(str(self.random.randrange(6))) if self.random.random() < 0.9 else self.number()

    def option(self):
        return [("id", self.text()), ("value", self.text()), ("label", self.text())]

    def state(self):
        kind = self.random.choice(["select", "multi_select", "input", "date_picker"])
        if kind == "select":
            value = self.option()
        elif kind == "multi_select":
            value = Raw("[" + ",".join(
                self.write(self.option()) for _ in range(self.random.randrange(4))) + "]")
        elif kind == "input":
            named = self.random.choice(["text", "email", "number"])
            value = [("type", named), ("value", self.number() if named == "number" else self.text())]
        else:
            value = [(part, self.number()) for part in ("day", "month", "year")
                     if self.random.random() < 0.8]
        return [("element_id", self.text()), ("element_type", kind), ("value", value)]

    def analytics(self):
        names = 3 * sorted(NAMES) + ["Screen_Presented", "screen_presented "] + TEXTS
        body = [("name", self.random.choice(names))]
        if self.random.random() < 0.5:
            params = [("element_id", self.text()), ("reply", self.text())]
            body.append(("params", self.random.sample(params, self.random.randrange(3))))
        return body

    def tree(self):
        """A valid message, as pairs."""
        kind = self.random.choice(
            ["onboarding_loaded", "close", "custom", "open_paywall", "state_updated", "analytics",
             "state_updated", "analytics"])
        body = [("type", kind)]
        if kind in ("close", "custom", "open_paywall"):
            body.append(("action_id", self.text()))
        elif kind != "onboarding_loaded":
            body += self.state() if kind == "state_updated" else self.analytics()
        body.append(("meta", [
            ("onboarding_id", self.text()), ("screen_cid", self.text()),
            ("screen_index", self.index()), ("total_screens", self.index())]))
        self.random.shuffle(body)
        return body

    def write(self, value):
        if isinstance(value, Raw):
            return value
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=self.random.random() < 0.5)
        space = self.random.choice(["", "", " ", "\n"])
        return "{" + ",".join(
            f"{space}{self.write(key)}:{space}{self.write(member)}" for key, member in value) + "}"

    def spoil(self, pairs):
        """Changes one place of a tree: a key or a value, at any depth."""
        places = [(pairs, at) for at in range(len(pairs))]
        for key, value in pairs:
            if isinstance(value, list):
                places += [(value, at) for at in range(len(value))]
        where, at = self.random.choice(places)
        key, value = where[at]
        change = self.random.randrange(7)
        if change == 0:
            del where[at]
        elif change == 1:
            where[at] = (key, Raw(self.random.choice(VALUES)))
        elif change == 2:
            where[at] = (self.random.choice(KEYS), value)
        elif change == 3:
            where.insert(
                self.random.randrange(len(where) + 1), (key, Raw(self.random.choice(VALUES))))
        elif change == 4:
            where.append((self.random.choice(KEYS), Raw(self.random.choice(VALUES))))
        elif change == 5:
            where.insert(0, (self.text(), self.state()))
        else:
            where.append((self.text(), self.number()))

    def message(self):
        """The way it was made, and the text."""
        way = self.random.choice(["valid", "valid", "spoiled", "spoiled", "edited", "truncated"])
        tree = self.tree()
        if way == "spoiled":
            for _ in range(self.random.choice([1, 1, 1, 2, 3])):
                if tree:
                    self.spoil(tree)
        written = self.write(tree)
        if way == "truncated":
            return way, written[:self.random.randrange(len(written))]
        for _ in range(self.random.choice([1, 1, 2, 5]) if way == "edited" else 0):
            at = self.random.randrange(len(written) + 1)
            cut = self.random.randrange(2)
            written = written[:at] + self.random.choice(["", self.random.choice(EDITS)]) + written[
                at + cut:]
        return way, written


def main():
    path, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
    print(f"seed {seed}", flush=True)
    maker, line, began = Maker(seed), Line(path), time.monotonic()
    figures = collections.Counter()
    for first in range(0, count, BATCH):
        made = [maker.message() for _ in range(min(BATCH, count - first))]
        device = f"messages-{os.getpid()}-{first}"
        view, variation = open_view(line, device)
        before = len(backend_events(line, device))
        subscription = line.call("subscribe", device=device)["subscriptionId"]
        told = []
        for (way, message), (delivered, events) in zip(
                made, post(line, view, [message for _, message in made])):
            wanted = reading(message)
            if fault := disagreement(wanted, delivered, events):
                sys.exit(f"seed {seed}, {way}: {message!r}\nthe reading: {wanted}\n{fault}")
            figures[way, "delivered" if delivered else "dropped"] += 1
            if wanted and wanted[4]:
                told.append({**wanted[4], "variation_id": variation})
        check_backend(backend_events(line, device)[before:], told)
        figures["backend events"] += len(told)
        line.call("unsubscribe", subscriptionId=subscription)
        line.call("closeDevice", device=device)
    report(figures, count, time.monotonic() - began)


def check_backend(events, told):
    """OB-50 and OB-54: one event for each screen that was told, and no other."""
    given = [{key: next(iter(value.values())) for key, value in event["properties"].items()}
             for event in events]
    if {event["name"] for event in events} - {"new_onboarding_screen_showed"} or given != told:
        sys.exit(f"backend events {events}, not {told}")


def report(figures, count, span):
    for way in ("valid", "spoiled", "edited", "truncated"):
        delivered, dropped = figures[way, "delivered"], figures[way, "dropped"]
        print(f"{way}: {delivered + dropped} messages, {delivered} delivered, {dropped} dropped")
    print(f"{figures['backend events']} backend events")
    print(f"{count} verdicts and contents agree, {span:.1f} s")


if __name__ == "__main__":
    main()
