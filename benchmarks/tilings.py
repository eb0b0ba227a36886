"""Censuses of tilings on all lattices, every certificate verified: what docs say of them.

``python benchmarks/tilings.py`` makes those that `results/tilings.json` lacks, and writes it;
``python benchmarks/tilings.py kites 9`` makes others, and ``python benchmarks/tilings.py longer``
those that take much longer.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from exactile.clock import CLOCK
from exactile.geometry import get_lattice
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

LONGER = [
    ("square-edges", 7, True),
    ("square-edges", 7, False),
    ("triangle-edges", 5, True),
    ("cube-edges", 5, True),
]
"""Lattices, orders, and whether pieces must not cross."""

LEFT_OUT = {"entries", "stopped", "stats", "done"}

Row = dict[str, object]


def census(lattice: str, order: int, *, crossing: bool) -> Row:
    """Return a census in numbers, and the seconds of processor time that it took."""
    begun = CLOCK.worked()
    answer = survey(Census(lattice, order, "free", crossing), verify=True)
    assert answer.done == answer.forms
    row: Row = {k: getattr(answer, k) for k in answer.__struct_fields__ if k not in LEFT_OUT}
    return row | {"seconds": round(CLOCK.worked() - begun, 2)}


def chosen(words: list[str]) -> list[tuple[str, int, bool]]:
    """Return the lattices and orders that are asked for, and whether pieces must not cross."""
    if words == ["longer"]:
        return LONGER
    orders = {words[0]: int(words[1])} if words else ORDERS
    return [
        (lattice, order, crossing)
        for lattice, most in orders.items()
        for order in range(1, most + 1)
        for crossing in ((True, False) if get_lattice(lattice).crossing else (False,))
    ]


def main(words: list[str]) -> None:
    """Make censuses that are not there yet."""
    for lattice, order, crossing in chosen(words):
        rows = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
        if (lattice, order, crossing) in {(r["lattice"], r["order"], r["crossing"]) for r in rows}:
            continue
        found = census(lattice, order, crossing=crossing)
        rows = sorted([*rows, found], key=lambda r: (r["lattice"], r["crossing"], r["order"]))
        text = ",\n".join(json.dumps(row) for row in rows)
        RESULTS.write_text(f"[\n{text}\n]\n", "utf-8")
        print(lattice, order, crossing, found["tiles"], found["open"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
