"""Turns the figures of all rounds into a table."""

import os
import platform
import subprocess
import time
from pathlib import Path
from statistics import median

from .cases import Case, Figures, Row

Results = dict[str, list[Figures]]
ROOT = Path(__file__).resolve().parents[2]


def _spread(values: list[float]) -> str:
    return " / ".join(short(value) for value in (min(values), median(values), max(values)))


def short(value: float) -> str:
    """A figure with as many digits as it is worth."""
    if abs(value) >= 100_000:
        return f"{value / 1e6:.2f} M"
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"


def _judged(row: Row, figures: list[Figures]) -> list[float]:
    """The values that the aim speaks of."""
    if row.of_ratio:
        return [each.broker / each.baseline for each in figures if each.baseline]
    return [each.broker for each in figures]


def _verdict(row: Row, values: list[float]) -> str:
    if row.aim is None:
        return ""
    reached = median(values)
    return "met" if (reached <= row.aim if row.at_most else reached >= row.aim) else "missed"


def _aim(row: Row) -> str:
    if row.aim is None:
        return ""
    unit = "" if row.of_ratio else f" {row.unit}"
    return f"{'≤' if row.at_most else '≥'} {row.aim:g}{unit}"


def _cells(row: Row, figures: list[Figures]) -> list[str]:
    values = _judged(row, figures)
    echo = [each.baseline for each in figures if each.baseline is not None]
    grpc = [each.grpc / each.baseline for each in figures if each.grpc and each.baseline]
    return [
        row.title, _aim(row), _spread(values), _verdict(row, values),
        f"{short(median(each.broker for each in figures))} {row.unit}",
        f"{short(median(echo))} {row.unit}" if echo else "",
        short(median(grpc)) if grpc else "",
    ]


HEADINGS = ["work", "aim", "reached: min / median / max", "", "Flowbridge", "baseline", "gRPC C++"]


def table(cases: list[Case], results: Results) -> list[list[str]]:
    """The heading and one list of cells for each row that has figures."""
    rows = [row for case in cases for row in case.rows if results.get(row.key)]
    return [HEADINGS, *(_cells(row, results[row.key]) for row in rows)]


def as_text(cells: list[list[str]]) -> str:
    """For a terminal."""
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in cells]
    return "\n".join(line.rstrip() for line in lines)


def as_markdown(cells: list[list[str]]) -> str:
    """For docs/benchmarks.md."""
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(cells[0]), *lines[1:]])


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def busy_cores(seconds: float = 2.0) -> float:
    """How many cores are at work now, while nothing of ours runs."""

    def ticks() -> tuple[int, int]:
        values = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
        return sum(values), values[3] + values[4]

    total, idle = ticks()
    time.sleep(seconds)
    total_after, idle_after = ticks()
    return (1 - (idle_after - idle) / (total_after - total)) * (os.cpu_count() or 1)


def conditions(command: str, rounds: int, seconds: float, others: float) -> str:
    """Under which conditions the figures came about, as a list. `others` is what busy_cores
    found before they were taken."""
    model = next(
        (line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
         if line.startswith("model name")), platform.machine())
    changed = " with uncommitted changes" if _output("git", "status", "--porcelain", "-uno") else ""
    return "\n".join([
        f"- machine: {os.cpu_count()} cores, {model}; kernel {platform.release()}",
        f"- commit: {_output('git', 'rev-parse', '--short', 'HEAD')}{changed}",
        f"- command: `{command}`",
        f"- {rounds} rounds, {seconds:g} s for each figure; cores busy with other work: {others:.1f}"
        + (" (times and rates are worse for it, and ratios noisier)" if others > 0.2 else ""),
    ])
