"""The picture of an explanation says what it shows."""

from __future__ import annotations

import re

import exactile
from exactile.render.paper import EMPTY_FILL, PALETTE
from exactile.render.svg import draw_explained

NAMES = ", ".join(f"the piece {name}" for name in "FILNPTUVWXYZ")
WORDS = f"These pieces cannot all be placed, however one turns them: {NAMES}"


def test_the_sentence_is_in_the_picture_line_by_line() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    picture = draw_explained(puzzle, (), [p.name for p in puzzle.pieces], WORDS).svg()
    lines = [text for text in re.findall(r">([^<]+)</text>", picture) if len(text) > 1]
    assert len(lines) > 1
    assert " ".join(lines) == WORDS
    assert f"<title>{puzzle.title}: {WORDS}</title>" in picture


def test_in_space_the_region_is_a_solid_and_pieces_are_below_it() -> None:
    puzzle = exactile.load("soma-w")
    picture = draw_explained(puzzle, (), ["L", "p"], "Both?").svg()
    drawn, *pieces = picture.split("<svg x=")[1:]
    assert EMPTY_FILL in drawn
    assert len(pieces) == 2
    index = puzzle.piece_index
    for name, piece in zip("Lp", pieces, strict=True):
        assert PALETTE[index[name]] in piece
        assert f">{name}</text>" in piece


def test_marked_units_are_not_in_the_legend_of_generated_names() -> None:
    puzzle = exactile.make_puzzle("heptominoes", box=(4, 7))
    names = [piece.name for piece in puzzle.pieces[:2]]
    picture = draw_explained(puzzle, [(0, 0)], names, "Not these.").svg()
    assert picture.count("<title>#</title>") == 1
    assert all(f"<title>{name}</title>" in picture for name in names)
    _, *legend = picture.split("<svg x=")[1:]
    assert len(legend) == len(names)
