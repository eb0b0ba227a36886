"""Reading texts from files and converting them to structures, with errors that name the place."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedIOBase, BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from exactile.errors import FileError, NotFoundError, PuzzleError, suggestion

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
"""Words for the types of TOML: msgspec's messages have ``int``, ours "an integer"."""

EXAMPLES = {
    "format": "format = 1 at the top",
    "puzzle": "a table [puzzle.NAME]",
    "board": "a table [board.NAME]",
    "grid": 'grid = "square" or "triangle"',
    "drawing": 'drawing = """...""", with its lines between the quotes',
    "lattice": 'lattice = "square", or another lattice',
    "pieces": 'pieces = { set = "..." }',
    "region": "region = { box = [...] }, or another region",
    "paint.pieces": 'pieces = { NAME = { red = "0,0" } }, or a drawing for each painted piece',
    "paint.region": 'region = { red = "0,0" }, or a drawing',
}
"""Examples in messages about missing keys, by the key, or by table and key."""

KEYS_OF_PUZZLES = frozenset(("lattice", "pieces", "region", "title"))
KEYS_OF_REGIONS = frozenset(("box", "drawing", "minus", "optional", "plus", "units", "wrap"))
"""Keys of a region that are often written in the table of the puzzle by mistake."""

STANDARD_INPUT = "standard input"
"""The name of standard input in messages."""

SHOWN = 60
"""Largest number of characters of an offending text in a message."""


@dataclass(frozen=True)
class Place:
    """A place in a file, for messages: the file's name, and a key or a line.

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
        """Put this place before the message of a PuzzleError from the block.

        A message that already begins with a place in the same file is left as it is.
        """
        try:
            yield
        except PuzzleError as error:
            if str(error).startswith((f"{self.file}: ", str(self))):
                raise
            raise type(error)(f"{self}: {error}") from None

    def convert(self, value: Any, kind: type[T]) -> T:
        """Convert a parsed value, such as a table of TOML, to a structure of type `kind`.

        Raise FileError if it does not fit; the message names the key and what was expected.

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

    def _at(self, tokens: list[str]) -> Place:
        """Return the place at the end of a path, such as ``[".fixed", "[0]", ".piece"]``."""
        key = self.key + "".join(tokens).replace("[...]", "")
        return Place(self.file, key if self.key else key.removeprefix("."))

    def _check_entries(self, value: Any, kind: type[msgspec.Struct], tokens: list[str]) -> None:
        """Raise FileError for the wrong entry of a table, whose key a path states as ``[...]``."""
        if "[...]" in tokens:
            before = tokens[: tokens.index("[...]")]
            _, annotation = _follow(kind, before)
            if get_origin(annotation) is dict:
                for name, entry in _inside(value, before).items():
                    (self._at(before) / name).convert(entry, get_args(annotation)[1])

    def _explained(self, message: str, value: Any, kind: type[msgspec.Struct]) -> PuzzleError:
        problem, _, path = message.partition(" - at ")
        tokens = re.findall(r"\.\w+|\[(?:\d+|\.\.\.)\]", path.strip("`$"))
        self._check_entries(value, kind, tokens)
        place = self._at(tokens)
        name = re.search(r"field `(.*)`", problem)
        if name is not None and "unknown" in problem:
            known = _field_names(kind, tokens)
            advice = suggestion(name[1], known)
            if "region" in known and name[1] in KEYS_OF_REGIONS:
                advice = f" Write region.{name[1]}."
            elif "puzzle" in known and name[1] in KEYS_OF_PUZZLES:
                advice = f" Write [puzzle.ID] above '{name[1]}'."
            return place.error(f"unknown key '{name[1]}'.{advice} Known: {', '.join(known)}.")
        if name is not None:
            table = place.key.rpartition(".")[2]
            example = EXAMPLES.get(f"{table}.{name[1]}") or EXAMPLES.get(name[1])
            example = example or f"{name[1]} = ..."
            return place.error(f"the key '{name[1]}' is missing: write {example}.")
        problem = re.sub(r"`(.*?)`", lambda match: _plain(match[1]), problem)
        if problem.startswith("Invalid enum value"):
            return place.error(f"{problem[19:]} is not allowed: {_choices(kind, tokens)}.")
        table = place.key.rpartition(".")[0]
        advice = f" Write {EXAMPLES[table]}." if table in ("puzzle", "board") else ""
        value = shown(_inside(value, tokens))
        return place.error(f"{problem[0].lower()}{problem[1:]}: {value}.{advice}")


def _plain(types: str) -> str:
    """Return words for a type in msgspec's messages: "an integer" for ``int | null``."""
    return " or ".join(WORDS.get(t, t) for t in types.split(" | ") if t != "null")


