"""The common parts of all answers: status, counters, placements, and the JSON text."""

from __future__ import annotations

from enum import Enum
from html import escape
from textwrap import shorten
from typing import Any, NamedTuple, Self

import msgspec

from exactile.doors import door
from exactile.errors import FileError, PuzzleError
from exactile.wanted import seen


class Status(Enum):
    """The state of knowledge about a puzzle."""

    UNKNOWN = "unknown"
    """No solution yet, and the search is not finished."""

    SOLVABLE = "solvable"
    """There are solutions, and perhaps more."""

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
        """Return the status for a number of solutions; if it is None, for the number found so far.

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
"""Reasons why a search ended early, unless a solver has its own."""

Coordinates = tuple[int, ...]
"""A unit in the customary coordinates of its lattice, as in puzzle files."""


class Placed(NamedTuple):
    """A placement as in solution files: the piece's name and its units."""

    piece: str
    units: tuple[Coordinates, ...]


Placements = tuple[Placed, ...]
"""A solution, or a part of one."""


def _cell(value: Any) -> str:
    """Return a value as a cell of a table: the number of several solutions, the pieces of one."""
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
    """The base of all answers, which are immutable, and equal if their parts are.

    Examples
    --------
    >>> from exactile.answers import Count
    >>> answer = Count(puzzle="p", backend="dlx", status=Status.COMPLETE, raw=8**30)
    >>> Count.from_json(answer.to_json()) == answer
    True
    """

    @door
    def to_json(self, indent: int = 0) -> str:
        """Return the answer as a JSON document, on one line without an indent.

        Integers may be of any size.
        """
        return msgspec.json.format(msgspec.json.encode(self), indent=indent).decode()

    def _repr_html_(self) -> str:
        """Return the answer as a table, for notebooks; long values are cut."""
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
        """Return the answer in a JSON document.

        Raises
        ------
        FileError
            If it is not such a document; the message names the place.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise FileError(f"This is not a {cls.__name__} in JSON: {error}.") from None


class Drawable(Answer, frozen=True, kw_only=True, dict=True):
    """An answer with solutions or a packing, which notebooks draw.

    It may know its puzzle. That is not part of the answer: no JSON document contains it, and
    comparisons ignore it.
    """

    def of(self, puzzle: object) -> Self:
        """Return the answer after attaching its puzzle."""
        vars(self)["subject"] = puzzle
        return self


def subject(answer: Drawable) -> Any:
    """Return the attached puzzle, None if there is none."""
    return vars(answer).get("subject")
