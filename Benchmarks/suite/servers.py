"""Starts the servers under measurement, pinned to one core, and the load on them."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
OUT = BENCHMARKS / "out"
PINNED = ["taskset", "-c", "0"]
START_SECONDS_MAX = 10
LOAD_SECONDS_MAX = 300
SETTLING_SECONDS = 2


class Failure(Exception):
    """A server or a load program that did not do its work; the text says why."""


@dataclass(frozen=True)
class Server:
    """A running server: its process id and its socket."""

    pid: int
    path: str

    def settled_resident_bytes(self) -> int:
        """Resident memory once the start is over and nothing has been asked."""
        time.sleep(SETTLING_SECONDS)
        for line in Path(f"/proc/{self.pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
        raise Failure(f"no resident memory of process {self.pid} is told")


@contextmanager
def running(command: list[str], path: str) -> Iterator[Server]:
    """Runs a server that listens on `path`; stops it at the end, and removes what it left there."""
    process = subprocess.Popen(
        PINNED + command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    try:
        _wait_until_it_listens(process, path)
        yield Server(process.pid, path)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=START_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if os.path.exists(path):
            os.unlink(path)


def _wait_until_it_listens(process: subprocess.Popen[str], path: str) -> None:
    until = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < until:
        if process.poll() is not None:
            words = (process.communicate()[1] or "").strip()
            raise Failure(f"the server ended with {process.returncode}: {words}")
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(path)
                return
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.002)
    raise Failure(f"nothing listens on {path} after {START_SECONDS_MAX} s")


def run_load(program: str, *arguments: str) -> dict[str, float]:
    """Runs a load program of Benchmarks/out and returns the figures that it printed."""
    line = load_line(program, *arguments)
    return {name: float(value) for name, value in (word.split("=") for word in line.split())}


def load_line(program: str, *arguments: str) -> str:
    """As run_load, with the line as it came."""
    try:
        done = subprocess.run(
            PINNED + [str(OUT / program), *arguments], capture_output=True, text=True,
            timeout=LOAD_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        raise Failure(f"{program} was not done in {LOAD_SECONDS_MAX} s") from None
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"{program} ended with {done.returncode}")
    return done.stdout.strip()
