"""Stores as version 1 left them, and a look from outside at what became of one."""
import shutil
import sqlite3
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "Tests/BridgeBrokerTests/Support/store-v1.sql"
FILES = ("store.db", "store.db-wal", "store.db-journal")
COLUMNS = {"events": "*", "logs": "*", "profiles": "id, record", "caches": "id, record"}


def make(folder: Path, kind: str, events: int) -> None:
    """The files: `journal` as the script leaves them, `closed` with a write-ahead log that was moved
    into the file, `killed` with one beside it. So many events, and a profile for ten of them, are
    there besides the rows of the script; in `killed` they are in the log alone."""
    folder.mkdir()
    file = folder / "store.db"
    subprocess.run(["sqlite3", file, f".read {SCRIPT}"], check=True)
    link = sqlite3.connect(file)
    if kind != "journal":
        link.execute("PRAGMA journal_mode = WAL")
    link.execute("PRAGMA wal_autocheckpoint = 0")
    _fill(link, events)
    link.commit()
    if kind == "killed":
        for name in FILES[:2]:
            shutil.copyfile(folder / name, folder / f"copy-{name}")
    link.close()
    if kind == "killed":
        for name in FILES[:2]:
            (folder / f"copy-{name}").rename(folder / name)
    for name in FILES:
        if (folder / name).exists():
            (folder / name).chmod(0o600)


def _fill(link: sqlite3.Connection, events: int) -> None:
    """More rows like those of the script."""
    kind, view, event = link.execute("SELECT kind, view, event FROM events WHERE place = 3").fetchone()
    first = link.execute("SELECT max(place) + 1 FROM events WHERE place < 1 << 40").fetchone()[0]
    # An event begins with its sequence, as field 1.
    assert event[:2] == b"\x08\x03"
    link.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?)",
        ((number, kind, view, b"\x08" + _varint(number) + event[2:])
         for number in range(first, first + events)))
    old, record = link.execute("SELECT id, record FROM profiles ORDER BY id LIMIT 1").fetchone()
    for number in range(events // 10):
        name = f"{number:08X}{old[8:]}"
        link.execute("INSERT INTO profiles VALUES (?, 1, ?)",
                     (name, record.replace(old.encode(), name.encode())))


def _varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
    return out + bytes([number])


def copy(source: Path, target: Path) -> None:
    """The files as they are: what a kill leaves."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for name in FILES:
        if (source / name).exists():
            shutil.copyfile(source / name, target / name)
            (target / name).chmod(0o600)


class Content:
    """What a store holds, read with SQLite's own tools from a copy of the files."""

    def __init__(self, folder: Path) -> None:
        place = folder / "look"
        copy(folder, place)
        link = sqlite3.connect(place / "store.db")
        tables = [row[0] for row in link.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        self.tables = set(tables)
        # 0: nothing was made yet.
        self.version = (link.execute("SELECT version FROM flowbridge_store").fetchone()[0]
                        if "flowbridge_store" in tables else 0)
        self.damage = [row[0] for row in link.execute("PRAGMA integrity_check") if row[0] != "ok"]
        # Without the numbers by which the broker tells its own writings apart.
        self.rows = {
            table: link.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()
            for table, columns in COLUMNS.items() if table in tables}
        self.devices = ([row[0] for row in link.execute("SELECT id FROM devices ORDER BY id")]
                        if "devices" in tables else [])
        link.close()
