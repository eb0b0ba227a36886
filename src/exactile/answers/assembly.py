"""The answers about disassembly: sequences of moves, and numbers of assemblies by level."""

from __future__ import annotations

from typing import Literal

import msgspec

from exactile.answers.base import Answer, Drawable, Placements, Stats, Status

Outcome = Literal["apart", "locked", "unknown"]
"""Whether an assembly comes apart; ``"unknown"`` if a limit was reached."""


def _away() -> None:
    """Return None, the default of `Move.steps`.

    The document of a `Move` leaves out fields that have their default, but not `steps`, because its
    default comes from a factory.
    """


class Move(Answer, frozen=True, kw_only=True, omit_defaults=True):
    """A move of some pieces of an assembly: all by the same displacement, or by a quarter turn.

    Attributes
    ----------
    pieces
        Numbers of placements of the solution, from 0.
    direction
        Displacement of one step, along the axes of the customary coordinates. For a turn, the unit
        vector along its axis: seen from its tip, the pieces turn counter-clockwise.
    steps
        Number of steps, 1 for a turn; None for a move that leads away from the other pieces.
    about
        For a turn, the point of its axis that has the coordinate 0 along the axis; None for a
        translation. Centers of cells have integer coordinates.
    """

    pieces: tuple[int, ...]
    direction: tuple[int, ...]
    steps: int | None = msgspec.field(default_factory=_away)
    about: tuple[float, ...] | None = None


class Separation(Answer, frozen=True, kw_only=True):
    """The moves by which some pieces leave the others; the last move separates them.

    Attributes
    ----------
    pieces
        The pieces that are still together before these moves: numbers of placements of the
        solution, from 0.
    removed
        The pieces that leave, in the same form.
    moves
        The moves, the fewest possible.
    """

    pieces: tuple[int, ...]
    removed: tuple[int, ...]
    moves: tuple[Move, ...]


class Disassembly(Drawable, frozen=True, kw_only=True):
    """The moves that take a solution apart, if there are any.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    solution
        The assembly; other parts of the answer refer to its placements by number.
    outcome
        ``"apart"`` if the assembly comes apart, ``"locked"`` if it does not by the moves that are
        allowed, or ``"unknown"``.
    stopped
        Why the outcome is unknown, such as ``"time limit"``; ``"interrupted"`` after Ctrl-C.
    level
        Number of moves of each separation, in the order of `separations`, such as ``"98.2.4.2"``.
        Parts that come apart by single moves are left out. A move is a direction and a distance.
        ``"0"`` if nothing has to be taken apart; empty unless the assembly comes apart.
    moves
        Number of all moves; None unless the assembly comes apart.
    level_by_lines
        The level if consecutive moves along one line count as one, whatever their distances. For
        each separation, the fewest such moves that separate any pieces are counted. Empty if
        unknown.
    moves_by_lines
        Number of all moves if consecutive moves along one line count as one; None if unknown.
    separations
        The separations in sequence: after each one come the separations of the pieces that stay,
        then those of the pieces that leave. If the assembly is locked, the sequence ends before the
        locked part.
    locked
        Numbers of placements, from 0, that cannot be separated from each other, if any.
    stats
        Number of states visited.
    """

    puzzle: str
    solution: Placements
    outcome: Outcome
    stopped: str | None = None
    level: str = ""
    moves: int | None = None
    level_by_lines: str = ""
    moves_by_lines: int | None = None
    separations: tuple[Separation, ...] = ()
    locked: tuple[int, ...] = ()
    stats: Stats = Stats()


class DisassemblyList(Answer, frozen=True, kw_only=True):
    """Solutions of a puzzle, and the results of taking them apart.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    status
        ``COMPLETE`` if the outcome is known for every solution; but ``UNSOLVABLE`` after a search
        in which none comes apart.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    assemblies
        Number of solutions that were tried; up to symmetry if a search found them.
    disassemblies
        The results for the solutions that come apart or, if the solutions are from a file, for all
        solutions. The last result may be unfinished.
    """

    puzzle: str
    status: Status
    stopped: str | None = None
    assemblies: int = 0
    disassemblies: tuple[Disassembly, ...] = ()


class LevelTally(Answer, frozen=True, kw_only=True):
    """The number of solutions that come apart and have a given level.

    Attributes
    ----------
    level, moves
        The level, and the least total number of moves of a solution of this level; see
        `Disassembly`.
    raw, rotation, symmetry
        Number of solutions: all, up to rotation, up to symmetry.
    """

    level: str
    moves: int
    raw: int
    rotation: int
    symmetry: int


class AssemblyCount(Answer, frozen=True, kw_only=True):
    """The number of solutions that come apart.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    backend
        The backend that listed the solutions.
    status
        ``COMPLETE`` or ``UNSOLVABLE`` (none comes apart) if the counts are final.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    raw, rotation, symmetry
        Number of solutions that come apart: all, up to rotation, up to symmetry; None if not
        determined.
    assemblies, assemblies_rotation, assemblies_symmetry
        Number of solutions tried so far, whether they come apart or not: all, up to rotation, up to
        symmetry.
    unknown
        Number of solutions, up to symmetry, that are not decided, because they need too many
        states.
    levels
        For each level, in increasing order: the number of solutions with this level so far.
    stats
        Counters and seconds.
    """

    puzzle: str
    backend: str
    status: Status
    stopped: str | None = None
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    assemblies: int = 0
    assemblies_rotation: int = 0
    assemblies_symmetry: int = 0
    unknown: int = 0
    levels: tuple[LevelTally, ...] = ()
    stats: Stats = Stats()
