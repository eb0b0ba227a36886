"""A puzzle's statement is all that its answers depend on, and nothing else."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import msgspec
import numpy as np
import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.wrap import Wrap
from exactile.model.lower import lower
from exactile.puzzle import ColorRule, Known, Omission, Paint, Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece, motions
from exactile.puzzle.statement import Statement, puzzle_of, stated
from support.random_puzzles import random_puzzle
from support.waiting import PATIENCE

SEEDS = range(5 * len(lattice_names()))


def colorful_puzzle(seed: int) -> Puzzle:
    """Return a random puzzle, mostly with rules about colors and with paint."""
    puzzle, rng = random_puzzle(seed), random.Random(seed)
    names = [piece.name for piece in puzzle.pieces]
    rules = []
    if rng.random() < 0.7:
        rules.append(ColorRule("separated", "red", tuple(rng.sample(names, min(2, len(names))))))
    paint = Paint()
    if rng.random() < 0.7 and not puzzle.fixed:
        units = [tuple(u) for u in puzzle.region.units.tolist()]
        painted = rng.choice(puzzle.pieces)
        own = {painted.name: {rng.choice(painted.units): rng.choice("bw")}}
        there = {u: rng.choice("bw") for u in units if rng.random() < 0.5}
        fits = {"b": ("w", "b", "none")} if "b" in own[painted.name].values() else {}
        paint = Paint(there, own, fits if rng.random() < 0.5 else {})
    return replace(puzzle, color_rules=tuple(rules), paint=paint)


@pytest.mark.parametrize("seed", SEEDS)
def test_statement_to_puzzle_to_statement_is_the_identity(seed: int) -> None:
    puzzle = colorful_puzzle(seed)
    statement = stated(puzzle)
    again = puzzle_of(statement, "another-name")
    assert stated(again) == statement
    assert (again, again.digest, hash(again)) == (puzzle, puzzle.digest, hash(puzzle))
    assert msgspec.json.decode(msgspec.json.encode(statement), type=Statement) == statement


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_puzzles_have_equal_models(seed: int) -> None:
    puzzle = colorful_puzzle(seed)
    one, other = lower(puzzle), lower(puzzle_of(stated(puzzle), "same"))
    assert puzzle.color_rules or one.meaning.labels == other.meaning.labels
    for key in ("lower", "upper", "first", "members", "colors"):
        assert np.array_equal(getattr(one, key), getattr(other, key)), key
    for key in ("kinds", "shades", "apart"):
        assert np.array_equal(getattr(one.meaning, key), getattr(other.meaning, key)), key


def _turned(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Return the puzzle with every piece turned and moved as its freedom allows."""
    lattice = puzzle.lattice
    pieces, own = [], {}
    for piece in puzzle.pieces:
        matrix = rng.choice(list(motions(lattice, piece.freedom)))
        shift = np.array([rng.randint(-3, 3) * lattice.period for _ in range(lattice.dimension)])
        images = [tuple(u) for u in (piece.points @ matrix.T + shift).tolist()]
        new = dict(zip(piece.units, images, strict=True))
        painted = puzzle.paint.pieces.get(piece.name, {})
        own[piece.name] = {new[unit]: paint for unit, paint in painted.items()}
        pieces.append(replace(piece, units=tuple(rng.sample(images, len(images)))))
    paint = Paint(puzzle.paint.units, own, puzzle.paint.fits)
    return replace(puzzle, pieces=tuple(pieces), paint=paint)


