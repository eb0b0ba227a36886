"""Counts open puzzles of the ledger by a front, each by two orders, and writes what they say.

    python benchmarks/front_counts.py LEDGER.json RESULTS.jsonl [--pieces N] [--bound B]

What is in the file of results already is not counted again. A number stands there only if both
orders give the same, raw, up to rotation and up to symmetry.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import exactile
from exactile.errors import CountingError
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.solve.case import Case
from exactile.solve.front import FrontCounter
from exactile.solve.limits import Limits
from exactile.solve.unlisted import UnlistedCount, UnlistedCounting


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ledger", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--pieces", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=700_000)
    parser.add_argument("--bound", type=float, default=5e9)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--memory", type=int, default=4 * 2**30)
    given = parser.parse_args()
    known = given.results.read_text("utf-8").splitlines() if given.results.exists() else []
    seen = {json.loads(line)["id"] for line in known}
    puzzles = json.loads(given.ledger.read_text("utf-8"))["puzzles"]
    wanted = [p for p in puzzles if p["status"] == "open" and p["pieces"] <= given.pieces]
    for puzzle in sorted(wanted, key=lambda p: (p["pieces"], p["units"])):
        if puzzle["id"] not in seen:
            record = {"id": puzzle["id"], **settle(puzzle["id"], given)}
            with given.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")


def settle(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """Count a puzzle twice; return what is known then."""
    case = Case(exactile.load(name))
    options: dict[str, Any] = {
        "puzzle": case.puzzle,
        "most_nodes": given.nodes,
        "most_bytes": given.memory,
    }
    first = FrontCounter(case.model, **options)
    try:
        if not first.build(given.seconds):
            return {"status": "no automaton in time"}
    except CountingError:
        return {"status": "automata too large"}
    assert first.bound is not None
    if first.bound > given.bound:
        return {"status": "bound too large", "bound": first.bound}
    runs = []
    for other_than in (None, first.rank):
        made: list[FrontCounter] = []

        def counter(
            subject: Model | CountProblem, avoided: Any = other_than, made: Any = made
        ) -> FrontCounter:
            made.append(FrontCounter(subject, other_than=None if made else avoided, **options))
            return made[-1]

        begun = time.process_time()
        try:
            answer = UnlistedCounting(case, counter, Limits(given.seconds)).run()
        except CountingError as error:
            return {"status": str(error)}
        runs.append(run_of(answer, made[0], time.process_time() - begun))
        if answer.raw is None:
            return {"status": "no number in time", "runs": runs}
    keys = ("raw", "rotation", "symmetry")
    same = all(runs[0][key] == runs[1][key] for key in keys)
    return {"status": "counted twice" if same else "CONTRADICTION", "runs": runs}


def run_of(answer: UnlistedCount, counter: FrontCounter, seconds: float) -> dict[str, Any]:
    """Return the numbers and what they cost."""
    kept = ("bound", "states", "operations", "bytes", "bytes_written", "width")
    return {
        "raw": answer.raw,
        "rotation": answer.rotation,
        "symmetry": answer.symmetry,
        "processor_seconds": round(seconds, 1),
        **{key: counter.stats[key] for key in kept if key in counter.stats},
    }


if __name__ == "__main__":
    main()
