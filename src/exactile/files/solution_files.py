"""Solution files: reading line by line, and writing.

``jsonl``: one object on each line. The first line is a header, ``{"format": 1, "puzzle":
"pentominoes-6x10"}``. Then comes a line for each solution, ``{"placements": [["F", [[0, 0], [1, 0],
...]], ...]}``, in customary coordinates. The last line is ``{"end": "complete"}``. If solutions may
be missing, a reason stands in place of "complete": "stopped: time limit", for example, or
"unknown". A file without this line was truncated, and is refused.

``puzzler``, the records of Polyform Puzzler: a line ``solution 1:``, then a line for each placement
with its units and its piece (``0,0 1,0 1,1 V``), and then a blank line. There may be anything
between records, such as drawings. A line ``! H`` in a record notes an omitted piece. The last line
gives the number of solutions; in files that Exactile writes, it also states whether the search was
stopped. If the number is wrong, solutions may be missing. Files of other programs may lack this
line. Old files of Polyform Puzzler also list the crossings that a piece uses (``2,1i``), which are
ignored, and mark flipped pieces by an asterisk. Its newer files place omitted pieces beside the
region; these placements are read as omissions.

``letters``: drawings with one letter for each piece, see `exactile.files.letters`. Files that
Exactile writes begin with a line ``Solutions of pentominoes-6x10, one letter a piece:``, and end
with the number of solutions. A drawing without these lines is also accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import RawIOBase
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple, Protocol, runtime_checkable

import msgspec
import numpy as np
from msgspec import Meta

from exactile.doors import door, require_sink
from exactile.errors import FileError, PuzzleError, suggestion
from exactile.files.letters import Letters
from exactile.files.puzzles.piece_groups import listed
from exactile.files.puzzles.structure import Coordinate
from exactile.files.puzzles.units import parse_units
from exactile.files.sources import Place, lines_of, parquet_modules, shown, source_name
from exactile.geometry.lattice import Coordinates
from exactile.puzzle import Placement, Puzzle, Solution
from exactile.puzzle.coordinates import in_coordinates
from exactile.puzzle.puzzle import as_placement, sorted_solution

FORMAT = 1

COMPLETE = "complete"
"""The value of ``end`` for a solution file that has all requested solutions."""

UNSTATED = "unknown"
"""The value of ``end`` for a file that does not say, or says wrongly, whether it is complete."""

UNIT = r"-?[0-9]+(?:,-?[0-9]+)+"
WORD = r"[^\s,]+"
PLACEMENT = re.compile(rf"({UNIT}i?(?:\s+{UNIT}i?)*)\s+({WORD})")
OMITTED = re.compile(r"!\s*(\S+)")
START = re.compile(r"solution [0-9]+:?")
DRAWN = re.compile(r"Solutions of (\S+), one letter a piece:")
"""Matches the first line of a file of drawings with letters."""

SOLVING = re.compile(r"Solving (\S+?)(?:Matrix\w*)?:")
"""Matches the first line of Polyform Puzzler's files, ``Solving SomaCubeMatrix:`` in old ones."""

END = re.compile(r"([0-9]+|no) solutions?\b(?: \((stopped: .*|unknown)\)|.*)")

PUZZLER = re.compile("|".join(p.pattern for p in (START, PLACEMENT, SOLVING, END)))
"""Matches lines that occur in ``puzzler`` files, but in no file of drawings."""

UNREAD = (".svg", ".png", ".pdf", ".html", ".csv", ".parquet")
"""Suffixes of pictures and tables: they are written, but no solutions are read from them."""

Lines = Iterable[tuple[Place, str]]
"""Pairs of a place, for messages, and a line without surrounding white space."""


class _Header(msgspec.Struct):
    """The first line of a ``jsonl`` file. Keys that are not listed here are ignored."""

    format: int
    puzzle: str | None = None


class _Record(msgspec.Struct):
    """A line of a ``jsonl`` file after the first: a solution, or the end of the file.

    A solution has `placements`, the end has `end`. Keys that are not listed here are ignored.
    """

    placements: list[tuple[str, Annotated[list[list[Coordinate]], Meta(min_length=1)]]] | None = (
        None
    )
    end: str | None = None


class _Quick(msgspec.Struct):
    """A solution in a ``jsonl`` file; the unparsed texts of its placements are keys of a cache."""

    placements: list[msgspec.Raw] = []


