"""What all answers share: status, counters, placements as people write them, and the JSON text."""

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
    """What a search knows about its puzzle."""

    UNKNOWN = "unknown"
    """No solution yet, and not all is searched."""

    SOLVABLE = "solvable"
    """There are solutions, and perhaps more."""

    COMPLETE = "complete"
    """There are solutions, and all were found."""

    UNSOLVABLE = "unsolvable"
    """All was searched: there is none."""

    @classmethod
    def _missing_(cls, value: object) -> Status:
        words = " or ".join(repr(status.value) for status in cls)
        raise PuzzleError(f"There is no status {seen(value)}: write {words}.")

    @classmethod
    def of(cls, raw: int | None, found: int = 0) -> Status:
        """Return the status of a count: of the number of solutions, or of those seen so far.

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
        """Whether all was searched."""
        return self in (Status.COMPLETE, Status.UNSOLVABLE)


TIME_LIMIT = "time limit"
SOLUTION_LIMIT = "solution limit"
INTERRUPTED = "interrupted"
"""Why a search ended early, unless a solver has words of its own."""

Coordinates = tuple[int, ...]
"""Where a unit lies, in the customary coordinates of its lattice, as in puzzle files."""


class Placed(NamedTuple):
    """A piece in its place, as solution files write it: its name and its units."""

    piece: str
    units: tuple[Coordinates, ...]


Placements = tuple[Placed, ...]
"""A solution, or a part of one."""


def _cell(value: Any) -> str:
    """Return a value as a cell of a table: of solutions their number, of one its pieces."""
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
    """The base of all answers. Equal ones have equal parts; none of them can be changed.

    Examples
    --------
    >>> from exactile.answers import Count
    >>> answer = Count(puzzle="p", backend="dlx", status=Status.COMPLETE, raw=8**30)
    >>> Count.from_json(answer.to_json()) == answer
    True
    """

    @door
    def to_json(self, indent: int = 0) -> str:
        """Return the answer as a JSON document, on one line if there is no indent.

        Integers may be of any size.
        """
        return msgspec.json.format(msgspec.json.encode(self), indent=indent).decode()

    def _repr_html_(self) -> str:
        """Return what an answer says as a table, for notebooks; what is long is cut."""
        told = ((name, getattr(self, name)) for name in self.__struct_fields__)
        rows = ((name, _cell(value)) for name, value in told if value not in (None, (), "", {}))
        cells = "".join(
            f"<tr><th>{name}</th><td>{escape(shorten(text, 200, placeholder=' ...'))}</td></tr>"
            for name, text in rows
        )
        return f"<table>{cells}</table>"

    @classmethod
    @door
    def from_json(cls, text: str | bytes) -> Self:
        """Return the answer that a JSON document holds.

        Raises
        ------
        FileError
            If it is no such document; the message says where.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise FileError(f"This is no {cls.__name__} in JSON: {error}.") from None


class Drawable(Answer, frozen=True, kw_only=True, dict=True):
    """An answer with solutions or a packing, which notebooks draw.

    It may know the puzzle that it is about. That is no part of the answer: no JSON document has it,
    and it does not matter where answers are compared.
    """

    def of(self, puzzle: object) -> Self:
        """Return the answer after telling it its puzzle."""
        vars(self)["subject"] = puzzle
        return self


def subject(answer: Drawable) -> Any:
    """Return the puzzle that an answer was told, None if none was."""
    return vars(answer).get("subject")
