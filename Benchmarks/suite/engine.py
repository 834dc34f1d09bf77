"""The engine without a broker around it: `engine-load` several times, and its table."""

import re
from statistics import median

from .report import as_markdown, short
from .servers import BENCHMARKS, run_load

HEADING = "## The engine alone"
PAGE = BENCHMARKS.parent / "docs" / "benchmarks.md"
WORKS = {
    "tap_option": "tap on an option of a multi choice",
    "tap_single": "tap on an option of a single choice",
    "tap_toggle": "tap on a toggle",
    "type_blur": "focus, text and blur, each",
}


def engine_figures(rounds: int) -> dict[str, float]:
    """The median of each figure."""
    found = [run_load("engine-load") for _ in range(rounds)]
    return {name: median(figures[name] for figures in found) for name in found[0]}


def engine_tables(rounds: int) -> str:
    """Both tables of the page."""
    figures = engine_figures(rounds)
    gestures = [["gesture", "aim", "session alone", "", "through a device", ""]]
    for key, title in WORKS.items():
        gestures.append([
            title, "0 allocations", f"{short(figures[f'{key}_rate'])} /s",
            f"{figures[f'{key}_allocations']:g} allocations",
            f"{short(figures[f'{key}_device_rate'])} /s",
            f"{figures[f'{key}_device_allocations']:g} allocations"])
    sizes = [["what", "aim", "2 screens, 20 elements", "200 screens, 2 000 elements", "ratio"]]
    for key, title in (("screen", "`get_screen`"), ("tap", "tap on an option")):
        small, large = figures[f"small_{key}_ns"], figures[f"large_{key}_ns"]
        sizes.append([
            title, "does not grow", f"{small:.0f} ns", f"{large:.0f} ns", f"{large / small:.2f}"])
    memory = [["what one more costs", "bytes"]]
    memory.append(["session on screen, beside the document", f"{figures['session_bytes']:.0f}"])
    memory.append(["device with it, and its profile at the backend", f"{figures['device_bytes']:.0f}"])
    return "\n\n".join(as_markdown(table) for table in (gestures, sizes, memory))


def replace_section(text: str) -> None:
    """Puts another section about the engine into the page, which leaves the rest as it is."""
    page = PAGE.read_text()
    PAGE.write_text(re.sub(
        rf"{re.escape(HEADING)}\n.*?(?=\n## |\Z)", lambda _: f"{HEADING}\n\n{text}\n", page,
        flags=re.DOTALL))


def notes() -> str:
    """The section as notes.md has it, without its heading."""
    text = (BENCHMARKS / "notes.md").read_text()
    found = re.search(rf"{re.escape(HEADING)}\n+(.*?)(?=\n## |\Z)", text, re.DOTALL)
    return found[1].strip() if found else ""
