"""The number of polyforms of each order, and every named set piece by piece.

`polyform_counts.tsv` holds published counts (OEIS and others); `piece_sets.tsv` the pieces of
Polyform Puzzler's sets in customary coordinates.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from exactile.geometry import get_lattice
from exactile.geometry.isometry import aspects
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, customary_freedom, motions
from exactile.puzzle.pieces.sets import key, named_order, piece_set, table

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    """Return the lines of a table."""
    with (HERE / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize(
    "row", rows("polyform_counts.tsv"), ids=lambda r: f"{r['lattice']}-{r['order']}"
)
def test_counts_are_the_published_ones(row: dict[str, str]) -> None:
    quasi = row["lattice"].startswith("quasi:")
    lattice = get_lattice(row["lattice"].removeprefix("quasi:"))
    found = {f: len(generate(lattice, int(row["order"]), f, quasi=quasi)) for f in Freedom}
    assert found == {
        Freedom.FREE: int(row["free"]),
        Freedom.ONE_SIDED: int(row["one_sided"]),
        Freedom.FIXED: int(row["fixed"]),
    }


@pytest.mark.parametrize(
    ("name", "order", "quasi", "free", "one_sided"),
    [("triangle-edges", 6, False, 2613, 5123), ("triangle-edges", 4, True, 3377, 6639)],
)
def test_large_orders(name: str, order: int, quasi: bool, free: int, one_sided: int) -> None:
    lattice = get_lattice(name)
    assert len(generate(lattice, order, Freedom.FREE, quasi=quasi)) == free
    assert len(generate(lattice, order, Freedom.ONE_SIDED, quasi=quasi)) == one_sided


def test_packed_spheres() -> None:
    """Fixed site animals of the face-centered cubic lattice: OEIS A007198."""
    counted = [len(generate(get_lattice("spheres"), n, Freedom.FIXED)) for n in range(1, 7)]
    assert counted == [1, 6, 50, 475, 4881, 52835]


def test_tetrahedra_and_octahedra() -> None:
    """Free polyforms of the tetrahedral-octahedral honeycomb: OEIS A343909."""
    counted = [len(generate(get_lattice("tetrahedra-octahedra"), n)) for n in range(1, 8)]
    assert counted == [2, 1, 4, 9, 44, 195, 1186]


def test_prisms_in_one_layer_are_flat_polyforms() -> None:
    for flat, solid in (("hexagon", "hexagon-prisms"), ("triangle", "triangle-prisms")):
        forms = generate(get_lattice(solid), 5)
        level = (np.ptp(forms[:, :, 2], axis=1) == 0).sum()
        assert level == len(generate(get_lattice(flat), 5))


def test_polyominoes_of_order_12() -> None:
    assert len(generate(get_lattice("square"), 12)) == 63600


def sets() -> dict[tuple[str, str], dict[str, str]]:
    """Return the units of the pieces by lattice and set."""
    result: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in rows("piece_sets.tsv"):
        result[row["lattice"], row["set"]][row["piece"]] = row["units"]
    return dict(result)


SETS = sets()

LACKING = {"OneSidedPolysticks1234": {"l3", "z3"}}
"""The source leaves out the mirror images of two tristicks, though 7 one-sided ones are counted."""


@pytest.mark.parametrize(("lattice_name", "set_name"), SETS, ids="-".join)
def test_named_sets_piece_by_piece(lattice_name: str, set_name: str) -> None:
    lattice = get_lattice(lattice_name)
    ours = piece_set(set_name, lattice)
    theirs = SETS[lattice_name, set_name]
    assert set(ours.pieces) == set(theirs) | LACKING.get(set_name, set())
    allowed = motions(lattice, ours.freedom)
    for name, text in theirs.items():
        units = lattice.points([[int(c) for c in word.split(",")] for word in text.split()])
        expected = aspects(units, allowed, lattice.period)
        assert np.array_equal(ours.piece(name).aspects, expected), name


@pytest.mark.parametrize(
    "name",
    ["square", "cube", "triangle", "hexagon", "square-edges", "triangle-edges", "hexagon-edges"],
)
def test_named_orders_are_complete(name: str) -> None:
    """A table names every polyform of its orders, once."""
    lattice = get_lattice(name)
    freedom = customary_freedom(lattice)
    for kind in ("order", "quasi"):
        for order in table(lattice).get(kind, {}):
            quasi = kind == "quasi"
            named = named_order(lattice, int(order), quasi=quasi)
            forms = {f.tobytes() for f in generate(lattice, int(order), freedom, quasi=quasi)}
            assert {key(points, lattice, freedom) for points in named.values()} == forms
            assert len(named) == len(forms)
