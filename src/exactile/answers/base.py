"""The common parts of all answers: status, counters, placements, and the JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from html import escape
from textwrap import shorten
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from exactile.doors import door
from exactile.errors import FileError, Interrupted, PuzzleError
from exactile.wanted import seen


class Status(Enum):
    """The state of a search: what is known about the solutions of a puzzle."""

    UNKNOWN = "unknown"
    """No solution was found so far, and the search is not finished."""

    SOLVABLE = "solvable"
    """At least one solution was found; there may be more."""

    COMPLETE = "complete"
    """There are solutions, and all were found."""

    UNSOLVABLE = "unsolvable"
    """The search is finished: there is no solution."""

    @classmethod
    def _missing_(cls, value: object) -> Status:
        words = " or ".join(repr(status.value) for status in cls)
        raise PuzzleError(f"There is no status {seen(value)}: write {words}.")

    @classmethod
    def of(cls, raw: int | None, found: int = 0) -> Status:
        """Return the status of a search.

        `raw`: number of all solutions; None if it is unknown. `found`: number of solutions so far.

        Examples
        --------
        >>> Status.of(240).value, Status.of(0).value, Status.of(None, found=3).value
        ('complete', 'unsolvable', 'solvable')
        """
        if raw is None:
            return cls.SOLVABLE if found else cls.UNKNOWN
        return cls.COMPLETE if raw else cls.UNSOLVABLE

    @property
    def final(self) -> bool:
        """Whether the search is finished."""
        return self in (Status.COMPLETE, Status.UNSOLVABLE)


TIME_LIMIT = "time limit"
SOLUTION_LIMIT = "solution limit"
INTERRUPTED = "interrupted"
"""Reason for the end of a search after Ctrl-C. Solvers may also give other reasons."""

Coordinates = tuple[int, ...]
"""A unit in the customary coordinates of its lattice, as in puzzle files."""


class Placed(NamedTuple):
    """A placement as in solution files: the piece's name and its units."""

    piece: str
    units: tuple[Coordinates, ...]


Placements = tuple[Placed, ...]
"""A solution, or a part of one."""


def _cell(value: Any) -> str:
    match value:
        case Enum():
            return str(value.value)
        case int() if type(value) is int:
            return f"{value:,}"
        case (Placed(), *_):
            return " ".join(placed.piece for placed in value)
        case ((Placed(), *_), *_):
            return f"{len(value):,}"
    return str(value)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all answers. Answers are immutable, and equal if their parts are equal.

    Examples
    --------
    >>> from exactile.answers import Count
    >>> answer = Count(puzzle="p", backend="dlx", status=Status.COMPLETE, raw=8**30)
    >>> Count.from_json(answer.to_json()) == answer
    True
    """

    @door
    def to_json(self, indent: int = 0) -> str:
        """Return the answer as a JSON document. Integers may be of any size.

        `indent`: number of spaces for each level; 0 for a document on one line.
        """
        return msgspec.json.format(msgspec.json.encode(self), indent=indent).decode()

    def _repr_html_(self) -> str:
        """Return the answer as a table in HTML, for notebooks, with long values cut off.

        Values that are empty or None are left out.
        """
        values = ((name, getattr(self, name)) for name in self.__struct_fields__)
        rows = ((name, _cell(value)) for name, value in values if value not in (None, (), "", {}))
        cells = "".join(
            f"<tr><th>{name}</th><td>{escape(shorten(text, 200, placeholder=' ...'))}</td></tr>"
            for name, text in rows
        )
        return f"<table>{cells}</table>"

    @classmethod
    @door
    def from_json(cls, text: str | bytes) -> Self:
        """Return the answer that a JSON document contains.

        Raises
        ------
        FileError
            If the text is not a document of such an answer; the message names the place in the
            document.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.MsgspecError, UnicodeEncodeError) as error:
            raise FileError(f"This is not a {cls.__name__} in JSON: {error}.") from None


A = TypeVar("A")


def passed_on(answer: A) -> A:
    """Return an answer or, if Ctrl-C stopped the work, raise `Interrupted` with this answer."""
    if getattr(answer, "stopped", None) == INTERRUPTED:
        raise Interrupted(answer)
    return answer


class Drawable(Answer, frozen=True, kw_only=True, dict=True):
    """An answer that notebooks draw, such as solutions or a packing.

    A puzzle may be attached to the answer. The puzzle is not part of the answer: JSON documents do
    not contain it, and comparisons ignore it.
    """

    def of(self, puzzle: object) -> Self:
        """Attach the puzzle to the answer, and return the answer."""
        vars(self)["subject"] = puzzle
        return self


