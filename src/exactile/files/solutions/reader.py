"""Reading solution files, line by line; see `exactile.files.solutions.writer` for the formats.

Old files of Polyform Puzzler also list the crossings that a piece uses (``2,1i``), which are
ignored, and mark flipped pieces by an asterisk. New ones place omitted pieces beside the region,
which here means that they are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Annotated

import msgspec
import numpy as np
from msgspec import Meta

from exactile.doors import door
from exactile.errors import FileError, NotFoundError, PuzzleError, suggestion
from exactile.files.io.place import Place, shown
from exactile.files.puzzles.piece_groups import listed
from exactile.files.puzzles.structure import Coordinate
from exactile.files.puzzles.units import parse_units
from exactile.geometry.lattice import Coordinates
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.puzzle import sorted_solution

FORMAT = 1

COMPLETE = "complete"
"""The end of a file that contains everything that was asked for."""

UNTOLD = "unknown"
"""The end of a file converted from one that does not say whether it is complete."""

UNIT = r"-?[0-9]+(?:,-?[0-9]+)+"
PLACEMENT = re.compile(rf"({UNIT}i?(?:\s+{UNIT}i?)*)\s+([^\s,]+)")
OMITTED = re.compile(r"!\s*(\S+)")
START = re.compile(r"solution [0-9]+:?")
SOLVING = re.compile(r"Solving (\S+?)(?:Matrix\w*)?:")
"""The first line of Polyform Puzzler's files; older ones name the matrix of a puzzle."""

END = re.compile(r"(?:[0-9]+|no) solutions?\b(?: \((stopped: .*)\)|.*)")

Lines = Iterable[tuple[Place, str]]
"""Each line with its place, stripped of white space."""


class _Header(msgspec.Struct):
    """First line of a ``jsonl`` file; other keys are ignored."""

    format: int
    puzzle: str | None = None


class _Record(msgspec.Struct):
    """Every other line; other keys are ignored."""

    placements: list[tuple[str, Annotated[list[list[Coordinate]], Meta(min_length=1)]]] = []
    end: str | None = None


class _Quick(msgspec.Struct):
    """A line parsed as far as needed to see whether its placements have occurred before."""

    placements: list[msgspec.Raw] = []


class Reading(Iterator[Solution]):
    """The solutions of a file, one by one; a repeated placement is parsed once."""

    def __init__(
        self, source: str | PathLike[str] | IO[str], puzzle: Puzzle, name: str | None
    ) -> None:
        # After the last one: "complete", or why the writer was stopped; None if the file does not
        # say
        self.end: str | None = None
        self._solutions = self._read(source, puzzle, name or _label(source))

    def __next__(self) -> Solution:
        return next(self._solutions)

    def _read(
        self, source: str | PathLike[str] | IO[str], puzzle: Puzzle, label: str
    ) -> Iterator[Solution]:
        lines = _lines(source, label)
        first = next(((place, line) for place, line in lines if line), None)
        if first is None:
            raise _empty(label)
        if first[1].startswith("{"):
            _check_header(*first, puzzle)
            yield from self._read_jsonl(lines, puzzle)
            if self.end is None:
                raise FileError(
                    f'{label}: the file is cut: the last line is no {{"end": ...}}, which a whole '
                    "file ends with."
                )
        else:
            yield from self._read_puzzler(first, lines, puzzle)

    def _read_jsonl(self, lines: Lines, puzzle: Puzzle) -> Iterator[Solution]:
        known: dict[bytes, Placement] = {}
        for place, line in lines:
            if not line:
                continue
            if self.end is not None:
                raise place.error(f"something follows the end: {shown(line)}.")
            texts = _texts(line)
            if texts and known.keys() >= set(texts):
                yield sorted_solution(map(known.__getitem__, texts), puzzle.piece_index)
                continue
            record = place.convert(_decoded(place, line), _Record)
            if record.end is not None:
                self.end = record.end
                continue
            if not record.placements:
                raise place.error(f"the key 'placements' is missing: {shown(line)}.")
            with _damage(place):
                placements = [_placement(puzzle, p, parse_units(u)) for p, u in record.placements]
            known.update(zip(texts, placements, strict=True))
            yield sorted_solution(placements, puzzle.piece_index)

    def _read_puzzler(
        self, first: tuple[Place, str], lines: Iterator[tuple[Place, str]], puzzle: Puzzle
    ) -> Iterator[Solution]:
        complete = False
        known: dict[str, list[Placement]] = {}
        record: list[Placement] | None = None
        for place, line in chain([first], lines):
            if record is None:
                if (match := END.fullmatch(line)) is not None:
                    complete, self.end = True, match[1] or COMPLETE
                if START.fullmatch(line):
                    record = []
                    continue
                if not PLACEMENT.fullmatch(line):
                    continue  # a title, a drawing, a notice
                record = []
            if line:
                record += known.get(line) or known.setdefault(
                    line, _placements(place, line, puzzle)
                )
            elif record:
                yield sorted_solution(record, puzzle.piece_index)
                complete, record = True, None
        if record:
            yield sorted_solution(record, puzzle.piece_index)
        elif record is not None or not complete:
            raise FileError(
                f"{first[0].file}: the file is cut or has no solutions: a record is a line "
                '"solution 1:", then lines such as "0,0 1,0 1,1 V", then a blank line.'
            )


