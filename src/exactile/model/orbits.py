"""Symmetries acting on options, to count solutions up to symmetry and to skip equivalent branches.

A puzzle may have thousands of symmetries (a torus) and its model millions of options. A table of
all images would be too large. Images are therefore looked up only for options that occur in
solutions, when they occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from exactile.errors import CheckFailedError, PuzzleError
from exactile.model.model import Ints, Longs, Model
from exactile.puzzle.symmetry import Symmetry

OPTION_IMAGES = 2_000_000
"""Largest size of a table of images: the number of symmetries times the number of options."""

IMAGES_AT_ONCE = 1 << 16
"""Largest number of images of options looked up at once, unless one symmetry has more."""


Assignments = npt.NDArray[np.int32]
"""Assignments, one in each row: shape ``(n, k)``. Options are in any order, padded with -1."""

Numbers = npt.NDArray[np.integer]


class Action:
    """A symmetry group of a puzzle, acting on the options of its model.

    An option is identified by its piece and its units, or, if it states that two pieces lie apart,
    by these two pieces. An option is looked up by the sum of random numbers assigned to its pieces
    and units, and then compared member by member.

    Symmetries are numbered; number 0 is the identity. `everywhere`: False if some options have
    images that are not options; `local` then makes no table of all images.

    Examples
    --------
    >>> import exactile
    >>> from exactile.puzzle.symmetry import symmetries
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> action = Action(exactile.lower(puzzle), symmetries(puzzle))
    >>> action.order, action.images(0, np.array([5, 7])).tolist()
    (4, [5, 7])
    """

    def __init__(
        self, model: Model, symmetries: Sequence[Symmetry], *, everywhere: bool = True
    ) -> None:
        self._begin(
            model,
            np.array([model.meaning.carried(s) for s in symmetries], dtype=np.int64),
            np.array([s.proper for s in symmetries]),
        )
        self._everywhere = everywhere

    @classmethod
    def on_items(cls, model: Model, items: Longs, proper: npt.NDArray[np.bool_]) -> Self:
        """Return the action of a group whose effect on the first items of a model is given.

        `items`: the image of each of these items, one symmetry in each row. No two options may have
        the same set of these items. `proper`: mask of the symmetries that are rotations or
        translations.
        """
        action = cls.__new__(cls)
        action._begin(model, items, proper)
        return action

    def _begin(self, model: Model, items: Longs, proper: npt.NDArray[np.bool_]) -> None:
        self.items: Longs = items
        self.proper = proper
        self._everywhere = True
        self._options = model.options
        self._asked = 0
        self._span = int(items.shape[1])
        core = model.members < self._span
        own = model.members[core].astype(np.int64)
        before = np.concatenate([[0], np.cumsum(core)])[model.first]
        apart = model.meaning.apart
        self._members = np.concatenate([own, np.sort(apart, axis=1).ravel()])
        pairs = np.arange(len(apart) + 1) * 2
        self._first = np.append(before[: model.deciding], len(own) + pairs)
        self._codes = _codes(self._span)
        keys = _sums(self._codes.take(self._members), self._first[:-1])
        self._by_key = np.argsort(keys, kind="stable")
        self._keys = keys[self._by_key]

    @property
    def order(self) -> int:
        """Number of symmetries."""
        return len(self.items)

    def gather(self, options: Longs) -> tuple[Longs, Longs]:
        """Return the pieces and units of options in one array, and each option's start in it."""
        lengths = self._first[options + 1] - self._first[options]
        starts = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(self._first[options] - starts, lengths)
        return self._members.take(places), starts

    def images(self, element: int, options: Longs) -> Longs:
        """Return the images of options under the symmetry with number `element`.

        Raise CheckFailedError if an image is not an option, as for a symmetry of another model.
        """
        return np.asarray(self._images(slice(element, element + 1), options)[0])

    def all_images(self, options: Longs) -> Longs:
        """Return the images of options under every symmetry, shape ``(order, options)``.

        Images are cached if there are at most `OPTION_IMAGES` in all. For errors see `images`.
        """
        if self.order * self._options > OPTION_IMAGES:
            return self._looked_up(options)
        images, is_known = self._kept
        is_fresh = np.zeros(self._options, dtype=bool)
        is_fresh[options] = True
        fresh = np.flatnonzero(is_fresh & ~is_known)
        if len(fresh):
            images[:, fresh] = self._looked_up(fresh)
            is_known[fresh] = True
        return images[:, options].astype(np.int64)

    def _looked_up(self, options: Longs) -> Longs:
        step = max(1, IMAGES_AT_ONCE // max(1, len(options)))
        parts = [self._images(slice(k, k + step), options) for k in range(0, self.order, step)]
        return np.concatenate(parts)

    @cached_property
    def _kept(self) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Images that were looked up earlier, and a mask of the options that have them.

        A single attribute holds both, so that all threads get the same pair.
        """
        images = np.empty((self.order, self._options), dtype=np.int32)
        return images, np.zeros(self._options, dtype=bool)

    def _images(self, elements: slice, options: Longs) -> Longs:
        """Return the images of options under a slice of the symmetries, one symmetry per row."""
        members, starts = self.gather(options)
        moved = self.items[elements].take(members, axis=1)
        begins = np.arange(len(moved))[:, None] * len(members) + starts
        targets = self.find(moved.ravel(), begins.ravel()).reshape(len(moved), len(options))
        if (targets < 0).any():
            raise CheckFailedError("A symmetry of the puzzle carries an option to no option.")
        return np.asarray(targets)

    def find(self, members: Longs, starts: Longs) -> Longs:
        """Return the options with the given pieces and units (see `gather`); -1 for none."""
        place = np.searchsorted(self._keys, _sums(self._codes.take(members), starts))
        targets = self._by_key[np.minimum(place, self._options - 1)]
        return np.where(self._equal(members, starts, targets), targets, -1)

    def table(self, most: int) -> Ints | None:
        """Return a table of the images of all options under each symmetry: ``(order, options)``.

        None if the table would be empty or have more than `most` entries, or if the identity is the
        only symmetry.
        """
        if self.order == 1 or not 0 < self.order * self._options <= most:
            return None
        return self._table

    @cached_property
    def _table(self) -> Ints:
        """The images of all options under each symmetry, shape ``(order, options)``.

        Only images under generators of the group are looked up; all others are composed of these.
        """
        every = np.arange(self._options)
        found = {self.items[0].tobytes(): (self.items[0], every)}
        looked_up = []
        for element, items in enumerate(self.items):
            if items.tobytes() in found:
                continue
            looked_up.append((items, self.images(element, every)))
            fresh = list(found.values())
            while fresh:
                products = [(a[c], b[d]) for c, d in fresh for a, b in looked_up]
                fresh = [p for p in products if p[0].tobytes() not in found]
                found |= {p[0].tobytes(): p for p in fresh}
        return np.array([found[items.tobytes()][1] for items in self.items], dtype=np.int32)

    def local(self, rows: Assignments) -> tuple[Numbers, Callable[[int], Ints]]:
        """Return assignments with renumbered options, and a function that returns images.

        The function takes the number of a symmetry and returns an array: for each new number, the
        image as an option of the model. After many assignments, if a table of all images is not
        too large, the table is used, and options keep their numbers.
        """
        self._asked += rows.size
        most = OPTION_IMAGES if self._everywhere else 0
        if self._asked > self._options and self.order * self._options <= most:
            return rows, self._with_none.__getitem__
        options, inverse = np.unique(rows, return_inverse=True)
        none = np.full(int((options[:1] < 0).sum()), -1)

        some = options[len(none) :].astype(np.int64)
        numbers = inverse.reshape(rows.shape)
        if self.order * len(some) <= IMAGES_AT_ONCE:
            padded = np.pad(self.all_images(some), ((0, 0), (len(none), 0)), constant_values=-1)
            return numbers, padded.astype(np.int32).__getitem__

        def image(element: int) -> Ints:
            return np.append(none, self.images(element, some)).astype(np.int32)

        return numbers, image

    def sorted_images(
        self, rows: Assignments, elements: Sequence[int], ranks: Longs | None = None
    ) -> Iterator[Assignments]:
        """Yield the images of assignments under several symmetries at a time, with sorted options.

        Each yielded array has the shape ``(symmetries, n, k)`` for n assignments of k options. The
        symmetries are taken in the order of `elements`. `ranks`: a number for each option, which
        replaces it in the result, and a final -1 for padding.
        """
        numbers, image = self.local(rows)
        step = max(1, IMAGES_AT_ONCE // max(1, rows.size))
        for begin in range(0, len(elements), step):
            images = np.array([image(element) for element in elements[begin : begin + step]])
            found = images[:, numbers]
            yield np.sort(found if ranks is None else ranks.take(found), axis=2)

    @cached_property
    def _with_none(self) -> Ints:
        """The table of images with one more column, which maps the padding -1 to -1."""
        return np.pad(self._table, ((0, 0), (0, 1)), constant_values=-1)

    def _equal(self, moved: Longs, starts: Longs, targets: Longs) -> npt.NDArray[np.bool_]:
        """Return a mask of the targets (options) that have exactly the given pieces and units.

        `moved`: the pieces and units to compare with each target, one target after the other.
        `starts`: the index in `moved` at which the entries of each target begin.
        """
        wanted, wanted_starts = self.gather(targets)
        lengths = np.diff(np.append(starts, len(moved)))
        wanted_lengths = np.diff(np.append(wanted_starts, len(wanted)))
        if len(targets) and (lengths == lengths[0]).all() and (wanted_lengths == lengths[0]).all():
            shape = len(targets), int(lengths[0])
            return np.asarray(
                (np.sort(moved.reshape(shape), axis=1) == wanted.reshape(shape)).all(axis=1)
            )
        same = np.asarray(lengths == wanted_lengths)
        owner = np.repeat(np.arange(len(targets)), lengths)
        mine = np.sort(owner * self._span + moved)[same[owner]]
        theirs = np.repeat(np.arange(len(targets)), wanted_lengths) * self._span + wanted
        theirs = theirs[same[theirs // self._span]]
        same[mine[mine != theirs] // self._span] = False
        return same


def _codes(number: int) -> Longs:
    """Return pseudorandom integers of 64 bits, always the same: splitmix64 with the seed 0."""
    z = np.arange(1, number + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).view(np.int64)


def _sums(values: Longs, starts: Longs) -> Longs:
    """Return the sum of each option's values, modulo 2**64; no option is empty."""
    return np.asarray(np.add.reduceat(values, starts)) if len(values) else values


@dataclass
class OrbitCounter:
    """Counts solutions raw and up to symmetry, batch by batch, without keeping them.

    By Burnside's lemma, the number of orbits is the number of pairs of a symmetry and a solution
    that it fixes, divided by the order of the group. This is exact even if solutions are symmetric,
    provided that all solutions are counted. A solution may be counted several times in place of
    other solutions of its orbit, since the same number of symmetries fixes each of them.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     counter = OrbitCounter(search.action)
    ...     for rows in search.batches():
    ...         counter.add(rows)
    >>> counter.numbers
    (18, 9, 9)
    """

    action: Action
    raw: int = 0
    _kept: int = 0
    _kept_properly: int = 0
    _waiting: list[tuple[Assignments, Longs]] = field(default_factory=list)

    AT_ONCE = 4096
    """Number of solutions that are collected before their images are computed."""

    LOOKED_AT = 4
    """Number of options of a solution whose images are tested first, before all others."""

    def add(self, assignments: Assignments, multiples: Longs | None = None) -> None:
        """Count a batch; `multiples` is how often each solution counts, by default once."""
        if multiples is None:
            multiples = np.ones(len(assignments), dtype=np.int64)
        number = int(multiples.sum())
        self.raw += number
        if assignments.size:
            self._waiting.append((assignments, multiples))
        else:  # the empty solution: every symmetry keeps it
            self._kept += self.action.order * number
            self._kept_properly += int(self.action.proper.sum()) * number
        if sum(len(rows) for rows, _ in self._waiting) >= self.AT_ONCE:
            self._count()

    def pairs(self) -> tuple[int, int, int]:
        """Return the numbers of solutions, of fixed pairs, and of proper fixed pairs.

        A fixed pair is a symmetry and a solution that it maps to itself. It is proper if the
        symmetry is.
        """
        self._count()
        return self.raw, self._kept, self._kept_properly

    def _count(self) -> None:
        """Count the pairs of a symmetry and a collected solution that it maps to itself."""
        for rows, multiples in self._waiting_together():
            number = int(multiples.sum())
            self._kept += number
            self._kept_properly += number
            if self.action.order == 1:
                continue
            numbers, image = self.action.local(rows)
            columns = np.ascontiguousarray(rows.T)
            spread = np.linspace(0, rows.shape[1] - 1, self.LOOKED_AT + 2, dtype=np.int64)[1:-1]
            looked_at = np.ascontiguousarray(numbers.T[spread])
            for element in range(1, self.action.order):
                images = image(element)
                here, kept = columns, np.arange(len(rows))
                for own in looked_at:  # a fixed solution contains the image of each of its options
                    stay = np.flatnonzero((here == images.take(own.take(kept))).any(axis=0))
                    if len(stay) < len(kept):
                        kept = kept.take(stay)
                        here = columns.take(kept, axis=1)
                moved = np.sort(images[numbers[kept]], axis=1)
                stay = kept[(moved == np.sort(rows[kept], axis=1)).all(axis=1)]
                same = int(multiples[stay].sum())
                self._kept += same
                self._kept_properly += same * bool(self.action.proper[element])

    def _waiting_together(self) -> list[tuple[Assignments, Longs]]:
        """Remove and return the collected solutions, one array for each number of options."""
        by_width: dict[int, list[tuple[Assignments, Longs]]] = {}
        for rows, multiples in self._waiting:
            by_width.setdefault(rows.shape[1], []).append((rows, multiples))
        self._waiting = []
        groups = (zip(*group, strict=True) for group in by_width.values())
        return [(np.concatenate(rows), np.concatenate(times)) for rows, times in groups]

    @property
    def rotation(self) -> int:
        """Number of solutions up to the proper symmetries; for errors see `exact_quotient`."""
        self._count()
        return exact_quotient(self._kept_properly, int(self.action.proper.sum()))

    @property
    def symmetry(self) -> int:
        """Number of solutions up to all symmetries; for errors see `exact_quotient`."""
        self._count()
        return exact_quotient(self._kept, self.action.order)

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The numbers of solutions: all, up to proper symmetries, up to all symmetries."""
        return self.raw, self.rotation, self.symmetry


def exact_quotient(total: int, order: int) -> int:
    """Return `total` divided by `order`: by Burnside's lemma, the number of orbits.

    `total`: number of pairs of a symmetry and a solution that it fixes. `order`: number of
    symmetries. Raise CheckFailedError if the quotient is not an integer.
    """
    if total % order:
        raise CheckFailedError(
            f"The solutions do not form whole orbits: {total} is not a multiple of {order}. Some "
            "solutions are missing or counted twice."
        )
    return total // order


@dataclass(frozen=True, eq=False)
class Branches:
    """Branches of a search at one item: one option of each orbit of the item's options.

    Every symmetry maps the item to itself, and every solution contains it exactly once. `all`: the
    options of the item. `options`: the branches. `elements`: for each branch, the numbers of
    symmetries that map it to the options of its orbit, one symmetry for each option.
    """

    action: Action
    item: int
    all: Longs
    options: list[int]
    elements: list[list[int]]

    @property
    def spared(self) -> tuple[int, ...]:
        """The prefix that excludes all options of the item that are not branches.

        If there are solutions, some solution extends the prefix. A search with the prefix may begin
        at any item, a search of the branches only at `item`.
        """
        return tuple((~np.setdiff1d(self.all, self.options)).tolist())

    def expanded(self, rows: Assignments) -> Assignments:
        """Return all solutions that the solutions found in the branches represent.

        `rows`: the solutions found. In the result, the images of a solution follow each other. If
        solutions arrive branch by branch, their division into batches does not affect the order.
        """
        if not len(rows):
            return rows
        numbers, image = self.action.local(rows)
        parts = []
        for option, elements in zip(self.options, self.elements, strict=True):
            here = numbers[(rows == option).any(axis=1)]
            if len(here):
                images = np.array([image(element) for element in elements])
                moved = images[:, here].transpose(1, 0, 2)
                parts.append(moved.reshape(-1, rows.shape[1]))
        return np.concatenate(parts) if parts else rows


def branches(model: Model, action: Action) -> Branches | None:
    """Return the branches of a search at an item that every symmetry maps to itself, or None.

    The item must have the bounds 1..1. If it has options, some symmetry must move one of them.
    Of several such items, the one with the fewest options is used. None if there is no such item,
    or if the identity is the only symmetry.
    """
    core = action.items.shape[1]
    exactly_once = (model.lower == 1) & (model.upper == 1)
    items = np.flatnonzero(exactly_once[:core] & (action.items == np.arange(core)).all(axis=0))
    if action.order == 1:
        return None
    uses = model.uses[items]
    for item in items[np.argsort(uses, kind="stable")].tolist():
        # One pass: `options_with` would sort the members of the whole model.
        options = left = model.option_of[model.members == item]
        chosen: list[int] = []
        elements: list[list[int]] = []
        is_seen = np.zeros(model.options, dtype=bool)
        while len(left):
            some = left[: -(-len(left) // action.order)]  # few more than are chosen
            images = action.all_images(some)
            for column, option in enumerate(some.tolist()):
                if not is_seen[option]:
                    orbit, first = np.unique(images[:, column], return_index=True)
                    is_seen[orbit] = True
                    chosen.append(option)
                    elements.append(first.tolist())
            left = left[~is_seen[left]]
        if len(chosen) < len(options) or not len(options):
            return Branches(action, item, options, chosen, elements)
    return None


def leading(
    action: Action, rows: Assignments, chosen: Sequence[int] | None = None
) -> npt.NDArray[np.bool_]:
    """Return a mask of the solutions that are the greatest of their orbit.

    Solutions are compared by their options, sorted in decreasing order. `chosen`: options of which
    each row has one; a row is then compared only with images that also have one of them. The result
    for a row does not depend on other rows.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     sum(int(leading(search.action, rows).sum()) for rows in search.batches())
    9
    """
    kept = np.arange(len(rows))
    if rows.size:
        numbers, image = action.local(rows)
        own = np.sort(rows, axis=1)[:, ::-1]
        columns, greatest = np.ascontiguousarray(numbers.T, dtype=np.intp), own[:, 0]
        for element in range(1, action.order):
            moved = image(element).take(columns)
            above = moved.max(axis=0) - greatest
            equal = np.flatnonzero(above == 0)
            if len(equal):
                here, there = own[kept[equal]], np.sort(moved[:, equal].T, axis=1)[:, ::-1]
                column = np.argmax(here != there, axis=1)[:, None]
                differences = np.take_along_axis(there, column, 1) - np.take_along_axis(
                    here, column, 1
                )
                above[equal] = differences[:, 0]
            greater = above > 0
            if chosen is not None:
                greater &= np.isin(moved, chosen).any(axis=0)
            stay = np.flatnonzero(~greater)
            kept, greatest = kept.take(stay), greatest.take(stay)
            columns = columns.take(stay, axis=1)
    mask = np.zeros(len(rows), dtype=bool)
    mask[kept] = True
    return mask


UP_TO = {"rotation": True, "symmetry": False}
"""Maps each way to count up to symmetry to whether only proper symmetries make solutions equal."""


class Representatives:
    """Selects the first solution of each orbit; later images of it are filtered out.

    The least image of every selected solution is kept, so that the result is right for any order of
    the solutions, even if a search is stopped. `up_to`: ``"rotation"`` if images under proper
    symmetries count as equal, ``"symmetry"`` if all do; any other value raises PuzzleError.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     first = Representatives(search.action, "symmetry")
    ...     sum(int(first.new(rows).sum()) for rows in search.batches())
    9
    """

    def __init__(self, action: Action, up_to: str) -> None:
        if up_to not in UP_TO:
            raise PuzzleError(f"Solutions are equal up to {' or '.join(UP_TO)}, not '{up_to}'.")
        everything = range(action.order)
        self._action = action
        self._elements = [g for g in everything if action.proper[g] or not UP_TO[up_to]]
        self._seen: set[bytes] = set()

    def new(self, rows: Assignments) -> npt.NDArray[np.bool_]:
        """Return a mask of the solutions of which no image has occurred before."""
        return self._new(least_images(self._action, rows, self._elements))

    def least(self, rows: Assignments, ranks: Longs) -> Assignments:
        """Select solutions as `new` does, and return their `least_images` by `ranks`."""
        found = least_images(self._action, rows, self._elements, ranks)
        return found[self._new(found)]

    def _new(self, found: Assignments) -> npt.NDArray[np.bool_]:
        kept = np.zeros(len(found), dtype=bool)
        for number, least in enumerate(found):
            key = least[least >= 0].tobytes()
            kept[number] = key not in self._seen
            self._seen.add(key)
        return kept


def least_images(
    action: Action,
    rows: Assignments,
    elements: Sequence[int] | None = None,
    ranks: Longs | None = None,
) -> Assignments:
    """Return the least image of each solution, its options sorted.

    `elements`: numbers of the symmetries that count, by default all. `ranks`: the place of each
    option in the order by which options are compared, then -1 for padding; by default, options are
    compared by their numbers.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7")) as search:
    ...     rows = np.concatenate(list(search.batches()))
    >>> len(rows), len(np.unique(least_images(search.action, rows), axis=0))
    (18, 9)
    """
    if not rows.size:
        return rows
    best = np.empty((0, *rows.shape), dtype=np.int32)
    elements = range(action.order) if elements is None else elements
    for images in action.sorted_images(rows, elements, ranks):
        best = np.concatenate([best, images])
        while len(best) > 1:
            half = len(best) // 2
            lesser = _lesser(best[:half], best[half : 2 * half])
            best = np.concatenate([lesser, best[2 * half :]])
    if ranks is not None:
        best = np.sort(np.append(np.argsort(ranks[:-1]), -1)[best], axis=2).astype(np.int32)
    return np.asarray(best[0])


def _lesser(one: Assignments, other: Assignments) -> Assignments:
    """Return, for each pair of rows, the lexicographically lesser one."""
    column = np.argmax(one != other, axis=-1)[..., None]
    less = np.take_along_axis(other, column, -1) < np.take_along_axis(one, column, -1)
    return np.where(less, other, one)
