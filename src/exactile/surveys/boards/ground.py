"""The boards of a puzzle, and the sets of its pieces that fill a board.

A board is the region of a puzzle without some units that its rules leave open, such as the cells of
one date of a calendar. A set of pieces states how often each piece of the puzzle is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile.backends.exploration import FOREVER, first_solution
from exactile.errors import CheckFailedError, PuzzleError
from exactile.model.decoder import Decoder
from exactile.model.lower import lower
from exactile.model.model import Longs, Model
from exactile.puzzle.check import Checker
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.relax import loosened
from exactile.puzzle.rules import UseRule
from exactile.puzzle.symmetry import symmetries
from exactile.search.case import areas, first_fault
from exactile.search.cover import stacked
from exactile.search.limits import Limits
from exactile.surveys.subsets.selection import placed_pieces, whole

MOST_BOARDS = 200_000
"""Largest number of boards in a survey, counted up to symmetry."""


class OpenBoard(NamedTuple):
    """A board: the region of a puzzle without the units that stay open.

    `puzzle`: index of the puzzle in the survey. `left_open`: numbers of the units that stay open.
    `alike`: number of boards that are equal to the board up to symmetry, itself included.
    """

    puzzle: int
    left_open: tuple[int, ...]
    alike: int = 1


def boards_of(puzzles: Sequence[Puzzle]) -> list[OpenBoard]:
    """Return the boards of some puzzles; of boards that are equal up to symmetry, only one.

    A puzzle has a board for each choice of units that its rules allow to stay open: its region
    without these units, unless none is left. A board is left out if no choice of the pieces has its
    area. Only symmetries of the puzzle that map each piece to itself count.

    Raise PuzzleError if there are no boards, or more than `MOST_BOARDS`, or if a rule restricts the
    use of pieces to given places.

    Examples
    --------
    >>> import exactile
    >>> rule = {"units": "0..2,0..2", "exactly": 1}
    >>> puzzle = exactile.make_puzzle("2xI4", box=(3, 3), open=[rule])
    >>> [(board.left_open, board.alike) for board in boards_of([puzzle])]
    [((0,), 4), ((1,), 4), ((4,), 1)]
    """
    found: list[OpenBoard] = []
    for number, puzzle in enumerate(puzzles):
        _require_plain(puzzle)
        low, high = whole(puzzle)
        total = len(puzzle.region)
        covered = areas([piece.order for piece in puzzle.pieces], low, high, total)
        sizes = {total - area for area in range(1, total + 1) if covered >> area & 1}
        own = np.arange(len(puzzle.pieces))
        group = [s.units for s in symmetries(puzzle) if np.array_equal(s.pieces, own)]
        for left_open in open_choices(puzzle, sizes):
            images = {tuple(sorted(units[list(left_open)].tolist())) for units in group}
            if left_open == min(images):
                found.append(OpenBoard(number, left_open, len(images)))
            if len(found) > MOST_BOARDS:
                raise PuzzleError(
                    f"{puzzle.name} has more than {MOST_BOARDS:,} boards: say which units stay "
                    "open, see `open` in puzzle files."
                )
    if not found:
        raise PuzzleError(
            f"{puzzles[0].name} has no board: no choice of its pieces has the area of its region "
            "without the units that stay open."
        )
    return found


def open_choices(puzzle: Puzzle, sizes: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield each choice of open units that a puzzle's rules allow, as sorted numbers of units.

    Units of fixed placements are not chosen. `sizes`: the numbers of open units that the areas of
    the pieces allow.
    """
    region = puzzle.region
    given = {unit for placement in puzzle.fixed for unit in placement.units}
    points = map(tuple, region.units.tolist())
    units = [k for k, point in enumerate(points) if region.optional[k] and point not in given]
    rules = [set(region.index(np.array(r.units)).tolist()) for r in puzzle.open_rules]
    bounds = [(rule.lower, rule.most(region)) for rule in puzzle.open_rules]
    most = max(sizes, default=-1)

    def chosen(
        place: int, left_open: tuple[int, ...], room: list[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the allowed choices that add zero or more later units to `left_open`.

        `place`: index of the first later unit among the units that may stay open. `room`: for
        each rule, the number of its units that may still be left open.
        """
        rest = units[place:]
        for (low, high), left, own in zip(bounds, room, rules, strict=True):
            missing = low - (high - left)
            if missing > 0 and missing > min(len(own.intersection(rest)), most - len(left_open)):
                return
        if len(left_open) in sizes and all(
            high - left >= low for (low, high), left in zip(bounds, room, strict=True)
        ):
            yield left_open
        if len(left_open) >= most:
            return
        for k, unit in enumerate(rest, place + 1):
            less = [n - (unit in own) for n, own in zip(room, rules, strict=True)]
            if min(less, default=0) >= 0:
                yield from chosen(k, (*left_open, unit), less)

    return chosen(0, (), [upper for _, upper in bounds])


def board_name(puzzle: Puzzle, board: OpenBoard) -> str:
    """Return the name of a board, such as ``calendar open Jan 1``.

    It is the puzzle's name; if units are open, ``open`` and their labels follow, in the order of
    the puzzle's open rules. Coordinates replace missing labels.
    """
    if not board.left_open:
        return puzzle.name
    points = [tuple(point) for point in puzzle.region.units[list(board.left_open)].tolist()]
    about = [unit for rule in puzzle.open_rules for unit in rule.units]
    first = {unit: place for place, unit in enumerate(about)}  # a month comes before its day
    points.sort(key=lambda point: first.get(point, len(first)))
    places = puzzle.lattice.coordinates(np.array(points, dtype=np.int64))
    named = [
        puzzle.labels.get(point) or ",".join(map(str, place))
        for point, place in zip(points, places, strict=True)
    ]
    return f"{puzzle.name} open {' '.join(named)}"


def board_puzzle(puzzle: Puzzle, board: OpenBoard, name: str = "") -> Puzzle:
    """Return a board as a puzzle of its own, without the open units and the rules about them.

    `name`: the name of the result; by default, that of the puzzle.
    """
    if not puzzle.region.optional.any():
        return replace(puzzle, name=name or puzzle.name, aliases=(), known=())
    kept = np.setdiff1d(np.arange(len(puzzle.region)), board.left_open)
    region = Region(puzzle.lattice, puzzle.region.places[kept], None, puzzle.region.wrap)
    points = set(map(tuple, region.units.tolist()))
    labels = {point: label for point, label in puzzle.labels.items() if point in points}
    painted = {point: paint for point, paint in puzzle.paint.units.items() if point in points}
    return replace(
        puzzle,
        name=name or puzzle.name,
        region=region,
        open_rules=(),
        labels=labels,
        paint=replace(puzzle.paint, units=painted),
        aliases=(),
        known=(),
    )


def _require_plain(puzzle: Puzzle) -> None:
    """Raise PuzzleError if a rule of a puzzle restricts the use of pieces to given places."""
    if any(rule.places for rule in puzzle.use_rules):
        raise PuzzleError(
            f"{puzzle.name} has a rule `use` with places, which boards do not support: leave it "
            "out."
        )


MOST_SETS = 1_000_000
"""Largest number of sets of pieces that a survey tries on the boards."""

Sets = npt.NDArray[np.int16]
"""Sets of pieces: entry [s, k] of the array is the number of uses of piece k in set s."""


def sets_of(puzzles: Sequence[Puzzle], areas: set[int], size: int | None = None) -> Sets:
    """Return all sets of pieces with one of the given areas, in a fixed order.

    All puzzles must have the same pieces. Each set has enough pieces for the fixed placements of
    each puzzle, and obeys every puzzle's rules about the number of uses. `areas`: allowed numbers
    of units. `size`: number of pieces in a set, copies counted; None for any. Raise PuzzleError if
    there are no sets, or more than `MOST_SETS`.

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
    # A use of each piece adds: one piece, its units, and one to each rule that counts the piece.
    adds = [(1, p.order, *(p.name in rule.pieces for rule in rules)) for p in puzzle.pieces]
    most = [len(puzzle.region) if size is None else size, max(areas, default=-1)]
    most += [rule.most(puzzle.pieces) for rule in rules]

    def after(state: tuple[int, ...], piece: int, uses: int) -> tuple[int, ...]:
        return tuple(n + uses * more for n, more in zip(state, adds[piece], strict=True))

    @cache
    def ways(piece: int, state: tuple[int, ...]) -> int:
        """Return the number of ways in which uses of `piece` and later pieces complete a set.

        `state`: the totals so far: pieces, units and, for each rule, the uses that it counts.
        """
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
    """Yield a puzzle's rules about the number of uses of pieces.

    An omission of k out of n named pieces is yielded in the same form: n - k of them are used.
    """
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
    """Return all sets of pieces, built piece by piece.

    Partial sets that cannot be completed are dropped after each piece. `ranges`: least and largest
    number of uses of each piece. `adds`: for each piece, the amounts that one use adds to the
    totals, such as its number of units. `most`: upper limit of each total. `ways`: returns the
    number of completions of a partial set, from the next piece and the totals so far.
    """
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
    """Return the possible sums of the values of a set of pieces, as bits of an integer.

    `values[k]`: the values that one use of piece k can have. `uses[k]`: its number of uses.
    `least`: a lower bound for all values. Bit i is set if i + n * `least` is a possible sum, where
    n is the number of all uses.

    Examples
    --------
    >>> f"{sums_of([frozenset({-1, 1}), frozenset({0})], (2, 1), -1):b}"  # sums -2, 0 and 2
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


class Ground:
    """Decides which sets of a puzzle's pieces fill a board.

    The model of all placements is made once. Each search uses the placements that fit its board.

    Examples
    --------
    >>> import exactile
    >>> pieces = {"orders": [3], "ranges": "0..3"}
    >>> ground = Ground(exactile.make_puzzle(pieces, lattice="square", box=(3, 3)))
    >>> ground.filled(OpenBoard(0, ()), [(3, 0), (2, 1), (1, 2)])
    [True, False, True]
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        loose = tuple(replace(piece, lower=0) for piece in puzzle.pieces)
        colors = puzzle.color_rules
        bare = replace(loosened(puzzle), pieces=loose, omission=None, known=(), color_rules=colors)
        self.model = lower(bare)
        self._kinds = placed_pieces(self.model)
        assert (np.diff(self._kinds) >= 0).all()  # the slices of `_Places` rely on it
        self._decoder = Decoder(puzzle, self.model)
        self._checker = Checker(puzzle)  # with all rules
        self._points = [tuple(point) for point in puzzle.region.units.tolist()]
        self._balances = _balances(self.model)
        self._sums: dict[tuple[int, tuple[int, ...]], int] = {}

    def filled(
        self, board: OpenBoard, sets: Sequence[tuple[int, ...]], limits: Limits | None = None
    ) -> list[bool]:
        """Return, for each set of pieces, whether it fills the board.

        `sets`: for each set, the number of uses of each piece. Every solution is checked. Raise
        TimeoutError when the time limit of `limits` is reached (None: no limit), and
        CheckFailedError if a solution is wrong: a bug.
        """
        limits = limits or Limits()
        places = _Places(self.model, self._kinds, self._shut(board))
        rows: list[list[int]] = []
        found = []
        for uses in sets:
            limits.require()
            row = places.first(uses, limits.left) if self._balanced(board, uses) else None
            found.append(row is not None)
            if row is not None:
                rows.append(row)
        self._check(board, [s for s, good in zip(sets, found, strict=True) if good], rows)
        return found

    def _shut(self, board: OpenBoard) -> Longs:
        """Return the model's items for the units that the board leaves open."""
        meaning = self.model.meaning
        return np.array([meaning.item_of(unit) for unit in board.left_open], dtype=np.int64)

    def _balanced(self, board: OpenBoard, uses: tuple[int, ...]) -> bool:
        """Return False if a coloring proves that a set of pieces does not fill a board; else True.

        A coloring gives each unit a weight. It is a proof if no placements of the pieces have the
        total weight of the board. `uses`: number of uses of each piece.
        """
        shut = self._shut(board)
        for number, (weights, values, least) in enumerate(self._balances):
            key = number, uses
            if key not in self._sums:
                self._sums[key] = sums_of(values, uses, least)
            wanted = int(weights.sum() - weights[shut].sum()) - least * sum(uses)
            if wanted < 0 or not self._sums[key] >> wanted & 1:
                return False
        return True

    def _check(
        self, board: OpenBoard, sets: Sequence[tuple[int, ...]], rows: list[list[int]]
    ) -> None:
        """Raise CheckFailedError unless each row k is a solution with exactly the pieces of set k.

        Each solution must also cover all units except those that the board leaves open.
        """
        solutions = stacked(rows)
        fault = first_fault(self._checker, self._decoder, solutions) if rows else None
        words = "; ".join(fault[1]) if fault else ""
        left_open = {self._points[unit] for unit in board.left_open}
        names = [piece.name for piece in self.puzzle.pieces]
        for uses, solution in zip(sets, self._decoder.solutions(solutions), strict=True):
            used = Counter(placement.piece for placement in solution)
            units = {unit for placement in solution for unit in placement.units}
            if any(used[name] != n for name, n in zip(names, uses, strict=True)):
                words = words or "it uses other pieces"
            if units & left_open or len(units) + len(left_open) != len(self._points):
                words = words or "other units stay open"
        if words:
            raise CheckFailedError(
                f"A solution of {board_name(self.puzzle, board)} is wrong: {words}. This is a bug "
                "in Exactile: please report it."
            )


class _Places:
    """The options that fit on a board, grouped by piece.

    `kinds`: the number of the piece of each option. `shut`: items of the units that stay open;
    options with such an item are dropped.
    """

    def __init__(self, model: Model, kinds: np.ndarray, shut: Longs) -> None:
        closed = np.zeros(model.items, dtype=bool)
        closed[shut] = True
        kept = ~np.logical_or.reduceat(closed[model.members], model.first[:-1])
        lengths = np.diff(model.first)
        self._options = np.flatnonzero(kept)
        self._lengths = lengths[kept]
        self._members = model.members[np.repeat(kept, lengths)]
        pieces = model.meaning.pieces
        at = np.searchsorted(kinds[kept], np.arange(pieces + 1))
        begins = np.concatenate([[0], np.cumsum(self._lengths)])
        self._at = at.tolist()
        self._begin = begins[at].tolist()
        self._lower, self._upper = (
            np.where(closed, 0, model.lower),
            np.where(closed, 0, model.upper),
        )
        self._lower[model.meaning.is_unit & ~closed] = 1
        self._lower[:pieces] = self._upper[:pieces] = 0

    def first(self, uses: tuple[int, ...], seconds: float | None) -> list[int] | None:
        """Return the options of a solution, or None if the set of pieces does not fill the board.

        `uses`: number of uses of each piece. `seconds`: time limit, after which TimeoutError is
        raised; None for no limit.
        """
        pieces = [k for k, number in enumerate(uses) if number]
        if any(self._at[k] == self._at[k + 1] for k in pieces):
            return None
        parts = [slice(self._at[k], self._at[k + 1]) for k in pieces]
        lower, upper = self._lower.copy(), self._upper.copy()
        lower[pieces] = upper[pieces] = [uses[k] for k in pieces]
        first = np.concatenate([[0], *(self._lengths[part] for part in parts)]).cumsum()
        members = [self._members[self._begin[k] : self._begin[k + 1]] for k in pieces]
        most = FOREVER if seconds is None else seconds
        found = first_solution(lower, upper, first, np.concatenate(members), most)
        if found is None:
            return None
        options: list[int] = np.concatenate([self._options[part] for part in parts])[found].tolist()
        return options


def _balances(model: Model) -> list[tuple[Longs, list[frozenset[int]], int]]:
    """Return the colorings of the units that may prove that a set of pieces does not fill a board.

    Each is a tuple: the weight of each item, which is 0 if the item is not a unit; for each piece,
    the total weights that one placement of it can have; and the least of 0 and all these totals.
    """
    meaning = model.meaning
    pieces = model.piece_of
    found = []
    for shade in meaning.spread(meaning.shades):
        weights = np.where(meaning.is_unit, shade, 0).astype(np.int64)
        sums = np.add.reduceat(weights[model.members], model.first[:-1])
        values = [frozenset(sums[pieces == k].tolist()) for k in range(meaning.pieces)]
        found.append((weights, values, int(sums.min(initial=0))))
    return found
