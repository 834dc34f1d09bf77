"""Catalogs as large as a measurement needs them."""

import json
from pathlib import Path

AUDIENCES = 20
CONDITIONS = 10


def write_catalog(folder: Path, placements: int) -> None:
    """Placements p0, p1, … of 20 audiences each. Of the 10 conditions of a segment the last one
    fails, so that all of them are looked at before All Users gets its flow."""
    (folder / "flows").mkdir(parents=True)
    (folder / "placements.json").write_text(
        json.dumps({"placements": [_placement(f"p{number}") for number in range(placements)]}))
    (folder / "flows" / "flow_v1.json").write_text(
        json.dumps({"screens": [{"id": "scr_only", "elements": []}]}))


def _placement(name: str) -> dict:
    segments = [_audience(name, priority) for priority in range(1, AUDIENCES)]
    everybody = {
        "name": "All Users", "all_users": True, "version_id": f"{name}/all",
        "variations": [_variation(f"{name}/all")]}
    return {"id": name, "type": "flow", "audiences": [*segments, everybody]}


def _audience(name: str, priority: int) -> dict:
    holds = [
        {"attribute": "platform", "operator": "!=", "value": f"none {number}"}
        for number in range(CONDITIONS - 1)]
    fails = {"attribute": "country", "operator": "=", "value": f"none {priority}"}
    return {
        "name": f"Segment {priority}", "priority": priority, "segment": [*holds, fails],
        "version_id": f"{name}/{priority}", "variations": [_variation(f"{name}/{priority}")]}


def _variation(name: str) -> dict:
    return {"variation_id": name, "flow_id": "flow", "flow_version_id": "flow_v1"}
