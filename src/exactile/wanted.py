"""What functions of the package are given is what they want, or refused with a plain word."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, TypeVar

from exactile.errors import PuzzleError

T = TypeVar("T")


def wanted(value: Any, kind: type[T], what: str, error: type[PuzzleError] = PuzzleError) -> T:
    """Return a value if it is of a kind.

    Raises
    ------
    PuzzleError
        If it is not.

    Examples
    --------
    >>> wanted("I2", str, "The name of a piece")
    'I2'
    >>> wanted(5, str, "The name of a piece")
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: The name of a piece must be a str, not 5.
    """
    if isinstance(value, kind):
        return value
    raise error(f"{what} must be {_article(kind.__name__)}, not {value!r}.")


def whole(value: Any, what: str, error: type[PuzzleError] = PuzzleError) -> int:
    """Return an integer, of numpy too, as one of Python.

    Raises
    ------
    PuzzleError
        If it is none.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    raise error(f"{what} must be an integer, not {value!r}.")


def real(value: Any, what: str) -> float | int:
    """Return a number that is no truth value.

    Raises
    ------
    PuzzleError
        If it is none.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        return value  # type: ignore[return-value]
    raise PuzzleError(f"{what} must be a number, not {value!r}.")


def several(values: Any, what: str) -> list[Any]:
    """Return the values of a list or the like, which is no text.

    Raises
    ------
    PuzzleError
        If it is none.

    Examples
    --------
    >>> several("abc", "Encodings")
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: Encodings must be a list, not 'abc'.
    """
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        return list(values)
    raise PuzzleError(f"{what} must be a list, not {values!r}.")


def _article(noun: str) -> str:
    return f"a{'n' * (noun[0] in 'AEIOU')} {noun}"


def size_text(size: int) -> str:
    """Return a number of bytes as options take it.

    Examples
    --------
    >>> size_text(2**20), size_text(3 * 2**29), size_text(100)
    ('1M', '1.5G', '100')
    """
    for factor, unit in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
        if size >= factor:
            return f"{size / factor:.3g}{unit}"
    return str(size)
