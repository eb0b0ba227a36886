"""Writes the results of a race: all figures as JSON, a table, a picture."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Records = list[dict[str, Any]]

OURS = "exactile"

HEAD = """# The race

All solutions of the same files were counted by Exactile and by other packages of the Python Package
Index: each run in a process of its own, on one core of the same machine, in turns. Each counts a
tiny instance first, so that everything is loaded; the clock is that of the processor. What takes
less than 0.05 seconds is done again in the same process until that time is over, and the median
counts: the first time is mostly spent on loading the program into the caches.

The first table has the median of the seconds of searching, divided by those of Exactile: 2.0 means
twice as long, and what is **bold** was faster. Reading the file is not counted, nor is turning it
into the package's own input, such as a dense matrix, linked lists, or Exactile's native engine. The
second table counts both steps.

Exactile counts by a search, or by a memo where few states are expected, which is so for the
chessboards with dominoes only. All other instances are searched by one thread.

*wrong* is another number of solutions than is published or agreed on. `> x`: its process was
stopped after {timeout} seconds, x times as long as Exactile took. A dash is an instance that the
package cannot take; the reasons are listed below. Packages without secondary items got one more
option for each such item, of nothing but the item, which leaves the number of solutions as it is.

Times of one machine, to be compared with each other only; repetitions: {repeat}.
"""


def write_report(
    records: Records, settings: dict[str, Any], folder: Path, matplotlib: Path
) -> None:
    """Write `race.json`, `race.md`, and, if matplotlib is there, `race.svg`."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"settings": settings, "records": records}
    (folder / "race.json").write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    (folder / "race.md").write_text(page(records, settings), "utf-8")
    if matplotlib.exists():
        plot = [sys.executable, str(Path(__file__).with_name("plot.py")), str(folder)]
        environment = os.environ | {"PYTHONPATH": str(matplotlib)}
        subprocess.run(plot, env=environment, check=True)
    print(f"written to {folder}", file=sys.stderr)


def page(records: Records, settings: dict[str, Any]) -> str:
    """Return the whole page."""
    by_pair = {(r["instance"], r["solver"]): r for r in records}
    instances = list(dict.fromkeys(r["instance"] for r in records))
    solvers = list(dict.fromkeys(r["solver"] for r in records))
    parts = [HEAD.format(**settings)]
    parts += ["## Searching\n", ratios(by_pair, instances, solvers, searching)]
    parts += ["## Building and searching\n", ratios(by_pair, instances, solvers, both)]
    memory = [[name, *(megabytes(by_pair[name, s]) for s in solvers)] for name in instances]
    parts += ["## Megabytes that building and searching took\n"]
    parts += [table([["instance", *solvers], *memory])]
    parts += ["## What went wrong\n", *problems(records)]
    parts += ["\n## Versions\n"]
    parts += [f"- {key}: {value}" for key, value in settings.items() if value]
    return "\n".join(parts) + "\n"


def searching(record: dict[str, Any]) -> float:
    """Return the seconds of searching."""
    return float(record["seconds"])


def both(record: dict[str, Any]) -> float:
    """Return the seconds of building and searching."""
    return float(record["seconds"] + record["build_seconds"])


def ratios(
    by_pair: dict[tuple[str, str], dict[str, Any]],
    instances: list[str],
    solvers: list[str],
    seconds: Callable[[dict[str, Any]], float],
) -> str:
    """Return a table of seconds, those of others as multiples of ours."""
    others = [s for s in solvers if s != OURS]
    rows = [["instance", "solutions", "exactile, s", *others]]
    for name in instances:
        ours = by_pair.get((name, OURS), {"cannot": "not run"})
        mine = seconds(ours) if "seconds" in ours else None
        first = problem(ours) if mine is None else f"{mine:.3g}"
        if ours.get("wrong"):
            first = f"*wrong: {ours['count']:,}*"
        solutions = f"{by_pair[name, solvers[0]]['solutions']:,}"
        line = [cell(by_pair[name, s], mine, seconds) for s in others]
        rows.append([name, solutions, first, *line])
    means = [mean([by_pair[n, s] for n in instances], by_pair, seconds) for s in others]
    return table([*rows, ["geometric mean", "", "", *means]])


def cell(
    record: dict[str, Any], ours: float | None, seconds: Callable[[dict[str, Any]], float]
) -> str:
    """Return how a package compares with us on an instance."""
    if "timeout" in record:
        return f"> {times(record['timeout'] / ours)}" if ours else "stopped"
    if "seconds" not in record:
        return problem(record)
    if record["wrong"]:
        return f"*wrong: {record['count']:,}*"
    if not ours:
        return f"{seconds(record):.3g} s"
    return marked(seconds(record) / ours)


def marked(ratio: float) -> str:
    """Return a ratio, bold if it is below one."""
    return f"**{times(ratio)}**" if ratio < 1 else times(ratio)


def times(ratio: float) -> str:
    """Return a ratio with two digits or more.

    >>> times(123.4), times(1.234), times(0.01234)
    ('123', '1.2', '0.012')
    """
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def mean(
    records: Records,
    by_pair: dict[tuple[str, str], dict[str, Any]],
    seconds: Callable[[dict[str, Any]], float],
) -> str:
    """Return the mean over what a package solved, and a lower bound if it was ever stopped."""
    logs, bound = [], ""
    for r in records:
        ours = by_pair.get((r["instance"], OURS), {})
        if "seconds" not in ours or not ("timeout" in r or r.get("wrong") is False):
            continue
        bound = "> " if "timeout" in r else bound
        logs.append(math.log((r["timeout"] if "timeout" in r else seconds(r)) / seconds(ours)))
    return bound + marked(math.exp(sum(logs) / len(logs))) if logs else ""


def problem(record: dict[str, Any]) -> str:
    """Return a mark for a run without an answer."""
    if "timeout" in record:
        return "stopped"
    return "crashed" if "crashed" in record else "–"


def megabytes(record: dict[str, Any]) -> str:
    """Return how much memory grew, if that is known."""
    return f"{record['grown_kb'] / 1024:,.0f}" if "grown_kb" in record else ""


def problems(records: Records) -> list[str]:
    """Return a line for each reason, with the instances."""
    found: dict[tuple[str, str], list[str]] = {}
    for r in records:
        reason = r.get("cannot") or r.get("crashed")
        if r.get("wrong"):
            reason = f"wrong: {r['count']:,} instead of {r['solutions']:,}"
        if reason:
            found.setdefault((r["solver"], reason), []).append(r["instance"])
    return [f"- {s}: {why} ({', '.join(names)})" for (s, why), names in found.items()] or [
        "Nothing."
    ]


def table(rows: list[list[str]]) -> str:
    """Return a table in Markdown; the first row is the head."""
    head, *body = rows
    marks = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *body]) + "\n"
