"""Where the broker's processor time goes, by room, from samples that perf takes under load."""

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from .cases import Bench
from .servers import Failure, run_load, running

SAMPLES_PER_SECOND = 4000
WORKS = {"`ping`": "ping", "`perform` with its event": "perform"}
IN_FLIGHT = 64

# A mangled Swift symbol begins with the length and the name of its module.
SWIFT_MODULE = re.compile(r"\$s(\d+)(\w+)")
ROOMS = (
    "BridgeTransport", "BridgeProtocol", "BridgeBroker", "SDKCore", "FlowEngine", "BridgeStore",
    "BridgeCatalog",
)


def room_of(symbol: str, binary: str) -> str:
    """The room that a sampled function belongs to."""
    if binary.startswith("[kernel") or binary == "[vdso]":
        return "kernel (system calls, sockets, epoll)"
    if symbol.startswith(("fb_", "flowbridge__", "protobuf_c_")) or "protobuf-c" in binary:
        return "libprotobuf-c and the wire's C"
    if symbol.startswith("json") or "jansson" in binary:
        return "jansson"
    if symbol.startswith(("swift_", "_swift", "swift::")) or "RefCount" in symbol:
        return "Swift runtime (reference counts, allocation)"
    if re.match(r"_*(mem|str|malloc|free|calloc|realloc|cfree|_?int_|unlink_chunk|tcache)", symbol):
        return "libc (malloc, memcpy)"
    if found := SWIFT_MODULE.match(symbol):
        module = found[2][:int(found[1])]
        if module in ROOMS:
            return module
    if symbol.startswith("$s"):
        # A generic of the library, specialised for one of the rooms, names it further back.
        rooms = (room for room in ROOMS if f"{len(room)}{room}" in symbol)
        return next((f"{room} (in the library's generics)" for room in rooms), "Swift library")
    return "libc and others"


def sample(bench: Bench, work: str) -> tuple[Counter[str], float]:
    """Samples by room, and the processor time of one request in microseconds."""
    with (
        running(bench.broker_command(), bench.socket("broker")) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        data = str(Path(folder) / "perf.data")
        perf = subprocess.Popen(
            ["perf", "record", "-q", "-F", str(SAMPLES_PER_SECOND), "-o", data, "-p",
             str(server.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        figures = run_load(
            "bridge-load", "--server", str(server.pid), "--work", work, "--seconds",
            str(max(2.0, bench.seconds)), "--in-flight", str(IN_FLIGHT), "in-flight", server.path)
        perf.terminate()
        perf.wait()
        script = subprocess.run(
            ["perf", "script", "-i", data, "-F", "ip,sym,dso"], capture_output=True, text=True)
    rooms: Counter[str] = Counter()
    for line in script.stdout.splitlines():
        if found := re.match(r"\s*[0-9a-f]+ (.*) \((.*)\)$", line):
            rooms[room_of(found[1], Path(found[2]).name)] += 1
    if not rooms:
        raise Failure(f"perf took no samples: {script.stderr.strip()}")
    return rooms, figures["server_cpu_us"]


def profile(bench: Bench) -> str:
    """A table in Markdown: microseconds of one pipelined request, by room."""
    if not shutil.which("perf"):
        return "Not taken: `perf` is not installed (linux-perf)."
    columns = {}
    for title, work in WORKS.items():
        samples, cpu_us = sample(bench, work)
        columns[title] = {
            room: cpu_us * count / samples.total() for room, count in samples.items()}
    together = {title: sum(column.values()) for title, column in columns.items()}
    weights: Counter[str] = Counter()
    for column in columns.values():
        weights.update(column)
    lines = [["room", *columns], ["---", *["---:"] * len(columns)]]
    for room, _ in weights.most_common():
        lines.append([room, *(f"{column.get(room, 0):.3f}" for column in columns.values())])
    lines.append(["together", *(f"{cpu_us:.3f}" for cpu_us in together.values())])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