def shown(value: Any) -> str:
    """Return a value as text for a message, in JSON; the end of a long text is cut off.

    >>> shown([1, True, "x"])
    '[1, true, "x"]'
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**SHOWN:
        return "an integer of more than 60 digits"
    try:
        text = json.dumps(value, default=str, ensure_ascii=False)
    except ValueError:
        return "a value with an integer of thousands of digits"
    end = '..."' if isinstance(value, str) else "..."
    return text if len(text) <= SHOWN else text[: SHOWN - len(end)] + end


def _inside(value: Any, tokens: list[str]) -> Any:
    """Return the part of a value at a path, such as ``[".fixed", "[0]", ".piece"]``.

    At ``[...]``, an index that msgspec does not state, the whole list is returned.
    """
    for step in tokens:
        if step == "[...]":
            break
        value = value[step[1:]] if step.startswith(".") else value[int(step[1:-1])]
    return value


def _field_names(kind: type[msgspec.Struct], tokens: list[str]) -> list[str]:
    struct, _ = _follow(kind, tokens)
    return [f.encode_name for f in msgspec.structs.fields(struct)]


def _choices(kind: type[msgspec.Struct], tokens: list[str]) -> str:
    """Return the advice "write one of ..." with the values that a structure allows at a path."""
    _, annotation = _follow(kind, tokens)
    words = [a for part in (annotation, *get_args(annotation)) for a in get_args(part)]
    return "write one of " + ", ".join(f'"{w}"' for w in words if isinstance(w, str))


def _follow(kind: type[msgspec.Struct], tokens: list[str]) -> tuple[type[msgspec.Struct], Any]:
    """Follow a path through the fields of a structure type.

    Return the innermost structure type on the path, and the type of the field at its end.
    """
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


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn system errors and ValueErrors inside the block into errors that name the file.

    A missing file gives NotFoundError, any other error FileError. A FileError passes unchanged.
    `name`: the file.
    """
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError:
        raise NotFoundError(f"{name}: there is no such file.") from None
    except IsADirectoryError:
        what = f"{name}: this is a directory: name a file in it." if name else "A file has no name."
        raise FileError(what) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{name}: the file cannot be read: {reason}.") from None


def source_name(source: str | PathLike[str] | IO[str]) -> str:
    """Return the name of a source for messages: a path, "standard input" or "the stream".

    ``"-"`` means standard input, and so does ``"xcc:-"``, in which a format precedes the colon.

    >>> source_name("a.toml"), source_name("xcc:-")
    ('a.toml', 'standard input')
    """
    if not isinstance(source, str | PathLike):
        return "the stream"
    name = fspath(source)
    return STANDARD_INPUT if name == "-" or name.endswith(":-") else name


def parquet_modules() -> tuple[Any, Any]:
    """Return the modules pyarrow and pyarrow.parquet; raise FileError if they are not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise FileError(
            "Parquet files need the package pyarrow: pip install 'exactile[parquet]'."
        ) from None
    return pa, parquet


def contents(source: str | PathLike[str] | IO[str]) -> tuple[str, str]:
    """Return the name of a source, for messages, and its text.

    `source`: a path, ``"-"`` for standard input, or an open text stream. Files with a suffix of
    `PACKED` are decompressed. Raise NotFoundError if there is no such file, FileError if it cannot
    be read or does not contain UTF-8 text.

    >>> from io import StringIO
    >>> contents(StringIO("a b"))
    ('the stream', 'a b')
    """
    if not isinstance(source, str | PathLike):
        with reading(source_name(source)):
            text = source.read()
        if not isinstance(text, str):
            raise FileError("The stream gives bytes: open the file as text, without 'b'.")
        return source_name(source), text
    name, data = file_bytes(source)
    return name, decoded(name, unpacked(name, data))


def file_bytes(source: str | PathLike[str], most: int | None = None) -> tuple[str, bytes]:
    """Return the name of a file, for messages, and its contents.

    `source`: a path, or ``"-"`` for standard input. `most`: largest number of bytes, None for no
    limit. Raise NotFoundError if there is no such file, FileError if it cannot be read or is too
    long.
    """
    name = source_name(source)
    with reading(name):
        is_input = name == STANDARD_INPUT
        with nullcontext(sys.stdin.buffer) if is_input else Path(source).open("rb") as file:
            data = file.read(-1 if most is None else most + 1)
    if most is not None and len(data) > most:
        raise FileError(f"{name}: it is too long: the limit is {most:,} bytes.")
    return name, data


def unpacked(name: str, data: bytes) -> bytes:
    """Return the contents of a file, decompressed if its name has a suffix of `PACKED`.

    Raise FileError if the file is damaged.
    """
    with _unpacking(name, BytesIO(data)) as lines:
        return lines.read()


@contextmanager
def _unpacking(name: str, raw: IO[bytes]) -> Iterator[IO[bytes] | BufferedIOBase]:
    """Yield a stream of the contents of `raw`, decompressed if `name` has a suffix of `PACKED`.

    Reading from it raises FileError if the file is damaged.
    """
    suffix = Path(name).suffix.lower()
    if suffix not in PACKED:
        yield raw
        return
    import gzip
    import lzma
    import zlib

    try:
        with gzip.GzipFile(fileobj=raw) if suffix == ".gz" else lzma.LZMAFile(raw) as opened:
            yield opened
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error):
        raise FileError(f"{name}: this is not a compressed file, or it is damaged.") from None


def lines_of(
    source: str | PathLike[str] | IO[str], name: str | None = None
) -> Iterator[tuple[Place, str]]:
    """Yield the lines of a source as pairs: the `Place` of the line, for messages, and its text.

    `source`: a path, ``"-"`` for standard input, or an open stream. Files with a suffix of `PACKED`
    are decompressed. `name`: its name in messages; by default, `source_name`. When a line is
    requested, raise NotFoundError if there is no such file, FileError if it cannot be read or is
    not UTF-8.
    """
    name = name or source_name(source)
    if not isinstance(source, str | PathLike):
        with reading(name):
            yield from _placed(name, source)
    elif source == "-":
        yield from _placed(name, sys.stdin.buffer)
    else:
        with reading(name), Path(source).open("rb") as file, _unpacking(name, file) as lines:
            yield from _placed(name, lines)


def _placed(name: str, lines: Iterable[str | bytes]) -> Iterator[tuple[Place, str]]:
    for number, line in enumerate(lines, start=1):
        text = line if isinstance(line, str) else decoded(name, line, number)
        yield Place(name, f"line {number}"), text


def decoded(name: str, data: bytes, line: int = 1) -> str:
    r"""Return the text of UTF-8 bytes.

    A byte order mark at the beginning is left out. `name`: the file from which the bytes come.
    `line`: the line on which they begin. Raise FileError if they are not UTF-8; the message names
    the line of the first wrong byte.

    >>> decoded("a.txt", b"one\n\xff")
    Traceback (most recent call last):
    ...
    exactile.errors.FileError: a.txt: line 2: not UTF-8: byte 0xff. Save the file as UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        rest = error.object  # without the byte order mark
        line += rest.count(b"\n", 0, error.start)
        what = f"not UTF-8: byte 0x{rest[error.start]:02x}. Save the file as UTF-8."
        raise Place(name, f"line {line}").error(what) from None


