"""Transformations between solutions.

A transformation moves a block of pieces, exchanges two congruent sets of pieces, or rearranges two
pieces within their union.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from exactile._native import find_moves
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.search.limits import Limits
from exactile.surveys.classes.isometries import Isometries, isometries
from exactile.surveys.classes.solutions import Solutions

CLASS_KEYS_AT_ONCE = 4_000_000
"""Approximate number of signatures that are sorted at a time; more would need much memory."""


def rearranged_pairs(
    solutions: Solutions, pulse: Callable[[], None] = lambda: None
) -> tuple[Longs, Assignments]:
    """Return pairs of a solution and an image of a solution that differ in just two placements.

    The two become equal when two placements are removed from each. So for each image and any two of
    its placements, the signature of the rest is computed, and images with equal signatures are
    compared. A pair is returned only if the placements removed from its solution have the same
    pieces and units as those removed from its image.

    `pulse`: called many times a second; an exception that it raises ends the work.

    The result: the number of the solution in each pair, shape ``(n,)``, and the sorted options of
    the image in each pair, shape ``(n, k)``.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    >>> numbers, rows = rearranged_pairs(solutions)
    >>> len(numbers), rows.shape[1]
    (8, 7)
    """
    images = solutions.images.reshape(-1, solutions.rows.shape[1])
    whole = solutions.signatures(images)
    left, right = np.triu_indices(images.shape[1], 1)
    passes = 1 + len(images) * len(left) // CLASS_KEYS_AT_ONCE
    numbers, rows = [np.zeros(0, dtype=np.int64)], [images[:0]]
    for residue in range(passes):
        keys, owners = _keys(solutions, images, whole, (left, right), passes, residue, pulse)
        for one, other in _equal_neighbors(keys, owners, len(solutions)):
            good = _rearranged(solutions, images[one], images[other], pulse)
            numbers.append(one[good])
            rows.append(images[other[good]])
    return np.concatenate(numbers), np.concatenate(rows)


def _keys(
    solutions: Solutions,
    images: Assignments,
    whole: Longs,
    columns: tuple[Longs, Longs],
    passes: int,
    residue: int,
    pulse: Callable[[], None],
) -> tuple[Longs, Longs]:
    """Return sorted signatures of images after removing two placements, and the image of each.

    `whole`: signatures of the whole images. `columns`: the pairs of columns to remove. Only
    signatures equal to `residue` modulo `passes` are returned.
    """
    keys, owners = [], []
    for i, j in zip(*columns, strict=True):
        pulse()
        real = np.flatnonzero(images[:, i] >= 0)
        rest = whole[real] - solutions.codes(images[real, i]) - solutions.codes(images[real, j])
        mine = rest % passes == residue
        keys.append(rest[mine])
        owners.append(real[mine])
    if not keys:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    key, owner = np.concatenate(keys), np.concatenate(owners)
    order = np.argsort(key, kind="stable")
    return key[order], owner[order]


def _equal_neighbors(keys: Longs, owners: Longs, count: int) -> list[tuple[Longs, Longs]]:
    """Return pairs of different images with equal keys, as arrays of first and second images.

    `keys`: sorted keys. `owners`: the image that each key belongs to. The first image of each
    returned pair is a solution itself: its number is less than `count`.
    """
    found = []
    for distance in range(1, len(keys)):
        same = np.flatnonzero(keys[distance:] == keys[:-distance])
        if not len(same):
            break
        one, other = owners[same], owners[same + distance]
        for a, b in ((one, other), (other, one)):
            chosen = (a < count) & (a != b)
            found.append((a[chosen], b[chosen]))
    return found


def _rearranged(
    solutions: Solutions, one: Assignments, other: Assignments, pulse: Callable[[], None]
) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows in which `one` and `other` differ in just two placements.

    The two placements of `one` must have the same pieces and units as the two of `other`.
    """
    result: npt.NDArray[np.bool_] = np.zeros(len(one), dtype=bool)
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        pulse()
        old, new = np.setdiff1d(a, b), np.setdiff1d(b, a)
        if len(old) == len(new) == 2:
            result[k] = _contents(solutions.model, old) == _contents(solutions.model, new)
    return result


def _contents(model: Model, options: Ints) -> tuple[list[int], list[int]]:
    """Return the units that options cover, and the pieces that they place, both sorted."""
    units, _ = model.covered(options)
    return sorted(units.tolist()), sorted(model.piece_of[options].tolist())


CLASS_PAIRS_AT_ONCE = 200_000
"""Number of pairs of a solution and an isometry that are tried between two checks of the limits."""


Halves = tuple[Ints, Ints] | None
"""The two sets of an exchange, as columns of the solution's options; None for other kinds."""


class Kind(IntEnum):
    """The kinds of transformations: how pieces of a solution are moved."""

    BLOCK = 1
    """A set of pieces whose union has a symmetry is moved by this symmetry, as one block."""

    EXCHANGE = 2
    """Two congruent sets of pieces are exchanged, each as one block."""

    PAIR = 3
    """Two pieces are rearranged within their union."""


