"""Relaxed puzzles: only some units must be covered, only some pieces used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from exactile.errors import PuzzleError
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.rules import UseRule
from exactile.wanted import numbered


def relax(
    puzzle: Puzzle,
    units: Iterable[Point] = (),
    pieces: Mapping[str, int] | None = None,
    fixed: Iterable[int] = (),
) -> Puzzle:
    """Return a puzzle that demands only the given units and pieces; all prohibitions stay.

    All other units become optional, all other pieces may be left out, and no piece has to be
    omitted. Pieces may be used as often as before, must not overlap, and must not cross. Without
    further arguments, every partial packing is a solution. Rules about open units keep only their
    lower bounds, rules about used pieces only their upper bounds.

    `units`: points of the units to be covered. `pieces`: least number of uses of some pieces, by
    name. `fixed`: numbers of the fixed placements to keep, from 0. Raise PuzzleError if the puzzle
    has no such unit, piece or fixed placement, if the demands contradict the bounds of a piece or a
    rule, or if pieces must be joined: a part of a joined group need not be joined.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> exactile.count(relax(puzzle, pieces={"I4": 1, "O4": 1})).raw > 0
    True
    >>> exactile.prove(relax(puzzle, pieces=dict.fromkeys(puzzle.piece_index, 1))).status
    <Status.UNSOLVABLE: 'unsolvable'>
    """
    _require_not_joined(puzzle)
    wanted = dict(pieces or {})
    for name in wanted:
        puzzle.piece(name)
    region = puzzle.region
    optional = np.ones(len(region), dtype=bool)
    points = np.array(list(units), dtype=np.int64).reshape(-1, puzzle.lattice.dimension)
    numbers = region.index(points)
    if (numbers < 0).any():
        raise PuzzleError(f"The puzzle has no unit {points[numbers < 0][0].tolist()} (a point).")
    optional[numbers] = False
    return replace(
        puzzle,
        region=Region(puzzle.lattice, region.places, optional, region.wrap),
        pieces=tuple(replace(p, lower=wanted.get(p.name, 0)) for p in puzzle.pieces),
        fixed=tuple(puzzle.fixed[numbered(k, len(puzzle.fixed), "fixed placement")] for k in fixed),
        omission=None,
        known=(),
        open_rules=tuple(replace(rule, upper=None) for rule in puzzle.open_rules),
        use_rules=tuple(replace(rule, lower=0) for rule in puzzle.use_rules),
    )


def loosened(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle without its rules about numbers and joined pieces.

    The names of its pieces stay the same: each rule about used or joined pieces is replaced by one
    that always holds. Without any rule, congruent pieces that it distinguishes would be merged.

    Examples
    --------
    >>> import exactile
    >>> rule = {"pieces": ["A"], "exactly": 2}
    >>> pieces = {"cells": {"A": [[0, 0]], "B": [[0, 0]]}, "copies": 2}
    >>> puzzle = exactile.make_puzzle(pieces, lattice="square", box=(2, 2), use=[rule])
    >>> [piece.name for piece in loosened(puzzle).pieces], exactile.count(loosened(puzzle)).raw
    (['A', 'B'], 6)
    """
    named = [rule.pieces for rule in puzzle.use_rules]
    named += [rule.pieces for rule in puzzle.color_rules if rule.kind == "joined"]
    return replace(
        puzzle,
        color_rules=tuple(rule for rule in puzzle.color_rules if rule.kind != "joined"),
        open_rules=(),
        use_rules=tuple(map(UseRule, named)),
    )


def require_packings(puzzle: Puzzle) -> None:
    """Raise PuzzleError if pieces must be joined, or if there is a rule about numbers.

    Parts of solutions may break such rules.
    """
    _require_not_joined(puzzle)
    if puzzle.open_rules or puzzle.use_rules:
        rule = "open" if puzzle.open_rules else "use"
        raise PuzzleError(
            f"{puzzle.name} has a rule `{rule}` about numbers, which parts of solutions need not "
            f"keep: this question makes sense only without it."
        )


def _require_not_joined(puzzle: Puzzle) -> None:
    """Raise PuzzleError if the puzzle has pieces that must be joined."""
    joined = [rule for rule in puzzle.color_rules if rule.kind == "joined"]
    if joined:
        raise PuzzleError(
            f"In {puzzle.name} pieces must be joined ({joined[0].text}), which parts of solutions "
            "need not be: this question makes sense only without joined."
        )