MOST_CHARACTERS = 4_000_000
"""Largest number of characters of a puzzle file; those of the catalogue have at most 50,000."""

DEEPEST = 16
"""Largest number of parts of a key; ``a.b.c`` has three."""

STRINGS = re.compile(
    r"""\"{3}(?:"{0,2}(?:[^"\\]++|\\.))*+(?:"{3,5})?"""
    r"""|'{3}(?:'{0,2}[^']++)*+(?:'{3,5})?"""
    r"""|"(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?|(?P<comment>#[^\n]*+)""",
    re.DOTALL,
)
"""Matches strings and comments of TOML.

The match of a string without an end may stop anywhere: the parser refuses the string later. No
possessive repetition contains a lookahead: Python 3.11.2 would wrongly skip the text that the
lookahead sees.
"""

DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def parsed(text: str, place: Place) -> dict[str, Any]:
    r"""Return the parsed contents of a TOML text.

    Raise FileError if the text is not TOML, is too long, or has a key of too many parts.

    >>> parsed('a.b = "c"', Place("my.toml"))
    {'a': {'b': 'c'}}
    >>> parsed("a" + ".a" * 30_000 + " = 1", Place("my.toml"))
    Traceback (most recent call last):
    ...
    exactile.errors.FileError: my.toml: line 1: a key has more than 16 parts: "a.a...
    """
    if len(text) > MOST_CHARACTERS:
        raise place.error(
            f"it is too long: {len(text):,} characters; the limit is {MOST_CHARACTERS:,}."
        )
    text = text.replace("\r\n", "\n")
    deep = DEEP.search(STRINGS.sub(_blank, text))
    if deep is not None:
        line = deep.string.count("\n", 0, deep.start()) + 1
        raise Place(place.file, f"line {line}").error(
            f"a key has more than {DEEPEST} parts: {shown(deep[0])}."
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line ([0-9]+)", str(error))
        lines = text.splitlines()
        number = int(found[1]) if found else len(lines)
        offending = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        raise place.error(f"bad TOML: {error}: {shown(offending)}.") from None
    except (ValueError, RecursionError) as error:
        nested = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if nested else "an integer has thousands of digits"
        raise place.error(f"bad TOML: {reason}.") from None


def _blank(match: re.Match[str]) -> str:
    """Return a replacement for a match of `STRINGS`: x for a string, nothing for a comment.

    It keeps the line breaks of a string, so that lines keep their numbers.
    """
    return ("" if match["comment"] else "x") + "\n" * match[0].count("\n")


SUFFIXES = {".json": "json", ".xcc": "xcc", ".dlx": "xcc"}
"""Formats of model files, by the suffix of a file's name."""

STREAMS = {"xcc:-": "xcc", "json:-": "json"}
"""Names by which a model is read from standard input, with the format of each."""

PACKED = (".gz", ".xz")
"""Suffixes of compressed files, which follow those of their formats, as in ``queens.dlx.gz``."""


def model_format(name: str) -> str | None:
    """Return the format that the name of a model file states; None for all other names.

    >>> [model_format(name) for name in ("queens.dlx", "A.JSON.XZ", "xcc:-", "soma-cube")]
    ['xcc', 'json', 'xcc', None]
    """
    path = Path(name)
    inner = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return STREAMS.get(name) or SUFFIXES.get(inner.suffix.lower())
