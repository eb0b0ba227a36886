"""Items for rules about the colors of pieces: see `exactile.puzzle.rules`.

*Separated.* Each two neighboring units and each color have an item with the bounds 0..1, contained
in the placements of that color that have exactly one of the two units.

*Joined.* Each two pieces of the color get an option more: "they are apart". It is chosen in a
solution exactly if they do not touch:

- each two neighboring units have an item with the bounds 0..2, contained in that option and in the
  placements of the two pieces that have exactly one of the units: if they touch there, they are not
  apart;
- each placement of one of the pieces has an item that must be covered, contained in that option, in
  the placements of the other that touch it, and in all other placements of its own piece: if the
  placement is chosen and nothing touches it, the two are apart.

Then the color is in one part if, for each way to divide its pieces into two parts, some two pieces
of different parts are not apart: an item whose upper bound is one less than there are such pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from exactile.errors import ModelError
from exactile.model.model import Longs
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.rules import ColorRule
from exactile.tuning import TUNING


class RuleItem(NamedTuple):
    """An item of a rule: its bounds, what it is called, and the options that contain it."""

    lower: int
    upper: int
    label: str
    options: Longs


def apart_pairs(puzzle: Puzzle) -> Longs:
    """Return the pairs of pieces with an option "apart", as numbers of pieces: shape ``(n, 2)``.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("hexiamonds-iamond-hex-joined")
    >>> len(apart_pairs(puzzle)), len(puzzle.color_rules)
    (18, 3)
    """
    pairs = {
        pair
        for rule in puzzle.color_rules
        if rule.kind == "joined"
        for pair in combinations(_numbers(puzzle, rule), 2)
    }
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _numbers(puzzle: Puzzle, rule: ColorRule) -> list[int]:
    return sorted(puzzle.piece_index[name] for name in rule.pieces)


def rule_items(puzzle: Puzzle, rows: list[Longs], first_apart: int) -> Iterator[RuleItem]:
    """Yield the items of all color rules.

    Parameters
    ----------
    puzzle
        The puzzle.
    rows
        The placements of each piece as numbers of units, one a row; options are numbered so.
    first_apart
        The number of the first option "apart"; they are in the order of `apart_pairs`.

    Raises
    ------
    ModelError
        If there is too much to write down.
    """
    if not puzzle.color_rules:
        return
    touching = _Touching(puzzle, rows)
    pairs = [(a, b) for a, b in apart_pairs(puzzle).tolist()]
    apart = {pair: first_apart + k for k, pair in enumerate(pairs)}
    for pair, option in apart.items():
        yield from _told_apart(pair, option, touching)
    for rule in puzzle.color_rules:
        if rule.kind == "separated":
            yield from _separated(rule, _numbers(puzzle, rule), touching)
        else:
            yield from _cuts(rule, _numbers(puzzle, rule), apart)


class _Touching:
    """Which options have exactly one of two neighboring units.

    Attributes
    ----------
    straddled
        For each piece, pairs of option and border, borders being numbers of neighboring units.
    """

    def __init__(self, puzzle: Puzzle, rows: list[Longs]) -> None:
        self.names = [piece.name for piece in puzzle.pieces]
        self.ends = _borders(puzzle.region)
        self.starts = np.cumsum([0, *map(len, rows)])
        self.places = [",".join(map(str, unit)) for unit in puzzle.region.coordinates]
        around = _incident(self.ends, len(puzzle.region))
        needed = {name for rule in puzzle.color_rules for name in rule.pieces}
        self.straddled = [
            _straddled(row, around, int(start)) if name in needed else (_NONE, _NONE)
            for row, start, name in zip(rows, self.starts, self.names, strict=False)
        ]

    def label(self, border: int) -> str:
        """Return a border as two units."""
        return "|".join(self.places[u] for u in self.ends[border])

    def table(self, piece: int) -> Longs:
        """Return which borders each placement of a piece straddles: 0 or 1, a placement a row."""
        options, borders = self.straddled[piece]
        number = int(self.starts[piece + 1] - self.starts[piece])
        table = np.zeros((number, len(self.ends)), dtype=np.int64)
        table[options - self.starts[piece], borders] = 1
        return table


_NONE = np.zeros(0, dtype=np.int64)


def _borders(region: Region) -> Longs:
    """Return the pairs of neighboring units of a region, the lower number first."""
    pairs = []
    for kind, steps in enumerate(region.lattice.neighbors):
        here = np.flatnonzero(region.types == kind)
        for step in steps:
            there = region.index(region.units[here] + np.array(step))
            inside = (there >= 0) & (there != here)
            pairs.append(np.sort(np.stack([here[inside], there[inside]], axis=1), axis=1))
    return np.unique(np.concatenate(pairs), axis=0)


def _incident(ends: Longs, units: int) -> Longs:
    """Return the borders at each unit, padded with -1: shape ``(units, most)``."""
    unit, border = ends.ravel(), np.repeat(np.arange(len(ends)), 2)
    order = np.argsort(unit, kind="stable")
    counts = np.bincount(unit, minlength=units)
    table = np.full((units, int(counts.max(initial=0))), -1, dtype=np.int64)
    place = np.arange(len(unit)) - np.repeat(np.cumsum(counts) - counts, counts)
    table[unit[order], place] = border[order]
    return table


def _straddled(row: Longs, around: Longs, start: int) -> tuple[Longs, Longs]:
    """Return pairs of an option and a border of which it has exactly one unit."""
    if not around.size or not row.size:
        return _NONE, _NONE
    met = np.sort(around[row].reshape(len(row), -1), axis=1)
    wall = np.full((len(row), 1), -1)
    again = met[:, 1:] == met[:, :-1]
    single = ~(np.hstack([again, wall == 0]) | np.hstack([wall == 0, again])) & (met >= 0)
    option, place = np.nonzero(single)
    return start + option, met[option, place]


def _separated(rule: ColorRule, pieces: list[int], touching: _Touching) -> Iterator[RuleItem]:
    options, borders = (
        np.concatenate(column)
        for column in zip(*(touching.straddled[p] for p in pieces), strict=True)
    )
    for border, here in _grouped(borders, options):
        if len(here) > 1:  # an item in one option forbids nothing
            yield RuleItem(0, 1, f"{rule.color} at {touching.label(border)}", here)


def _told_apart(pair: tuple[int, int], apart: int, touching: _Touching) -> Iterator[RuleItem]:
    """Yield the items that make the option "apart" of two pieces mean what it says."""
    a, b = sorted(pair, key=lambda p: int(touching.starts[p + 1] - touching.starts[p]))
    names = " ".join(touching.names[p] for p in pair)
    owner = np.concatenate([np.full(len(touching.straddled[p][0]), p) for p in (a, b)])
    options = np.concatenate([touching.straddled[p][0] for p in (a, b)])
    borders = np.concatenate([touching.straddled[p][1] for p in (a, b)])
    for border, here in _grouped(borders, np.arange(len(options))):
        if len(np.unique(owner[here])) == 2:
            label = f"contact {names} at {touching.label(border)}"
            yield RuleItem(0, 2, label, np.append(np.sort(options[here]), apart))
    first, last = touching.starts[a], touching.starts[a + 1]
    own = np.arange(first, last)
    if len(own) * (len(own) + touching.starts[b + 1] - touching.starts[b]) > TUNING.rule_members:
        raise ModelError(
            f"The pieces {names} have too many placements to be joined: make the region smaller."
        )
    meets = touching.table(a) @ touching.table(b).T > 0
    for k, row in enumerate(meets):
        others = touching.starts[b] + np.flatnonzero(row)
        here = np.sort(np.concatenate([np.delete(own, k), others]))
        yield RuleItem(1, len(here) + 1, f"apart {names}, place {k + 1}", np.append(here, apart))


def _cuts(
    rule: ColorRule, pieces: list[int], apart: dict[tuple[int, int], int]
) -> Iterator[RuleItem]:
    """Yield an item for each way to divide the pieces into two parts."""
    for mask in range(1, 1 << max(len(pieces) - 1, 0)):  # the last piece is in the other part
        part = {p for k, p in enumerate(pieces) if mask >> k & 1}
        pairs = combinations(pieces, 2)
        across = [apart[pair] for pair in pairs if len(part & set(pair)) == 1]
        label = f"{rule.color} joined, way {mask} to divide it"
        yield RuleItem(0, len(across) - 1, label, np.array(across, dtype=np.int64))


def _grouped(keys: Longs, values: Longs) -> Iterator[tuple[int, Longs]]:
    """Yield each key with its values, in order."""
    order = np.lexsort((values, keys))
    kinds, starts = np.unique(keys[order], return_index=True)
    yield from zip(kinds.tolist(), np.split(values[order], starts[1:]), strict=False)