class Reading(Iterator[Solution]):
    """Iterates over the solutions of a file.

    After the last solution, `end` is "complete" or a reason why solutions may be missing, such as
    "stopped: time limit" or "unknown"; None if the file states neither.
    """

    def __init__(
        self, source: str | PathLike[str] | IO[str], puzzle: Puzzle, name: str | None
    ) -> None:
        self.end: str | None = None
        self._found = 0
        self._solutions = self._read(source, puzzle, name or source_name(source))

    def __next__(self) -> Solution:
        solution = next(self._solutions)
        self._found += 1
        return solution

    def _read(
        self, source: str | PathLike[str] | IO[str], puzzle: Puzzle, label: str
    ) -> Iterator[Solution]:
        if (ending := Path(label).suffix.lower()) in UNREAD:
            raise FileError(
                f"{label}: no solutions are read from {ending} files: write them as .jsonl, by "
                "`exactile solve PUZZLE -o FILE.jsonl`."
            )
        raw = lines_of(source, label)
        first = next(((place, line) for place, line in raw if line.strip()), None)
        if first is None:
            raise _empty(label)
        stripped = ((place, line.strip()) for place, line in raw)
        if first[1].lstrip().startswith("{"):
            _check_header(first[0], first[1].strip(), puzzle)
            yield from self._read_jsonl(stripped, puzzle)
            if self.end is None:
                raise FileError(
                    f'{label}: the file is truncated: the last line is not {{"end": ...}}, which a '
                    "complete file ends with."
                )
            return
        begun = [first]  # up to the first line that no drawing has
        while not PUZZLER.fullmatch(begun[-1][1].strip()) and (each := next(raw, None)):
            begun.append(each)
        drawn = DRAWN.fullmatch(first[1].strip()) or not PUZZLER.fullmatch(begun[-1][1].strip())
        if drawn and puzzle.lattice.sketch is not None:
            yield from self._read_letters([*begun, *raw], puzzle)
        else:
            before = [(place, line.strip()) for place, line in begun]
            yield from self._read_puzzler(before[0], chain(before[1:], stripped), puzzle)

    def _read_letters(self, lines: list[tuple[Place, str]], puzzle: Puzzle) -> Iterator[Solution]:
        place, first = lines[0]
        last = next(line.strip() for _, line in reversed(lines) if line.strip())
        if (match := END.fullmatch(last)) is None and DRAWN.fullmatch(first.strip()):
            raise FileError(
                f"{place.file}: the file is truncated: it does not end with their number."
            )
        yield from Letters(puzzle).read(lines)
        self.end = match and self._stated_end(match)

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
            if record.placements is None:
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
                    complete, self.end = True, self._stated_end(match)
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
                f"{first[0].file}: the file is truncated or has no solutions: a record is a line "
                '"solution 1:", then lines such as "0,0 1,0 1,1 V", then a blank line.'
            )

    def _stated_end(self, match: re.Match[str]) -> str:
        """Return `end` from a match of `END`; "unknown" if its number of solutions is wrong."""
        number = (str(self._found), "" if self._found else "no")
        return match[2] or (COMPLETE if match[1] in number else UNSTATED)


@door
def read_solutions(
    source: str | PathLike[str] | IO[str], puzzle: Puzzle, name: str | None = None
) -> Reading:
    """Return an iterator over the solutions of a file; the format is recognized by the contents.

    Whether the solutions solve the puzzle is not checked: see `exactile.puzzle.check`.

    `source`: a path, ``"-"`` for standard input, or an open text stream. `puzzle`: the puzzle of
    the solutions. `name`: the name of the source in messages.

    The solutions come in the order of the file. After the last one, `end` of the result states
    whether the file has all solutions. Errors are raised only when a solution is requested:
    NotFoundError if there is no such file; FileError if the file cannot be read, is empty,
    truncated, a picture or a table, if a line is damaged or does not fit the puzzle, or if its
    ``jsonl`` header names a different puzzle or an unknown format.

    >>> from io import StringIO
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> [placement] = next(read_solutions(StringIO("0,0 1,0 0,1 1,1 O4"), puzzle))
    >>> placement
    Placement(piece='O4', units=((0, 0), (0, 1), (1, 0), (1, 1)))
    """
    return Reading(source, puzzle, name)


def stated_puzzle(lines: Iterable[str]) -> str | None:
    """Return the name of the puzzle that the first line of a solution file states, or None.

    >>> stated_puzzle(["Solving Pentominoes6x10Matrix:", "", "solution 1:"])
    'Pentominoes6x10'
    >>> stated_puzzle(['{"format": 1, "puzzle": "soma-cube"}'])
    'soma-cube'
    """
    first = next((line.strip() for line in lines if line.strip()), "")
    match = SOLVING.fullmatch(first) or DRAWN.fullmatch(first)
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


