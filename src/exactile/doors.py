"""The decorator `door`, which validates the arguments of public functions by their annotations.

Where the annotation requires it, NumPy numbers become Python numbers, strings become paths, and
sequences become lists or tuples. Other values of a wrong type raise PuzzleError before the function
is called. The values of an `Iterable`, however, are checked only when they are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, wraps
from inspect import signature, unwrap
from io import BufferedIOBase, IOBase, RawIOBase, TextIOBase
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    IO,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

from exactile.errors import PuzzleError
from exactile.wanted import article, seen

T = TypeVar("T")
P = ParamSpec("P")

MAKERS = {
    "Puzzle": "`exactile.load` makes one from a name or a file",
    "Model": "`exactile.lower` makes one from a puzzle",
    "ExactCover": "`exactile.read_model` makes one from a file",
    "Store": "`exactile.Store` opens one",
    "StoredRun": "`exactile.StoredRun` takes one from a store",
}
"""Hints for error messages: how to get a value of a type, by the name of the type."""

REFUSED = object()
"""Returned by `Want.taken` for a value that it does not accept."""

MOST = 10_000_000
"""Largest number of values in a list; a longer one is probably a mistyped `range`."""


class Within(NamedTuple):
    """The bounds of an integer, as part of its annotation."""

    lowest: int
    highest: int


Positive = Annotated[int, Within(1, 2**63 - 1)]

Seed = Annotated[int, Within(0, 2**31 - 1)]
"""Seeds that all solvers accept."""

Workers = Annotated[int, Within(1, 1024)]
"""Numbers of workers that are accepted; each worker may be a process."""


class Want(NamedTuple):
    """The values that an annotation allows, and how they are converted."""

    words: str  # the expected value, in words
    taken: Callable[[Any], Any]  # converts a value, or returns `REFUSED`
    maker: str = ""  # how to get such a value
    # A type whose values are accepted unchanged: long tuples of them are not rebuilt
    exact: type | None = None


def door(function: Callable[P, T]) -> Callable[P, T]:
    """Return `function`, but with its arguments checked and converted to their annotated types.

    The new function raises PuzzleError if an argument has an unknown name, does not match its
    annotation, or is a list of more than `MOST` values.

    >>> @door
    ... def halved(number: int, *, by: float | None = None) -> float:
    ...     return number / (by or 2)
    >>> import numpy as np
    >>> halved(np.int64(3), by=1.5)
    2.0
    >>> halved("3")
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: `number` must be an integer of 64 bits, not '3'.
    """

    @wraps(function)
    def checked(*given: Any, **named: Any) -> T:
        order, kinds, known = _parameters(function)
        for name in sorted(named.keys() - known) if known else ():
            raise PuzzleError(f"There is no option '{name}': use {', '.join(sorted(known))}.")
        values = [_let_in(n, kinds.get(n), v) for n, v in zip(order, given, strict=False)]
        options = {name: _let_in(name, kinds.get(name), v) for name, v in named.items()}
        return function(*values, *given[len(order) :], **options)

    return checked


def guarded(made: type[T]) -> type[T]:
    """Apply `door` to the constructor of a class, such as a dataclass; return the class."""
    made.__init__ = door(made.__init__)  # type: ignore[method-assign]
    return made


@cache
def _parameters(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], dict[str, Want], frozenset[str]]:
    """Return the positional parameters of a function, the `Want` of each parameter, and keywords.

    The keywords are the names by which arguments may be given, with those of a `TypedDict` that is
    unpacked; there are none if any name may be given. Only annotated parameters have a `Want`.
    """
    named = signature(function).parameters.values()
    words = {p.name for p in named if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    places = tuple(p.name for p in named if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))

    def annotated() -> None:
        """Do nothing: this function only carries the annotations of the parameters."""

    annotated.__annotations__ = {p.name: p.annotation for p in named if p.annotation is not p.empty}
    hints = get_type_hints(annotated, unwrap(function).__globals__, include_extras=True)
    rest = next((p.name for p in named if p.kind is p.VAR_KEYWORD), None)
    meant = None if rest is None else hints.pop(rest, None)
    if get_origin(meant) is Unpack:
        own = get_type_hints(get_args(meant)[0], include_extras=True)
        hints |= own
        words |= own.keys()
    elif rest is not None:
        words.clear()
    known = frozenset(words - {"self"})
    return places, {name: _kind(meant) for name, meant in hints.items()}, known


def _let_in(name: str, kind: Want | None, value: Any) -> Any:
    """Return an argument, converted to the type of its parameter.

    `kind`: the values that the parameter accepts; None for all. Raise PuzzleError for any other
    value.
    """
    if kind is None:
        return value
    taken = kind.taken(value)
    if taken is REFUSED:
        maker = kind.maker and f": {kind.maker}"
        raise PuzzleError(f"`{name}` must be {kind.words}, not {seen(value)}{maker}.")
    return taken


@cache
def _kind(meant: Any) -> Want:
    """Return the `Want` of an annotation: which values it allows, and how to convert them."""
    origin, inner = get_origin(meant), get_args(meant)
    if meant in PLAIN:
        return PLAIN[meant]
    if origin is Annotated:
        return _bounded(*inner[1])
    if origin is Literal:
        words = " or ".join(map(repr, inner))
        return Want(words, lambda v: v if isinstance(v, str) and v in inner else REFUSED)
    if origin in (Union, UnionType):
        return _either([_kind(part) for part in inner])
    if origin in (tuple, list, Sequence, Iterable):
        return _several(origin, _kind(inner[0]))
    if origin is Mapping:
        return _mapping(_kind(inner[0]), _kind(inner[1]))
    if hasattr(meant, "_fields"):
        return _record(meant)
    own = origin or meant
    own = (
        get_origin(getattr(own, "__value__", None)) or own
    )  # from Python 3.12 on, NDArray is an alias
    words = "a NumPy array" if own.__name__ == "ndarray" else article(own.__name__)
    return Want(words, lambda v: v if isinstance(v, own) else REFUSED, MAKERS.get(own.__name__, ""))


def _bounded(lowest: int, highest: int) -> Want:
    """Return the `Want` of an integer within bounds."""

    def taken(value: Any) -> Any:
        found = _integer(value)
        return found if found is REFUSED or lowest <= found <= highest else REFUSED

    to = "on" if highest == 2**63 - 1 else f"to {highest:,}"
    return Want(f"an integer from {lowest} {to}", taken)


def _either(kinds: list[Want]) -> Want:
    """Return the `Want` of a union: the first of `kinds` that accepts a value converts it."""

    def taken(value: Any) -> Any:
        found = (kind.taken(value) for kind in kinds)
        return next((each for each in found if each is not REFUSED), REFUSED)

    if any(kind.words == "a path" for kind in kinds):
        kinds = [kind for kind in kinds if kind.words != "a string"]
    words = dict.fromkeys(kind.words for kind in kinds)
    return Want(" or ".join(words), taken, next((k.maker for k in kinds if k.maker), ""))


def _several(made: Any, kind: Want) -> Want:
    """Return the `Want` of several values of one kind.

    `made`: the type of the collection. Values of an `Iterable` are converted when they are read.
    """

    def each(values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            found = kind.taken(value)
            if found is REFUSED:
                raise PuzzleError(f"Each value must be {kind.words}, not {seen(value)}.")
            yield found

    def taken(values: Any) -> Any:
        if made is tuple is type(values) and {*map(type, values)} == {kind.exact}:
            return values
        if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping | IOBase):
            return REFUSED
        refuse_long(values)
        if made is Iterable:
            return each(values)
        found = []
        for value in values:
            one = kind.taken(value)
            if one is REFUSED:
                return REFUSED
            found.append(one)
        return tuple(found) if made is tuple else found

    return Want(f"a list in which each is {kind.words}", taken)


def refuse_long(values: Any) -> None:
    """Raise PuzzleError if `values` is a sequence of more than `MOST` values.

    >>> refuse_long(range(10**20))
    Traceback (most recent call last):
        ...
    exactile.errors.PuzzleError: A list can have at most 10,000,000 values.
    """
    if isinstance(values, Sequence) and values[MOST : MOST + 1]:  # `len` fails for a long range
        raise PuzzleError(f"A list can have at most {MOST:,} values.")


def _mapping(key: Want, kind: Want) -> Want:
    """Return the `Want` of a mapping, given those of its keys and of its values."""

    def taken(values: Any) -> Any:
        if not isinstance(values, Mapping):
            return REFUSED
        found = {key.taken(name): kind.taken(value) for name, value in values.items()}
        return REFUSED if REFUSED in found or any(v is REFUSED for v in found.values()) else found

    return Want("a dict", taken)


def _record(made: Any) -> Want:
    """Return the `Want` of a named tuple, which also accepts a tuple or list of its fields."""
    kinds = [_kind(meant) for meant in get_type_hints(made, include_extras=True).values()]

    def taken(value: Any) -> Any:
        if isinstance(value, made):
            return value
        if not isinstance(value, tuple | list) or len(value) != len(kinds):
            return REFUSED
        found = [kind.taken(part) for kind, part in zip(kinds, value, strict=True)]
        return REFUSED if any(part is REFUSED for part in found) else made(*found)

    return Want(article(made.__name__), taken, exact=made)


def _integer(value: Any) -> Any:
    if isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) < 1 << 63:
        return int(value)
    return REFUSED


def _number(value: Any) -> Any:
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer beyond all floating-point numbers
            if isfinite(value):
                return value if isinstance(value, int | float) else float(value)
    return REFUSED


def _truth(value: Any) -> Any:
    kind = type(value).__name__  # also that of NumPy, which need not be loaded
    return bool(value) if kind in ("bool", "bool_") else REFUSED


def _open_file(value: Any) -> Any:
    return value if hasattr(value, "read") and not getattr(value, "closed", False) else REFUSED


def _path(value: Any) -> Any:
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    return Path(text) if isinstance(text, str) and text and _names_a_file(text) else REFUSED


def _names_a_file(text: str) -> bool:
    """Return whether a text can be a path; if not, system calls may raise ValueError."""
    try:
        parts = os.fsencode(text).split(os.fsencode(os.sep))
    except UnicodeEncodeError:
        return False
    return "\0" not in text and len(text) < 4096 and all(len(part) < 256 for part in parts)


def _path_text(value: Any) -> Any:
    path = _path(value)
    return path if path is REFUSED else os.fspath(value)


PLAIN: dict[Any, Want] = {
    Any: Want("anything", lambda value: value),
    None: Want("None", lambda value: value if value is None else REFUSED),
    NoneType: Want("None", lambda value: value if value is None else REFUSED),
    int: Want("an integer of 64 bits", _integer),
    float: Want("a finite number", _number),
    bool: Want("True or False", _truth),
    str: Want("a string", lambda value: value if isinstance(value, str) else REFUSED),
    Path: Want("a path", _path),
    os.PathLike[str]: Want("a path", _path_text),
    IO[str]: Want("an open file", _open_file),
}


def require_sink(stream: Any, *, binary: bool) -> None:
    """Raise PuzzleError unless bytes (if `binary`) or text (if not) can be written to a stream.

    Objects that are not streams of the module `io` are accepted.
    """
    other = TextIOBase if binary else (RawIOBase, BufferedIOBase)
    closed = isinstance(stream, IOBase) and (stream.closed or not stream.writable())
    if isinstance(stream, other) or closed:
        mode = "wb" if binary else "w"
        raise PuzzleError(f"Nothing can be written to this stream: open the file with '{mode}'.")
