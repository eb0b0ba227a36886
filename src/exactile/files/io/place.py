"""Places in a file: prefixes of messages, and conversions that explain failures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from exactile.errors import FileError, PuzzleError, suggestion

T = TypeVar("T", bound=msgspec.Struct)

WORDS = {
    "int": "an integer",
    "float": "a float",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "date": "a date",
    "time": "a time",
    "datetime": "a date",
}
"""The types of TOML in msgspec's messages, in words."""

EXAMPLES = {
    "format": "format = 1 at the top",
    "puzzle": "a table [puzzle.NAME]",
    "lattice": 'lattice = "square", or another lattice',
    "pieces": 'pieces = { set = "..." }',
    "region": "region = { box = [...] }, or another region",
    "paint.pieces": 'pieces = { NAME = { red = "0,0" } }, or a drawing for each painted piece',
    "paint.region": 'region = { red = "0,0" }, or a drawing',
}
"""Examples for missing keys, by key or by table and key."""

SHOWN = 60
"""Longer offending texts are cut."""


@dataclass(frozen=True)
class Place:
    """A place in a file: the file's name and a key.

    >>> str(Place("my.toml") / "puzzle" / "a" / "plus[0]")
    'my.toml: puzzle.a.plus[0]'
    """

    file: str
    key: str = ""

    def __truediv__(self, key: str) -> Place:
        return Place(self.file, f"{self.key}.{key}" if self.key else key)

    def __str__(self) -> str:
        return f"{self.file}: {self.key}" if self.key else self.file

    def error(self, text: str, kind: type[PuzzleError] = FileError) -> PuzzleError:
        """Return an error whose message starts with this place."""
        return kind(f"{self}: {text}")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Prefix errors raised inside with this place, unless they name one already."""
        try:
            yield
        except PuzzleError as error:
            if str(error).startswith((f"{self.file}: ", str(self))):
                raise
            raise type(error)(f"{self}: {error}") from None

    def convert(self, value: Any, kind: type[T]) -> T:
        """Turn a TOML value into a structure.

        Raise FileError with the key, the offending text, and what to write instead.

        >>> class Size(msgspec.Struct):
        ...     width: int
        >>> Place("my.toml", "region").convert({"width": "3"}, Size)
        Traceback (most recent call last):
        ...
        exactile.errors.FileError: my.toml: region.width: expected an integer, got a string: "3".
        """
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self._explained(str(error), value, kind) from None

    def _explained(self, message: str, value: Any, kind: type[msgspec.Struct]) -> PuzzleError:
        problem, _, path = message.partition(" - at ")
        tokens = re.findall(r"\.\w+|\[(?:\d+|\.\.\.)\]", path.strip("`$"))
        place = Place(self.file, self.key + "".join(tokens).replace("[...]", ""))
        if not self.key:
            place = Place(self.file, place.key.removeprefix("."))
        name = re.search(r"field `(.*)`", problem)
        if name is not None and "unknown" in problem:
            known = _field_names(kind, tokens)
            return place.error(
                f"unknown key '{name[1]}'.{suggestion(name[1], known)} Known: {', '.join(known)}."
            )
        if name is not None:
            table = place.key.rpartition(".")[2]
            example = EXAMPLES.get(f"{table}.{name[1]}") or EXAMPLES.get(name[1])
            example = example or f"{name[1]} = ..."
            return place.error(f"the key '{name[1]}' is missing: write {example}.")
        problem = re.sub(r"`(.*?)`", lambda match: _plain(match[1]), problem)
        if problem.startswith("Invalid enum value"):
            return place.error(f"{problem[19:]} is not allowed: {_choices(kind, tokens)}.")
        return place.error(f"{problem[0].lower()}{problem[1:]}: {shown(_inside(value, tokens))}.")


def _plain(types: str) -> str:
    """Return a type of msgspec, such as ``int | null``, in words."""
    return " or ".join(WORDS.get(t, t) for t in types.split(" | ") if t != "null")


def shown(value: Any) -> str:
    """Return a value much as TOML writes it, cut if it is long.

    >>> shown([1, True, "x"])
    '[1, true, "x"]'
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**SHOWN:
        return "an integer of more than 60 digits"
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _inside(value: Any, tokens: list[str]) -> Any:
    """Follow a path of msgspec into a value, as far as the path is given."""
    for step in tokens:
        if step == "[...]":
            break
        value = value[step[1:]] if step.startswith(".") else value[int(step[1:-1])]
    return value


def _field_names(kind: type[msgspec.Struct], tokens: list[str]) -> list[str]:
    struct, _ = _follow(kind, tokens)
    return [f.encode_name for f in msgspec.structs.fields(struct)]


def _choices(kind: type[msgspec.Struct], tokens: list[str]) -> str:
    """Return the words that are allowed at a path."""
    _, annotation = _follow(kind, tokens)
    words = [a for part in (annotation, *get_args(annotation)) for a in get_args(part)]
    return "write one of " + ", ".join(f'"{w}"' for w in words if isinstance(w, str))


def _follow(kind: type[msgspec.Struct], tokens: list[str]) -> tuple[type[msgspec.Struct], Any]:
    """Return the innermost structure on a path and the type of the path's end."""
    annotation: Any = kind
    for token in tokens:
        if not token.startswith("."):
            continue
        names = {f.encode_name: f.name for f in msgspec.structs.fields(kind)}
        annotation = get_type_hints(kind, include_extras=True)[names[token[1:]]]
        kind = next(_structures(annotation), kind)
    return kind, annotation


def _structures(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for part in get_args(annotation):
        yield from _structures(part)
