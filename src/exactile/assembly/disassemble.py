"""Takes solutions apart by the native search, and writes sequences of moves in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.answers import INTERRUPTED, Stats
from exactile.answers.assembly import Disassembly, Move, Outcome, Separation
from exactile.assembly.motions import RestFrame, motions, moved, require_turns
from exactile.backends.base import HEARTBEAT
from exactile.doors import Positive, door
from exactile.errors import Interrupted, PuzzleError
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import Placement, Puzzle, Solution, as_placement, require_puzzle
from exactile.search.limits import Limits

STATES = 4_000_000
"""Default limit on states (relative positions of the pieces) searched for one separation."""

MOST_PLACES = 1 << 24
"""Largest number of points in the bounding box of a placement."""

FARTHEST = 1 << 20
"""Largest absolute value of a coordinate; the native module has the same limit."""

MOST_PIECES = 64
"""Largest number of pieces of an assembly, and of groups of pieces that may stay together."""

TOO_MANY = "too many states"

OUTCOMES: tuple[Outcome, ...] = ("apart", "locked", "unknown")
"""The outcomes, in the order of their numbers in the native module."""

Rows = npt.NDArray[np.integer]


class Levels(NamedTuple):
    """The outcome and the separations of each of several assemblies.

    `outcomes` has indices into `OUTCOMES`. The separations of assembly k are the rows
    ``numbers[first[k] : first[k + 1]]``. Each row has the number of moves, the number of later
    separations among the pieces that stay, and the number of those among the pieces that leave.
    `states` is the total number of states (relative positions of pieces) in the searches.
    """

    outcomes: npt.NDArray[np.uint8]
    first: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int32]
    states: int


class Disassembler:
    """Takes solutions of one puzzle apart.

    `lines`: whether consecutive moves along a line count as one move. `rotations`: whether groups
    of pieces may be turned. `states`: limit on states (relative positions of the pieces) searched
    for one separation. Raise PuzzleError if the puzzle is one that `take_apart` refuses.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> disassembler = Disassembler(puzzle)
    >>> disassembler.learn(exactile.solve_one(puzzle))
    >>> levels = disassembler.run(np.arange(7)[None, :], seconds=10)
    >>> levels.outcomes.tolist(), notation(levels.numbers.tolist())
    ([0], '1')
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        lines: bool = False,
        rotations: bool = False,
        states: int = STATES,
    ) -> None:
        if rotations:
            require_turns(puzzle)
        if puzzle.region.wrap is not None:
            raise PuzzleError(f"The region of {puzzle.name} is wrapped: nothing leaves it.")
        groups = list(dict.fromkeys(map(frozenset, puzzle.together)))
        if len(groups) > MOST_PIECES:
            raise PuzzleError(
                f"{puzzle.name} has {len(groups)} groups of pieces that may stay together: the "
                f"limit is {MOST_PIECES}."
            )
        self.puzzle = puzzle
        self._motions = motions(puzzle.lattice)
        steps, swept = self._motions.steps, self._motions.swept
        self._native = _native.Disassembler(
            puzzle.lattice.period, steps, [list(each) for each in swept], lines, rotations, states
        )
        self._known = 0
        self._groups = {
            piece.name: sum(1 << g for g, group in enumerate(groups) if piece.name in group)
            for piece in puzzle.pieces
        }

    def learn(self, placements: Sequence[Placement]) -> None:
        """Make placements known to the native search; `run` refers to them by their indices.

        The list must begin with the placements of the last call. Raise PuzzleError if a placement
        is too large, or too far from the origin.
        """
        new = placements[self._known :]
        if not new:
            return
        ends = np.cumsum([len(placement.units) for placement in new]).tolist()
        points = np.array([unit for p in new for unit in p.units], dtype=np.int64)
        if (np.abs(points) > FARTHEST).any():
            raise PuzzleError(
                f"Pieces of {self.puzzle.name} lie too far from the origin to be taken apart: move "
                f"the region to points between {-FARTHEST:,} and {FARTHEST:,}."
            )
        types = self.puzzle.lattice.types(points)
        first = [0, *ends[:-1]]
        least, most = (f.reduceat(points, first) for f in (np.minimum, np.maximum))
        places = np.prod(most - least + 1.0, axis=1)
        for placement, begin, end, size in zip(new, first, ends, places.tolist(), strict=True):
            if size > MOST_PLACES:
                raise PuzzleError(
                    f"A placement of {placement.piece} is too large: its box has more than "
                    f"{MOST_PLACES:,} points."
                )
            groups = self._groups.get(placement.piece, 0)
            self._native.add(points[begin:end], types[begin:end], groups)
        self._known = len(placements)

    def run(self, rows: Rows, seconds: float) -> Levels:
        """Take assemblies apart until the given number of seconds has passed.

        Each row is an assembly: indices of placements, padded with -1. Return the results of the
        rows that were finished in time, which are the first ones; pass the rest again. Raise
        PuzzleError if an assembly has more than `MOST_PIECES` pieces.
        """
        if rows.shape[1] > MOST_PIECES and (rows >= 0).sum(axis=1).max(initial=0) > MOST_PIECES:
            raise PuzzleError(f"Assemblies of more than {MOST_PIECES} pieces are not taken apart.")
        numbers = np.ascontiguousarray(rows, dtype=np.int64)
        return Levels(*self._native.run(numbers, seconds))

    def separations(self) -> tuple[Separation, ...]:
        """Return the separations of the last assembly that was finished."""
        unit = np.eye(self.puzzle.lattice.dimension, dtype=np.int64)
        frames: dict[int, RestFrame] = {}  # by the bits of the pieces of a part
        found = []
        for pieces, removed, moves in self._native.separations():
            frame = frames.pop(pieces, RestFrame(unit, np.zeros_like(unit[0])))
            made = []
            for group, way, steps, turn, axis in moves:
                if turn < 0:
                    along = self._motions.steps[way // 2] * (-1 if way % 2 else 1)
                    made.append(frame.move(_members(group), along, steps or None))
                    seen = RestFrame(unit, 2 * self.puzzle.lattice.period * steps * along)
                else:
                    along = unit[turn // 2] * (-1 if turn % 2 else 1)
                    made.append(frame.turn(_members(group), along, np.array(axis)))
                    seen = RestFrame.about(along, np.array(axis))
                if group & pieces & -pieces:  # the piece at rest
                    frame = frame.after(seen)
            frames[removed] = frames[pieces & ~removed] = frame
            found.append(
                Separation(pieces=_members(pieces), removed=_members(removed), moves=tuple(made))
            )
        return tuple(found)

    @property
    def locked(self) -> tuple[int, ...]:
        """Indices of the pieces that cannot be separated in the last assembly; empty if none."""
        return _members(self._native.locked)


def _members(pieces: int) -> tuple[int, ...]:
    return tuple(k for k in range(pieces.bit_length()) if pieces >> k & 1)


def notation(separations: Sequence[Sequence[int]]) -> str:
    """Return the level of an assembly: the numbers of moves of its separations, joined by dots.

    `separations`: rows of `Levels.numbers`, in the order of `Disassembly`. Parts that come apart by
    single moves are left out, as is customary. Without separations, the level is 0.

    Examples
    --------
    >>> notation([(4, 2, 1), (1, 1, 0), (2, 0, 0), (1, 0, 0)]), notation([(1, 1, 0), (1, 0, 0)])
    ('4.1.2', '1')
    """

    def numbers(begin: int, end: int) -> list[str]:
        """Return the numbers of moves of the separations from `begin` to before `end`."""
        if begin and all(moves == 1 for moves, *_ in separations[begin:end]):
            return []
        moves, rest, _ = separations[begin]
        middle = begin + 1 + rest
        return [str(moves), *numbers(begin + 1, middle), *numbers(middle, end)]

    return ".".join(numbers(0, len(separations))) if separations else "0"


@door
def take_apart(
    puzzle: Puzzle,
    solution: Solution,
    *,
    rotations: bool = False,
    time_limit: float | None = None,
    states: Positive = STATES,
) -> Disassembly:
    """Take a solution apart, with the fewest moves for each separation.

    The first number of the level is the least possible. If there are several shortest separations,
    the first one in the order of BurrTools is taken. Later numbers are the least possible after
    this choice. Whether an assembly comes apart does not depend on the choice, because moves
    can be undone. Separate code replays the sequence: see `exactile.assembly.replay`. If a limit is
    reached first, the outcome is ``"unknown"``.

    Parameters
    ----------
    puzzle
        The puzzle.
    solution
        A solution of the puzzle, or other placements that do not overlap.
    rotations
        Whether groups of pieces may also make quarter turns, on the cube lattice. The axis passes
        through centers or edges of cells, and through the bounding box of the pieces that turn or
        of the pieces that do not. A turn is one move.
    time_limit
        Time limit in seconds; None for no limit.
    states
        Limit on states (relative positions of the pieces) searched for one separation.

    Raises
    ------
    PuzzleError
        If units of the lattice are not cells, or the region is wrapped; if placements overlap, are
        not inside the region, are too large, or lie more than a million points from the origin; if
        there are more than 64 placements, or none although the puzzle needs some; if more than 64
        groups of pieces may stay together; if a limit is not positive. With rotations, if the
        lattice is not that of cubes, or the region is more than 64 cells wide.
    CheckFailedError
        If the replay shows that the sequence is wrong, which is a bug.
    Interrupted
        After Ctrl-C, with the answer so far.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> exactile.take_apart(puzzle, exactile.solve_one(puzzle)).outcome
    'apart'
    """
    from exactile.assembly.replay import replay

    placed = tuple(as_placement(p, require_puzzle(puzzle).lattice) for p in solution)
    units = [unit for placement in placed for unit in placement.units]
    may_be_empty = puzzle.region.optional.all() and not any(p.lower for p in puzzle.pieces)
    if len(set(units)) < len(units) or not (placed or may_be_empty):
        raise PuzzleError("Only placements that do not overlap can be taken apart.")
    limits = Limits(time_limit)
    limits.begin()
    outcome: Outcome = "unknown"
    separations: tuple[Separation, ...] = ()
    locked: tuple[int, ...] = ()
    level, by_lines = LevelWords(), LevelWords()
    count = 0
    stopped = None
    try:
        disassembler = Disassembler(puzzle, rotations=rotations, states=states)
        found = _taken_apart(disassembler, placed, limits)
        if found is not None:
            known, count = OUTCOMES[found.outcomes[0]], found.states
            separations = disassembler.separations()
            locked = disassembler.locked if known == "locked" else ()
            numbers = found.numbers.tolist()
            level = _level(numbers) if known == "apart" else level
            outcome = known  # only now: Ctrl-C may come at any time
            if outcome == "apart":
                by_lines = _level_by_lines(
                    *(puzzle, placed, separations, numbers, limits),
                    rotations=rotations,
                    states=states,
                )
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    if outcome == "unknown" and stopped is None:
        stopped = limits.reached() or TOO_MANY
    answer = Disassembly(
        puzzle=puzzle.name,
        solution=in_coordinates(puzzle, placed),
        outcome=outcome,
        stopped=stopped,
        level=level.words,
        moves=level.moves,
        level_by_lines=by_lines.words,
        moves_by_lines=by_lines.moves,
        separations=separations,
        locked=locked,
        stats=Stats(states=count),
    ).of(puzzle)
    replay(puzzle, answer)
    if stopped == INTERRUPTED:
        raise Interrupted(answer)
    return answer


class LevelWords(NamedTuple):
    """A level, such as ``"4.1.2"``, and its total number of moves; ``""`` and None if unknown."""

    words: str = ""
    moves: int | None = None


def _level(numbers: list[list[int]]) -> LevelWords:
    return LevelWords(notation(numbers), sum(moves for moves, *_ in numbers))


def _taken_apart(
    disassembler: Disassembler, placed: Sequence[Placement], limits: Limits
) -> Levels | None:
    """Take one assembly apart and return the result; None if a limit is reached."""
    disassembler.learn(placed)
    row = np.arange(len(placed))[None, :]
    while limits.reached() is None:
        levels = disassembler.run(row, HEARTBEAT)
        if len(levels.outcomes):
            return levels
    return None


def _level_by_lines(
    puzzle: Puzzle,
    placed: Sequence[Placement],
    separations: Sequence[Separation],
    numbers: list[list[int]],
    limits: Limits,
    *,
    rotations: bool,
    states: int,
) -> LevelWords:
    """Return the level with consecutive moves along one line counted as one; empty if unknown.

    For each separation, a new search starts with the pieces as they lie before the separation
    and finds the fewest moves along lines that separate any pieces.
    """
    period = puzzle.lattice.period
    units = [np.array(placement.units) for placement in placed]
    by_lines = []
    for (_, rest, gone), separation in zip(numbers, separations, strict=True):
        part = [
            Placement(placed[k].piece, tuple(map(tuple, units[k].tolist())))
            for k in separation.pieces
        ]
        disassembler = Disassembler(puzzle, lines=True, rotations=rotations, states=states)
        found = _taken_apart(disassembler, part, limits)
        if found is None or not len(found.numbers):
            return LevelWords()
        by_lines.append([int(found.numbers[0][0]), rest, gone])
        for move in separation.moves:
            for k in move.pieces:
                units[k] = moved(units[k], move, period)
    return _level(by_lines)


def sequence_lines(puzzle: Puzzle, disassembly: Disassembly) -> Iterator[str]:
    """Yield a sequence of moves as lines of text.

    The first line has the outcome. Then, for each separation, there is a line with the pieces that
    leave, and a line for each move. The last line names the locked pieces, if any.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> answer = exactile.take_apart(puzzle, exactile.solve_one(puzzle))
    >>> print(next(sequence_lines(puzzle, answer)))
    comes apart: level 1, 6 moves
    """
    yield outcome_words(disassembly)
    labels = piece_labels(disassembly)
    width = max(
        (len(piece_words(labels, m.pieces)) for s in disassembly.separations for m in s.moves),
        default=0,
    )
    number = 0
    for separation in disassembly.separations:
        rest = [k for k in separation.pieces if k not in separation.removed]
        yield f"{piece_words(labels, separation.removed)} from {piece_words(labels, rest)}:"
        for move in separation.moves:
            number += 1
            pieces = piece_words(labels, move.pieces)
            yield f"  {number:>3}. {pieces:{width}}  {way_words(puzzle.lattice.axes, move)}"
    if disassembly.locked:
        yield f"{piece_words(labels, disassembly.locked)}: no sequence of moves separates them"


def outcome_words(disassembly: Disassembly) -> str:
    """Return the outcome in words, with the level if the assembly comes apart.

    `Disassembly.level_by_lines` follows if it differs from the level.
    """
    if disassembly.outcome == "locked":
        return "locked"
    if disassembly.outcome == "unknown":
        return f"unknown ({disassembly.stopped})"
    words = f"comes apart: level {disassembly.level}, {_moves(disassembly.moves)}"
    if disassembly.level_by_lines in ("", disassembly.level):
        return words
    lines = f"level {disassembly.level_by_lines}, {_moves(disassembly.moves_by_lines)}"
    return f"{words}; {lines} if a line counts once"


def _moves(number: int | None) -> str:
    return f"{number} move{'s' * (number != 1)}"


def piece_labels(disassembly: Disassembly) -> list[str]:
    """Return a label for each placement: its piece, as ``L``, or ``L(2)`` if used repeatedly."""
    times = Counter(placed.piece for placed in disassembly.solution)
    seen: Counter[str] = Counter()
    labels = []
    for placed in disassembly.solution:
        seen[placed.piece] += 1
        many = times[placed.piece] > 1
        labels.append(f"{placed.piece}({seen[placed.piece]})" if many else placed.piece)
    return labels


def piece_words(labels: Sequence[str], pieces: Iterable[int]) -> str:
    """Return the labels of some placements in one line."""
    return " ".join(labels[k] for k in pieces)


def way_words(axes: tuple[str, ...], move: Move) -> str:
    """Return a move in words: its direction and number of steps, or a turn and its axis.

    >>> way_words(("x", "y"), Move(pieces=(0,), direction=(1, -2), steps=3))
    '+x-2y 3'
    >>> turn = Move(pieces=(0,), direction=(0, 0, -1), steps=1, about=(2.5, 1.5, 0.0))
    >>> way_words(("x", "y", "z"), turn)
    'quarter turn from +y to +x about the line x = 2.5, y = 1.5'
    """
    if move.about is not None:
        along = next(k for k, c in enumerate(move.direction) if c)
        first, second = (axes[(along + k * move.direction[along]) % 3] for k in (1, 2))
        line = ", ".join(f"{axes[k]} = {c:g}" for k, c in enumerate(move.about) if k != along)
        return f"quarter turn from +{first} to +{second} about the line {line}"
    parts = zip(axes, move.direction, strict=False)
    terms = (("-" if c < 0 else "+", abs(c), axis) for axis, c in parts if c)
    way = "".join(f"{sign}{c if c > 1 else ''}{axis}" for sign, c, axis in terms)
    return f"{way} {'away' if move.steps is None else move.steps}"
