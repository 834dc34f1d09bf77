"""Subscribers that are killed and come back with from_sequence, also across restarts."""
import os
import signal
import socket
import time
from random import Random

from .broker import Broker, Fault, Usage
from .client import Client

DEVICE = "driven"


def _child(work) -> int:
    """Runs `work` in a process of its own and returns its pid."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    except (OSError, ValueError, Fault):
        pass
    os._exit(0)


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _drive(path: str) -> None:
    """Makes an event with each profile update, and comes back when the broker does."""
    number = 0
    while True:
        try:
            client = Client(path, DEVICE)
            while True:
                number += 1
                client.ask(updateProfile={"firstName": f"n{number % 1000}"})
                time.sleep(0.001)
        except (OSError, ValueError):
            time.sleep(0.01)


def _follow(path: str, seen: int) -> None:
    """Notes the sequence of each event, one write each, so that a kill cuts between two."""
    with open(seen, "rb") as notes:
        notes.seek(0, os.SEEK_END)
        notes.seek(max(0, notes.tell() - 21))
        last = int(notes.read().split()[-1]) if notes.tell() else 0
    notes = os.open(seen, os.O_WRONLY | os.O_APPEND)
    client = Client(path, DEVICE)
    client.ask(subscribe={"device": DEVICE, "fromSequence": str(last + 1)})
    while True:
        event = client.events.pop(0) if client.events else client.read().get("event")
        if event is None:
            continue
        if "lagged" in event:
            raise SystemExit(f"lagged: {event}")
        os.write(notes, b"%020d\n" % int(event["sequence"]))


def killed_clients(program: str, kills: int, random: Random) -> str:
    """So many kills of a subscriber, and one of the broker after each 25."""
    broker = Broker(program, durable=True)
    Client(broker.path, DEVICE).close()
    seen = os.path.join(broker.folder, "seen")
    open(seen, "wb").close()
    base = broker.usage()
    driver = _child(lambda: _drive(broker.path))
    restarts = 0
    try:
        for kill in range(kills):
            follower = _child(lambda: _follow(broker.path, seen))
            time.sleep(0.01 + random.random() * 0.05)
            if kill % 25 == 24:
                broker.kill()
                restarts += 1
                _end(follower)
                broker.start()
            else:
                _end(follower)
    finally:
        _end(driver)
    wanted = _record(broker)
    follower = _child(lambda: _follow(broker.path, seen))
    end = time.monotonic() + 20
    while _sequences(seen)[-1:] != wanted[-1:] and time.monotonic() < end:
        time.sleep(0.05)
    _end(follower)
    got = _sequences(seen)
    if got != wanted:
        at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
        raise Fault(f"event {at}: saw {got[at:at + 3]}, recorded {wanted[at:at + 3]}; "
                    f"{len(got)} seen, {len(wanted)} recorded")
    figures = broker.settled(Usage(broker.pid) if restarts else base, memory_percent=100)
    broker.stop()
    return (f"{kills} client kills, {restarts} kills of the broker: {len(wanted)} events, each once "
            f"and in order: lost 0, doubled 0; {figures}")


def _sequences(seen: str) -> list[int]:
    with open(seen, "rb") as notes:
        return [int(line) for line in notes]


def _record(broker: Broker) -> list[int]:
    """What the broker has, page by page."""
    client = Client(broker.path, DEVICE)
    sequences: list[int] = []
    first = 1
    while True:
        page = client.ask(getEvents={
            "device": DEVICE, "fromSequence": str(first), "pageSize": 1000})["getEvents"]
        events = [int(event["sequence"]) for event in page.get("events", [])]
        sequences += events
        if not events:
            client.close()
            return sequences
        first = events[-1] + 1
