"""Sets of pieces: all that have the area of the boards, and the sums of weights they can have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from exactile.errors import PuzzleError
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.rules import UseRule
from exactile.surveys.subsets.blocks import whole

MOST_SETS = 1_000_000
"""Largest number of sets of pieces that are tried."""

Sets = npt.NDArray[np.int16]
"""Sets of pieces, one in each row: the number of uses of each piece."""


def sets_of(puzzles: Sequence[Puzzle], areas: set[int], size: int | None = None) -> Sets:
    """Return the sets of the puzzles' pieces with one of some areas, in a fixed order.

    The puzzles have the same pieces. Each set contains the pieces fixed in any of them, and keeps
    the rules of all. `size`: the number of pieces in a set, copies counted; None for any. Raise
    PuzzleError if there are none, or more than `MOST_SETS`.

    Examples
    --------
    >>> import exactile
    >>> pieces = {"orders": [3], "ranges": "0..2"}
    >>> puzzle = exactile.make_puzzle(pieces, lattice="square", box=(3, 3))
    >>> sets_of([puzzle], {9}, 3).tolist()
    [[1, 2], [2, 1]]
    """
    puzzle = puzzles[0]
    rules = [*dict.fromkeys(rule for each in puzzles for rule in _rules(each))]
    given = Counter[str]()
    for each in puzzles:
        given |= Counter(placement.piece for placement in each.fixed)  # the larger numbers
    lower = np.max([whole(each).lower for each in puzzles], axis=0).tolist()
    bounds = zip(puzzle.pieces, lower, strict=True)
    ranges = [(max(low, given[piece.name]), piece.upper) for piece, low in bounds]
    # What a use of each piece adds: one piece, its units, and one to each rule that counts it.
    adds = [(1, p.order, *(p.name in rule.pieces for rule in rules)) for p in puzzle.pieces]
    most = [len(puzzle.region) if size is None else size, max(areas, default=-1)]
    most += [rule.most(puzzle.pieces) for rule in rules]

    def after(state: tuple[int, ...], piece: int, uses: int) -> tuple[int, ...]:
        return tuple(n + uses * more for n, more in zip(state, adds[piece], strict=True))

    @cache
    def ways(piece: int, state: tuple[int, ...]) -> int:
        """Return the number of sets that continue from a piece."""
        if any(n > limit for n, limit in zip(state, most, strict=True)):
            return 0
        if piece < len(adds):
            low, high = ranges[piece]
            return sum(ways(piece + 1, after(state, piece, u)) for u in range(low, high + 1))
        enough = all(n >= rule.lower for n, rule in zip(state[2:], rules, strict=True))
        return int(enough and state[1] in areas and size in (None, state[0]))

    start = (0,) * (2 + len(rules))
    number = ways(0, start)
    pieces = "" if size is None else f"{size} of "
    if not number:
        raise PuzzleError(f"No {pieces}the pieces of {puzzle.name} have the area of its boards.")
    if number > MOST_SETS:
        raise PuzzleError(
            f"{number:,} sets of {pieces}the pieces of {puzzle.name} have the area of its boards, "
            f"more than {MOST_SETS:,}: say how many pieces are in a set, or leave out some."
        )
    return _listed(ranges, adds, most, ways)


def _rules(puzzle: Puzzle) -> Iterator[UseRule]:
    """Yield the rules about how often pieces are used, and how many are left out."""
    yield from puzzle.use_rules
    if puzzle.omission is not None:
        names, count = puzzle.omission.names, puzzle.omission.count
        yield UseRule(names, len(names) - count, len(names) - count)


def _listed(
    ranges: Sequence[tuple[int, int]],
    adds: Sequence[tuple[int, ...]],
    most: Sequence[int],
    ways: Callable[[int, tuple[int, ...]], int],
) -> Sets:
    """Return all sets, built piece by piece; those that cannot be completed are dropped at once."""
    radix = np.cumprod([1, *(limit + 1 for limit in most[:-1])])
    sets = np.zeros((1, 0), dtype=np.int16)
    states = np.zeros((1, len(most)), dtype=np.int64)
    for piece, ((low, high), more) in enumerate(zip(ranges, adds, strict=True)):
        grown, reached = [], []
        for number in range(high, low - 1, -1):
            after = states + number * np.array(more)
            good = (after <= most).all(axis=1)
            codes, first, which = np.unique(
                after[good] @ radix, return_index=True, return_inverse=True
            )
            useful = [ways(piece + 1, tuple(after[good][k].tolist())) > 0 for k in first.tolist()]
            good[good] = np.array(useful, dtype=bool)[which] if len(codes) else False
            column = np.full((int(good.sum()), 1), number, dtype=np.int16)
            grown.append(np.concatenate([sets[good], column], axis=1))
            reached.append(after[good])
        sets, states = np.concatenate(grown), np.concatenate(reached)
    return sets


def sums_of(values: Sequence[frozenset[int]], uses: Sequence[int], least: int) -> int:
    """Return the possible sums of the pieces of a set, as bits.

    `values`: the possible values of one use of each piece; bit 0 stands for a sum of `least` times
    the number of uses.

    Examples
    --------
    >>> f"{sums_of([frozenset({-1, 1}), frozenset({0})], (2, 1), -1):b}"  # -2, 0, 2; 3 for 0
    '101010'
    """
    sums = 1
    for own, number in zip(values, uses, strict=True):
        for _ in range(number):
            found = 0
            for value in own:
                found |= sums << value - least
            sums = found
    return sums
