"""Clients that number what they ask a broker for, and a look from outside at what its store holds."""
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

IN_FLIGHT = 8
NUMBER = re.compile(r"#n(\d{9})")
SEQUENCE = re.compile(r'"sequence":"(\d+)"')
ID = re.compile(r'"id":"?(\d+)')


class Client:
    """One device: what was sent for it, what was acknowledged, and what its subscriber saw."""

    def __init__(
        self, name: str, in_flight: int = IN_FLIGHT, ends_with: str = "",
        pause_s: float = 0) -> None:
        self.name = name
        self.in_flight = in_flight
        # The rest before each burst of requests.
        self.pause_s = pause_s
        # An error with this in it ends the run and is no fault; empty: none is.
        self.ends_with = ends_with
        self.sent = 0
        self.acknowledged: set[int] = set()
        self.seen: dict[int, int] = {}
        # Answers that no broker should have given.
        self.faults: list[str] = []

    def run(self, path: str) -> None:
        """Sends updates until the broker is gone."""
        try:
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(20)
                link.connect(path)
                self._serve(link)
        except (ConnectionError, FileNotFoundError):
            pass

    def _is_end(self, line: str) -> bool:
        return bool(self.ends_with) and self.ends_with in line

    def _serve(self, link: socket.socket) -> None:
        requests = [{"openDevice": {"device": self.name, "clock": {"kind": "MANUAL"}}}]
        # A device that was activated before says so, which is as good.
        requests.append({"activate": {}})
        requests.append({"subscribe": {"fromSequence": max(self.seen, default=0) + 1}})
        for request in requests:
            link.sendall(json.dumps({"id": 10**12, **request}).encode() + b"\n")
        waiting = len(requests)
        pending = 0
        for line in iter_lines(link):
            found = ID.match(line[1:])
            number = int(found[1]) if found else 0
            if number == 0:
                self._see(line)
                continue
            if number == 10**12:
                waiting -= 1
                if '"error"' in line and "activateOnceError" not in line:
                    return None if self._is_end(line) else self.faults.append(line)
            elif '"error"' in line:
                return None if self._is_end(line) else self.faults.append(line)
            else:
                self.acknowledged.add(number)
                pending -= 1
            if waiting == 0:
                burst = b""
                while pending < self.in_flight:
                    burst += self._next()
                    pending += 1
                time.sleep(self.pause_s)
                link.sendall(burst)

    def _next(self) -> bytes:
        self.sent += 1
        attribute = {"key": "n", "string": f"#n{self.sent:09d}"}
        request = {"id": self.sent, "updateProfile": {"customAttributes": [attribute]}}
        return json.dumps(request).encode() + b"\n"

    def _see(self, line: str) -> None:
        sequence, number = SEQUENCE.search(line), NUMBER.search(line)
        if sequence:
            self.seen[int(sequence[1])] = int(number[1]) if number else 0


def iter_lines(link: socket.socket):
    """Whole lines, until the other side is gone; what is cut short does not count."""
    rest = b""
    while True:
        chunk = link.recv(65536)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode()


class Check:
    """Reads what a kill left, and counts what is wrong with it."""

    def __init__(
        self, folder: Path, clients: list[Client], copy: Path | None = None) -> None:
        self.folder = folder
        self.copy = copy or folder / "copy"
        self.clients = clients
        # Sequence and number of each event, by device, as read so far.
        self.record: dict[str, list[tuple[int, int]]] = {client.name: [] for client in clients}
        self.lost = self.doubled = self.disordered = self.damaged = 0

    def run(self) -> None:
        copy = self.copy
        copy.mkdir(exist_ok=True)
        for suffix in ("", "-wal"):
            source = self.folder / f"store.db{suffix}"
            target = copy / f"store.db{suffix}"
            target.unlink(missing_ok=True)
            if source.exists():
                shutil.copyfile(source, target)
        for client in self.clients:
            self._read_events(copy, client)
            self._judge(client, self._stored_number(copy, client))

    def whole(self) -> None:
        """Once at the end: everything, and the file itself."""
        copy = self.copy
        if shell(copy, "PRAGMA integrity_check") != ["ok"]:
            self.damaged += 1
        for client in self.clients:
            rows = shell(
                copy, "SELECT count(*), count(DISTINCT sequence), min(sequence), max(sequence) "
                f"FROM recorded_events WHERE device = '{client.name}'")
            count = len(self.record[client.name])
            if rows != [f"{count}|{count}|1|{count}"]:
                self.damaged += 1

    def _read_events(self, copy: Path, client: Client) -> None:
        known = self.record[client.name]
        rows = shell(
            copy, "SELECT sequence, coalesce(CAST(substr(event, nullif(instr(event, "
            "CAST('#n' AS BLOB)), 0) + 2, 9) AS TEXT), 0) FROM recorded_events "
            f"WHERE device = '{client.name}' AND sequence > {len(known)} ORDER BY sequence")
        for row in rows:
            sequence, number = row.split("|")
            known.append((int(sequence), int(number)))
            if int(sequence) != len(known):
                self.disordered += 1

    def _stored_number(self, copy: Path, client: Client) -> int:
        rows = shell(
            copy, "SELECT json_extract(CAST(record AS TEXT), "
            "'$.state.profile.profile.customAttributes.n.string._0') FROM devices "
            f"WHERE id = '{client.name}'")
        device = NUMBER.search(rows[0]) if rows else None
        rows = shell(
            copy, "SELECT json_extract(CAST(p.record AS TEXT), "
            "'$.record.profile.customAttributes.n.string._0') FROM profiles p, devices d "
            f"WHERE d.id = '{client.name}' AND p.id = json_extract(CAST(d.record AS TEXT), "
            "'$.state.profile.profile.profileID')")
        profile = NUMBER.search(rows[0]) if rows else None
        if (device and device[1]) != (profile and profile[1]):
            self.damaged += 1
        return int(profile[1]) if profile else 0

    def _judge(self, client: Client, stored: int) -> None:
        events = self.record[client.name]
        numbers = [number for _, number in events if number]
        self.doubled += len(numbers) - len(set(numbers))
        self.disordered += sum(a > b for a, b in zip(numbers, numbers[1:]))
        self.lost += len(client.acknowledged - set(numbers))
        found = dict(events)
        self.lost += sum(found.get(at) != number for at, number in client.seen.items())
        # The profile is that of the last event.
        if stored != (numbers[-1] if numbers else 0):
            self.damaged += 1


def shell(folder: Path, sql: str) -> list[str]:
    done = subprocess.run(
        ["sqlite3", "-batch", str(folder / "store.db"), sql], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sqlite3: {done.stderr.strip()}")
    return done.stdout.splitlines()
