"""Measure parameters of CP-SAT, one changed at a time, and print what became of each instance.

``cpsat_parameters.py [FOLDER]`` runs everything, prints a table for each instance, and writes
``cpsat-parameters.json`` to the folder. Every run is a process of its own with a time limit. The
work is what CP-SAT calls deterministic time, which does not depend on the machine; what was stopped
has that of its last solution.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import exactile
from exactile.backends.base import Request
from exactile.backends.cpsat import find, parameters
from exactile.model.condense import without_implied_bounds
from exactile.model.orbits import Action, branches

LIMIT = 30.0

BOX = """
format = 1
[puzzle.one-sided-pentominoes-9x10]
lattice = "square"
pieces = { set = "one-sided-pentominoes" }
region = { box = [10, 9] }
"""

INSTANCES = [
    ("pentominoes-8x8-center-hole", "all"),
    ("soma-cube", "all"),
    ("pentominoes-3x20", "all"),
    ("tetrasticks-5x5-without-h", "all"),
    ("y-pentominoes-15x15", "all"),
    ("hexiamonds-3x12", "first"),
    ("tetrasticks-5x5", "first"),
    ("y-pentominoes-15x15", "first"),
    ("one-sided-pentominoes-9x10", "first"),
    ("pentominoes-8x8-center-hole", "first"),
    ("tritrigs-heart-2", "first"),
]

COMMON: list[dict[str, int]] = [
    {"linearization_level": 0},
    {"linearization_level": 2},
    {"cp_model_probing_level": 0},
    {"cp_model_presolve": 0},
    {"search_branching": 1},  # in the order of the options
]
ALL: list[dict[str, int]] = [
    {},
    *COMMON,
    {"symmetry_level": 1},
    {"symmetry_level": 2},
    {"together": 1},
    {"blocking": 1},
    {"blocking": 1, "linearization_level": 0},
]
FIRST: list[dict[str, int]] = [
    {"num_workers": 1},
    *({"num_workers": 1} | other for other in COMMON),
    {"num_workers": 1, "symmetry_level": 0},
    {"num_workers": 1, "symmetry_level": 4},
    {"num_workers": 2},
    {"num_workers": 8},
]


def run(name: str, task: str, change: dict[str, int], seed: int) -> dict[str, Any]:
    """Run one setting in this process."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(BOX)
        file.flush()
        puzzle = exactile.load(file.name if name in BOX else name)
    model = without_implied_bounds(exactile.lower(puzzle))
    request = Request(limit=1 if task == "first" else None, seed=seed)
    if task == "all":
        found = branches(model, Action(model, exactile.symmetries(puzzle)))
        if found and "together" in change:  # one question: all other options are excluded
            item = next(
                i
                for i in model.option(found.options[0]).tolist()
                if model.lower[i] == 1 and set(found.options) <= set(model.options_with(i).tolist())
            )
            rest = set(model.options_with(item).tolist()) - set(found.options)
            request = replace(request, prefixes=(tuple(~o for o in sorted(rest)),))
        elif found:
            request = replace(request, prefixes=tuple((o,) for o in found.options))
    own = {k: v for k, v in change.items() if k not in ("together", "blocking")}
    mode = "blocking" if "blocking" in change else "enumerate"
    record: dict[str, Any] = {"found": 0, "seconds": None, "work": 0}

    def report(_options: list[int], stats: Mapping[str, int]) -> None:
        record["found"] += 1
        record["work"] = stats["deterministic_ms"]
        if request.limit is not None:
            raise StopIteration

    def give_up() -> None:
        print(json.dumps(record), flush=True)
        os._exit(0)

    from ortools.sat.python import cp_model  # noqa: F401  # imported before the clock starts

    timer = threading.Timer(LIMIT, give_up)
    timer.start()
    begun = time.monotonic()
    with suppress(StopIteration):
        stats = find(model, request, {**parameters(request, mode), **own}, report)
        record["work"] = stats["deterministic_ms"]
    record["seconds"] = round(time.monotonic() - begun, 2)
    timer.cancel()
    return record


def measure(name: str, task: str, change: dict[str, int], seed: int) -> dict[str, Any]:
    """Run one setting in a new process."""
    given = json.dumps([name, task, change, seed])
    command = [sys.executable, __file__, "--run", given]
    record = {"instance": name, "task": task, "change": change, "seed": seed}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT + 15)
    except subprocess.TimeoutExpired:
        return record | {"found": None, "seconds": None, "work": None}
    if done.returncode:
        return record | {"error": done.stderr[-300:]}
    return record | json.loads(done.stdout)


def words(change: dict[str, int]) -> str:
    """Return a change in words."""
    return ", ".join(f"{k} {v}" for k, v in change.items()) or "as chosen"


def main(folder: Path | None) -> None:
    """Measure everything."""
    records = []
    for name, task in INSTANCES:
        print(
            f"\n{name}, {task}\n\n| change | found | seconds | work |\n| --- | ---: | ---: | ---: |"
        )
        for change in ALL if task == "all" else FIRST:
            seeds = (0,) if task == "all" else (0, 1, 2)
            mine = [measure(name, task, change, seed) for seed in seeds]
            records += mine
            found = " ".join(str(r.get("found", "error")) for r in mine)
            times = " ".join(str(r.get("seconds") or f"> {LIMIT:.0f}") for r in mine)
            work = " ".join(f"{(r.get('work') or 0) / 1000:.2f}" for r in mine)
            print(f"| {words(change)} | {found} | {times} | {work} |", flush=True)
            if folder:
                (folder / "cpsat-parameters.json").write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(run(*json.loads(sys.argv[2]))))
    else:
        main(Path(sys.argv[1]) if sys.argv[1:] else None)