def _texts(line: str) -> list[bytes]:
    """Return the JSON texts of the placements in a line; empty if it has none or is damaged."""
    try:
        return list(map(bytes, msgspec.json.decode(line, type=_Quick).placements))
    except (msgspec.MsgspecError, RecursionError):
        return []


def _decoded(place: Place, line: str) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise place.error(f"this is not a complete JSON object ({error}): {shown(line)}.") from None


def _check_header(place: Place, line: str, puzzle: Puzzle) -> None:
    """Raise FileError if the first line is damaged, or states a wrong format or puzzle."""
    header = place.convert(_decoded(place, line), _Header)
    if header.format != FORMAT:
        raise place.error(f"this version reads format {FORMAT}, not {header.format}.")
    names = {name.casefold() for name in (puzzle.name, *puzzle.aliases)}
    if header.puzzle is not None and header.puzzle.casefold() not in names:
        raise place.error(f"these are solutions of '{header.puzzle}', not of '{puzzle.name}'.")


def _placements(place: Place, line: str, puzzle: Puzzle) -> list[Placement]:
    """Return the placement in a ``puzzler`` line, as a list; empty if the line omits a piece.

    Raise FileError if the line is damaged or does not fit the puzzle.
    """
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
    """Return the name of a piece; for ``F*`` in old files, f if the puzzle has it, else F."""
    if name in puzzle.piece_index or not name.endswith("*"):
        return name
    plain = name.removesuffix("*")
    return plain.lower() if plain.lower() in puzzle.piece_index else plain


@contextmanager
def _damage(place: Place) -> Iterator[None]:
    """Convert a PuzzleError from the block to a FileError that begins with the place."""
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


MOST_TEXTS = 200_000
"""Largest number of placements whose texts are cached."""


@runtime_checkable
class Stream(Protocol):
    """A text stream to write to."""

    def write(self, text: str, /) -> int:
        """Write some text."""

    def flush(self) -> None:
        """Pass on all text that is buffered."""


@door
def write_solutions(
    puzzle: Puzzle,
    solutions: Iterable[Solution],
    stream: Stream,
    form: str = "jsonl",
    end: Callable[[], str] = lambda: COMPLETE,
) -> int:
    """Write solutions one by one, flush each at once, and return their number.

    Nothing is written until the first solution is found or the search ends without one. If an
    exception other than OSError, such as KeyboardInterrupt, ends the search after that, a last line
    states that the search was stopped.

    Parameters
    ----------
    puzzle, solutions
        The puzzle and solutions of it.
    stream
        Destination.
    form
        ``"jsonl"``, ``"puzzler"`` or ``"letters"``: see `exactile.files.solution_files`.
    end
        Called after the last solution; returns a text of `ending`, which states whether all
        solutions were found. ``"complete"`` by default.

    Raises
    ------
    PuzzleError
        If there is no such format, it cannot express the puzzle or a solution, or the stream is
        binary.

    Examples
    --------
    >>> from io import StringIO
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> stream = StringIO()
    >>> write_solutions(puzzle, [exactile.solve_one(puzzle)], stream)
    1
    >>> lines = stream.getvalue().splitlines()
    >>> lines[0], lines[-1]
    ('{"format":1,"puzzle":"tetrominoes-5x4-tube"}', '{"end":"complete"}')
    """
    if form not in FORMATS:
        raise FileError(f"There is no format '{form}' of solution files: use {', '.join(FORMATS)}.")
    require_sink(stream, binary=False)
    wanted, count = FORMATS[form], 0
    record = wanted.records(puzzle)
    try:
        for solution in solutions:
            text = record(count + 1, solution)
            stream.write(text if count else wanted.header(puzzle) + text)
            count += 1
            stream.flush()
    except OSError:  # nothing more can be written
        raise
    except BaseException as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else "failed"
        if count:
            stream.write(wanted.end(count, f"stopped: {why}"))
        raise
    stream.write(("" if count else wanted.header(puzzle)) + wanted.end(count, end()))
    return count


def ending(stopped: str | None) -> str:
    """Return the text that states how a search ended; `stopped`: why it was stopped, or None.

    >>> ending(None), ending("time limit")
    ('complete', 'stopped: time limit')
    """
    return COMPLETE if stopped is None else f"stopped: {stopped}"


Record = Callable[[int, Solution], str]
"""Returns the text of a solution; the arguments are its number, from 1, and the solution."""


