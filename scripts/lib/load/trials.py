"""The trials. Each returns a line of figures, and raises Fault for one that must not be."""
import os
import select
import socket
import statistics
import struct
import subprocess
import time
from random import Random

from .broker import Broker, Fault
from .client import Client, Fleet


def held(program: str, clients: int, seconds: float, random: Random,
         memory_percent: float = 5) -> str:
    """So many clients, one request a second each."""
    broker = Broker(program)
    _fill(broker)
    # The first fleet shows the memory of so many connections; the second must not need more.
    warm = Fleet(broker.path, clients, 1, random)
    warm.run(3)
    warm.close()
    time.sleep(0.5)
    base = broker.usage()
    fleet = Fleet(broker.path, clients, 1, random)
    fleet.run(seconds)
    fleet.check()
    fleet.close()
    figures = broker.settled(base, memory_percent)
    broker.stop()
    return (f"{clients} clients, {seconds:.0f} s: {fleet.requests} requests, errors 0, p50 "
            f"{fleet.percentile(50):.2f} ms, p99 {fleet.percentile(99):.2f} ms; {figures}")


def _fill(broker: Broker) -> None:
    """Fills what keeps the last so many of something, as the list of a profile's backend events."""
    client = Client(broker.path, "fleet")
    line = b'{"id":1,"getFlow":{"placementId":"onboarding"}}\n'
    for _ in range(600):
        client.link.sendall(line * 50)
        for _ in range(50):
            client.lines.readline()
    client.close()


def churn(program: str, cycles: int) -> str:
    """Connect, hello, welcome, close, again and again."""
    broker = Broker(program)
    hello = b'{"id":1,"hello":{"protocolMajor":1,"clientName":"churn"}}\n'

    def cycle() -> None:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(20)
            link.connect(broker.path)
            link.sendall(hello)
            answer = link.recv(1 << 16)
            if b'"welcome"' not in answer:
                raise Fault(f"hello was answered with {answer[:200]!r}")

    for _ in range(500):
        cycle()
    time.sleep(0.2)
    base = broker.usage()
    start = time.monotonic()
    for _ in range(cycles):
        cycle()
    spent = time.monotonic() - start
    figures = broker.settled(base, memory_percent=5)
    broker.stop()
    return (f"{cycles} cycles of connect, hello, close: errors 0, {cycles / spent:.0f} a second; "
            f"{figures}")


class StoppedReader:
    """Asks for much and reads nothing."""

    def __init__(self, path: str) -> None:
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(path)

    def ask(self, count: int) -> None:
        """Each answer takes some 30 KiB."""
        self.link.sendall(b"".join(b'{"id":%d,"describe":{}}\n' % i for i in range(1, count + 1)))

    def is_cut(self) -> bool:
        """Whether the broker hung up; nothing is read for it."""
        poll = select.poll()
        poll.register(self.link, 0)
        return any(events & select.POLLHUP for _, events in poll.poll(0))

    def close(self) -> None:
        self.link.close()


def stopped_reader(program: str, seconds: float, percent: float, random: Random,
                   slack_ms: float = 0) -> str:
    """100 clients with and without one beside them that does not read, in turns."""
    broker = Broker(program)
    fleet = Fleet(broker.path, 100, 20, random)
    fleet.run(1)
    base = broker.usage()
    with_it: list[float] = []
    without: list[float] = []
    rounds = max(2, int(seconds / 5))
    for _ in range(rounds):
        for figures in random.sample([with_it, without], 2):
            reader = StoppedReader(broker.path) if figures is with_it else None
            if reader:
                # Over the soft limit and under the hard one, so that it stays for the round. What
                # its requests cost the others is over when the round begins.
                reader.ask(150)
                fleet.run(0.5)
            fleet.latencies.clear()
            fleet.run(2)
            figures.append(fleet.percentile(99))
            if reader:
                if reader.is_cut():
                    raise Fault("the stopped reader was cut within its time")
                reader.close()
    fleet.check()
    took = _cut(broker)
    fleet.latencies.clear()
    fleet.run(0.5)
    fleet.check()
    figures = broker.settled(base, memory_percent=200)
    fleet.close()
    broker.stop()
    beside, alone = statistics.median(with_it), statistics.median(without)
    ratio = beside / alone
    line = (f"1 stopped reader beside 100: p99 {alone:.2f} ms without, {beside:.2f} ms with it "
            f"({100 * (ratio - 1):+.1f} %), {rounds} rounds each; over the limits it was cut after {took[0]:.1f} s and "
            f"{took[1]:.1f} s, nobody else; {figures}")
    if beside > alone * (1 + percent / 100) + slack_ms:
        raise Fault(f"{line}; at most {percent:+.0f} % are allowed")
    return line


