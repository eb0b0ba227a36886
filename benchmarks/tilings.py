"""Censuses of tilings on all lattices, every certificate verified: what docs say of them.

``python benchmarks/tilings.py`` makes those that `results/tilings.json` lacks, and writes it;
``python benchmarks/tilings.py kites 9`` makes others. ``python benchmarks/tilings.py hour`` goes on
with each row of the table in the documentation until its orders have taken an hour together (on a
quiet machine: the last one is stopped by the clock); ``hour cube`` does so for one lattice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from exactile.clock import CLOCK
from exactile.geometry import get_lattice
from exactile.search.limits import Limits
from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.survey import survey

RESULTS = Path(__file__).parent / "results" / "tilings.json"

ORDERS = {
    "square": 9,
    "hexagon": 7,
    "triangle": 10,
    "kites": 7,
    "quarter-squares": 7,
    "sixth-triangles": 5,
    "octasquares": 5,
    "trihexagons": 6,
    "bevelhexagons": 4,
    "half-cairo": 6,
    "hexagon-edges": 8,
    "square-edges": 6,
    "triangle-edges": 4,
    "cube": 7,
    "cube-edges": 4,
    "cube-faces": 4,
}
"""The largest order that takes a few minutes."""

ROWS = [
    ("quarter-squares", False),
    ("sixth-triangles", False),
    ("square-edges", False),
    ("square-edges", True),
    ("triangle-edges", False),
    ("triangle-edges", True),
    ("hexagon-edges", False),
    ("cube", False),
    ("cube-edges", False),
    ("cube-faces", False),
]
"""Lattices of the table in the documentation, and whether pieces must not cross."""

HOUR = 3600.0

LEFT_OUT = {"entries", "stopped", "stats", "done"}

Row = dict[str, Any]


def census(lattice: str, order: int, *, crossing: bool, seconds: float | None = None) -> Row | None:
    """Return a census in numbers, with the seconds of processor time that it took.

    None if it takes more than a number of seconds.
    """
    begun = CLOCK.worked()
    answer = survey(
        Census(lattice, order, "free", crossing), verify=True, limits=Limits(time_limit=seconds)
    )
    if answer.done < answer.forms:
        return None
    row: Row = {k: getattr(answer, k) for k in answer.__struct_fields__ if k not in LEFT_OUT}
    return row | {"seconds": round(CLOCK.worked() - begun, 2)}


def results() -> list[Row]:
    """Return the censuses that there are."""
    return json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []


def add(found: Row) -> None:
    """Add a census to the results."""
    rows = sorted([*results(), found], key=lambda r: (r["lattice"], r["crossing"], r["order"]))
    text = ",\n".join(json.dumps(row) for row in rows)
    RESULTS.write_text(f"[\n{text}\n]\n", "utf-8")
    print(*(found[key] for key in ("lattice", "order", "crossing", "tiles", "open")), flush=True)


def chosen(words: list[str]) -> list[tuple[str, int, bool]]:
    """Return the lattices and orders that are asked for, and whether pieces must not cross."""
    orders = {words[0]: int(words[1])} if words else ORDERS
    return [
        (lattice, order, crossing)
        for lattice, most in orders.items()
        for order in range(1, most + 1)
        for crossing in ((True, False) if get_lattice(lattice).crossing else (False,))
    ]


def make_for_an_hour(lattice: str, crossing: bool) -> None:
    """Make the censuses of further orders until all together have taken an hour."""
    while True:
        rows = [r for r in results() if (r["lattice"], r["crossing"]) == (lattice, crossing)]
        order = max((r["order"] for r in rows), default=0) + 1
        left = HOUR - sum(r["seconds"] for r in rows)
        found = census(lattice, order, crossing=crossing, seconds=left) if left > 0 else None
        if found is None:
            print(f"{lattice} {crossing}: order {order} is not done within the hour", flush=True)
            return
        add(found)


def main(words: list[str]) -> None:
    """Make censuses that are not there yet."""
    if words[:1] == ["hour"]:
        rows = [row for row in ROWS if not words[1:] or words[1:] == [row[0]]]
        if not rows:
            sys.exit(f"The table has no such row: {' '.join(words[1:])}.")
        for lattice, crossing in rows:
            make_for_an_hour(lattice, crossing)
        return
    there = {(row["lattice"], row["order"], row["crossing"]) for row in results()}
    for lattice, order, crossing in chosen(words):
        if (lattice, order, crossing) not in there:
            found = census(lattice, order, crossing=crossing)
            assert found is not None
            add(found)


if __name__ == "__main__":
    main(sys.argv[1:])
