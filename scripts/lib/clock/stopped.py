"""A broker that stands still for longer than the deadlines of its connections."""
import signal
import socket
import threading
import time

from load.broker import Broker, Fault
from load.client import Client

# Longer than a busy machine takes from the first request of a round to the stop.
LIMITS = {"firstByteMs": 2000, "helloMs": 2000, "unfinishedFrameMs": 2000, "queueSoftMs": 1000,
          "queueSoftBytes": 65536}
SWEEP_MS = 100
STANDS_S = 4.0
PING = b'{"id":1,"ping":{}}\n'
HELLO = b"\0\0\0\x06\x08\x01\x52\x02\x08\x01"
# Answers of some 30 KiB each: more than a socket holds, and over the soft limit.
MANY = 40
# A line of this many bytes is more than a socket holds, too.
LONG = 900_000


def stopped(program: str, stops: int, late_ms: float) -> str:
    """Stops a broker, as a machine that sleeps does, and lets it go on. What its clients did in the
    meantime was in time."""
    broker = Broker(program, limits=[f"{name}={value}" for name, value in LIMITS.items()])
    base = broker.usage()
    for _ in range(stops):
        _stop_once(broker, late_ms)
    figures = broker.settled(base, memory_percent=200)
    broker.stop()
    return (f"{stops} times stopped for {STANDS_S:.1f} s, with deadlines of 1 and 2 s: those who "
            f"went on in the meantime are served, who was silent is cut; {figures}")


def _stop_once(broker: Broker, late_ms: float) -> None:
    idle, waiting = Client(broker.path), Client(broker.path)
    waiting.ask(openDevice={"device": "waiting"})
    waiting.ask(may_fail=True, activate={})
    waiting.ask(setConditions={"calls": [{"method": "get_profile", "latencyMs": 1000}]})
    waiting.link.sendall(b'{"id":99,"getProfile":{}}\n')
    links = {name: _connect(broker.path) for name in ("first", "hello", "long", "reader", "silent")}
    links["reader"].sendall(b'{"id":1,"describe":{}}\n' * MANY)
    line = b'{"id":1,"ping":{}' + b" " * LONG + b"}\n"
    links["long"].sendall(line[:50_000])
    links["hello"].sendall(HELLO[:5])
    idle.ask(ping={})
    # Within all deadlines, so that each is under way.
    time.sleep(0.1)
    broker.process.send_signal(signal.SIGSTOP)
    stopped_at = time.monotonic()
    links["first"].sendall(PING)
    links["hello"].sendall(HELLO[5:])
    links["late"] = _connect(broker.path)
    links["late"].sendall(PING)
    answers: dict[str, object] = {}
    threads = [
        threading.Thread(target=links["long"].sendall, args=(line[50_000:],), daemon=True),
        threading.Thread(target=_read_lines, args=(links["reader"], MANY, answers), daemon=True)]
    for thread in threads:
        thread.start()
    time.sleep(STANDS_S)
    broker.process.send_signal(signal.SIGCONT)
    went_on = time.monotonic()
    for name in ("first", "late", "long"):
        _expect(name, b'"ping"', links[name].recv(4096))
    _expect("hello", b"\x08\x01", links["hello"].recv(4096))
    for thread in threads:
        thread.join(5)
    if answers.get("lines") != MANY:
        raise Fault(f"a client that reads got {answers.get('lines')} answers of {MANY}")
    if "getProfile" not in waiting.read():
        raise Fault("a call that was under way is not answered")
    idle.ask(ping={})
    _expect("silent", b"firstByteMs", links["silent"].recv(4096))
    silent = 1000 * (time.monotonic() - went_on)
    if silent > LIMITS["firstByteMs"] + SWEEP_MS + late_ms:
        raise Fault(f"who was silent was cut {silent:.0f} ms after the broker went on")
    for client in [idle, waiting, *links.values()]:
        client.close()


def _connect(path: str) -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(10)
    link.connect(path)
    return link


def _expect(name: str, wanted: bytes, got: bytes) -> None:
    if wanted not in got:
        raise Fault(f"{name}: {wanted!r} was expected, and came {got[:300]!r}")


def _read_lines(link: socket.socket, count: int, answers: dict[str, object]) -> None:
    got = 0
    while got < count and (data := link.recv(65536)):
        got += data.count(b"\n")
    answers["lines"] = got
