"""What the public names are given is converted, or refused with one plain error: a table."""

# mypy: disable-error-code="arg-type,call-arg,list-item"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import exactile
from exactile import Freedom, Piece, Puzzle, Region, Search
from exactile.errors import ExactileError, PieceError
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle.puzzle import Known, Omission
from exactile.puzzle.rules import ColorRule
from exactile.solve.limits import Limits
from support.small import dominoes

SQUARE = get_lattice("square")
BOARD = dominoes(4, 4)
REGION, PIECES = BOARD.region, BOARD.pieces
ONE = ((0, 0),)


def puzzle(**parts: Any) -> Puzzle:
    return Puzzle(**{"name": "z", "region": REGION, "pieces": PIECES} | parts)


REFUSED: dict[str, Callable[[], Any]] = {
    "a freedom": lambda: Piece("a", SQUARE, ONE, "banana"),
    "a lattice of a piece": lambda: Piece("a", "sqare", ONE, Freedom.FREE),
    "no lattice": lambda: Piece("a", 5, ONE, Freedom.FREE),
    "a name": lambda: Piece(5, SQUARE, ONE, Freedom.FREE),
    "units": lambda: Piece("a", SQUARE, "ab", Freedom.FREE),
    "halves": lambda: Piece("a", SQUARE, ((0.5, 0),), Freedom.FREE),
    "bounds as words": lambda: Piece("a", SQUARE, ONE, Freedom.FREE, "1", "2"),
    "half a piece": lambda: Piece("a", SQUARE, ONE, Freedom.FREE, 1, 1.5),
    "no bound": lambda: Piece("a", SQUARE, ONE, Freedom.FREE, 1, None),
    "a lattice of a region": lambda: Region("sqare", [[0, 0]]),
    "a wrap as a word": lambda: Region(SQUARE, ONE, wrap="torus"),
    "a mask of numbers": lambda: Region(SQUARE, [[0, 0], [0, 1]], [0, 5]),
    "units as a word": lambda: Region(SQUARE, "abc"),
    "a region of a puzzle": lambda: puzzle(region=[(0, 0)]),
    "one piece": lambda: puzzle(pieces=PIECES[0]),
    "pieces as a word": lambda: puzzle(pieces="I2"),
    "pieces as words": lambda: puzzle(pieces=["I2"]),
    "a name of a puzzle": lambda: puzzle(name=3),
    "a switch as a word": lambda: puzzle(crossing="no"),
    "an omission": lambda: puzzle(omission=(("I2",), 1)),
    "a fixed placement": lambda: puzzle(fixed=[5]),
    "something known": lambda: puzzle(known=(3,)),
    "rules": lambda: puzzle(color_rules=("separated",)),
    "a rule": lambda: puzzle(color_rules=(ColorRule("banana", "red", ("I2",)),)),
    "pieces of a rule": lambda: ColorRule("separated", "red", "I2"),
    "paint": lambda: puzzle(paint="red"),
    "omitted pieces": lambda: Omission("I2", 1),
    "half an omission": lambda: Omission(("I2",), 0.5),
    "a manner of counting": lambda: Known(3, "banana", "somebody"),
    "translations": lambda: Wrap((4, 0)),
    "translations by halves": lambda: Wrap([(4.5, 0)]),
    "translations as a word": lambda: Wrap("ab"),
    "a time as a word": lambda: Limits("5"),
    "no number": lambda: Limits(float("nan")),
    "a truth value": lambda: Limits(True),
    "half a solution": lambda: Limits(None, 2.5),
    "a limit": lambda: Search(BOARD, limit="3"),
    "orbits": lambda: Search(BOARD, up_to="banana"),
    "a backend": lambda: Search(BOARD, backend="banana"),
    "no backend": lambda: Search(BOARD, backend=3),
    "a seed": lambda: Search(BOARD, seed="x"),
    "workers": lambda: Search(BOARD, workers=1.5),
    "an encoding": lambda: next(Search(BOARD, backend="sat", encoding="banana")),
    "a switch of a search": lambda: Search(BOARD, use_symmetry="no"),
    "a method": lambda: exactile.count(BOARD, method="banana"),
    "memory": lambda: exactile.count(BOARD, memory="8G"),
    "an option": lambda: exactile.count(BOARD, banana=1),
    "samples": lambda: exactile.sample(BOARD, "3"),
    "no samples": lambda: exactile.sample(BOARD, 0),
    "time for a coloring": lambda: exactile.find_coloring(BOARD, time_limit="1"),
    "memory for a coloring": lambda: exactile.find_coloring(BOARD, memory=-1),
    "an order": lambda: exactile.generate("square", "3"),
    "a freedom of polyforms": lambda: exactile.generate("square", 3, "banana"),
    "a set": lambda: exactile.piece_set("banana", SQUARE),
    "a lattice": lambda: exactile.get_lattice(3),
    "no reference": lambda: exactile.load(3),
    "a puzzle to compare": lambda: exactile.compare(["x"], ["dlx"]),
    "one puzzle to compare": lambda: exactile.compare(BOARD, ["dlx"]),
    "a width": lambda: exactile.draw_svg(BOARD, [], width="x"),
    "no width": lambda: exactile.draw_svg(BOARD, [], width=0),
    "a solution": lambda: exactile.draw_svg(BOARD, "x"),
    "a solution to check": lambda: exactile.check(BOARD, ["x"]),
}

VERBS = (
    *("count", "prove", "solve_one", "sample", "estimate", "pack", "explain", "lower", "Search"),
    *("symmetries", "find_coloring", "similarity_classes"),
)
"""What takes a puzzle and nothing else that it needs."""


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused(case: str) -> None:
    with pytest.raises(ExactileError) as caught:
        REFUSED[case]()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize("verb", VERBS)
def test_a_name_is_no_puzzle(verb: str) -> None:
    with pytest.raises(ExactileError, match=r"'soma-cube' is no puzzle: `exactile.load` makes one"):
        getattr(exactile, verb)("soma-cube")


def test_words_and_lists_are_taken() -> None:
    free, fixed = (Piece("L", "square", [[0, 0], [1, 0], [1, 1]], f) for f in ("free", "fixed"))
    assert (free.freedom, len(free.aspects), len(fixed.aspects)) == (Freedom.FREE, 4, 1)
    assert free.lattice is SQUARE
    assert Piece("a", SQUARE, ONE, Freedom.FREE, np.int64(1), np.int64(2)).upper == 2
    torus = Region("square", [[0, 0], [1, 0]], wrap=[[2, 0]])
    assert torus == Region(SQUARE, [[0, 0], [1, 0]], wrap=Wrap([(2, 0)]))
    assert len(exactile.generate("square", 4, "one-sided")) == 7
    assert len(exactile.piece_set("pentominoes", "square").pieces) == 12
    assert Omission(["I2"], np.int64(1)) == Omission(("I2",), 1)
    with pytest.raises(PieceError, match="write 'free' or 'one-sided' or 'fixed'"):
        exactile.generate("square", 4, "mirrored")
