"""What is measured: the rows of the table with their aims, and the cases that fill them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .catalogs import write_catalog
from .servers import OUT, Server, load_line, run_load, running


@dataclass(frozen=True)
class Row:
    """One row of the table. The aim bounds the ratio to the baseline, or the figure itself."""

    key: str
    title: str
    unit: str
    aim: float | None = None
    at_most: bool = True
    of_ratio: bool = True


@dataclass
class Figures:
    """What one round gave for a row; `baseline` is the echo server, or the smaller broker."""

    broker: float
    baseline: float | None = None
    grpc: float | None = None


@dataclass(frozen=True)
class Bench:
    """How to start what is measured, and for how long."""

    broker: str
    folder: str
    seconds: float

    def socket(self, name: str) -> str:
        """The path of a server's socket."""
        return os.path.join(self.folder, f"{name}.sock")

    def broker_command(self, **other_limits: int) -> list[str]:
        """An ephemeral broker whose limits do not stand in the way, but for those given."""
        limits = {
            "connectionsMax": 20_000, "connectionsPerUidMax": 20_000,
            "ungreetedConnectionsMax": 20_000, "devicesMax": 200_000,
            "eventsMax": 10_000_000, "eventBytesMax": 16 << 30, **other_limits,
        }
        words = [word for name, value in limits.items() for word in ("--limit", f"{name}={value}")]
        return [self.broker, "--socket", self.socket("broker"), "--ephemeral", *words]

    @cache
    def sizes(self, work: str, lines: bool) -> tuple[int, str]:
        """The bytes of a request and of each message of its answer, as the broker has them."""
        with running(self.broker_command(), self.socket("broker")) as server:
            words = load_line("bridge-load", *_flags(work, lines), "sizes", server.path).split()
        figures = dict(word.split("=") for word in words)
        return int(figures["request"]), figures["answer"]


@dataclass(frozen=True)
class Case:
    """A measurement of one round; fills one or more rows."""

    key: str
    rows: list[Row]
    measure: Callable[[Bench], dict[str, Figures]] = field(repr=False)


def _flags(work: str, lines: bool) -> list[str]:
    return ["--work", work, *(["--lines"] if lines else [])]


def _load(server: Server, mode: str, bench: Bench, *flags: str) -> dict[str, float]:
    return run_load(
        "bridge-load", "--server", str(server.pid), "--seconds", str(bench.seconds), *flags, mode,
        server.path)


def _echo_command(
    bench: Bench, work: str = "ping", lines: bool = False, fan: bool = False
) -> list[str]:
    command = [str(OUT / "echo-server"), *(["--lines"] if lines else [])]
    if work == "perform":
        answer = bench.sizes(work, lines)[1]
        command += ["--fan", "--answer", answer.split(",")[0]] if fan else ["--answer", answer]
    return [*command, bench.socket("echo")]


def _grpc(bench: Bench, work: str, in_flight: int) -> dict[str, float]:
    request, answer = bench.sizes(work, False)
    answered = sum(int(size) for size in answer.split(","))
    path = bench.socket("grpc")
    with running([str(OUT / "grpc-server"), path], path) as server:
        return run_load(
            "grpc-load", path, str(bench.seconds), str(in_flight), str(request),
            str(answered if work == "perform" else 0), str(server.pid))


def under_load(
    row: Row, mode: str, metric: str, work: str = "ping", lines: bool = False, count: int = 1,
    in_flight: int = 1, with_grpc: bool = False, cpu_row: Row | None = None
) -> Case:
    """The broker against the echo server with the same frame sizes, and against gRPC."""
    flags = [*_flags(work, lines), "--count", str(count), "--in-flight", str(in_flight)]

    def measure(bench: Bench) -> dict[str, Figures]:
        echo_command = _echo_command(bench, work, lines, fan=mode == "fan-out")
        with running(echo_command, bench.socket("echo")) as server:
            echo = _load(server, mode, bench, "--echo", *flags)
        with running(bench.broker_command(), bench.socket("broker")) as server:
            broker = _load(server, mode, bench, *flags)
        grpc = _grpc(bench, work, in_flight) if with_grpc else {}
        filled = {row.key: Figures(broker[metric], echo[metric], grpc.get(metric))}
        if cpu_row:
            name = "server_cpu_us"
            filled[cpu_row.key] = Figures(broker[name], echo[name], grpc.get(name))
        return filled

    return Case(row.key, [row, cpu_row] if cpu_row else [row], measure)


def with_stock(row: Row, work: str, *stock: str) -> Case:
    """A broker that holds much, against an empty one."""

    def measure(bench: Bench) -> dict[str, Figures]:
        figures = []
        for before in ([], stock):
            with running(bench.broker_command(), bench.socket("broker")) as server:
                figures.append(
                    _load(server, "round-trip", bench, "--work", work, *before)["p50_us"])
        return {row.key: Figures(figures[1], figures[0])}

    return Case(row.key, [row], measure)


