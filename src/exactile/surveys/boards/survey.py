"""Surveys of boards: which sets of pieces fill all boards, or how many solutions each board has.

The work is divided into parts. Workers do the parts, a store keeps their results, and an answer
combines them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from exactile import __version__
from exactile.answers import INTERRUPTED, TIME_LIMIT, BoardFacts, BoardSet, BoardSurvey, Stats
from exactile.clock import CLOCK, HEARTBEAT
from exactile.counting.verbs import count
from exactile.doors import Positive, Workers, door
from exactile.errors import CheckFailedError, CountingError, Interrupted, PuzzleError, WorkError
from exactile.puzzle.coordinates import units_from_coordinates, units_in_coordinates
from exactile.puzzle.puzzle import Puzzle
from exactile.search.limits import Limits
from exactile.surveys.boards.ground import (
    Ground,
    OpenBoard,
    Sets,
    board_name,
    board_puzzle,
    boards_of,
    sets_of,
)
from exactile.surveys.line_store import LineStore
from exactile.surveys.subsets.selection import only
from exactile.wanted import plural
from exactile.work import Pool

SETS_EACH = 100
"""Number of sets of pieces that a worker tries in one part of the work."""

BOARDS_EACH = 4
"""Number of boards whose solutions a worker counts in one part of the work."""

FILLED = -1
"""Value in `BoardRecord.refused` for a set of pieces that fills all boards."""

MEMORY = 1 << 28
"""Bytes of memory for the second count that confirms that a set does not fill a board."""


class BoardRecord(msgspec.Struct, frozen=True):
    """The results of one part of a survey, as the store keeps them.

    `first`: number of the first set of pieces, or of the first board. `refused`: for each set, the
    number of a board that it does not fill, or `FILLED`. `counts`: for each board, the number of
    all solutions and that of solutions up to symmetry. `seconds`: processor time, 0 for counts.
    """

    key: str
    first: int
    refused: list[int] = []
    counts: list[tuple[int, int]] = []
    searches: int = 0
    seconds: float = 0.0


class BoardPart(NamedTuple):
    """One part of a survey: a range of the sets of pieces or, for a count, of the boards.

    `first`, `last`: the first index of the range, and the index after the range. `order`: for sets,
    the numbers of all boards in the order in which they are tried. `key`: the name of the part in a
    store, a digest of the version, the task and the range.
    """

    first: int
    last: int
    order: tuple[int, ...]
    key: str


@dataclass(frozen=True)
class BoardWork:
    """The task of a survey: puzzles and settings, from which boards and sets of pieces follow.

    `with_sets`, `size`: the parameters `sets` and `size` of `survey_boards`. A task can be pickled,
    and sent to the workers of an `exactile.work.Pool`.
    """

    puzzles: tuple[Puzzle, ...]
    with_sets: bool
    size: int | None

    def start(self) -> Callable[[BoardPart, Callable[[BoardRecord], None]], None]:
        """Return a function that does a part of the work and passes its record to a callback."""
        return lambda part, tell: tell(self.done(part))

    @cached_property
    def boards(self) -> list[OpenBoard]:
        """The boards of all puzzles; of boards that are equal up to symmetry, only one.

        Raise PuzzleError as `boards_of` does.
        """
        return boards_of(self.puzzles)

    @cached_property
    def sets(self) -> Sets:
        """The sets of pieces that have the area of the boards.

        Raise PuzzleError if the boards differ in area, if the puzzles differ in their pieces, if a
        puzzle has a rule that some pieces must be joined, or if there are no sets or too many.
        """
        areas = {len(self.puzzles[b.puzzle].region) - len(b.left_open) for b in self.boards}
        if len(areas) > 1:
            few, many = min(areas), max(areas)
            raise PuzzleError(
                f"The boards have from {few} to {many} units to be covered, so that no set of "
                "pieces fills all: say how many units stay open, see `open` in puzzle files."
            )
        _require_same_pieces(self.puzzles)
        for puzzle in self.puzzles:
            if any(rule.kind == "joined" for rule in puzzle.color_rules):
                raise PuzzleError(
                    f"{puzzle.name} has pieces that must be joined, which sets of pieces do not "
                    "support: leave out the rule, or `sets`."
                )
        return sets_of(self.puzzles, areas, self.size)

    @cached_property
    def grounds(self) -> list[Ground]:
        """For each puzzle, the `Ground` that decides which sets of pieces fill its boards."""
        return [Ground(puzzle) for puzzle in self.puzzles]

    @property
    def parts(self) -> list[tuple[int, int, str]]:
        """For each part of the work: first index, index after the last, and key in the store.

        The indices are those of sets of pieces, or of boards if `with_sets` is False.
        """
        number, each = len(self.boards), BOARDS_EACH
        if self.with_sets:
            number, each = len(self.sets), SETS_EACH
        about = [__version__, self.with_sets, self.size, *(p.digest for p in self.puzzles)]
        found = []
        for first in range(0, number, each):
            last = min(first + each, number)
            key = sha256(repr([*about, first, last]).encode()).hexdigest()[:24]
            found.append((first, last, key))
        return found

    def done(self, part: BoardPart, limits: Limits | None = None) -> BoardRecord:
        """Do a part of the work, and return its record.

        Raise TimeoutError if a limit is reached, and CheckFailedError if a solution is wrong or a
        second method contradicts the search: a bug. Workers of a pool need no limits, since the
        pool stops them.
        """
        begun = CLOCK.worked()
        limits = limits or Limits()
        if not self.with_sets:
            counts = [self._counted(b, limits) for b in self.boards[part.first : part.last]]
            return BoardRecord(part.key, part.first, [], counts, len(counts))
        sets = [tuple(row) for row in self.sets[part.first : part.last].tolist()]
        refused = dict.fromkeys(sets, FILLED)
        left, searches = sets, 0
        for number in part.order:
            if not left:
                break
            board = self.boards[number]
            searches += len(left)
            filled = self.grounds[board.puzzle].filled(board, left, limits)
            refused |= {s: number for s, good in zip(left, filled, strict=True) if not good}
            left = [s for s, good in zip(left, filled, strict=True) if good]
        self._count_again(next(((s, n) for s, n in refused.items() if n != FILLED), None), limits)
        seconds = round(CLOCK.worked() - begun, 6)
        return BoardRecord(part.key, part.first, [*refused.values()], [], searches, seconds)

    def _counted(self, board: OpenBoard, limits: Limits) -> tuple[int, int]:
        counted = board_puzzle(self.puzzles[board.puzzle], board)
        answer = count(counted, limits=limits)
        limits.require()
        if answer.raw is None or answer.symmetry is None:
            raise CountingError(f"The solutions of a board are not counted: {answer.stopped}.")
        return answer.raw, answer.symmetry

    def _count_again(self, refused: tuple[tuple[int, ...], int] | None, limits: Limits) -> None:
        """Check by a second method that a set of pieces does not fill a board.

        Raise CheckFailedError if the set fills it. The second method counts with a memo, and
        shares no search with the native engine. If the count needs too much memory, nothing is
        checked. `refused`: the number of uses of each piece, and the number of the board; None for
        no check.
        """
        if refused is None:
            return
        uses, number = refused
        board = self.boards[number]
        puzzle = self.puzzles[board.puzzle]
        again = only(board_puzzle(puzzle, board), uses)
        try:
            answer = count(again, method="memo", memory=MEMORY, limits=limits)
        except CountingError:
            return
        limits.require()
        if answer.raw:
            raise CheckFailedError(
                f"{board_name(puzzle, board)} has {answer.raw} solutions with pieces of which the "
                "engine found none. This is a bug in Exactile: please report it."
            )


@door
def survey_boards(
    puzzles: Sequence[Puzzle],
    *,
    sets: bool = False,
    size: Positive | None = None,
    workers: Workers = 1,
    store: Path | None = None,
    time_limit: float | None = None,
    limits: Limits | None = None,
    watch: Callable[[str], None] | None = None,
) -> BoardSurvey:
    """Find the sets of pieces that fill all boards of puzzles, or count solutions board by board.

    A puzzle has a board for each choice of units that its rules allow to stay open: a calendar
    puzzle, for example, has one for each date. Of boards that are equal up to symmetry, only one is
    used.

    Every solution is checked. As a spot check, in each batch of 100 sets, a second method confirms
    that one of the rejected sets does not fill a board.

    Parameters
    ----------
    puzzles
        The puzzles; with `sets`, all with the same pieces.
    sets
        Whether to find the sets of pieces that fill all boards, rather than to count solutions. In
        a set, the number of uses of each piece is within its range, and the area is that of the
        boards.
    size
        With `sets`, the number of pieces in a set, copies counted; None for any.
    workers
        Number of processes.
    store
        A file to keep results in; results that it already has are reused. Several processes may
        work on it. None to keep no file.
    time_limit, limits, watch
        See `exactile.design_challenges`.

    Raises
    ------
    PuzzleError
        If a puzzle has rules that boards do not support, if two puzzles have the same name, if
        there are no boards or sets of pieces, or too many, or if `size` is given without `sets`.
        With `sets`, also if boards differ in area, or puzzles in their pieces, or if some pieces
        must be joined.
    FileError
        If the file at `store` is not a store of boards.
    WorkError
        If one of several processes died or failed, for example because a solution is wrong.
    Interrupted
        After Ctrl-C; it has the answer so far.
    CheckFailedError
        If `workers` is 1, and a solution is wrong or the second method contradicts the search: a
        bug.

    Examples
    --------
    >>> import exactile
    >>> rule = {"units": "0..3,0", "exactly": 1}
    >>> pieces = {"orders": [3, 4], "ranges": "0..1"}
    >>> puzzle = exactile.make_puzzle(pieces, lattice="square", box=(4, 3), open=[rule])
    >>> found = exactile.survey_boards([puzzle], sets=True)
    >>> found.boards, found.sets, [" ".join(each.pieces) for each in found.found][:2]
    (2, 20, ['V3 L4 Z4', 'I3 L4 Z4'])
    """
    if not puzzles:
        raise PuzzleError("There are no boards: name a puzzle.")
    if len({puzzle.name for puzzle in puzzles}) < len(puzzles):
        raise PuzzleError("Two of the puzzles have the same name: rename one.")
    if size is not None and not sets:
        raise PuzzleError("`size` is for `sets`: leave it out, or pass sets=True.")
    limits = Limits.chosen(limits, time_limit)
    limits.begin()
    surveying = _Surveying(BoardWork(tuple(puzzles), sets, size), limits, watch)
    try:
        surveying.run(workers, store)
    except KeyboardInterrupt:  # also an interrupted count
        raise Interrupted(surveying.answer(INTERRUPTED)) from None
    return surveying.answer((limits.reached() or TIME_LIMIT) if surveying.waiting else None)


def survey_puzzles(puzzles: Sequence[Puzzle], answer: BoardSurvey) -> list[Puzzle]:
    """Return the results of a survey as puzzles.

    After a search for sets of pieces, the result has, for each set that was found, every puzzle
    with only the pieces of this set. After a count, it has the boards that have a solution.

    Examples
    --------
    >>> import exactile
    >>> rule = {"units": "0..2,0..2", "exactly": 1}
    >>> puzzle = exactile.make_puzzle("2xL4", box=(3, 3), open=[rule], name="ring")
    >>> [each.title for each in survey_puzzles([puzzle], exactile.survey_boards([puzzle]))]
    ['ring open 1,1: 4 solutions']
    """
    if answer.sets is not None:
        names = [piece.name for piece in puzzles[0].pieces]
        found = [tuple(each.pieces.get(name, 0) for name in names) for each in answer.found]
        return [
            replace(
                only(puzzle, uses),
                name=f"{puzzle.name}-set-{number}",
                title=f"{puzzle.title or puzzle.name}, set {number}",
                aliases=(),
            )
            for number, uses in enumerate(found, 1)
            for puzzle in puzzles
        ]
    by_name = {puzzle.name: puzzle for puzzle in puzzles}
    filled = [facts for facts in answer.each if facts.raw]
    made = []
    for number, facts in enumerate(filled, 1):
        assert facts.raw is not None
        puzzle = by_name[facts.puzzle]
        points = np.array(units_from_coordinates(puzzle, facts.open_units), dtype=np.int64)
        units = puzzle.region.index(points).tolist() if len(points) else []
        board = board_puzzle(puzzle, OpenBoard(0, tuple(units)), f"{puzzle.name}-board-{number}")
        made.append(replace(board, title=f"{facts.board}: {plural(facts.raw, 'solution')}"))
    return made


class _Surveying:
    """A survey of boards in progress: the parts that are left and the records of finished ones."""

    def __init__(
        self, work: BoardWork, limits: Limits, watch: Callable[[str], None] | None
    ) -> None:
        self.work, self.limits = work, limits
        self.watch = watch or (lambda words: None)
        self.begun = CLOCK.now()
        self.waiting = {key: (first, last) for first, last, key in work.parts}
        self._number = len(self.waiting)
        self.records: list[BoardRecord] = []
        self._refusals: Counter[int] = Counter()  # sets by the board that they do not fill

    def run(self, workers: int, store: Path | None) -> None:
        """Do the parts of the work that are left, until a limit is reached."""
        if store is None:
            self._go_on(workers, None)
            return
        with LineStore(store, BoardRecord, "boards") as kept:
            self._read(kept)
            while self.waiting and not self.limits.reached():  # parts of other processes, too
                before = len(self.waiting)
                self._go_on(workers, kept)
                self._read(kept)
                if len(self.waiting) == before:
                    CLOCK.pause(HEARTBEAT)

    def _go_on(self, workers: int, store: LineStore[BoardRecord] | None) -> None:
        keys = list(self.waiting)

        def make(number: int, _: int) -> BoardPart:
            key = keys[number]
            first, last = self.waiting.get(key, (0, 0))
            if store is not None and not store.claim(key):
                first = last = 0  # another process does it: an empty part
            return BoardPart(first, last, self._order(), key)

        for record in self._done(make, len(keys), workers):
            if record is not None and record.key in self.waiting:
                part = self.waiting[record.key]
                if len(record.refused or record.counts) == part[1] - part[0]:
                    if store is not None:
                        store.add(record)
                    self._keep(record)
            if self.limits.reached():
                return

    def _done(
        self, make: Callable[[int, int], BoardPart], number: int, workers: int
    ) -> Iterator[BoardRecord | None]:
        """Yield the record of each part when it is done, and None at each heartbeat in between.

        `make(k, previous)` returns part k; `previous`: the worker's previous part, -1 if none.
        If `workers` is 1, this process does the work: a TimeoutError of `BoardWork.done` ends the
        iteration, and its other errors are raised. Otherwise, raise WorkError if a worker dies or
        fails.
        """
        if workers == 1:
            for k in range(number):
                try:
                    yield self.work.done(make(k, k - 1), self.limits)
                except TimeoutError:
                    return
            return
        with Pool(self.work, number, make, workers) as pool:
            for event in pool:
                if event is not None and event.death is not None:
                    raise WorkError(f"A worker died: {event.death.cause}{event.death.tail}")
                yield None if event is None else event.message

    def _read(self, store: LineStore[BoardRecord]) -> None:
        """Take over the records of the store that are not yet known."""
        for record in store.news():
            if record.key in self.waiting:
                self._keep(record)

    def _keep(self, record: BoardRecord) -> None:
        del self.waiting[record.key]
        self.records.append(record)
        self._refusals.update(number for number in record.refused if number != FILLED)
        done = self._number - len(self.waiting)
        words = f"{done:,} of {self._number:,} parts"
        if self.work.with_sets:
            words += f", {self._filled():,} sets fill all boards"
        self.watch(words)

    def _filled(self) -> int:
        return sum(record.refused.count(FILLED) for record in self.records)

    def _order(self) -> tuple[int, ...]:
        """Return the numbers of the boards, the hardest first.

        The hardest board is the one that the most sets are known not to fill.
        """
        numbers = range(len(self.work.boards))
        return tuple(sorted(numbers, key=lambda number: -self._refusals[number]))

    def answer(self, stopped: str | None) -> BoardSurvey:
        """Return the results so far; `stopped`: why the survey ended early, or None."""
        work = self.work
        counts = {
            record.first + k: numbers
            for record in self.records
            for k, numbers in enumerate(record.counts)
        }
        listed = sorted(counts, key=lambda number: (counts[number], number))
        listed = listed or [number for number in self._order() if self._refusals[number]]
        return BoardSurvey(
            puzzles=tuple(puzzle.name for puzzle in work.puzzles),
            boards=len(work.boards),
            alike=sum(board.alike for board in work.boards),
            size=work.size,
            sets=len(work.sets) if work.with_sets else None,
            tried=sum(len(record.refused) for record in self.records),
            found=tuple(self._sets()),
            each=tuple(self._facts(number, counts.get(number)) for number in listed),
            stopped=stopped,
            searches=sum(record.searches for record in self.records),
            stats=Stats(seconds=round(CLOCK.now() - self.begun, 6)),
        )

    def _sets(self) -> Iterator[BoardSet]:
        """Yield each set of pieces that fills all boards, as names with numbers of uses."""
        names = [piece.name for piece in self.work.puzzles[0].pieces]
        for record in sorted(self.records, key=lambda record: record.first):
            for number, board in enumerate(record.refused, record.first):
                if board == FILLED:
                    uses = self.work.sets[number].tolist()
                    pieces = {name: n for name, n in zip(names, uses, strict=True) if n}
                    yield BoardSet(pieces=pieces)

    def _facts(self, number: int, counted: tuple[int, int] | None) -> BoardFacts:
        board = self.work.boards[number]
        puzzle = self.work.puzzles[board.puzzle]
        points = [tuple(point) for point in puzzle.region.units[list(board.left_open)].tolist()]
        return BoardFacts(
            board=board_name(puzzle, board),
            puzzle=puzzle.name,
            open_units=units_in_coordinates(puzzle, points),
            alike=board.alike,
            raw=counted[0] if counted else None,
            symmetry=counted[1] if counted else None,
            refused=self._refusals[number] if self.work.with_sets else None,
        )


def _require_same_pieces(puzzles: Sequence[Puzzle]) -> None:
    """Raise PuzzleError unless all puzzles have the same pieces, with equal ranges of uses."""

    def pieces(puzzle: Puzzle) -> list[tuple[str, int, int, bytes]]:
        return [(p.name, p.lower, p.upper, p.shape) for p in puzzle.pieces]

    for puzzle in puzzles[1:]:
        if pieces(puzzle) != pieces(puzzles[0]):
            raise PuzzleError(
                f"{puzzle.name} has other pieces than {puzzles[0].name}: sets of pieces are for "
                "boards with the same ones."
            )
