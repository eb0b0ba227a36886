"""The table of tilers in the documentation is that of the committed censuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.survey import survey

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "benchmarks" / "results" / "tilings.json").read_text("utf-8"))

LATTICES = {
    "polyaboloes": ("quarter-squares", False),
    "polydrafters": ("sixth-triangles", False),
    "polysticks that may cross": ("square-edges", False),
    "polysticks that do not cross": ("square-edges", True),
    "polytrigs that may cross": ("triangle-edges", False),
    "polytrigs that do not cross": ("triangle-edges", True),
    "polytwigs": ("hexagon-edges", False),
    "polycubes": ("cube", False),
    "polysticks in space": ("cube-edges", False),
    "polyominoids": ("cube-faces", False),
}
"""What the rows are called; the lattice, and whether tiles must not cross."""


def cell(row: dict[str, int]) -> str:
    left = f", {row['open']} open" if row["open"] else ""
    return f"{row['tiles']} of {row['forms']}{left}"


def test_the_table_shows_the_committed_censuses() -> None:
    text = (ROOT / "docs" / "tilings.md").read_text("utf-8")
    table = {}
    for line in text.partition("## Lattices without published tables")[2].splitlines():
        if cells := re.match(r"\| (poly[\w ]+?) \|(.*)\|$", line):
            table[cells[1]] = [each.strip() for each in cells[2].split("|")]
    assert table.keys() == LATTICES.keys()
    for name, (lattice, crossing) in LATTICES.items():
        rows = {
            row["order"]: cell(row)
            for row in RESULTS
            if (row["lattice"], row["crossing"]) == (lattice, crossing)
        }
        assert table[name] == [rows.get(order, "") for order in range(1, 16)], name


@pytest.mark.parametrize("name", LATTICES)
def test_small_orders_are_found_again(name: str) -> None:
    lattice, crossing = LATTICES[name]
    for order in (1, 2, 3):
        answer = survey(Census(lattice, order, "free", crossing))
        [row] = [
            row
            for row in RESULTS
            if (row["lattice"], row["crossing"], row["order"]) == (lattice, crossing, order)
        ]
        assert (answer.forms, answer.tiles, answer.does_not_tile) == (
            row["forms"],
            row["tiles"],
            row["does_not_tile"],
        )
