"""A broker of one's own, and what it costs the machine."""
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

# Limits under which one user may load a broker as many would.
ROOM = ["connectionsMax=4096", "connectionsPerUidMax=4096", "ungreetedConnectionsMax=4096"]


class Fault(Exception):
    """A figure that must not be, with what was expected."""


class Broker:
    """Runs until it is stopped; what it keeps is in a folder that goes with it."""

    def __init__(self, program: str, *arguments: str, limits: list[str] = ROOM,
                 durable: bool = False) -> None:
        self.program = program
        # Goes with this object, at the latest at the end of the program.
        self.temporary = tempfile.TemporaryDirectory(prefix="fbload-")
        self.folder = self.temporary.name
        self.path = os.path.join(self.folder, "s")
        self.arguments = [word for limit in limits for word in ("--limit", limit)]
        self.arguments += ["--store", self.folder + "/store.db"] if durable else ["--ephemeral"]
        self.arguments += arguments
        self.start()

    def start(self) -> None:
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--socket", self.path, "--exit-with-parent", *self.arguments],
                stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline()
        if not line:
            raise Fault(f"the broker did not start: {self.log()[-500:]}")
        self.pid = json.loads(line)["pid"]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """Ends it as an operator does; its folder goes."""
        self.process.terminate()
        code = self._wait()
        self.temporary.cleanup()
        if code != 0:
            raise Fault(f"the broker ended with {code}")

    def _wait(self) -> int:
        code = self.process.wait(20)
        self.process.stdout.close()
        return code

    def log(self) -> str:
        return Path(self.folder, "log").read_text(errors="replace")

    def usage(self) -> "Usage":
        return Usage(self.pid)

    def settled(self, base: "Usage", memory_percent: float) -> str:
        """Waits until the descriptors are those of `base`, at most a second, then looks at
        threads, memory and an idle second. Returns the figures; raises when one is wrong."""
        end = time.monotonic() + 1
        while (now := self.usage()).descriptors != base.descriptors:
            if time.monotonic() > end:
                raise Fault(f"{now.descriptors} descriptors, {base.descriptors} before")
            time.sleep(0.01)
        if now.threads != base.threads:
            raise Fault(f"{now.threads} threads, {base.threads} before")
        drift = base.drift(now)
        if drift > memory_percent:
            raise Fault(f"memory grew from {base.memory_kib} to {now.memory_kib} KiB: {drift:+.1f} % "
                        f"of {base.resident_kib} KiB resident, at most {memory_percent:+.1f} %")
        time.sleep(1)
        idle = self.usage().ticks - now.ticks
        if idle > 2:
            raise Fault(f"{idle} ticks of processor time in an idle second")
        return (f"leaked descriptors 0, threads {now.threads}, resident memory {drift:+.1f} % "
                f"({base.memory_kib} -> {now.memory_kib} KiB of its own), idle ticks {idle}")


class Usage:
    """Descriptors, threads, memory and processor time of a process, now."""

    def __init__(self, pid: int) -> None:
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        self.threads = int(status["Threads"])
        self.resident_kib = int(status["VmRSS"].split()[0])
        # Of its own: pages of the program come and go with the page cache.
        self.memory_kib = int(status["RssAnon"].split()[0])
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        self.ticks = int(fields[11]) + int(fields[12])

    def drift(self, later: "Usage") -> float:
        """By how many percent of what was resident the memory of its own has grown."""
        return 100 * (later.memory_kib - self.memory_kib) / self.resident_kib
