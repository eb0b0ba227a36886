"""Items for rules about the colors of pieces: see `exactile.puzzle.rules`.

*Separated* pieces of one color must not touch. A *border* is a pair of neighboring units. Each
border and color has an item with the bounds 0..1. Every placement that covers exactly one of the
two units, and whose piece has that color, contains this item. An item with fewer than two such
placements is left out.

*Joined* pieces of one color must be connected. Each pair of them gets one more option, "they are
apart", which a solution contains if and only if the two pieces do not touch:

- A border has an item if both pieces have placements that cover exactly one of its units. The item
  has the bounds 0..2 and is contained in all these placements and in the option "apart". If the
  pieces touch there, they use the item twice, so that the option is excluded.
- Let the first piece be the one with fewer placements. Each of its placements p has an item that
  must be used. The item is contained in the option "apart", in the placements of the second piece
  that touch p, and in all placements of the first piece other than p. If p is chosen and the second
  piece does not touch it, only "apart" is left. If the first piece has more than `FEW`
  placements and p has a unit that must be covered, the options other than p that cover this unit
  replace the placements other than p. The number of members then grows with the region and not with
  its square.

The pieces are connected if, however they are divided into two parts, some piece of one part touches
some piece of the other. Each division therefore has an item, contained in the options "apart" of
all pairs of pieces of different parts. Its upper bound is one less than the number of these pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from exactile.errors import ModelError
from exactile.geometry.isometry import distinct
from exactile.model.model import Longs
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Mask, Region
from exactile.puzzle.rules import ColorRule
from exactile.tuning import TUNING

FEW = 500
"""Joined pieces with more placements than this get items with fewer members: see
`exactile.model.color_rules`."""

MEMBERS_AT_ONCE = 1_000_000
BORDERS_AT_ONCE = 50_000
"""Largest number of items for borders (pairs of neighboring units) in one `RuleItems`.
`MEMBERS_AT_ONCE` is the approximate number of members in one `RuleItems` for placements."""


class RuleItems(NamedTuple):
    """A batch of items for color rules: bounds, labels, and the options that contain them.

    `items`, `options`: pairs of an item, counted from 0 in the batch, and an option that contains
    it; sorted by item, then by option.
    """

    lower: Longs
    upper: Longs
    labels: list[str]
    items: Longs
    options: Longs


def apart_pairs(puzzle: Puzzle) -> Longs:
    """Return the pairs of pieces that have an option "they are apart": shape ``(n, 2)``.

    These are all pairs of pieces of one joined color, by their numbers in the puzzle, in
    lexicographic order.

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


def rule_items(
    puzzle: Puzzle, rows: list[Longs], first_apart: int, pulse: Callable[[], None]
) -> Iterator[RuleItems]:
    """Yield the items of all color rules, in batches.

    `rows`: for each piece an array of its placements, one in each row, as numbers of units; the
    placements are in the order of the options. `first_apart`: number of the first option "they are
    apart"; these options are in the order of `apart_pairs`. `pulse` is called repeatedly and may
    raise an exception to end the work. Raise ModelError if the items have more than
    `TUNING.rule_members` members.
    """
    room = TUNING.rule_members
    for found in _rule_items(puzzle, rows, first_apart, pulse) if puzzle.color_rules else ():
        room -= len(found.options)
        if room < 0:
            raise _too_large(puzzle.name)
        yield found
        pulse()


def _rule_items(
    puzzle: Puzzle, rows: list[Longs], first_apart: int, pulse: Callable[[], None]
) -> Iterator[RuleItems]:
    touching = _Touching(puzzle, rows, pulse)
    pairs = [(a, b) for a, b in apart_pairs(puzzle).tolist()]
    apart = {pair: first_apart + k for k, pair in enumerate(pairs)}
    for pair, option in apart.items():
        yield from _apart_items(pair, option, touching)
    for rule in puzzle.color_rules:
        if rule.kind == "separated":
            yield _separated(rule, _numbers(puzzle, rule), touching)
        else:
            yield _cuts(rule, _numbers(puzzle, rule), apart)


