"""Checks of single values, and words for values in error messages."""

from __future__ import annotations

from numbers import Integral, Real
from reprlib import repr as clipped_repr
from typing import Any, TypeVar

from exactile.errors import ExactileError, PuzzleError

T = TypeVar("T")


def wanted(value: Any, kind: type[T], what: str, error: type[ExactileError] = PuzzleError) -> T:
    """Return a value if it has the type `kind`; raise `error` if not.

    `what`: words for the value in the error message.

    >>> wanted("I2", str, "The name of a piece")
    'I2'
    >>> wanted(5, str, "The name of a piece")
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: The name of a piece must be a str, not 5.
    """
    if isinstance(value, kind):
        return value
    raise error(f"{what} must be {article(kind.__name__)}, not {seen(value)}.")


def whole(value: Any, what: str, error: type[PuzzleError] = PuzzleError) -> int:
    """Return an integer of Python or NumPy as a Python integer.

    Raise `error` for other values, including booleans. `what`: words for the value in the error
    message, such as ``The number of solutions``.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    raise error(f"{what} must be an integer, not {seen(value)}.")


def numbered(value: Any, count: int, what: str, error: type[ExactileError] = PuzzleError) -> int:
    """Return an index below `count` as a Python integer; raise `error` for any other value.

    Indices begin at 0. `what`: the object that has the index, for the error message.

    >>> numbered(7, 12, "option")
    7
    >>> numbered(12, 12, "option")
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: There is no option 12: they are numbered from 0 to 11.
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < count:
        return int(value)
    numbers = f"they are numbered from 0 to {count - 1}" if count else "there are none"
    raise error(f"There is no {what} {seen(value)}: {numbers}.")


def real(value: Any, what: str) -> float | int:
    """Return a value if it is a real number but not a bool; raise PuzzleError if not.

    `what`: words for the value in the error message.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        return value  # type: ignore[return-value]
    raise PuzzleError(f"{what} must be a number, not {seen(value)}.")


def seen(value: Any) -> str:
    """Return a description of a wrong value on one line: the value, shortened, or its type.

    Values of basic types, such as numbers, strings and lists, are shown; for other values, the
    type.

    >>> seen("a" * 100), seen(object())
    ("'aaaaaaaaaaaa...aaaaaaaaaaaaa'", 'an object')
    """
    if isinstance(value, str | bytes | Real | list | tuple | set | dict | None):
        return " ".join(clipped_repr(value).split())
    return article(type(value).__name__)


def article(noun: str) -> str:
    """Return a noun with the indefinite article, such as ``an integer``."""
    return f"a{'n' * (noun[0] in 'AEIOUaeiou')} {noun}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with a noun: `one`, or its plural `many`, by default with an s.

    >>> plural(1, "puzzle"), plural(2000, "puzzle"), plural(2, "polyhex", "polyhexes")
    ('1 puzzle', '2,000 puzzles', '2 polyhexes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size_text(size: int) -> str:
    """Return a number of bytes as it is written in options, such as ``8G``.

    Below 1,000 of a unit it is rounded to 3 digits, else to an integer.

    >>> size_text(2**20), size_text(3 * 2**29), size_text(100), size_text(2**50)
    ('1M', '1.5G', '100', '1048576G')
    """
    for factor, unit in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
        if size >= factor:
            number = size / factor
            return f"{number:.3g}{unit}" if number < 999.5 else f"{number:.0f}{unit}"
    return str(size)
