"""Finds one solution of puzzles of which the ledger knew none, by the backend ``first``.

    python benchmarks/first.py --seconds 60 --workers 2 --seed 1 [--every 3] [PUZZLE ...]

Budgets are seconds of processor time for each worker, so that other work on the machine does not
count; nor does building the model. Every solution is checked, as ever. The results are written anew
after each puzzle, so that Ctrl-C keeps what is finished, and a second run goes on with the rest.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import exactile
from exactile.solve import Search
from exactile.solve.case import Case

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
    return {
        "puzzle": name,
        "options": built - 1,
        "status": search.status.value,
        "member": search.backend.name.partition("(")[2].strip(")"),
        "seconds": round(used, 2),
        "filled": sum(len(placement.units) for placement in packing),
        "units": case.model.meaning.units,
    }


def apart(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the same, from a process of its own, which gives its memory back."""
    told = [f"--seconds={arguments.seconds}", f"--workers={arguments.workers}"]
    command = [sys.executable, __file__, "--alone", *told, f"--seed={arguments.seed}", name]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        words = result.stderr.strip().splitlines() or ["nothing"]
        return {"puzzle": name, "status": f"failed: {words[-1]}", "seconds": 0.0}
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def table(rows: list[dict[str, Any]], settings: str) -> str:
    """Return the results as Markdown."""
    solved = [row for row in rows if row["status"] in ("solvable", "complete")]
    lines = [
        f"{len(solved)} of {len(rows)} puzzles solved. {settings}",
        "",
        "| puzzle | options | answer | member | seconds | filled |",
        "| --- | ---: | --- | --- | ---: | ---: |",
    ]
    for row in rows:
        filled = f"{row['filled']} of {row['units']}" if "units" in row else ""
        cells = [row["puzzle"], f"{row.get('options', 0):,}", row["status"], row.get("member", "")]
        lines.append(f"| {' | '.join([*cells, format(row['seconds'], '.2f'), filled])} |")
    members = Counter(row["member"] for row in solved)
    lines += ["", "Found by: " + ", ".join(f"{m} {n}" for m, n in members.most_common()) + "."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="*", metavar="PUZZLE")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="take only every n-th puzzle")
    parser.add_argument("--name", default="first-open", help="of the files of results")
    parser.add_argument("--alone", action="store_true", help="one puzzle, printed as JSON")
    arguments = parser.parse_args()
    if arguments.alone:
        how = arguments.seconds, arguments.workers, arguments.seed
        print(json.dumps(run(arguments.puzzles[0], *how)))
        return
    names = arguments.puzzles or PUZZLES.read_text().split()[:: arguments.every]
    settings = (
        f"At most {arguments.seconds:g} s of processor time for each of {arguments.workers} "
        f"workers, seed {arguments.seed}."
    )
    kept = RESULTS / f"{arguments.name}.jsonl"
    rows = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    for name in names:
        if name in {row["puzzle"] for row in rows}:
            continue
        rows.append(apart(name, arguments))
        print(rows[-1], flush=True)
        kept.write_text("".join(json.dumps(row) + "\n" for row in rows))
        kept.with_suffix(".md").write_text(table(rows, settings))


if __name__ == "__main__":
    main()