def _shuffled(puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Return the puzzle with units written in another order, elsewhere if it is wrapped."""
    region = puzzle.region
    order = rng.sample(range(len(region)), len(region))
    units, wrap = region.units[order], region.wrap
    if wrap is not None:
        units = units + np.array(wrap.vectors[0]) * rng.choice([-2, 1])
        wrap = Wrap([[-c for c in wrap.vectors[0]], *wrap.vectors[1:]])
    return replace(puzzle, region=Region(puzzle.lattice, units, region.optional[order], wrap))


def _renamed(puzzle: Puzzle) -> Puzzle:
    return replace(
        puzzle,
        name="other",
        title="Another",
        aliases=("A",),
        known=(Known(3, "raw", "somebody"),),
        source="a book",
        color_rules=tuple(replace(rule, color="blue") for rule in puzzle.color_rules),
    )


def _reordered(puzzle: Puzzle) -> Puzzle:
    omission = puzzle.omission
    return replace(
        puzzle,
        fixed=puzzle.fixed[::-1],
        omission=omission and Omission(omission.names[::-1], omission.count),
        color_rules=tuple(replace(r, pieces=r.pieces[::-1]) for r in puzzle.color_rules),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_what_changes_no_answer_changes_no_identity(seed: int) -> None:
    puzzle, rng = colorful_puzzle(seed), random.Random(seed)
    same = [_turned(puzzle, rng), _shuffled(puzzle, rng), _renamed(puzzle), _reordered(puzzle)]
    if puzzle.lattice.crossing is None:
        same.append(replace(puzzle, crossing=not puzzle.crossing))
    assert [other.digest for other in same] == [puzzle.digest] * len(same)
    assert len({puzzle, *same}) == 1


def _changes() -> dict[str, Callable[[Puzzle], Puzzle]]:
    def first(puzzle: Puzzle, piece: Piece) -> Puzzle:
        return replace(puzzle, pieces=(piece, *puzzle.pieces[1:]))

    def region(puzzle: Puzzle, keep: int, free: int = 0, wrap: Wrap | None = None) -> Puzzle:
        units = puzzle.region.units[:keep]
        return replace(
            puzzle, region=Region(puzzle.lattice, units, np.arange(len(units)) < free, wrap)
        )

    return {
        "nothing": lambda p: p,
        "name of a piece": lambda p: first(p, replace(p.pieces[0], name="Q")),
        "least use": lambda p: first(p, replace(p.pieces[0], lower=0)),
        "most use": lambda p: first(p, replace(p.pieces[0], upper=2)),
        "freedom": lambda p: first(p, replace(p.pieces[0], freedom=Freedom.FIXED)),
        "form": lambda p: first(p, replace(p.pieces[0], units=p.pieces[0].units[:-1])),
        "order of pieces": lambda p: replace(p, pieces=p.pieces[::-1]),
        "a piece less": lambda p: replace(p, pieces=p.pieces[:-1]),
        "a unit less": lambda p: region(p, -1),
        "an optional unit": lambda p: region(p, 20, free=1),
        "a wrap": lambda p: region(p, 20, wrap=Wrap([(5, 0)])),
        "another wrap": lambda p: region(p, 20, wrap=Wrap([(5, 1)])),
        "a choice": lambda p: replace(p, omission=Omission(("I4", "O4"), 1)),
        "another choice": lambda p: replace(p, omission=Omission(("I4", "L4"), 1)),
        "a larger choice": lambda p: replace(p, omission=Omission(("I4", "L4"), 2)),
        "a rule": lambda p: replace(p, color_rules=(ColorRule("joined", "r", ("I4", "O4")),)),
        "its kind": lambda p: replace(p, color_rules=(ColorRule("separated", "r", ("I4", "O4")),)),
        "paint": lambda p: replace(p, paint=Paint({(0, 0): "b"}, {"I4": {(0, 0): "w"}})),
        "its place": lambda p: replace(p, paint=Paint({(0, 1): "b"}, {"I4": {(0, 0): "w"}})),
        "its name": lambda p: replace(p, paint=Paint({(0, 0): "b"}, {"I4": {(0, 0): "b"}})),
        "what it fits": lambda p: replace(
            p, paint=Paint({(0, 0): "b"}, {"I4": {(0, 0): "w"}}, {"w": ("b",)})
        ),
        "a fixed placement": lambda p: replace(
            p, fixed=(exactile.Placement("I4", ((0, 0), (0, 1), (0, 2), (0, 3))),)
        ),
    }


def test_what_changes_answers_changes_the_identity() -> None:
    puzzle = exactile.load("tetrominoes-5x4")
    digests = {what: change(puzzle).digest for what, change in _changes().items()}
    assert len(set(digests.values())) == len(digests)


def test_a_crossing_rule_counts_where_pieces_can_cross() -> None:
    puzzle = exactile.load("tetrasticks-5x5")
    assert replace(puzzle, crossing=False) != puzzle


def test_a_freedom_without_effect_is_none() -> None:
    lattice = get_lattice("square")
    region = Region(lattice, [[0, 0], [0, 1], [1, 0], [1, 1]])
    square = Piece("O4", lattice, region.units.tolist(), "free")  # type: ignore[arg-type]
    one = Puzzle("a", region, (square,))
    other = Puzzle("a", region, (replace(square, freedom=Freedom.FIXED),))
    assert one == other
    assert stated(one).pieces[0].freedom == "fixed"


FRESH = """
import pickle, sys
from exactile.geometry import get_lattice
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle import Puzzle
for puzzle, digest in pickle.load(sys.stdin.buffer):
    assert puzzle.digest == digest
    lattice = get_lattice(puzzle.lattice.name)
    assert all(piece.lattice is puzzle.region.lattice is lattice for piece in puzzle.pieces)
    assert not puzzle.region.units.flags.writeable
    own = puzzle.pieces[0]
    fresh = Piece(own.name, lattice, own.units, own.freedom, own.lower, own.upper)
    Puzzle("mixed", puzzle.region, (fresh,))
"""


def test_pickles_in_a_fresh_process_mix_with_fresh_pieces() -> None:
    puzzles = [colorful_puzzle(seed) for seed in SEEDS]
    data = pickle.dumps([(puzzle, puzzle.digest) for puzzle in puzzles])
    subprocess.run([sys.executable, "-c", FRESH], input=data, check=True, timeout=PATIENCE)


def test_pickles_and_copies_have_everything_and_no_lattice() -> None:
    puzzle = exactile.load("tetrominoes-5x4-tube")
    for other in (pickle.loads(pickle.dumps(puzzle)), copy.deepcopy(puzzle)):
        assert other == puzzle
        assert (other.name, other.title, other.known) == (puzzle.name, puzzle.title, puzzle.known)
        assert other.lattice is puzzle.lattice
        assert (other.region, other.pieces) == (puzzle.region, puzzle.pieces)
    assert len(puzzle.digest) == 64
    assert "digest" not in vars(pickle.loads(pickle.dumps(puzzle)))  # nor anything else derived


def test_regions_are_equal_if_they_have_the_same_units() -> None:
    lattice = get_lattice("square")
    torus = [Region(lattice, [[0, 0], [1, 0]], wrap=Wrap(w)) for w in ([(2, 0)], [(-2, 0)])]
    assert torus[0] == torus[1]
    assert torus[0] != Region(lattice, [[0, 0], [1, 0]])
    assert torus[0] != "a region"
    assert len({*torus}) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"lattice": "squares"},
        {"pieces": ()},
        {"units": ((2**70, 0),)},
        {"wrap": ((2**62, 0),)},
        {"units": ((0, 0), (0,))},
        {"fixed": (("Q", ((0, 0),)),)},
    ],
)
def test_statements_of_no_puzzle_are_refused(change: dict[str, object]) -> None:
    statement = stated(exactile.load("tetrominoes-5x4-tube"))
    with pytest.raises(PuzzleError):
        puzzle_of(msgspec.structs.replace(statement, **change), "x")


def test_the_digest_is_that_of_plain_json() -> None:
    """Any program can make it: the statement as JSON, in this order, without blanks."""
    puzzle = exactile.load("SomaCube")
    document = json.loads(msgspec.json.encode(stated(puzzle)))
    assert list(document) == ["lattice", "pieces", "units"]
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    assert puzzle.digest == sha256(text.encode()).hexdigest()