class Form(NamedTuple):
    """A format of solution files, as functions that return parts of a file.

    `header` returns the first lines for a puzzle. `records` returns the `Record` of a puzzle. `end`
    returns the last line, from the number of solutions and the text of `ending`.
    """

    header: Callable[[Puzzle], str]
    records: Callable[[Puzzle], Record]
    end: Callable[[int, str], str]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _remembered(text: Callable[[Placement], str]) -> Callable[[Placement], str]:
    """Return the function `text` with a cache; placements that are not hashable bypass it."""
    known = lru_cache(MOST_TEXTS)(text)

    def found(placement: Placement) -> str:
        try:
            return known(placement)
        except TypeError:  # its units are lists, or arrays
            return text(placement)

    return found


def _json_records(puzzle: Puzzle) -> Record:
    @_remembered
    def text(placement: Placement) -> str:
        encoded: bytes = msgspec.json.encode([placement.piece, _coordinates(puzzle, placement)])
        return encoded.decode()

    def record(_: int, solution: Solution) -> str:
        return '{"placements":[' + ",".join(map(text, solution)) + "]}\n"

    return record


def _puzzler_records(puzzle: Puzzle) -> Record:
    choice = puzzle.omission.names if puzzle.omission else ()
    for name in puzzle.piece_index:
        if not re.fullmatch(WORD, name):
            raise FileError(
                f"The piece {shown(name)} cannot be written as puzzler, whose names are words "
                "without blanks and commas: write jsonl."
            )

    @_remembered
    def text(placement: Placement) -> str:
        units = (",".join(map(str, u)) for u in sorted(_coordinates(puzzle, placement)))
        return f"{' '.join(units)} {placement.piece}"

    def record(number: int, solution: Solution) -> str:
        if not solution:
            raise FileError("A solution without pieces cannot be written as puzzler: write jsonl.")
        used = {placement.piece for placement in solution}
        left_out = [f"! {name}" for name in choice if name not in used]
        lines = [f"solution {number}:", "", *map(text, solution), *left_out]
        return "\n".join(lines) + "\n\n"

    return record


def _letter_records(puzzle: Puzzle) -> Record:
    letters = Letters(puzzle)
    return lambda number, solution: f"{number}.\n{letters.text(solution)}\n"


def _end(count: int, ending: str) -> str:
    why = "" if ending == COMPLETE else f" ({ending})"
    return f"{count} solution{'s' * (count != 1)}{why}\n"


FORMATS = {
    "jsonl": Form(
        lambda puzzle: _json({"format": FORMAT, "puzzle": puzzle.name}),
        _json_records,
        lambda _, ending: _json({"end": ending}),
    ),
    "puzzler": Form(lambda puzzle: f"Solving {puzzle.name}:\n\n", _puzzler_records, _end),
    "letters": Form(
        lambda puzzle: f"Solutions of {puzzle.name}, one letter a piece:\n\n", _letter_records, _end
    ),
}


def _coordinates(puzzle: Puzzle, placement: Placement) -> list[list[int]]:
    units = as_placement(placement, puzzle.lattice).units
    known = puzzle.region.coordinates_of
    if known.keys() >= set(units):
        return [known[unit] for unit in units]
    return [*map(list, puzzle.lattice.coordinates(np.array(units, dtype=np.int64)))]


AT_ONCE = 10_000
"""Number of solutions in a row group of a Parquet file, and in memory at a time."""


def write_parquet(puzzle: Puzzle, solutions: Iterable[Solution], stream: Any) -> int:
    """Write solutions as a Parquet file, one in each row, and return their number.

    The column ``number`` counts from 1. The column ``placements`` has for each placement its
    ``piece`` and its ``units``, in customary coordinates. Raise FileError without pyarrow.
    """
    pa, parquet = parquet_modules()
    units = pa.list_(pa.list_(pa.int32()))
    placements = pa.list_(pa.struct([("piece", pa.string()), ("units", units)]))
    schema = pa.schema(
        [("number", pa.int64()), ("placements", placements)], metadata={"puzzle": puzzle.name}
    )
    written = 0
    with parquet.ParquetWriter(pa.output_stream(_Sink(stream)), schema) as writer:
        for some in _groups(iter(solutions)):
            rows = [
                [{"piece": p.piece, "units": p.units} for p in in_coordinates(puzzle, solution)]
                for solution in some
            ]
            numbers = range(written + 1, written + len(rows) + 1)
            writer.write_table(pa.table([list(numbers), rows], schema=schema))
            written += len(rows)
    return written


class _Sink(RawIOBase):
    """Passes bytes on to another stream, which stays open if pyarrow closes this one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._place = 0

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data))
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place

    def writable(self) -> bool:
        return True


def _groups(solutions: Iterator[Solution]) -> Iterator[list[Solution]]:
    while some := list(islice(solutions, AT_ONCE)):
        yield some
