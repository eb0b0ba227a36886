"""Placements can be told apart by their colors however one sees, and without them by names."""

from __future__ import annotations

import re

import numpy as np
import pytest

import exactile
from exactile.render import draw_text
from exactile.render.colors import EMPTY_FILL, INK, PALETTE, PAPER
from exactile.render.svg import GENERATED
from support.vision import KINDS, ciede2000, differences, luminance

PUZZLES = {
    "pentominoes-3x20": 12,
    "soma-cube": 7,
    "tetrahexes-4x7": 7,
    "hexiamonds-gyroscope": 12,
    "tetrasticks-5x5-without-l": 15,
    "tritrigs-heart-2": 11,
    "quasi-tritwigs-trefoil-3": 14,
    "dominoids-two-cubes": 6,
    "space-disticks-cube": 6,
    "tetraboloes-7x5-3102": 14,
    "pentakites-trapezoid": 17,
    "didrafters-convex-hexagon": 6,
}


@pytest.mark.parametrize("name", PUZZLES)
def test_every_placement_has_a_name_in_the_picture(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    picture = exactile.draw_svg(puzzle, solution)
    names = re.findall(r"<text[^>]*>([^<]+)</text>", picture)
    pieces = {placement.piece for placement in solution}
    if any(GENERATED.fullmatch(piece) for piece in pieces):  # numbers, and what they stand for
        legend = picture.rpartition("</svg>\n<text")[2]
        shown = {name for name in names if names.count(name) > 1}
        assert legend
        assert len(shown) == (len(pieces) if len(pieces) > 1 else 0)
    else:
        assert pieces <= set(names)


@pytest.mark.parametrize("name", ["soma-cube", "dominoids-two-cubes", "space-tetrasticks-cube"])
def test_pieces_in_space_are_drawn_apart_and_whole(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    standing, apart = (exactile.draw_svg(puzzle, solution, exploded=e) for e in (False, True))
    assert "z = 0" in standing
    assert "z = " not in apart
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", apart)
    assert len(labels) >= len(solution) - 1  # one may be hidden
    assert exactile.draw_svg(puzzle, (), exploded=True) == exactile.draw_svg(puzzle, ())


def test_sticks_in_space_are_drawn_whole_above_their_layers() -> None:
    puzzle = exactile.load("space-tetrasticks-cube")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    titles = re.findall(r"<title>([^<]+)</title>", exactile.draw_svg(puzzle, solution))
    layered = sum(titles.count(placement.piece) for placement in solution)
    assert layered > len(puzzle.region)  # each edge in the whole, and pieces in layers


def test_a_solid_is_drawn_as_it_stands_above_its_layers_on_their_ghosts() -> None:
    puzzle = exactile.load("pentacubes-3x9x9-mound")
    whole = exactile.draw_svg(puzzle, ())
    heights = [float(y) for y in re.findall(r'<text[^>]* y="([\d.]+)"', whole)]
    assert len(heights) == 3  # a caption for each layer, none for the whole above them
    assert heights == sorted(heights)
    (ghost,) = re.findall(r'<path[^>]*stroke-dasharray="3 2"[^>]*>', whole)
    assert ghost.count("M") == 81 - 16  # cells of the lower layers that carry none


def test_a_terminal_gets_blocks_of_color_with_the_same_letters() -> None:
    puzzle = exactile.load("soma-cube")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    plain, colored = draw_text(puzzle, solution), draw_text(puzzle, solution, color=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.split() for line in bare.splitlines()] == [s.split() for s in plain.splitlines()]
    grounds = set(re.findall(r"48;2;(\d+;\d+;\d+)m", colored))
    assert len(grounds) == len(solution)


def test_differences_are_those_of_the_standard() -> None:
    """Three pairs of the table that Sharma, Wu and Dalal (2005) published to test programs by."""
    pairs = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]
    for one, two, known in pairs:
        assert ciede2000(np.array(one), np.array(two)) == pytest.approx(known, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_colors_differ_for_every_kind_of_vision(kind: str) -> None:
    apart = differences([*PALETTE, PAPER, EMPTY_FILL], kind)
    pairs = apart[: len(PALETTE)][:, : len(PALETTE)][np.triu_indices(len(PALETTE), 1)]
    assert pairs.min() > (14 if kind == "all" else 9.3)
    assert apart[:4][:, :4][np.triu_indices(4, 1)].min() > 20
    assert apart[: len(PALETTE), len(PALETTE) :].min() > 7


def test_letters_are_legible_on_every_color() -> None:
    ink = luminance(INK) + 0.05
    assert min((luminance(color) + 0.05) / ink for color in PALETTE) > 4.45