def subject(answer: Drawable) -> Any:
    """Return the puzzle that is attached to an answer, or None."""
    return vars(answer).get("subject")


class Stats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, repr_omit_defaults=True):
    """Sizes, counters and seconds of an answer. Values that are None are left out in JSON.

    Attributes
    ----------
    items, options
        Number of items and of options of the model.
    symmetries
        For counts up to symmetry by a memo or a frontier: number of symmetries whose invariant
        solutions were counted.
    clauses
        Number of clauses of the formula.
    nodes
        Number of nodes visited by a search. For counts of a puzzle by a memo or a frontier, number
        of states; for samples by a frontier, number of nodes of its automaton.
    updates
        Number of options that a `dlx` search removed, or of words of 64 bits that it cleared.
    searches, attempts, solves
        Number of searches, of attempts of a portfolio, and of calls of a solver.
    conflicts, decisions, branches, propagations, restarts
        Counters of SAT solvers and CP-SAT.
    variables_left
        Number of variables whose values CP-SAT's bounds leave open.
    deterministic_ms
        CP-SAT's deterministic time, in thousandths of its unit.
    lemmas
        Number of lemmas of the proof.
    positions
        Number of positions of peg solitaire that were visited.
    levels_from_start, levels_from_goals
        Numbers of positions that are 0, 1, 2 ... moves away from the start, or from a goal.
    states
        Number of states of a memo, of entries of all lists of a frontier, or of states visited to
        take assemblies apart.
    edges, layers, levels
        Numbers of edges (of a memo or of a frontier's automaton), of layers (of a memo), and of
        levels (of the automaton).
    bound
        An upper bound on the number of entries of all lists of a frontier.
    bits, width
        Number of bits of the widest state of a memo; number of bits of each state of a frontier.
    operations, bytes, bytes_written
        Number of sums computed by a frontier, its memory in bytes, and bytes written to disk.
    build_seconds, check_seconds, seconds
        Seconds for making the model, for checking solutions, and for everything else. If the first
        two are missing, `seconds` is the total.
    other
        Counters that only one backend has, by name.

    Examples
    --------
    >>> stats = Stats.of({"nodes": 7, "seconds": 0.5, "guesses": 3})
    >>> stats.nodes, stats["nodes"], stats.states, stats["guesses"]
    (7, 7, None, 3)
    >>> stats.by_name()
    {'nodes': 7, 'seconds': 0.5, 'guesses': 3}
    >>> Stats(nodes=7, seconds=0.5)
    Stats(nodes=7, seconds=0.5)
    """

    items: int | None = None
    options: int | None = None
    symmetries: int | None = None
    clauses: int | None = None
    nodes: int | None = None
    updates: int | None = None
    searches: int | None = None
    attempts: int | None = None
    solves: int | None = None
    conflicts: int | None = None
    decisions: int | None = None
    branches: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    variables_left: int | None = None
    deterministic_ms: int | None = None
    lemmas: int | None = None
    positions: int | None = None
    levels_from_start: list[int] | None = None
    levels_from_goals: list[int] | None = None
    states: int | None = None
    edges: int | None = None
    layers: int | None = None
    levels: int | None = None
    bound: float | None = None
    bits: int | None = None
    width: int | None = None
    operations: int | None = None
    bytes: int | None = None
    bytes_written: int | None = None
    build_seconds: float | None = None
    check_seconds: float | None = None
    seconds: float | None = None
    other: dict[str, int | float | str | None] = {}

    @classmethod
    def of(cls, counters: Mapping[str, Any]) -> Self:
        """Return a structure with these counters; unknown names go to `other`."""
        known = {k: v for k, v in counters.items() if k in cls.__struct_fields__}
        return cls(**known, other={k: v for k, v in counters.items() if k not in known})

    def by_name(self) -> dict[str, Any]:
        """Return the counters that have a value, by name."""
        counted: dict[str, Any] = msgspec.to_builtins(self)
        other: dict[str, Any] = counted.pop("other", {})
        return counted | other

    def lasting(self, total: float) -> Self:
        """Return these counters with other `seconds`, so that all seconds together are `total`.

        Examples
        --------
        >>> Stats(build_seconds=1.0, seconds=2.0).lasting(10.0)
        Stats(build_seconds=1.0, seconds=9.0)
        """
        rest = total - (self.build_seconds or 0.0) - (self.check_seconds or 0.0)
        return msgspec.structs.replace(self, seconds=round(max(rest, 0.0), 6))

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name) if name in self.__struct_fields__ else self.other[name]