class _Touching:
    """Finds the options that cover a unit, and those that cover exactly one of two neighbors.

    A border is a pair of neighboring units. Its sides are these two units: side ``2 * b`` of border
    b is the one with the lower number, side ``2 * b + 1`` the other one.
    """

    def __init__(self, puzzle: Puzzle, rows: list[Longs], pulse: Callable[[], None]) -> None:
        self.names = [piece.name for piece in puzzle.pieces]
        self.rows = rows
        self.ends = _borders(puzzle.region)
        self.starts = np.cumsum([0, *map(len, rows)])
        self.places = [",".join(map(str, unit)) for unit in puzzle.region.coordinates]
        self._required = ~puzzle.region.optional
        around = _incident(self.ends, len(puzzle.region))
        needed = {name for rule in puzzle.color_rules for name in rule.pieces}
        # For each piece, pairs of option and side, by side: sides 2 * b and 2 * b + 1 are the lower
        # and the other unit of border b.
        self.straddled = []
        for row, start, name in zip(rows, self.starts, self.names, strict=False):
            pulse()
            self.straddled.append(_straddled(row, around, int(start)) if name in needed else _NONE)

    def borders_of(self, piece: int) -> Mask:
        """Return a mask of the borders where some placement of the piece covers only one side."""
        found = np.zeros(len(self.ends), dtype=bool)
        found[self.straddled[piece][1] // 2] = True
        return found

    def label(self, border: int) -> str:
        """Return the label of a border, such as ``0,0|1,0``: its two units."""
        return "|".join(self.places[u] for u in self.ends[border])

    @cached_property
    def _covering(self) -> tuple[Longs, Longs]:
        """The options that cover each unit, as `starts` and `options`.

        Unit u is covered by ``options[starts[u]:starts[u + 1]]``.
        """
        units = np.concatenate([row.ravel() for row in self.rows])
        widths = [row.shape[1] for row in self.rows]
        options = np.repeat(
            np.arange(self.starts[-1]), np.repeat(widths, np.diff(self.starts)).astype(np.int64)
        )
        order = np.argsort(units, kind="stable")
        counts = np.bincount(units, minlength=len(self._required))
        return np.concatenate([[0], np.cumsum(counts)]), options[order]

    def units_covered(self, piece: int) -> tuple[Longs, Longs]:
        """Return one unit of each placement of a piece, and the number of options that cover it.

        Of the placement's units that must be covered, the one with the fewest options is taken. If
        all units of the placement are optional, the unit is -1, and the number has no meaning.
        """
        counts = np.diff(self._covering[0])
        counts = np.where(self._required, counts, np.iinfo(np.int64).max)
        row = self.rows[piece]
        best = row[np.arange(len(row)), counts[row].argmin(axis=1)]
        return np.where(self._required[best], best, -1), counts[best]

    def covering(self, units: Longs) -> tuple[Longs, Longs]:
        """Return all pairs of a given unit and an option that covers it, as two arrays.

        The first array has indices into `units`, the second one the options.
        """
        starts, options = self._covering
        place, there = _spread(starts[units], starts[units + 1] - starts[units])
        return place, options[there]

    def touched(self, piece: int, other: int, chosen: Longs) -> tuple[Longs, Longs]:
        """Return the pairs of a chosen placement and a placement of another piece that touches it.

        `chosen`: indices of placements of `piece`, counted from 0. The result: two arrays, indices
        into `chosen` and options of the piece `other`. Some pairs are repeated.
        """
        options, sides = self.straddled[piece]
        number = np.full(self.starts[piece + 1] - self.starts[piece], -1)
        number[chosen] = np.arange(len(chosen))
        place = number[options - self.starts[piece]]
        place, sides = place[place >= 0], sides[place >= 0]
        theirs, other_sides = self.straddled[other]
        begin = np.searchsorted(other_sides, sides ^ 1)
        end = np.searchsorted(other_sides, sides ^ 1, side="right")
        which, there = _spread(begin, end - begin)
        return place[which], theirs[there]


def _spread(starts: Longs, lengths: Longs) -> tuple[Longs, Longs]:
    """Return all numbers in several ranges, as two arrays: the index of the range, the number.

    `starts`, `lengths`: the first number and the length of each range.
    """
    which = np.repeat(np.arange(len(starts)), lengths)
    return which, np.arange(len(which)) + (starts - np.cumsum(lengths) + lengths)[which]


_NONE = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


def _borders(region: Region) -> Longs:
    """Return the pairs of neighboring units, the lower number first: shape ``(n, 2)``."""
    pairs = []
    for kind, steps in enumerate(region.lattice.neighbors):
        here = np.flatnonzero(region.types == kind)
        for step in steps:
            there = region.index(region.units[here] + np.array(step))
            inside = (there >= 0) & (there != here)
            pairs.append(np.sort(np.stack([here[inside], there[inside]], axis=1), axis=1))
    return distinct(np.concatenate(pairs))[0]


def _incident(ends: Longs, units: int) -> Longs:
    """Return, for each unit, the numbers of the sides that are this unit, padded with -1.

    A border is a pair of neighboring units; its sides ``2 * b`` and ``2 * b + 1`` are these two
    units. `ends`: the two units of each border. The result has one row for each unit.
    """
    unit, side = ends.ravel(), np.arange(2 * len(ends))
    order = np.argsort(unit, kind="stable")
    counts = np.bincount(unit, minlength=units)
    table = np.full((units, int(counts.max(initial=0))), -1, dtype=np.int64)
    place = np.arange(len(unit)) - np.repeat(np.cumsum(counts) - counts, counts)
    table[unit[order], place] = side[order]
    return table


def _straddled(row: Longs, around: Longs, start: int) -> tuple[Longs, Longs]:
    """Return all pairs of an option and a side of a border such that it covers only this side.

    A border is a pair of neighboring units; its sides are these two units. The result: options and
    sides, sorted by side. `row`: the units of each placement of a piece. `around`: as returned by
    `_incident`. `start`: option of the first placement.
    """
    if not around.size or not row.size:
        return _NONE
    met = np.sort(around[row].reshape(len(row), -1), axis=1)
    wall = np.full((len(row), 1), -1)
    again = met[:, 1:] // 2 == met[:, :-1] // 2
    single = ~(np.hstack([again, wall == 0]) | np.hstack([wall == 0, again])) & (met >= 0)
    option, place = np.nonzero(single)
    sides = met[option, place]
    order = np.argsort(sides, kind="stable")
    return start + option[order], sides[order]


def _separated(rule: ColorRule, pieces: list[int], touching: _Touching) -> RuleItems:
    options, sides = (
        np.concatenate(column)
        for column in zip(*(touching.straddled[p] for p in pieces), strict=True)
    )
    borders = sides // 2
    several = np.bincount(borders, minlength=1) > 1  # an item in one option forbids nothing
    stay = several[borders]
    borders, options = _grouped(borders[stay], options[stay])
    kinds, items = np.unique(borders, return_inverse=True)
    labels = [f"{rule.color} at {touching.label(border)}" for border in kinds.tolist()]
    return _bounded(0, 1, labels, items, options)


def _apart_items(pair: tuple[int, int], apart: int, touching: _Touching) -> Iterator[RuleItems]:
    """Yield items that make solutions contain "they are apart" exactly if two pieces do not touch.

    `pair`: the numbers of the two pieces. `apart`: the number of the option. Raise ModelError if
    the items have too many members.
    """
    a, b = sorted(pair, key=lambda p: int(touching.starts[p + 1] - touching.starts[p]))
    names = " ".join(touching.names[p] for p in pair)
    options, borders = (
        np.concatenate([touching.straddled[p][k] for p in (a, b)]) for k in range(2)
    )
    borders = borders // 2
    common = touching.borders_of(a) & touching.borders_of(b)
    stay = common[borders]
    borders, options = _grouped(borders[stay], options[stay])
    met = np.flatnonzero(common)
    for part in np.split(met, range(BORDERS_AT_ONCE, len(met), BORDERS_AT_ONCE)):
        labels = [f"contact {names} at {touching.label(border)}" for border in part.tolist()]
        begin, end = np.searchsorted(borders, [part[0], part[-1] + 1]) if len(part) else (0, 0)
        members, contained = _grouped(
            np.concatenate([np.searchsorted(part, borders[begin:end]), np.arange(len(part))]),
            np.concatenate([options[begin:end], np.full(len(part), apart)]),
        )
        yield _bounded(0, 2, labels, members, contained)
    own = np.arange(touching.starts[a], touching.starts[a + 1])
    units, sizes = touching.units_covered(a)
    instead = (units >= 0) & (len(own) > FEW)
    sizes = np.where(instead, sizes, len(own))
    if sizes.sum() > TUNING.rule_members:
        raise _too_large(names)
    ends = np.flatnonzero(np.diff(np.cumsum(sizes) // MEMBERS_AT_ONCE)) + 1
    for chosen in np.split(np.arange(len(own)), ends):
        covered, without = np.flatnonzero(instead[chosen]), np.flatnonzero(~instead[chosen])
        place, covering = touching.covering(units[chosen[covered]])
        places, options = (
            np.concatenate(column)
            for column in zip(
                (covered[place], covering),
                (np.repeat(without, len(own)), np.tile(own, len(without))),
                touching.touched(a, b, chosen),
                (np.arange(len(chosen)), np.full(len(chosen), apart)),
                strict=True,
            )
        )
        stay = options != own[chosen[places]]
        places, options = _grouped(places[stay], options[stay])
        fresh = (np.diff(places, prepend=-1) != 0) | (np.diff(options, prepend=-1) != 0)
        labels = [f"apart {names}, place {k + 1}" for k in chosen.tolist()]
        uses = np.bincount(places[fresh], minlength=len(chosen))
        yield RuleItems(np.ones_like(uses), uses, labels, places[fresh], options[fresh])


def _too_large(names: str) -> ModelError:
    return ModelError(
        f"The color rules of {names} are too large: their items have more than "
        f"{TUNING.rule_members:,} members. Make the region smaller, or join fewer pieces."
    )


def _cuts(rule: ColorRule, pieces: list[int], apart: dict[tuple[int, int], int]) -> RuleItems:
    """Return an item for each way to divide the joined pieces of a color into two parts.

    Each item requires that some piece of one part touches some piece of the other. `pieces`: in
    increasing order. `apart`: maps each pair of pieces to its option "they are apart".
    """
    ways = []
    for mask in range(1, 1 << max(len(pieces) - 1, 0)):  # the last piece is in the other part
        part = {p for k, p in enumerate(pieces) if mask >> k & 1}
        pairs = combinations(pieces, 2)
        ways.append([apart[pair] for pair in pairs if len(part & set(pair)) == 1])
    sizes = np.array([len(across) for across in ways], dtype=np.int64)
    return RuleItems(
        np.zeros_like(sizes),
        sizes - 1,
        [f"{rule.color} joined, way {k + 1} to divide it" for k in range(len(ways))],
        np.repeat(np.arange(len(ways)), sizes),
        np.array([option for across in ways for option in across], dtype=np.int64),
    )


def _bounded(low: int, high: int, labels: list[str], items: Longs, options: Longs) -> RuleItems:
    number = len(labels)
    return RuleItems(np.full(number, low), np.full(number, high), labels, items, options)


def _grouped(keys: Longs, values: Longs) -> tuple[Longs, Longs]:
    """Sort pairs by key, then by value; return their keys and their values as two arrays."""
    span = int(values.max(initial=0)) + 1
    return np.divmod(np.sort(keys * span + values), span)
