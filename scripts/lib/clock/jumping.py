"""A broker whose clocks can be set while it runs."""
import mmap
import os
import struct
import subprocess
import time
from pathlib import Path

from load.broker import Broker

SOURCE = Path(__file__).resolve().parent / "jumping_clock.c"


class JumpingClock:
    """The clocks of one process, by a library that is preloaded into it."""

    def __init__(self, folder: str) -> None:
        self.library = os.path.join(folder, "jumping_clock.so")
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-o", self.library, SOURCE], check=True)
        self.path = os.path.join(folder, "offsets")
        Path(self.path).write_bytes(bytes(24))
        with open(self.path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 24)

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": self.library, "JUMPING_CLOCK": self.path}

    def move(self, ms: int) -> None:
        """Sets the wall clock, as an operator or a time server does."""
        self.map[:8] = struct.pack("q", self._read(0) + ms)

    def move_monotonic(self, ms: int) -> None:
        """What cannot happen to a host: the control."""
        self.map[8:16] = struct.pack("q", self._read(8) + ms)

    def now_ms(self) -> float:
        return 1000 * time.time() + self._read(0)

    def wall_waits(self) -> int:
        """Calls of the broker that wait for a time of the wall clock."""
        return self._read(16)

    def _read(self, at: int) -> int:
        return struct.unpack_from("q", self.map, at)[0]


def start(program: str, environment: dict[str, str], *arguments: str, limits: dict[str, int],
          durable: bool = True) -> Broker:
    """Starts a broker with additions to the environment."""
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        return Broker(program, *arguments, durable=durable,
                      limits=[f"{name}={value}" for name, value in limits.items()])
    finally:
        for name in environment:
            os.environ.pop(name)
        os.environ.update(before)
