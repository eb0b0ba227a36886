"""Finds one solution of puzzles of which the ledger knew none, by the backend ``first``.

    python benchmarks/first.py [PUZZLE ...] --seconds 60 --workers 2 --seed 1 2 3 [--every 3]

Budgets are seconds of processor time for each worker, so that other work on the machine does not
count; nor does building the model. Every solution is checked, as ever. A row is written as soon as
it is there, so that Ctrl-C keeps what is finished; rows that are there are skipped, and so a second
run goes on with the rest. The table has all of them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import exactile
from exactile.errors import ExactileError
from exactile.search import Search
from exactile.search.case import Case

HERE = Path(__file__).parent
PUZZLES = HERE / "open_puzzles.txt"
RESULTS = HERE / "results"


def run(name: str, seconds: float, workers: int, seed: int) -> dict[str, Any]:
    """Return what comes of one search."""
    case = Case(exactile.load(name))
    budget, begun = seconds * workers, 0.0

    def watch(search: Search) -> None:
        if time.process_time() - begun > budget:
            search.cancel()

    built = len(case.asked.first)
    begun = time.process_time()
    with Search(case, backend="first", limit=1, seed=seed, workers=workers, watch=watch) as search:
        solution = next(search, None)
        used = time.process_time() - begun
        packing = solution or search.packing or ()
    uses = Counter(placement.piece for placement in packing)
    lacking = [p.name for p in case.puzzle.pieces for _ in range(p.lower - uses[p.name])]
    return {
        "puzzle": name,
        "options": built - 1,
        "status": search.status.value,
        "member": search.backend.name.partition("(")[2].strip(")"),
        "seconds": round(used, 2),
        "filled": sum(len(placement.units) for placement in packing),
        "units": case.model.meaning.units,
        "lacking": lacking,
    }


def apart(name: str, seconds: float, workers: int, seed: int) -> dict[str, Any]:
    """Return the same, from a process of its own, which gives its memory back."""
    with ProcessPoolExecutor(1, get_context("fork")) as pool:
        try:
            return pool.submit(run, name, seconds, workers, seed).result()
        except (ExactileError, BrokenProcessPool) as error:
            return {"puzzle": name, "status": f"failed: {error}", "seconds": 0.0}


def is_solved(row: dict[str, Any]) -> bool:
    """Return whether a row tells of a solution."""
    return row["status"] in ("solvable", "complete")


def cell(row: dict[str, Any] | None) -> str:
    """Return what came of one search, for the table."""
    if row is None:
        return ""
    if is_solved(row):
        return f"{row['member']} {row['seconds']:.1f}"
    return f"{row['status']}, {row.get('filled', 0)} filled"


def table(rows: list[dict[str, Any]]) -> str:
    """Return the results as Markdown: a line for each puzzle, a column for each seed."""
    seeds = sorted({row["seed"] for row in rows})
    by_key = {(row["puzzle"], row["seed"]): row for row in rows}
    lines = [
        "Seconds of processor time of all workers together until one solution was found, and the "
        "member that found it.",
        "",
    ]
    for seed in seeds:
        runs = [row for row in rows if row["seed"] == seed]
        solved = [row for row in runs if is_solved(row)]
        members = Counter(row["member"] for row in solved)
        found = ", ".join(f"{member} {n}" for member, n in members.most_common())
        budgets = sorted({f"{row['workers']} times {row['budget']:g} s" for row in runs})
        lines.append(
            f"Seed {seed}, {' or '.join(budgets)}: {len(solved)} of {len(runs)} puzzles solved. "
            f"Found by: {found}."
        )
        lines.append("")
    lines.append(f"| puzzle | options | units | {' | '.join(f'seed {s}' for s in seeds)} |")
    lines.append(f"| --- | ---: | ---: |{' --- |' * len(seeds)}")
    for puzzle in sorted({row["puzzle"] for row in rows}):
        told = [by_key.get((puzzle, seed)) for seed in seeds]
        row = next(row for row in told if row is not None)
        size = [f"{row.get('options', 0):,}", str(row.get("units", ""))]
        lines.append(f"| {' | '.join([puzzle, *size, *map(cell, told)])} |")
    return "\n".join(lines) + "\n"


def left(rows: list[dict[str, Any]]) -> str:
    """Return the puzzles that no run has solved, as Markdown, each with its best packing."""
    solved = {row["puzzle"] for row in rows if is_solved(row)}
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = best.setdefault(row["puzzle"], row)
        if row.get("filled", 0) >= known.get("filled", 0):
            best[row["puzzle"]] = row
    lines = [
        "Left by all, with the best packing found: the units that it leaves open, and the pieces.",
        "",
        "| puzzle | units | open | pieces left over |",
        "| --- | ---: | ---: | --- |",
    ]
    for puzzle in sorted(best.keys() - solved):
        units, filled = best[puzzle].get("units", 0), best[puzzle].get("filled", 0)
        lacking = ", ".join(best[puzzle].get("lacking", ["?"]))
        lines.append(f"| {puzzle} | {units} | {units - filled} | {lacking} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="*", metavar="PUZZLE")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    parser.add_argument("--every", type=int, default=1, help="take only every n-th puzzle")
    parser.add_argument("--name", default="first-open", help="of the files of results")
    arguments = parser.parse_args()
    how = arguments.seconds, arguments.workers
    names = arguments.puzzles or PUZZLES.read_text().split()[:: arguments.every]
    kept = RESULTS / f"{arguments.name}.jsonl"
    rows = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    for seed in arguments.seed:
        for name in names:
            if (name, seed) in {(row["puzzle"], row["seed"]) for row in rows}:
                continue
            rows.append(
                {"seed": seed, "workers": how[1], "budget": how[0], **apart(name, *how, seed)}
            )
            print(rows[-1], flush=True)
            with kept.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
            kept.with_suffix(".md").write_text(f"{table(rows)}\n{left(rows)}")


if __name__ == "__main__":
    main()
