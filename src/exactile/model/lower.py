"""Lowering: from a puzzle to its model.

Items, in this order: one for each piece, with the piece's bounds; one for each unit, 0..1 if it is
optional and in no rule about open (uncovered) units, else 1..1; one that counts the omitted pieces,
if the puzzle has an omission; one for each fixed placement, 1..1; those of the crossing rule, 0..1;
those of color rules; and one for each rule about the number of open units or of used pieces, with
its bounds. Options, in this order: the placements by piece, aspect, and place; one for each piece
that may be omitted; "this unit stays open" for each optional unit in rules about open units, unless
one of these rules forbids it; and "these two pieces do not touch" for each pair of pieces of a
color that must be joined.

Models have *shades*, weights of units. A solution covers each required unit once. The weights of
the required units in its placements therefore add up to the weight of all required units. If no
choice of placements has that total, there is no solution: the argument of the mutilated chessboard.
The weights tried are 1 and -1 by the parity of a sum of coordinates. If the lattice has several
types of unit, such as horizontal and vertical edges, each shade is for the units of one type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, combinations
from operator import or_

import numpy as np

from exactile._native import extended
from exactile.doors import door
from exactile.errors import ModelError
from exactile.geometry.isometry import Points, distinct_rows
from exactile.geometry.lattice import Crossing, Lattice
from exactile.model.color_rules import apart_pairs, rule_items
from exactile.model.model import Ints, ItemKind, Longs, Meaning, Model
from exactile.puzzle.paint import Codes, Paint
from exactile.puzzle.pieces.piece import Piece
from exactile.puzzle.puzzle import Puzzle, require_puzzle
from exactile.puzzle.region import Mask, Region
from exactile.puzzle.rules import UseRule
from exactile.tuning import TUNING

TRIES_AT_ONCE = 2**16
"""Largest number of tries made at a time, unless a single aspect has more. A try moves an aspect
(an orientation of a piece) to a unit of the region."""

PROBED_UNITS = 16
"""Approximate number of units of a large piece that are tested first. The others are tested only
where these fit."""


@door
def lower(puzzle: Puzzle, pulse: Callable[[], None] = lambda: None) -> Model:
    """Return the model of a puzzle.

    `pulse` is called repeatedly during the work; an exception that it raises ends the work.

    Raises
    ------
    ModelError
        If there are more than `TUNING.model_options` placements, if more than twice that limit
        would have to be tried, or if the options contain items of color rules more than
        `TUNING.rule_members` times in all.

    Examples
    --------
    >>> import exactile
    >>> model = lower(exactile.load("pentominoes-6x10"))
    >>> model.items, model.options
    (72, 2056)
    """
    pieces, region = require_puzzle(puzzle).pieces, puzzle.region
    items = _Items()
    choice = set(puzzle.omission.names) if puzzle.omission else set()
    for piece in pieces:
        items.add(ItemKind.PIECE, piece.lower, piece.upper, piece.name)
    pulse()
    may_open = _add_units(puzzle, items)
    pulse()
    if puzzle.omission:
        items.add(ItemKind.OMISSION, puzzle.omission.count, puzzle.omission.count)
    rows = _all_placements(puzzle, pulse)
    extra = _Extra()
    offset = np.cumsum([0, *(len(r) for r in rows)])
    for k, placement in enumerate(puzzle.fixed):
        number = puzzle.piece_index[placement.piece]
        units = np.sort(region.index(np.array(placement.units, dtype=np.int64)))
        match = np.flatnonzero((rows[number] == units).all(axis=1))
        item = items.add(ItemKind.FIXED, 1, 1, str(k + 1))
        extra.add(offset[number] + match, np.array([item]))
    if puzzle.crossing and puzzle.lattice.crossing is not None:
        _add_crossings(puzzle.lattice.crossing, region, rows, offset, items, extra, pulse)
    blocks = [np.column_stack([np.full(len(r), k), r + len(pieces)]) for k, r in enumerate(rows)]
    omitted = [k for k, piece in enumerate(pieces) if piece.name in choice]
    blocks += [np.array([[k, len(pieces) + len(region)]]) for k in omitted]
    first_open = int(offset[-1]) + len(omitted)
    blocks.append(len(pieces) + may_open[:, None])
    pulse()
    apart = apart_pairs(puzzle)
    for rule in rule_items(puzzle, rows, first_open + len(may_open), pulse):
        base = items.extend(ItemKind.COLOR, rule.lower, rule.upper, rule.labels)
        extra.add(rule.options, base + rule.items)
    _add_open(puzzle, may_open, first_open, items, extra)
    _add_uses(puzzle, rows, offset, items, extra)
    blocks.append(np.zeros((len(apart), 0), dtype=np.int64))
    first, members = _join(blocks, extra)
    return Model(
        lower=np.array(items.lower, dtype=np.int32),
        upper=np.array(items.upper, dtype=np.int32),
        first=first,
        members=members,
        meaning=Meaning(
            tuple(items.labels), np.array(items.kinds, dtype=np.int8), apart, shades(region)
        ),
    )


@dataclass
class _Items:
    """The items made so far: bounds, labels and kinds."""

    lower: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)

    def add(self, kind: ItemKind, low: int, high: int, name: str = "") -> int:
        self.lower.append(low)
        self.upper.append(high)
        self.labels.append(kind.word + name)
        self.kinds.append(kind)
        return len(self.lower) - 1

    def extend(self, kind: ItemKind, low: Longs, high: Longs, names: list[str]) -> int:
        """Add several items of a kind, with their bounds; return the number of the first one.

        The label of each item is the word for its kind, followed by its name.
        """
        self.lower += low.tolist()
        self.upper += high.tolist()
        word = kind.word
        self.labels += [word + name for name in names]
        self.kinds += [int(kind)] * len(names)
        return len(self.lower) - len(names)


@dataclass
class _Extra:
    """Pairs of an option and an item of a rule: the item is to be merged into the option.

    Callers of `add` must add the items of each option in increasing order.
    """

    options: list[Ints] = field(default_factory=list)
    items: list[Ints] = field(default_factory=list)

    def add(self, options: Longs, items: Longs) -> None:
        options, items = np.broadcast_arrays(options, items)
        self.options.append(options.astype(np.int32))
        self.items.append(items.astype(np.int32))


def _add_units(puzzle: Puzzle, items: _Items) -> Longs:
    """Add the items of the units; return the units that have an option "open".

    This option says that the unit stays uncovered. An optional unit has such an option if it is in
    rules about open units, and none of them has the upper bound 0.
    """
    region = puzzle.region
    named, never = np.zeros((2, len(region)), dtype=bool)
    for rule in puzzle.open_rules:
        units = region.index(np.array(rule.units, dtype=np.int64))
        named[units] = True
        never[units] |= rule.upper == 0
    axes = list(zip(*region.coordinates, strict=True))
    names = list(map(",".join(["{}"] * len(axes)).format, *axes))
    required = ~region.optional | named
    items.extend(ItemKind.UNIT, required.astype(np.int64), np.ones(len(region), np.int64), names)
    return np.flatnonzero(region.optional & named & ~never)


def _add_open(
    puzzle: Puzzle, may_open: Longs, first_open: int, items: _Items, extra: _Extra
) -> None:
    """Add the items of rules about open (uncovered) units.

    `may_open`: the units that have an option "open". These options begin at `first_open`.
    """
    region = puzzle.region
    for k, rule in enumerate(puzzle.open_rules, 1):
        units = region.index(np.array(rule.units, dtype=np.int64))
        item = items.add(ItemKind.NUMBER, rule.lower, rule.most(region), f"open units {k}")
        extra.add(first_open + np.flatnonzero(np.isin(may_open, units)), np.array([item]))


def _add_uses(
    puzzle: Puzzle, rows: list[Longs], offset: Longs, items: _Items, extra: _Extra
) -> None:
    """Add the items of rules about used pieces.

    `rows`: the placements of each piece, as units. The options of piece k begin at ``offset[k]``.
    """
    for k, rule in enumerate(puzzle.use_rules, 1):
        where = " in places" * bool(rule.places)
        label = f"uses of {' '.join(rule.pieces)}{where}, rule {k}"
        item = items.add(ItemKind.NUMBER, rule.lower, rule.most(puzzle.pieces), label)
        for number in sorted(puzzle.piece_index[name] for name in rule.pieces):
            counted = np.flatnonzero(_counted(rows[number], rule, puzzle.region))
            extra.add(offset[number] + counted, np.array([item]))


def _all_placements(puzzle: Puzzle, pulse: Callable[[], None]) -> list[Longs]:
    rows: list[Longs] = []
    tries = _tries(puzzle)
    total = 0
    for piece in puzzle.pieces:
        if tries <= 2 * TUNING.model_options and total <= TUNING.model_options:
            pulse()
            found = placements(piece, puzzle.region, puzzle.paint)
            rows.append(found if piece.upper else found[:0])
            total += len(rows[-1])
    if total > TUNING.model_options or not rows:
        limit = f"{TUNING.model_options:,} placements"
        words = f"more than {limit}" if rows else f"{tries:,} places to try, too many for {limit}"
        raise ModelError(
            f"The model of {puzzle.name} is too large: a region of {len(puzzle.region):,} units "
            f"and {len(puzzle.pieces)} pieces have {words}. Make the region smaller."
        )
    for rule in puzzle.use_rules:
        for name in rule.pieces if not rule.most(puzzle.pieces) else ():
            number = puzzle.piece_index[name]
            rows[number] = rows[number][~_counted(rows[number], rule, puzzle.region)]
    return rows


def _tries(puzzle: Puzzle) -> int:
    """Return the number of pairs of an aspect and a place in the region for its first unit.

    The place must be a unit of the same type. The aspects of all pieces are counted.
    """
    places = np.bincount(puzzle.region.types, minlength=len(puzzle.lattice.origins))
    return sum(
        int(places[puzzle.lattice.types(piece.aspects[:, 0])].sum()) for piece in puzzle.pieces
    )


def _counted(rows: Longs, rule: UseRule, region: Region) -> Mask:
    """Return a mask of the placements of a piece that count for a rule about used pieces.

    `rows`: the units of each placement, in increasing order.
    """
    found = np.full(len(rows), not rule.places)
    for place in rule.places:
        if len(place) == rows.shape[1]:
            units = np.sort(region.index(np.array(place, dtype=np.int64)))
            found |= (rows == units).all(axis=1)
    return found


def placements(piece: Piece, region: Region, paint: Paint | None = None) -> Longs:
    """Return all placements of a piece as sorted numbers of units: shape ``(count, order)``.

    They are ordered by aspect, then by the place of the aspect's first unit. On a wrapped region,
    placements that overlap themselves are left out. Each set of units is listed once, even if a
    wrap or paint lets the piece cover it in several ways. `paint`: the paint of the puzzle; None if
    nothing is painted.
    """
    paint = paint or Paint()
    aspects, codes = paint.aspects(piece)
    allowed = paint.table(region.units)
    at_once = max(1, TRIES_AT_ONCE // len(region))
    found = [
        _placed(aspects[k : k + at_once], codes[k : k + at_once], region, allowed)
        for k in range(0, len(aspects), at_once)
    ]
    rows = np.concatenate(found)
    if not len(rows) or (region.wrap is None and not codes.any()):
        return rows
    rows = rows[(np.diff(rows, axis=1) > 0).all(axis=1)]
    return rows[np.sort(distinct_rows(rows))]


def _placed(aspects: Points, codes: Codes, region: Region, allowed: Mask) -> Longs:
    """Return placements of aspects, ordered by aspect, then by the place of the first unit.

    `codes`: the paint of each aspect's units. `allowed`: whether each paint may lie on each unit of
    the region.
    """
    starts = region.units if region.wrap is None else region.wrap.sheets(region.units)
    fits = region.lattice.types(aspects[:, 0])[:, None] == region.lattice.types(starts)
    if region.wrap is None:
        for own, there in zip((aspects - aspects[:, :1]).T, region.units.T, strict=True):
            fits &= there >= (there.min() - own.min(axis=0))[:, None]
            fits &= there <= (there.max() - own.max(axis=0))[:, None]
    which, place = np.nonzero(fits)
    moves = region.steps(aspects - aspects[:, :1])
    # Of large pieces, a few units are tried first.
    steps = {-(-aspects.shape[1] // PROBED_UNITS), 1}
    for step in sorted(steps, reverse=True):
        if region.wrap is None:
            places = region.at(region.keys[place, None] + moves[which, ::step])
        else:
            shifts = starts[place] - aspects[which, 0]
            places = region.index(aspects[which, ::step] + shifts[:, None])
        inside = (places >= 0).all(axis=1)
        which, place, places = which[inside], place[inside], places[inside]
    if not allowed.all():
        places = places[allowed[codes[which], places].all(axis=1)]
    return np.sort(places, axis=1)


def _add_crossings(
    crossing: Crossing,
    region: Region,
    rows: list[Longs],
    offset: Longs,
    items: _Items,
    extra: _Extra,
    pulse: Callable[[], None],
) -> None:
    """Add the secondary items of the crossing rule: see `exactile.geometry.lattice.Crossing`.

    `rows`, `offset`: as in `_add_uses`. `pulse` is called repeatedly.
    """
    vertices, ends = _vertices(crossing, region)
    uses = [crossing.items(mask) for mask in range(1 << len(crossing.rays))]
    width = 1 + max((i for use in uses for i in use), default=-1)
    table = np.zeros((len(uses), width), dtype=bool)
    for mask, use in enumerate(uses):
        table[mask, list(use)] = True
    pairs = []  # (option, vertex, kind), by piece
    for start, row in zip(offset.tolist(), rows, strict=False):
        pulse()
        options, places = np.divmod(np.arange(row.size), max(row.shape[1], 1))
        touched = ends[row[options, places]]  # (members, rays): vertex at the end, -1 if none
        member, ray = np.nonzero(touched >= 0)
        keys = options[member] * len(vertices) + touched[member, ray]
        order = np.argsort(keys, kind="stable")
        first = np.flatnonzero(np.diff(keys[order], prepend=-1))
        distinct = keys[order[first]]
        masks = np.bitwise_or.reduceat(1 << ray[order], first) if len(first) else first
        hit, kind = np.nonzero(table[masks])
        option, vertex = np.divmod(distinct[hit], len(vertices))
        pairs.append((start + option, vertex * width + kind))
    used = np.concatenate([p[1] for p in pairs])
    if not len(used):
        return
    kinds = np.flatnonzero(np.bincount(used) > 1)  # an item in one option forbids nothing
    base = len(items.lower)
    for code in kinds.tolist():
        at, which = divmod(code, width)
        place = ",".join(str(c // region.lattice.period) for c in vertices[at])
        items.add(ItemKind.CROSSING, 0, 1, place + (f"/{which}" if width > 1 else ""))
    for options, codes in pairs:
        kept = np.isin(codes, kinds)
        extra.add(options[kept], base + np.searchsorted(kinds, codes[kept]))


def _vertices(crossing: Crossing, region: Region) -> tuple[list[tuple[int, ...]], Longs]:
    """Return the vertices of a region, and the vertices that its units end at.

    The second result has the shape ``(units, rays)``: the number of the vertex from which a ray
    (see `Crossing`) leads to the unit, or -1.
    """
    period = region.lattice.period
    origins = region.units[:, None, :] - np.array(crossing.rays)
    real = (origins % period == 0).all(axis=-1)
    if region.wrap is not None:
        origins = region.wrap.reduce(origins)
    found, inverse = np.unique(origins[real], axis=0, return_inverse=True)
    ends = np.full(real.shape, -1, dtype=np.int64)
    ends[real] = inverse.ravel()
    return [tuple(v) for v in found.tolist()], ends


def _join(blocks: list[Longs], extra: _Extra) -> tuple[Longs, Ints]:
    """Return `first` and `members` of the options, made from blocks and additional members.

    `blocks`: arrays of options, one option in each row. `extra`: pairs of an option and one more
    item.
    """
    lengths = np.concatenate([np.full(len(b), b.shape[1], dtype=np.int64) for b in blocks])
    first = np.concatenate([[0], np.cumsum(lengths)])
    members = np.concatenate([b.astype(np.int32).ravel() for b in blocks])
    if not extra.options:
        return first, members
    return extended(first, members, np.concatenate(extra.options), np.concatenate(extra.items))


SHADE_SUMS = 100_000
"""Largest number of possible sums of weights for which `unbalanced` examines a shade."""


def shade_names(lattice: Lattice) -> list[str]:
    """Return descriptions of the shades of a lattice, which are weights of units.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> shade_names(get_lattice("square"))
    ['parity of x', 'parity of y', 'parity of x + y']
    """
    names = []
    for axes, kind in _kinds(lattice):
        parity = f"parity of {' + '.join('xyz'[a] for a in axes)}" if axes else "number"
        names.append(parity if kind is None else f"{parity} of units of type {kind}")
    return names


def shades(region: Region) -> Ints:
    """Return the shades of a region, one in each row: a weight 1, -1 or 0 for each unit.

    The weight is 1 or -1 by the parity of a sum of coordinates. It is 0 if the shade is for units
    of another type.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> shades(Region(square, square.points([(0, 0), (1, 0), (1, 1)]))).tolist()
    [[1, -1, -1], [1, 1, -1], [1, -1, 1]]
    """
    lattice = region.lattice
    cells = region.units // lattice.period
    types = lattice.types(region.units)
    rows = []
    for axes, kind in _kinds(lattice):
        weights = 1 - 2 * (cells[:, list(axes)].sum(axis=1) % 2)
        rows.append(np.where((types == kind) | (kind is None), weights, 0))
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(cells))


def _kinds(lattice: Lattice) -> list[tuple[tuple[int, ...], int | None]]:
    """Return, for each shade, the axes whose coordinates are added, and the type of its units.

    The type is None if the shade has weights for units of all types.
    """
    dimension, types = lattice.dimension, len(lattice.origins)
    axes = list(
        chain.from_iterable(combinations(range(dimension), k) for k in range(dimension + 1))
    )
    if types == 1:
        return [(a, None) for a in axes if a]
    return [(a, t) for t in range(types) for a in axes]


def unbalanced(model: Model) -> int | None:
    """Return the index of a shade that proves that there is no solution; None if no shade does.

    A shade gives weights to the units; here optional units weigh 0. The placements of a solution
    must have the same total weight as all units. There is no solution if no choice of placements
    within the bounds of the pieces has this weight. Shades with more than `SHADE_SUMS` possible
    sums are skipped. The result is also None if some option does not belong to exactly one piece.

    Examples
    --------
    >>> import exactile
    >>> model = exactile.lower(exactile.load("mutilated-chessboard-6x6"))
    >>> shade_names(exactile.load("mutilated-chessboard-6x6").lattice)[unbalanced(model)]
    'parity of x + y'
    """
    meaning = model.meaning
    if not model.options or not meaning.pieces:
        return None
    required = (model.lower == 1) & (model.upper == 1) & meaning.is_unit
    weights = np.where(required, meaning.spread(meaning.shades), 0)
    of_pieces, *values = _sums(model, np.concatenate([meaning.is_piece[None], weights]))
    if (of_pieces != 1).any():
        return None
    totals = weights.sum(axis=1).tolist()
    for number, (value, total) in enumerate(zip(values, totals, strict=True)):
        if not _reaches(model, value, total):
            return number
    return None


def _sums(model: Model, weights: Longs) -> Iterator[Longs]:
    """Yield, for each row of weights of the items, the total weight of each option.

    Weights are -1, 0 or 1. Several rows are packed into one number and added at once, since models
    have many members.
    """
    lengths = np.diff(model.first)
    bits = (2 * int(lengths.max())).bit_length()  # of a row: sums of weights plus 1
    at_once = 62 // bits
    for begin in range(0, len(weights), at_once):
        some = weights[begin : begin + at_once]
        shifts = bits * np.arange(len(some))[:, None]
        parts = ((some + 1) << shifts).sum(axis=0)
        sums = np.add.reduceat(parts.take(model.members), model.first[:-1])
        yield from (sums >> shifts & (1 << bits) - 1) - lengths


def _reaches(model: Model, values: Longs, wanted: int) -> bool:
    """Return whether the placements of the pieces can have the total weight `wanted`.

    `values`: the weight of each option. The possible sums are bits of a large integer. If there
    could be more than `SHADE_SUMS` sums, the result is True.
    """
    least = int(min(values.min(), 0))
    width = int(values.max(initial=0)) - least + 1
    pieces, piece = model.meaning.pieces, model.piece_of.astype(np.int64)
    choices = np.flatnonzero(np.bincount(piece * width + values - least))
    options = np.bincount(piece, minlength=pieces)
    if (options < model.lower[:pieces]).any():
        return False
    uses = np.minimum(model.upper[:pieces], options).tolist()
    if sum(uses) * width > SHADE_SUMS:
        return True
    sums = 1  # bit k: the sum k, where each use so far counts -least more
    total = sum(uses)
    for number, (low, high) in enumerate(zip(model.lower[:pieces].tolist(), uses, strict=True)):
        own = [int(c) - number * width for c in choices[choices // width == number]]
        idle = -least  # the bits for the value 0, of a use that does not happen
        now, found = sums, sums << high * idle if low == 0 else 0
        for use in range(1, high + 1):
            now = reduce(or_, (now << value for value in own), 0)
            if use >= low:
                found |= now << (high - use) * idle
        sums = found
    place = wanted - total * least
    return place >= 0 and bool(sums >> place & 1)
