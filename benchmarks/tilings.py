"""Censuses of tilings on all lattices, every certificate verified: what docs tell of them.

``python benchmarks/tilings.py`` makes those that `results/tilings.json` lacks, and writes it;
``python benchmarks/tilings.py kites 9`` makes others.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from exactile.clock import CLOCK
from exactile.geometry import get_lattice
from exactile.tiling.census import Census
from exactile.tiling.survey import survey

RESULTS = Path(__file__).parent / "results" / "tilings.json"

ORDERS = {
    "square": 9,
    "hexagon": 7,
    "triangle": 10,
    "kites": 7,
    "quarter-squares": 5,
    "sixth-triangles": 4,
    "octasquares": 5,
    "trihexagons": 6,
    "bevelhexagons": 4,
    "half-cairo": 6,
    "hexagon-edges": 7,
    "square-edges": 6,
    "triangle-edges": 4,
    "cube": 6,
    "cube-edges": 4,
    "cube-faces": 3,
}
"""The largest order that takes a few minutes."""

LEFT_OUT = {"entries", "stopped", "stats", "done"}

Row = dict[str, object]


def census(lattice: str, order: int, *, crossing: bool) -> Row:
    """Return a census in numbers, and the seconds of processor time that it took."""
    begun = CLOCK.worked()
    answer = survey(Census(lattice, order, "free", crossing), verify=True)
    assert answer.done == answer.forms
    row: Row = {k: getattr(answer, k) for k in answer.__struct_fields__ if k not in LEFT_OUT}
    return row | {"seconds": round(CLOCK.worked() - begun, 2)}


def main(lattices: dict[str, range]) -> None:
    """Make censuses that are not there yet."""
    for lattice, orders in lattices.items():
        for order in orders:
            for crossing in (True, False) if get_lattice(lattice).crossing else (False,):
                rows = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
                known = {(row["lattice"], row["order"], row["crossing"]) for row in rows}
                if (lattice, order, crossing) in known:
                    continue
                found = census(lattice, order, crossing=crossing)
                rows = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
                rows = sorted(
                    [*rows, found], key=lambda r: (r["lattice"], r["crossing"], r["order"])
                )
                text = ",\n".join(json.dumps(row) for row in rows)
                RESULTS.write_text(f"[\n{text}\n]\n", "utf-8")
                print(lattice, order, crossing, found["tiles"], found["open"], flush=True)


if __name__ == "__main__":
    chosen, *most = sys.argv[1:] or [""]
    main(
        {chosen: range(1, int(most[0]) + 1)}
        if chosen
        else {name: range(1, most_of + 1) for name, most_of in ORDERS.items()}
    )