@dataclass(frozen=True)
class Transformation:
    """A transformation of one solution into an image of a later one under a symmetry of the puzzle.

    `first`, `second`: numbers of the two solutions; the first is smaller. `element`: number of the
    symmetry. `kinds`: the kinds of the transformation, of which it may have several. `moved`: the
    options of the first solution that are not in the image of the second. `halves`: for an
    exchange, the two sets of options; otherwise empty. `isometry`: number, in the `Isometries`
    used, of the isometry that moves the block or the first half; None for a pair.
    """

    first: int
    second: int
    element: int
    kinds: frozenset[Kind]
    moved: tuple[int, ...]
    halves: tuple[tuple[int, ...], ...] = ()
    isometry: int | None = None

    @property
    def kind(self) -> Kind:
        """The first of the transformation's kinds, in the order of `Kind`."""
        return min(self.kinds)


@dataclass(frozen=True, eq=False)
class Moves:
    """Changes to solutions, as arrays and a list with an entry for each change.

    `solutions`: the number of the solution that is changed, shape ``(n,)``. `rows`: the options
    after the change, sorted, shape ``(n, k)``. `isometries`: the number of the isometry that moves
    the pieces, shape ``(n,)``; -1 if there is none.
    """

    solutions: Longs
    rows: Assignments
    isometries: Ints
    halves: list[Halves]


def transformations(
    solutions: Solutions,
    *,
    shared: int = 2,
    moved_by: Isometries | None = None,
    watch: Callable[[float], None] | None = None,
    remarks: list[str] | None = None,
    limits: Limits | None = None,
) -> list[Transformation]:
    """Return all transformations between solutions, in the order of the first solution of each.

    Each solution is compared with the images of all other solutions under the puzzle's symmetries.
    Transformations that are images of each other under a symmetry of the first solution count once.

    One isometry may move several separate blocks of a solution, or exchange several pairs of sets.
    Unions of these are tried as well, unless there are more than ten blocks or pairs. The classes
    of solutions are the same without the unions.

    - `shared`: two solutions are compared only if they have at least this many placements in
      common.
    - `moved_by`: the result of `usable_isometries`, if it is known.
    - `watch`: called from time to time with the fraction of the work that is done.
    - `remarks`: a list to which a sentence is added if transformations were left out, or if a limit
      was reached.
    - `limits`: when to stop; the result then has the transformations that were found.

    Raise PuzzleError if `moved_by` is None and the region's ends are joined with a reflection.

    Notes
    -----
    The kinds are those of W. J. Hansen, "Equivalence Classes Among Pentomino Tilings of the 6x10
    Rectangle", which compares solutions that share at least two placements.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    >>> found = transformations(solutions)
    >>> len(solutions), len(found)
    (368, 611)
    """
    if len(solutions) < 2:
        return []
    limits = limits or Limits()
    known = usable_isometries(solutions, limits) if moved_by is None else moved_by
    found: dict[tuple[int, int], Transformation] = {}
    for kind, moves in _all_moves(solutions, known, watch, remarks, limits):
        for least, change in _between_solutions(solutions, kind, moves, shared):
            place = change.first, least
            other = found.get(place)
            if other is None:
                found[place] = change
            else:
                best = min(other, change, key=lambda c: c.kind)
                kinds = other.kinds | change.kinds
                halves = best.halves or other.halves or change.halves
                found[place] = replace(best, kinds=kinds, halves=halves)
    return [found[place] for place in sorted(found)]


def usable_isometries(solutions: Solutions, limits: Limits | None = None) -> Isometries:
    """Return the isometries that may move two pieces or more within the region.

    If a limit is reached, the result is empty or incomplete. `limits`: None for no limit. Raise
    PuzzleError if the region's ends are joined with a reflection.
    """
    puzzle = solutions.puzzle
    least = 2 * min(len(piece.units) for piece in puzzle.pieces)
    return isometries(puzzle.region, least, (limits or Limits()).reached)


def _all_moves(
    solutions: Solutions,
    known: Isometries,
    watch: Callable[[float], None] | None,
    remarks: list[str] | None,
    limits: Limits,
) -> Iterator[tuple[Kind, Moves]]:
    """Yield the changes of each kind to solutions, batch by batch.

    The result of a change need not be a solution: the caller looks it up.
    """
    try:
        yield from _blocks_and_exchanges(solutions, known, watch, remarks, limits)
        numbers, changed = rearranged_pairs(solutions, limits.require)
    except TimeoutError as reason:
        if remarks is not None:
            remarks.append(
                f"Not all were compared ({reason}): classes may be parts of larger ones."
            )
        return
    nothing = np.full(len(numbers), -1, dtype=np.int32)
    yield Kind.PAIR, Moves(numbers, changed, nothing, [None] * len(numbers))