def _cut(broker: Broker) -> tuple[float, float]:
    """How long a reader lasts that is over the hard limit, and one that is over the soft one."""
    spans = []
    for answers, limit in ((600, "queueHardBytes"), (150, "queueSoftMs")):
        reader = StoppedReader(broker.path)
        start = time.monotonic()
        try:
            reader.ask(answers)
        except OSError:
            pass
        while not reader.is_cut():
            if time.monotonic() > start + 11:
                raise Fault(f"over {limit} a stopped reader is not cut after 11 s")
            time.sleep(0.02)
        spans.append(time.monotonic() - start)
        reader.close()
        if limit not in broker.log():
            raise Fault(f"the log does not say {limit}: {broker.log()[-300:]}")
    return spans[0], spans[1]


def claimed_frames(program: str, count: int) -> str:
    """So many connections that promise the largest frame and send nothing more."""
    broker = Broker(program)
    healthy = Client(broker.path)
    healthy.ask(ping={})
    base = broker.usage()
    # Half of them greet first: then a frame has its own deadline.
    hello = b"\x00\x00\x00\x06\x08\x01\x52\x02\x08\x01"
    links = []
    for place in range(count):
        link = socket.socket(socket.AF_UNIX)
        link.connect(broker.path)
        if place % 2:
            link.sendall(hello)
        link.sendall(struct.pack(">I", 1 << 20) + b"\x08")
        links.append(link)
    start = time.monotonic()
    most = 0
    slowest = 0.0
    while len(healthy.ask(status={})["status"]["connections"]) > 1:
        asked = time.monotonic()
        healthy.ask(ping={})
        slowest = max(slowest, time.monotonic() - asked)
        most = max(most, broker.usage().memory_kib)
        if asked > start + 12:
            raise Fault("after 12 s not all of them are closed")
        time.sleep(0.05)
    spent = time.monotonic() - start
    grown = (most - base.memory_kib) / 1024
    for link in links:
        link.close()
    if grown >= 100:
        raise Fault(f"memory grew by {grown:.1f} MiB, at most 100")
    figures = broker.settled(base, memory_percent=200)
    healthy.close()
    broker.stop()
    return (f"{count} connections that claim 1 MiB and send nothing: memory +{grown:.1f} MiB, all "
            f"closed after {spent:.1f} s, a healthy client waited {1_000 * slowest:.1f} ms at most; "
            f"{figures}")


def races(program: str, count: int, random: Random) -> str:
    """Two brokers started at one socket at once; half of the sockets are stale."""
    folder = Broker(program)
    path = folder.path + "-race"
    spans = []
    for race in range(count):
        start = time.monotonic()
        pair = [subprocess.Popen(
            [program, "--socket", path, "--ephemeral", "--log-level", "error"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        lines = [process.stdout.readline() for process in pair]
        serving = [place for place, line in enumerate(lines) if b'"ready":true' in line]
        if len(serving) != 1:
            raise Fault(f"race {race}: {len(serving)} of two serve: {lines}")
        winner, loser = pair[serving[0]], pair[1 - serving[0]]
        spans.append(time.monotonic() - start)
        error = loser.stderr.read().decode()
        if loser.wait(20) != 1 or "another flowbridged serves" not in error or path not in error:
            raise Fault(f"race {race}: the other ended with {loser.returncode}: {error!r}")
        client = Client(path)
        if int(client.ask(status={})["status"]["pid"]) != winner.pid:
            raise Fault(f"race {race}: another broker answers than the one that serves")
        client.close()
        if random.random() < 0.5:
            winner.kill()
        else:
            winner.terminate()
        winner.wait(20)
        for process in pair:
            process.stdout.close()
            process.stderr.close()
    for name in (path, path + ".lock"):
        if os.path.exists(name):
            os.unlink(name)
    folder.stop()
    return (f"{count} races of two starters: one serves in each, live sockets unlinked 0, manual "
            f"steps 0, served after {1_000 * statistics.median(spans):.0f} ms (median)")


def storm(program: str, seconds: float, random: Random) -> str:
    """Connections that come and go as fast as they can, beside clients that work."""
    broker = Broker(program)
    fleet = Fleet(broker.path, 50, 10, random)
    fleet.run(1)
    base = broker.usage()
    fleet.latencies.clear()
    child = os.fork()
    if child == 0:
        made = 0
        while True:
            with socket.socket(socket.AF_UNIX) as link:
                try:
                    link.connect(broker.path)
                except OSError:
                    os._exit(1)
            made += 1
    fleet.run(seconds)
    os.kill(child, 9)
    os.waitpid(child, 0)
    fleet.check()
    worst = max(fleet.latencies)
    made = int(Client(broker.path).ask(status={})["status"]["connections"][-1]["connectionId"])
    figures = broker.settled(base, memory_percent=50)
    fleet.close()
    broker.stop()
    return (f"a storm of {made} connections in {seconds:.0f} s beside 50 clients: errors 0, p99 "
            f"{fleet.percentile(99):.2f} ms, slowest {1_000 * worst:.1f} ms; {figures}")