def of_catalog(row: Row, placements: int) -> Case:
    """`get_flow` of as many placements in turn, against a catalog that has one of them."""

    def measure(bench: Bench) -> dict[str, Figures]:
        figures = []
        for count in (1, placements):
            folder = Path(bench.folder) / f"catalog-{count}"
            if not folder.exists():
                write_catalog(folder, count)
            command = [*bench.broker_command(), "--catalog", str(folder)]
            with running(command, bench.socket("broker")) as server:
                figures.append(
                    _load(server, "get-flow", bench, "--count", str(count))["p50_us"])
        return {row.key: Figures(figures[1], figures[0])}

    return Case(row.key, [row], measure)


def memory(
    row: Row, mode: str, count: int, idle_row: Row | None = None, **limits: int
) -> Case:
    """Resident memory of each of `count` connections or sessions, and of the idle server."""

    def measure(bench: Bench) -> dict[str, Figures]:
        flags = ["--count", str(count)]
        idle = idle_echo = 0.0
        with running(bench.broker_command(**limits), bench.socket("broker")) as server:
            if idle_row:
                idle = server.settled_resident_bytes()
            broker = _load(server, mode, bench, *flags)
        echo: dict[str, float] = {}
        if mode == "hold-connections":
            with running(_echo_command(bench), bench.socket("echo")) as server:
                idle_echo = server.settled_resident_bytes()
                echo = _load(server, mode, bench, "--echo", *flags)
        each = echo.get("bytes_each")
        filled = {row.key: Figures(
            broker["bytes_each"] / 1024, None if each is None else each / 1024)}
        if idle_row:
            filled[idle_row.key] = Figures(idle / 2**20, idle_echo / 2**20)
        return filled

    return Case(row.key, [row, idle_row] if idle_row else [row], measure)


def start_up(row: Row, starts: int) -> Case:
    """From the start of the process to the first answer."""

    def measure(bench: Bench) -> dict[str, Figures]:
        figures = []
        for flags, command, path in (
            ([], bench.broker_command(), bench.socket("broker")),
            (["--echo"], [str(OUT / "echo-server"), bench.socket("echo")], bench.socket("echo")),
        ):
            found = run_load(
                "bridge-load", *flags, "--count", str(starts), "start", path, *command)
            figures.append(found["p50_us"] / 1000)
        return {row.key: Figures(*figures)}

    return Case(row.key, [row], measure)


def all_cases() -> list[Case]:
    """Every case, in the order of the table; the aims are those of the project."""
    least = {"at_most": False}
    own = {"of_ratio": False}
    return [
        under_load(
            Row("ping", "`ping`, round trip", "µs", 1.15), "round-trip", "p50_us", with_grpc=True),
        under_load(
            Row("perform", "`perform(tap_option)` with its event, round trip", "µs", 1.5),
            "round-trip", "p50_us", "perform", with_grpc=True),
        under_load(
            Row("perform-lines", "the same in line mode", "µs", 2.0), "round-trip", "p50_us",
            "perform", lines=True),
        under_load(
            Row("ping-64", "`ping`, 64 in flight", "/s", 0.70, **least), "in-flight", "rate",
            in_flight=64, with_grpc=True,
            cpu_row=Row("ping-64-cpu", "server CPU of each of these", "µs", 0.40, **own)),
        under_load(
            Row("perform-64", "`perform` with its event, 64 in flight", "/s", 0.35, **least),
            "in-flight", "rate", "perform", in_flight=64, with_grpc=True,
            cpu_row=Row("perform-64-cpu", "server CPU of each of these", "µs")),
        under_load(
            Row("connections-100", "`ping`, 100 connections, 1 in flight", "/s", 0.85, **least),
            "in-flight", "rate", count=100),
        under_load(
            Row("fan-100", "one event to 100 subscribers, deliveries", "/s", 0.95, **least),
            "fan-out", "rate", "perform", count=100),
        under_load(
            Row("fan-1000", "one event to 1 000 subscribers", "/s", 0.93, **least),
            "fan-out", "rate", "perform", count=1000),
        under_load(
            Row("fan-100x16", "16 events at a time to 100 subscribers", "/s", 0.75, **least),
            "fan-out", "rate", "perform", count=100, in_flight=16),
        under_load(
            Row("fan-1000x16", "16 events at a time to 1 000 subscribers", "/s", 0.70, **least),
            "fan-out", "rate", "perform", count=1000, in_flight=16),
        memory(
            Row("connection-memory", "memory of an idle connection", "KiB", 1, **own),
            "hold-connections", 1000,
            idle_row=Row("idle-memory", "idle server, resident", "MiB", 7, **own)),
        memory(
            Row("session-memory", "memory of an idle session", "KiB", 2, **own),
            "hold-sessions", 100_000, eventsMax=1000),
        memory(
            Row("session-record", "the same and the record of its events", "KiB", **own),
            "hold-sessions", 100_000),
        start_up(
            Row("start", "start to first answer", "ms", 10, **own), 10),
        with_stock(
            Row("sessions-100000", "`perform` with 100 000 live sessions", "µs", 1.1),
            "perform", "--sessions", "100000"),
        with_stock(
            Row("events-1000000", "`perform` with 1 000 000 events recorded", "µs", 1.1),
            "perform", "--events", "1000000"),
        of_catalog(
            Row("placements-1000", "`get_flow` with 1 000 placements, as with one", "µs", 1.2),
            1000),
    ]
