"""Everything at once for a long time: memory, descriptors and threads have to stay."""
import statistics
import time
from pathlib import Path
from random import Random

from .broker import ROOM, Broker, Fault
from .client import Client, Fleet
from .trials import StoppedReader

# The sample flow, once through, on a device of its own.
FIELDS = [("name", "Jane"), ("email", "jane@example.com")]


def _session(path: str, number: int) -> None:
    """An app that shows a flow, hears of it, types, updates its profile and goes.

    One device, so that what keeps the last so many of something is soon full."""
    client = Client(path, "soak")
    configuration = client.ask(getFlowConfiguration={
        "variationId": client.ask(getFlow={"placementId": "onboarding"})
        ["getFlow"]["flow"]["variationId"]})["getFlowConfiguration"]
    view = client.ask(createFlowController={
        "configurationId": configuration["configurationId"]})["createFlowController"]["viewId"]
    client.ask(subscribe={"device": "soak"})
    client.ask(present={"viewId": view})
    for element, text in FIELDS:
        client.ask(may_fail=True, perform={"viewId": view, "focus": {"elementId": element}})
        client.ask(may_fail=True, perform={
            "viewId": view, "enterText": {"elementId": element, "text": text}})
    client.ask(updateProfile={"firstName": f"Jane {number}"})
    client.ask(dismiss={"viewId": view})
    client.ask(may_fail=True, destroyView={"viewId": view})
    client.close()


def soak(program: str, seconds: float, random: Random) -> str:
    """A fleet, sessions, stopped readers and clients that go at once; in minutes of ten rounds."""
    broker = Broker(program, limits=[*ROOM, "eventsMax=20000"], durable=True)
    fleet = Fleet(broker.path, 64, 2, random)
    base = None
    memory: list[int] = []
    sessions = stopped = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        reader = StoppedReader(broker.path)
        reader.ask(random.randrange(20, 400))
        stopped += 1
        for _ in range(20):
            sessions += 1
            _session(broker.path, sessions)
            Client(broker.path).close()
        fleet.run(2)
        fleet.check()
        reader.close()
        fleet.run(0.2)
        now = broker.usage()
        # Caches, pools and the tail of the record fill up first.
        if base is None and time.monotonic() > end - seconds * 0.8:
            base = now
            memory.clear()
        memory.append(now.memory_kib)
        if base and (now.threads, now.descriptors) != (base.threads, base.descriptors):
            raise Fault(f"{now.descriptors} descriptors and {now.threads} threads, "
                        f"{base.descriptors} and {base.threads} before")
    part = max(1, len(memory) // 8)
    first, last = statistics.median(memory[:part]), statistics.median(memory[-part:])
    drift = 100 * (last - first) / base.resident_kib
    fleet.close()
    figures = broker.settled(_idle(broker), memory_percent=5)
    size = sum(f.stat().st_size for f in Path(broker.folder).glob("store*"))
    broker.stop()
    line = (f"soak of {seconds:.0f} s: {fleet.requests} requests of a fleet, {sessions} sessions, "
            f"{stopped} stopped readers: errors 0, memory {first:.0f} -> {last:.0f} KiB "
            f"({drift:+.1f} % after the first fifth), store {size / 1_048_576:.0f} MiB; {figures}")
    if drift > 5:
        raise Fault(f"{line}; at most +5 % are allowed")
    return line


def _idle(broker: Broker):
    """The usage without clients."""
    time.sleep(1)
    return broker.usage()
