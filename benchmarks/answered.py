"""One solution of every puzzle that the ledger has an answer to: `auto` beside the search alone.

    python benchmarks/answered.py --backend dlx --seconds 1.2      # one solution of each
    python benchmarks/answered.py --backend auto --seconds 5
    python benchmarks/answered.py --backend auto --seconds 60      # of what is left
    python benchmarks/answered.py --table                          # results/answered.md

With ``--unsolvable`` the question is how soon it comes out that there is none. Budgets are seconds
of processor time for each of two processors, so that other work on the machine does not count; nor
does building the model. A row is written as soon as it is known, so that Ctrl-C keeps it, and a
second run goes on; with more seconds it repeats what was not answered.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exactile
from exactile.search import Search
from exactile.search.case import Case

HERE = Path(__file__).parent
LEDGER = HERE.parent / "docs" / "catalogue" / "ledger.json"
RESULTS = HERE / "results"
PROCESSORS = 2

HEAD = """# Puzzles with an answer

What `benchmarks/answered.py` found: processor seconds to one solution, or to the end where there
is none, of every puzzle that the ledger has an answer to. `dlx` is the native search alone, `auto`
what `solve` and `prove` ask. Several threads of `auto` work at a time, on {processors} processors,
so that it takes less time than that. The model is built before, and no coloring is looked for.

"""


def answered(*, unsolvable: bool) -> list[str]:
    """Return the puzzles of which the ledger knows a solution, or that there is none."""
    puzzles = json.loads(LEDGER.read_text())["puzzles"]
    if unsolvable:
        return [p["id"] for p in puzzles if p["status"] == "unsolvable"]
    return [p["id"] for p in puzzles if p["at_least"] > 0]


def spent() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run(name: str, backend: str, seconds: float) -> dict[str, Any]:
    """Return what comes of one search."""
    case = Case(exactile.load(name))
    budget = seconds * PROCESSORS if backend == "auto" else seconds

    def watch(search: Search) -> None:
        if spent() - begun > budget:
            search.cancel()

    options = case.asked.options
    begun, started = spent(), time.monotonic()
    with Search(case, backend=backend, limit=1, seed=1, watch=watch) as search:
        next(search, None)
    return {
        "puzzle": name,
        "backend": backend,
        "options": options,
        "status": search.status.value,
        "by": search.backend.name.partition("(")[2].removesuffix(")"),
        "seconds": round(spent() - begun, 3),
        "clock": round(time.monotonic() - started, 3),
        "limit": seconds,
    }


def is_known(row: dict[str, Any]) -> bool:
    """Return whether a row has an answer."""
    return row["status"] in ("solvable", "complete", "unsolvable")


def read(kept: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the last row of each puzzle and backend."""
    lines = kept.read_text().splitlines() if kept.exists() else []
    return {(row["puzzle"], row["backend"]): row for row in map(json.loads, lines)}


def pairs(rows: dict[tuple[str, str], dict[str, Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield the rows of both backends for each puzzle."""
    for name in dict.fromkeys(name for name, _ in rows):
        yield rows.get((name, "dlx")), rows.get((name, "auto"))


def told(row: dict[str, Any] | None) -> str:
    """Return the time of a row."""
    if row is None:
        return "?"
    return f"{row['seconds']:.2f}" if is_known(row) else f"> {row['limit']:g}"


def table(rows: dict[tuple[str, str], dict[str, Any]], what: str) -> str:
    """Return a summary and what took longest, as Markdown."""
    both = list(pairs(rows))
    found = [auto for _, auto in both if auto and is_known(auto)]
    slow = [(d, a) for d, a in both if a and (not is_known(a) or a["seconds"] > 2)]
    quick = [(d, a) for d, a in slow if d and is_known(d) and d["seconds"] <= 1]
    lines = [
        f"## {what}",
        "",
        f"{len(found)} of {len(both)} answered by `auto`, all but {len(slow)} of them in "
        f"two seconds. Of the others, `dlx` answered {len(quick)} in one.",
        "",
        "| puzzle | options | dlx | auto | by |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for d, a in sorted(slow, key=lambda pair: pair[1]["puzzle"]):
        cells = [a["puzzle"], f"{a['options']:,}", told(d), told(a), a["by"]]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="*", metavar="PUZZLE")
    parser.add_argument("--backend", choices=("dlx", "auto"), default="auto")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--unsolvable", action="store_true")
    parser.add_argument("--table", action="store_true", help="only write the table anew")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the rows")
    arguments = parser.parse_args()
    names = ("answered", "answered-none")
    kept = {what: arguments.results / f"{what}.jsonl" for what in names}
    if arguments.table:
        titles = ("Puzzles with solutions", "Puzzles without")
        parts = [table(read(kept[what]), title) for what, title in zip(names, titles, strict=True)]
        page = HEAD.format(processors=PROCESSORS) + "\n".join(parts)
        (arguments.results / "answered.md").write_text(page)
        return
    file = kept[names[arguments.unsolvable]]
    rows = read(file)
    for name in arguments.puzzles or answered(unsolvable=arguments.unsolvable):
        row = rows.get((name, arguments.backend))
        if row and (is_known(row) or row["limit"] >= arguments.seconds):
            continue
        row = run(name, arguments.backend, arguments.seconds)
        with file.open("a") as out:
            out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
