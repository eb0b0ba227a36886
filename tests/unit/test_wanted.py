"""What the public names are given is converted, or refused with one plain error: a table."""

# mypy: disable-error-code="arg-type,call-arg,list-item"

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile import Freedom, Piece, Puzzle, Region, Search, make_puzzle
from exactile.errors import CheckFailedError, ExactileError, FileError, PieceError, PuzzleError
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle.paint import Paint
from exactile.puzzle.puzzle import Known, Omission
from exactile.puzzle.rules import ColorRule, UseRule
from exactile.search.limits import Limits
from support.small import dominoes

SQUARE = get_lattice("square")
BOARD = dominoes(4, 4)
REGION, PIECES = BOARD.region, BOARD.pieces
ONE = ((0, 0),)
CLOSED = BytesIO()
CLOSED.close()
SOLID = exactile.solve_one(exactile.load("soma-cube"))


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
    "no pieces of a rule": lambda: ColorRule("separated", "red", None),
    "a color as a number": lambda: ColorRule("separated", 5, ("I2",)),
    "no pieces of a group": lambda: UseRule(None, 1),
    "no places": lambda: UseRule(("I2",), 1, 1, None),
    "a title": lambda: puzzle(title=5),
    "a source": lambda: puzzle(source=5),
    "paint": lambda: puzzle(paint="red"),
    "paint without units": lambda: Paint(5),
    "paint at numbers": lambda: Paint({5: "red"}),  # type: ignore[dict-item]
    "paint of a piece": lambda: Paint({}, {"I2": "red"}),  # type: ignore[dict-item]
    "paints that fit": lambda: Paint({}, {}, {"red": 5}),  # type: ignore[dict-item]
    "omitted pieces": lambda: Omission("I2", 1),
    "no omitted pieces": lambda: Omission(None, 1),
    "half an omission": lambda: Omission(("I2",), 0.5),
    "a manner of counting": lambda: Known(3, "banana", "somebody"),
    "a source of a number": lambda: Known(3, "raw", 5),
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
    "time for a coloring": lambda: exactile.find_coloring(BOARD, limits=Limits("1")),
    "memory for a coloring": lambda: exactile.find_coloring(BOARD, limits=Limits(memory_limit=-1)),
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
    "a hint as a word": lambda: exactile.solve_one(BOARD, hint="I2"),
    "a hint for another puzzle": lambda: exactile.solve_one(BOARD, hint=SOLID),
    "a solution of another puzzle to draw": lambda: exactile.draw_text(BOARD, SOLID),
    "dives without end": lambda: exactile.estimate(BOARD, dives=float("inf")),
    "samples without end": lambda: exactile.sample(BOARD, 2**70),
    "more samples than can be kept": lambda: exactile.sample(BOARD, 10**9),
    "a seed that solvers do not take": lambda: exactile.solve_one(BOARD, seed=2**40),
    "a thousand million workers": lambda: exactile.prove(BOARD, workers=10**9),
    "kinds of other options": lambda: exactile.CoverSearch(
        exactile.lower(BOARD), kinds=np.zeros(1, dtype=np.int32)
    ),
    "a file for a model": lambda: exactile.CoverSearch("x.dlx"),
    "a number for a file": lambda: exactile.read_model(1),
    "a number for a board": lambda: exactile.solve_peg(2.0, 2),
    "a key of a region twice": lambda: make_puzzle("I2", region={"box": (2, 1)}, box=(1, 2)),
    "a word for puzzles": lambda: exactile.write_puzzles("x.toml", "word"),
    "no bytes": lambda: exactile.write_pictures(BOARD, [], StringIO(), "svg"),
    "a closed file": lambda: exactile.write_pictures(BOARD, [], CLOSED, "svg"),
    "no text": lambda: exactile.write_solutions(BOARD, [], BytesIO()),
    "a model as bytes": lambda: exactile.read_model(BytesIO(b"a")),
    "a picture in no format": lambda: exactile.write_pictures(BOARD, [], BytesIO(), "bmp"),
    "no columns": lambda: exactile.write_pictures(BOARD, [()], BytesIO(), "svg", columns=0),
    "fewer than no columns": lambda: exactile.write_pictures(BOARD, [()], BytesIO(), "svg", -1),
    "no format of others": lambda: exactile.import_file(__file__, "bmp"),
    "an array of a model": lambda: exactile.Model([1], [1], [0, 1], ["x"]),
    "no freedom": lambda: Freedom("x"),
    "no status": lambda: exactile.Status("x"),
    "bytes for a path": lambda: exactile.verify_certificate(b"certificate"),
    "a path longer than names can be": lambda: exactile.store_status("x" * 1000),
    "a path that cannot be encoded": lambda: exactile.store_status("\ud800"),
    "an option of a comparison": lambda: exactile.compare([BOARD], ["dlx"], workers="2"),
    "a limit of a comparison": lambda: exactile.compare([BOARD], ["dlx"], time_limit=-1),
    "memory for a comparison": lambda: exactile.compare([BOARD], ["dlx"], memory_limit=0),
    "an option of a frontier": lambda: exactile.count_by_subset(BOARD, method="frontier", banana=1),
    "a limit of a count by subset": lambda: exactile.count_by_subset(BOARD, limit=1),
    "instances as cubes": lambda: exactile.make_instances("x", ["bricks"], form="icnf"),
    "units beyond 64 bits": lambda: Region(SQUARE, np.array([[2**63, 0]], dtype=np.uint64)),
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
    with pytest.raises(
        ExactileError, match=r"must be a Puzzle.*, not 'soma-cube': `exactile.load`"
    ):
        getattr(exactile, verb)("soma-cube")


def test_a_solution_of_another_puzzle_is_wrong() -> None:
    with pytest.raises(CheckFailedError, match=r"No solution of .*: is it a placement of another"):
        exactile.check(BOARD, SOLID)
    with pytest.raises(PuzzleError, match="is it a solution of another puzzle"):
        Search(BOARD).answer([SOLID])


def test_paths_may_be_words_and_numbers_those_of_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exactile.certify(BOARD, "certificate").raw == 36
    assert exactile.verify_certificate("certificate").raw == 36
    drawn = exactile.sample(BOARD, np.int64(2), seed=np.uint8(2), scratch="certificate")
    assert drawn == exactile.sample(BOARD, 2, seed=2)
    assert exactile.estimate(BOARD, dives=np.int32(5), time_limit=np.float32(60)).dives == 5
    assert len(list(Search(BOARD, limit=np.int64(3), use_symmetry=np.bool_(False)))) == 3
    exactile.write_puzzles(Path("p.toml"), [BOARD])
    assert exactile.load(Path("p.toml")) == BOARD
    mine = exactile.make_puzzle("8xdomino", box=np.array([4, 4]))
    assert mine == BOARD
    with exactile.Store(Path("a.store"), write=True) as store:
        exactile.StoredRun.begin(store, BOARD, "count").go_on()
    assert exactile.store_status(Path("a.store")).runs[0].found == 36
    with (
        exactile.Store(Path("a.store")) as store,
        pytest.raises(FileError, match="open to be read"),
    ):
        exactile.StoredRun.begin(store, BOARD, "solve")


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
