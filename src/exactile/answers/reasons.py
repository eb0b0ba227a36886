"""The answers about unsolvable puzzles, and about checked solutions and certificates."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from exactile.answers.base import Answer, Coordinates, Placements, Stats, Status


class Weights(Answer, frozen=True, kw_only=True):
    """Weights of units and pieces that show a puzzle to be unsolvable.

    Attributes
    ----------
    kind
        The kind of argument. ``"congruence"``: every placement weighs 0 modulo `modulus`, but a
        solution would not. ``"inequality"``: every placement weighs at most 0, but a solution would
        weigh more. ``"balance"``: no placements of the required pieces together weigh as much as
        all units.
    modulus
        The modulus of a congruence, at least 2; 0 for other kinds of argument.
    units
        Points of units, each with its weight; all other units weigh 0.
    pieces
        Weights of pieces by name.
    omitted
        Constant added to the weight of each piece that is left out by choice.
    """

    kind: Literal["congruence", "inequality", "balance"]
    modulus: int
    units: tuple[tuple[Coordinates, int], ...]
    pieces: dict[str, int]
    omitted: int


class ColoringAnswer(Answer, frozen=True, kw_only=True):
    """The result of a search for colorings.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    certificate
        Verified weights; None if there are none, or none were found in time.
    argument
        Why the weights rule out a solution, in words.
    tried
        The attempts, in words.
    finished
        Whether all attempts were finished.
    stopped
        Why some attempts were not finished: ``"time limit"``, ``"memory limit"``, or an error.
    """

    puzzle: str
    certificate: Weights | None = None
    argument: str | None = None
    tried: str = ""
    finished: bool = True
    stopped: str | None = None


class Explanation(Answer, frozen=True, kw_only=True):
    """Demands of a puzzle that cannot all be met.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    status
        ``UNSOLVABLE`` if there is an explanation, ``SOLVABLE``, or ``UNKNOWN``.
    method
        How the explanation was found: ``"area"`` if numbers of units suffice, ``"whole"`` if
        nothing smaller than the puzzle is known to be impossible, ``"core"`` if the search stopped
        early, ``"minimal"``, or ``"smallest"``. None if there is no explanation.
    minimal
        Whether dropping any one demand makes it possible to meet all others; False also if this is
        not known.
    units
        The units that are to be covered.
    pieces
        The pieces that are to be used, each with its least number of uses.
    rules
        The rules that are to hold, in words.
    size
        Number of demands; a piece that is to be used three times counts three times. None if there
        is no explanation.
    at_least
        A lower bound on the number of demands in any explanation; None if not determined.
    sentence
        The contradiction, as a sentence; None if there is none, or if `method` is ``"area"``.
    reason
        A reason that needs no search, in words, if there is one.
    refuted_by
        The solvers that refuted exactly these demands, independently of each other. ``"reason"``
        is among them if `reason` refutes these demands.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    solution
        A solution, if one was found.
    stats
        Sizes of the model, counters of the SAT solver, and seconds.
    """

    puzzle: str
    status: Status
    method: str | None = None
    minimal: bool = False
    units: tuple[Coordinates, ...] = ()
    pieces: dict[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    size: int | None = None
    at_least: int | None = None
    sentence: str | None = None
    reason: str | None = None
    refuted_by: tuple[str, ...] = ()
    stopped: str | None = None
    crossing: bool = True
    solution: Placements | None = None
    stats: Stats = Stats()


class WrongSolution(Answer, frozen=True, kw_only=True):
    """A solution of a file, numbered from 1, with its faults."""

    solution: int
    faults: tuple[str, ...]


class FileCheck(Answer, frozen=True, kw_only=True):
    """The number of a puzzle's solutions in a file, and the wrong ones.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    solutions
        Number of solutions in the file.
    wrong
        The solutions that are wrong or repeat an earlier one.
    end
        ``"complete"`` if the file states that it has all requested solutions; otherwise the reason
        that it gives for having fewer. None or ``"unknown"`` if it states neither.
    """

    puzzle: str
    solutions: int
    wrong: tuple[WrongSolution, ...] = ()
    end: str | None = None


class VerifiedClaim(Answer, frozen=True, kw_only=True):
    """The claim of a verified certificate.

    Attributes
    ----------
    verified
        Always True: a certificate that does not hold is an error.
    puzzle
        The name of the puzzle, from the catalogue or a file, that was compared with the puzzle of
        the certificate and found equal; None if no puzzle was compared. With the setting
        `allow_crossing`, pieces of the compared puzzle may cross at vertices.
    digest
        The digest of the puzzle that was verified: see `Puzzle.digest`.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    calls_itself
        The name that the certificate gives its puzzle; the name proves nothing.
    raw, rotation, symmetry
        The numbers of solutions of the puzzle, all 0 if it has none.
    argument
        The kind of proof, in words.
    """

    verified: bool
    puzzle: str | None
    digest: str
    crossing: bool
    calls_itself: str
    raw: int
    rotation: int
    symmetry: int
    argument: str