@door
def read_solutions(
    source: str | PathLike[str] | IO[str], puzzle: Puzzle, name: str | None = None
) -> Reading:
    """Return the solutions of a file one by one; the first line shows the format.

    They are not checked: see `exactile.puzzle.check`.

    `source`: a path, ``"-"`` for standard input, or an open text stream. `puzzle`: the puzzle that
    they solve. `name`: the name of the source in messages.

    The result: the solutions in the order of the file; after the last one, `end` says whether they
    are all. Raise FileError with the first solution that is requested, or later: if a line is
    damaged, the file is cut, or belongs to another puzzle; the message names the line,
    NotFoundError if there is no such file.

    >>> from io import StringIO
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> [placement] = next(read_solutions(StringIO("0,0 1,0 0,1 1,1 O4"), puzzle))
    >>> placement
    Placement(piece='O4', units=((0, 0), (0, 1), (1, 0), (1, 1)))
    """
    return Reading(source, puzzle, name)


def stated_puzzle(lines: Iterable[str]) -> str | None:
    """Return the puzzle named by the first line of a solution file, None if there is no name.

    >>> stated_puzzle(["Solving Pentominoes6x10Matrix:", "", "solution 1:"])
    'Pentominoes6x10'
    >>> stated_puzzle(['{"format": 1, "puzzle": "soma-cube"}'])
    'soma-cube'
    """
    first = next((line.strip() for line in lines if line.strip()), "")
    match = SOLVING.fullmatch(first)
    if match is not None:
        return match[1]
    try:
        return msgspec.json.decode(first, type=_Header).puzzle
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return None


def _empty(label: str) -> FileError:
    return FileError(
        f"{label}: there are no solutions in it: a file starts with a line "
        f'{{"format": {FORMAT}, "puzzle": ...}} or has records headed "solution 1:".'
    )


def _label(source: object) -> str:
    if source == "-":
        return "standard input"
    return fspath(source) if isinstance(source, str | PathLike) else "the stream"


def _lines(source: str | PathLike[str] | IO[str], name: str) -> Iterator[tuple[Place, str]]:
    stream: Iterable[str | bytes]
    if isinstance(source, str | PathLike):
        stream = sys.stdin.buffer if source == "-" else _file_lines(Path(source), Place(name))
    else:
        stream = source
    for number, line in enumerate(stream, start=1):
        place = Place(name, f"line {number}")
        try:
            yield place, (line if isinstance(line, str) else line.decode("utf-8")).strip()
        except UnicodeDecodeError as error:
            raise place.error(f"not UTF-8: byte 0x{line[error.start]:02x}.") from None


def _file_lines(path: Path, place: Place) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            yield from stream
    except FileNotFoundError:
        raise place.error("there is no such file.", NotFoundError) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise place.error(f"the file cannot be read: {reason}.") from None


def _texts(line: str) -> list[bytes]:
    """Return the texts of the placements of a line, none if there are none or it is damaged."""
    try:
        return list(map(bytes, msgspec.json.decode(line, type=_Quick).placements))
    except (msgspec.MsgspecError, RecursionError):
        return []


def _decoded(place: Place, line: str) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise place.error(f"this is not a whole JSON object ({error}): {shown(line)}.") from None


def _check_header(place: Place, line: str, puzzle: Puzzle) -> None:
    """Raise if the format is unknown, or the puzzle another one."""
    header = place.convert(_decoded(place, line), _Header)
    if header.format != FORMAT:
        raise place.error(f"this version reads format {FORMAT}, not {header.format}.")
    names = {name.casefold() for name in (puzzle.name, *puzzle.aliases)}
    if header.puzzle is not None and header.puzzle.casefold() not in names:
        raise place.error(f"these are solutions of '{header.puzzle}', not of '{puzzle.name}'.")


def _placements(place: Place, line: str, puzzle: Puzzle) -> list[Placement]:
    """Return the placement of a line; none if the line says that a piece is left out."""
    if OMITTED.fullmatch(line):
        return []
    match = PLACEMENT.fullmatch(line)
    if match is None:
        raise place.error(
            f"{shown(line)} is not a placement: write units and a piece, such as 0,0 1,0 1,1 V."
        )
    words = [word for word in match[1].split() if not word.endswith("i")]
    with _damage(place):
        placement = _placement(puzzle, _known_name(match[2], puzzle), parse_units(" ".join(words)))
    omission = puzzle.omission.names if puzzle.omission else ()
    beside = (puzzle.region.index(np.array(placement.units, dtype=np.int64)) < 0).all()
    return [] if placement.piece in omission and beside else [placement]


def _known_name(name: str, puzzle: Puzzle) -> str:
    """Return a piece's name; an asterisk marks a flipped piece, now written in lower case."""
    if name in puzzle.piece_index or not name.endswith("*"):
        return name
    plain = name.removesuffix("*")
    return plain.lower() if plain.lower() in puzzle.piece_index else plain


@contextmanager
def _damage(place: Place) -> Iterator[None]:
    """Turn errors about units into errors of the file."""
    try:
        yield
    except PuzzleError as error:
        raise place.error(str(error)) from None


def _placement(puzzle: Puzzle, piece: str, units: Coordinates) -> Placement:
    if piece not in puzzle.piece_index:
        raise FileError(
            f"The puzzle has no piece '{piece}'.{suggestion(piece, puzzle.piece_index)} "
            f"Its pieces: {listed(puzzle.piece_index)}."
        )
    points = puzzle.lattice.points(units)
    if puzzle.region.wrap is not None:
        points = puzzle.region.wrap.reduce(points)
    return Placement(piece, tuple(sorted(tuple(p) for p in points.tolist())))