def _blocks_and_exchanges(
    solutions: Solutions,
    known: Isometries,
    watch: Callable[[float], None] | None,
    remarks: list[str] | None,
    limits: Limits,
) -> Iterator[tuple[Kind, Moves]]:
    """Yield the changes that move blocks or exchange sets of pieces, batch by batch.

    An isometry moves a block. For an exchange, it moves one set, and its inverse the other. Raise
    TimeoutError if a limit is reached.
    """
    cut_short = 0
    pieces = solutions.pieces()
    step = max(1, CLASS_PAIRS_AT_ONCE // max(len(known), solutions.rows.shape[1]))
    for begin in range(0, len(solutions), step):
        limits.require()
        rows = solutions.rows[begin : begin + step]
        owners = solutions.owners(rows)
        for kind in (Kind.BLOCK, Kind.EXCHANGE):
            limits.require()
            chosen = np.flatnonzero(known.wanted & kind)
            number, isometry, first, placements, cut = find_moves(
                owners,
                pieces[begin : begin + step],
                known.images[chosen],
                np.full(len(chosen), kind, dtype=np.uint8),
            )
            cut_short += cut
            isometry = chosen[isometry].astype(np.int32)
            changed = _moved_rows(solutions, known, rows, number, isometry, first, placements)
            halves: list[Halves] = [None] * len(number)
            if kind == Kind.EXCHANGE:
                halves = _halves(first, placements)
            yield kind, Moves(number + np.int64(begin), changed, isometry, halves)
        if watch is not None:
            watch(min(1.0, (begin + step) / len(solutions)))
    if cut_short and remarks is not None:
        remarks.append(
            f"{cut_short:,} times one isometry moves more than ten blocks or pairs of sets: unions "
            "of these are not among the transformations. The classes are the same."
        )


def _halves(first: Longs, placements: Ints) -> list[Halves]:
    """Return the two sets of each exchange, as columns.

    The isometry moves the first set, and its inverse the second. `first`: index in `placements` at
    which each exchange begins. `placements`: columns, written ~c for column c if the inverse moves
    it.
    """
    parts = np.split(placements, first[1:-1]) if len(first) > 1 else []
    return [(p[p >= 0], ~p[p < 0]) for p in parts]


def _moved_rows(
    solutions: Solutions,
    known: Isometries,
    rows: Assignments,
    number: Ints,
    isometry: Ints,
    first: Longs,
    placements: Ints,
) -> Assignments:
    """Return the sorted options of the changed solutions; -2 for a placement that is not an option.

    Change k applies isometry ``isometry[k]`` to row ``number[k]``. It moves the columns in
    `placements` from index ``first[k]`` on: column c by the isometry, ~c by its inverse.
    """
    result = rows[number]
    record = np.repeat(np.arange(len(number)), np.diff(first))
    backwards = placements < 0
    columns = np.where(backwards, ~placements, placements)
    options = rows[number[record], columns].astype(np.int64)
    # The same option is moved by the same isometry in many solutions: compute it once.
    triples = np.stack([options, isometry[record], backwards], axis=1)
    distinct, places = np.unique(triples, axis=0, return_inverse=True)
    moved = _moved_options(solutions, known, distinct)
    result[record, columns] = moved[places.ravel()]
    result.sort(axis=1)
    return result


def _moved_options(solutions: Solutions, known: Isometries, triples: Longs) -> Ints:
    """Return the images of options under isometries; -2 for an image that is not an option.

    `triples`: in each row an option, the number of an isometry, and 1 to apply its inverse, else 0.
    """
    if not len(triples):
        return np.zeros(0, dtype=np.int32)
    options, isometry, backwards = triples.T
    members, starts = solutions.action.gather(options)
    owner = np.repeat(np.arange(len(options)), np.diff(np.append(starts, len(members))))
    units = solutions.model.meaning.unit_of(members)
    moved = members.copy()
    for way, table in ((0, known.images), (1, known.inverses)):
        here = (units >= 0) & (backwards[owner] == way)
        images = table[isometry[owner[here]], units[here]]
        moved[here] = solutions.model.meaning.items_of(images)
    found = solutions.action.find(moved, starts)
    return np.where(found < 0, -2, found).astype(np.int32)


def _between_solutions(
    solutions: Solutions, kind: Kind, moves: Moves, shared: int
) -> Iterator[tuple[int, Transformation]]:
    """Yield the transformations among the changes, each with a key.

    A change is a transformation if it turns a solution into an image of a later solution and keeps
    at least `shared` placements. Transformations that differ only by a symmetry that fixes the
    first solution have the same key: the least place of their results, see `Solutions.find`.
    """
    count = len(solutions)
    places = solutions.find(moves.rows)
    for k in np.flatnonzero(places >= 0).tolist():
        first = int(moves.solutions[k])
        place = int(places[k])
        element, second = divmod(place, count)
        if second <= first:
            continue
        row, kept = solutions.rows[first], set(moves.rows[k].tolist())
        moved = tuple(option for option in row.tolist() if option not in kept)
        if int((row >= 0).sum()) - len(moved) < shared:
            continue
        both = moves.halves[k]
        yield (
            solutions.least_place(first, place),
            Transformation(
                first,
                second,
                element,
                frozenset([kind]),
                moved,
                tuple(tuple(row[half].tolist()) for half in both) if both else (),
                int(moves.isometries[k]) if moves.isometries[k] >= 0 else None,
            ),
        )
