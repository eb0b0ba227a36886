"""Pictures of tilings: the period outlined, coronas in colors, on all kinds of lattices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

import exactile
from exactile.answers import TilingAnswer
from exactile.errors import PictureError
from exactile.render import draw_tiling
from exactile.render.paper import PALETTE

HEESCH_2 = [*((x, 0) for x in range(6)), (0, 1), (5, 1), (0, 2)]
"""Squares with Heesch number 2."""


@cache
def answer(name: str, lattice: str) -> TilingAnswer:
    return exactile.tile(name, lattice=lattice)


def fills(picture: str) -> Counter[str]:
    """Return the number of tiles of each color."""
    return Counter(re.findall(r'fill="(#\w+)"', picture)) & Counter(dict.fromkeys(PALETTE, 1000))


@pytest.mark.parametrize("lattice", ["square", "triangle", "hexagon", "kites", "square-edges"])
def test_a_tiling_is_drawn_with_its_period(lattice: str) -> None:
    made = next(
        found
        for units in exactile.generate(exactile.get_lattice(lattice), 4)
        for found in [exactile.tile(_customary(lattice, units), lattice=lattice)]
        if found.tiling is not None
    )
    picture = draw_tiling(made)
    drawn = picture.count("<title>tile</title>")
    assert drawn >= 20
    if lattice != "square-edges":
        assert sum(fills(picture).values()) == drawn
    assert picture.count('stroke="#b00020"') == 1


def _customary(lattice: str, units: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    return list(exactile.get_lattice(lattice).coordinates(np.array(units)))


def test_tiles_are_disjoint_and_fill_the_patch() -> None:
    """Cells within a patch have no empty neighbors: all colors are of tiles."""
    picture = draw_tiling(answer("F", "square"))
    outlines = re.findall(r'<path d="(M[^"]*Z)" fill="#\w+"', picture)
    cells = [cell for data in outlines for cell in data.split("Z") if cell]
    assert len(cells) == len(set(cells)) == 5 * picture.count("<title>F</title>")


def test_colors_stand_for_orientations_or_copies() -> None:
    made = answer("F", "square")
    assert made.tiling is not None
    turned = fills(draw_tiling(made))
    assert len(turned) == 2
    assert draw_tiling(made, color="orientation") == draw_tiling(made)
    assert len(fills(draw_tiling(made, color="copy"))) == len(made.tiling.copies)
    assert len(fills(draw_tiling(answer("X", "square")))) == 1


def test_coronas_have_colors_of_their_own() -> None:
    made = exactile.tile(HEESCH_2, lattice="square", heesch=True)
    assert made.heesch is not None
    patches = [p for p in (made.heesch.solid_patch, made.heesch.holed_patch) if p is not None]
    most = max(patches, key=lambda patch: patch.coronas)
    picture = draw_tiling(made)
    assert sorted(fills(picture).values()) == sorted(Counter(most.levels).values())
    assert 'stroke="#b00020"' not in picture
    assert draw_tiling(made, color="orientation") != picture


def test_the_tile_alone_is_drawn_if_nothing_else_is_known() -> None:
    made = exactile.tile(HEESCH_2, lattice="square")
    assert draw_tiling(made).count("<title>tile</title>") == 1


@pytest.mark.parametrize(
    ("lattice", "units"),
    [
        ("square", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 4)]),
        ("square-edges", [(0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 0, 0)]),
    ],
)
def test_units_that_cannot_be_covered_have_dots(lattice: str, units: list[tuple[int, ...]]) -> None:
    made = exactile.tile(units, lattice=lattice, disc=True)
    assert made.uncoverable is not None
    picture = draw_tiling(made)
    assert picture.count("<title>tile</title>") == 1 + len(made.uncoverable.attempt)
    assert picture.count("<title>missed</title>") == 1
    [dots] = re.findall(r'<path d="([^"]*)"[^>]*stroke-linecap="round"/>', picture)
    assert dots.count("M") == len(made.uncoverable.units)
    assert draw_tiling(made, color="corona").count("<title>tile</title>") == 1


def test_in_space_one_period_is_drawn() -> None:
    made = exactile.tile([(0, 0, 0), (0, 0, 1), (0, 1, 0)], lattice="cube")
    assert made.tiling is not None
    assert draw_tiling(made).startswith("<svg ")


def test_what_cannot_be_drawn_is_refused() -> None:
    made = answer("F", "square")
    with pytest.raises(PictureError, match="no color 'red'"):
        draw_tiling(made, color="red")
    with pytest.raises(PictureError, match="no coronas: write orientation, class or copy"):
        draw_tiling(made, color="corona")
    with pytest.raises(PictureError, match="periodic tiling"):
        draw_tiling(exactile.tile(HEESCH_2, lattice="square"), color="copy")
