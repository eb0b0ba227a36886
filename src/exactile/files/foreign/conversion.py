"""Conversion of other programs' files to the formats of this package, and of puzzles to theirs.

Readers and writers are loaded on first use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError, NotFoundError
from exactile.files.foreign import Foreign
from exactile.files.puzzles.catalogue import load
from exactile.files.solution_files import (
    UNSTATED,
    Reading,
    read_solutions,
    stated_puzzle,
    write_solutions,
)
from exactile.files.sources import PACKED, Place, decoded, file_bytes, model_format, unpacked
from exactile.puzzle import Puzzle

if TYPE_CHECKING:
    from exactile.files.models.exact_cover import ExactCover


def _xmpuzzle(name: str, data: bytes) -> Foreign:
    from exactile.files.foreign.xmpuzzle import parse_xmpuzzle

    return parse_xmpuzzle(name, data)


def _psv(name: str, data: bytes) -> Foreign:
    from exactile.files.foreign.psv import parse_psv

    return parse_psv(name, decoded(name, data))


def _polycube(name: str, data: bytes) -> Foreign:
    from exactile.files.foreign.polycube_text import parse_polycube

    return parse_polycube(name, decoded(name, data))


PUZZLES: dict[str, Callable[[str, bytes], Foreign]] = {
    "xmpuzzle": _xmpuzzle,
    "psv": _psv,
    "polycube": _polycube,
}
"""Readers of puzzles by format; each takes the name and the contents of a file."""

NAMED = {".xmpuzzle": "xmpuzzle", ".psv": "psv"}
"""Formats of puzzles, by the suffix of a file's name, such as ``.psv``."""

ONLY_WRITTEN = (
    *(".cnf", ".icnf", ".wcnf", ".opb", ".lp", ".mps", ".mzn", ".asp", ".cpsat", ".pbtxt"),
    *(".svg", ".png", ".pdf", ".html"),
)
"""Suffixes of formulas and pictures: this package writes such files but cannot read them."""

POLYCUBE = re.compile(r"(?:\s*(?:#.*)?\n)*\s*D\s*(?::|$|\n)")
SOLUTIONS = "solutions"


def format_of(name: str, data: bytes) -> str:
    r"""Return the format of a file, from its name or else from its contents.

    The format is a key of `PUZZLES`, ``"solutions"``, ``"json"``, or ``"xcc"`` if nothing else
    fits. Raise FileError for a puzzle file of this package, which needs no conversion, and for
    files that are only written, such as formulas and pictures.

    >>> format_of("a.txt", b"# two dominoes\nD:xDim=2:yDim=2"), format_of("b.dlx", b"a b")
    ('polycube', 'xcc')
    """
    suffix = Path(name).suffix.lower()
    if suffix == ".toml":
        raise FileError(f"{name}: this is a puzzle file: every command reads it directly.")
    if known := NAMED.get(suffix) or model_format(name):
        return known
    inner = Path(name).with_suffix("").suffix.lower() if suffix in PACKED else suffix
    if inner in ONLY_WRITTEN:
        raise FileError(
            f"{name}: {inner} files are written, not read. Models are read from .xcc, .dlx and "
            ".json, puzzles from .toml, .xmpuzzle and .psv, solutions from .jsonl and .txt."
        )
    if data.startswith(b"\x1f\x8b") or data.lstrip().startswith(b"<"):
        return "xmpuzzle"
    text = data.decode("utf-8-sig", "replace")
    if stated_puzzle(text.splitlines()) is not None:
        return SOLUTIONS
    if POLYCUBE.match(text):
        return "polycube"
    from exactile.files.foreign.psv import CONTENT

    if CONTENT.search(text):
        return "psv"
    return "json" if text.lstrip().startswith("{") else "xcc"


def named_solutions(name: str, text: str) -> tuple[Puzzle, Reading]:
    r"""Return the puzzle that the first line of a solution file names, and the solutions.

    `name`, `text`: the file's name, for messages, and its contents. Raise NotFoundError if the
    first line names no puzzle, or one that is not in the catalogue.

    >>> text = "Solving SomaCube:\n\nno solutions\n"
    >>> puzzle, solutions = named_solutions("soma.txt", text)
    >>> puzzle.name, list(solutions)
    ('soma-cube', [])
    """
    reference = stated_puzzle(text.splitlines())
    if reference is None:
        raise NotFoundError(
            f"{name}: the first line names no puzzle, as 'Solving Pentominoes6x10:' does. If you "
            f"know the puzzle, check the file by `exactile check PUZZLE {name}`."
        )
    try:
        puzzle = load(reference)
    except NotFoundError as error:
        raise NotFoundError(f"{name}: line 1: {error}") from None
    return puzzle, read_solutions(StringIO(text), puzzle, name)


PUZZLE_FORMATS = {
    "toml": "the puzzle itself, as a puzzle file",
    "xmpuzzle": "the puzzle for BurrTools, if it is on one of its grids",
}
"""Formats for a puzzle itself, not for its model; the values describe them."""


@dataclass(frozen=True)
class ForeignPuzzles:
    """Puzzles from a file of another program; `write` writes them as a puzzle file."""

    name: str
    foreign: Foreign
    written_as = "toml"

    def write(self, path: str | PathLike[str]) -> None:
        """Write the puzzles as a puzzle file; errors are those of `write_puzzles`."""
        from exactile.files.puzzles.writer import write_puzzles

        write_puzzles(path, self.foreign.puzzles, self.foreign.comment)

    def write_stored(self, path: str | PathLike[str]) -> None:
        """Write the solutions that the other program stored with a puzzle, as a solution file.

        Raise FileError unless exactly one of the puzzles has stored solutions.
        """
        stored = self.foreign.solutions or [[]] * len(self.foreign.puzzles)
        pairs = zip(self.foreign.puzzles, stored, strict=True)
        found = [pair for pair in pairs if pair[1]]
        if not found:
            raise FileError(f"{self.name}: no solutions are stored in it.")
        (puzzle, solutions), *others = found
        if others:
            names = ", ".join(each.name for each in (puzzle, *(other for other, _ in others)))
            raise FileError(
                f"{self.name}: solutions of several puzzles are stored in it: {names}. Only those "
                "of one puzzle can be written."
            )
        with written(path) as target:
            write_solutions(puzzle, solutions, target, end=lambda: UNSTATED)


@dataclass
class ForeignSolutions:
    """Solutions from a file whose first line names their puzzle; `write` writes them as ``jsonl``.

    `number`: how many solutions were written; None before `write`.
    """

    name: str
    puzzle: Puzzle
    solutions: Reading
    number: int | None = None
    written_as = "jsonl"

    def write(self, path: str | PathLike[str]) -> None:
        """Write the solutions as a solution file, and set `number` to their number.

        Raise FileError if the file from which they come is damaged.
        """
        with Place(self.name).errors(), written(path) as target:
            self.number = write_solutions(
                self.puzzle, self.solutions, target, end=lambda: self.solutions.end or UNSTATED
            )


@dataclass(frozen=True)
class ForeignModel:
    """A model from a file of another program; `write` writes it as JSON."""

    name: str
    problem: ExactCover
    written_as = "json"

    def write(self, path: str | PathLike[str]) -> None:
        """Write the model as JSON."""
        from exactile.files.models.formats import write_model

        with written(path) as stream:
            write_model(self.problem, stream, "json")


@door
def import_file(
    path: str | PathLike[str], form: str | None = None
) -> ForeignPuzzles | ForeignSolutions | ForeignModel:
    """Read a file of another program: puzzles, solutions or a model.

    The result has a method `write(path)`, which writes the contents in a format of this package,
    and an attribute `written_as`, which names this format.

    Parameters
    ----------
    path
        The file; ``"-"`` is standard input.
    form
        A format that `format_of` returns. By default, the file's name or its contents decide.

    Raises
    ------
    FileError
        If there is no such file or format, or if the file is damaged, needs no conversion, is a
        formula or a picture, or has solutions but does not name a puzzle of the catalogue. A
        damaged solution file raises it only when the solutions are written.
    PuzzleError
        If the file states an impossible puzzle.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = folder + "/soma.xmpuzzle"
    ...     exactile.write_puzzle_as(exactile.load("soma-cube"), path, "xmpuzzle")
    ...     import_file(path).written_as
    'toml'
    """
    name, data = file_bytes(path)
    found = form or format_of(name, data)
    if found == SOLUTIONS:
        return ForeignSolutions(name, *named_solutions(name, decoded(name, data)))
    with Place(name).errors():
        if found in PUZZLES:
            return ForeignPuzzles(name, PUZZLES[found](name, data))
        from exactile.files.models.formats import READERS

        if found not in READERS:
            known = ", ".join([*PUZZLES, SOLUTIONS, *READERS])
            raise FileError(f"there is no format '{found}' to read: write {known}.")
        return ForeignModel(name, READERS[found](name, decoded(name, unpacked(name, data))))


@door
def import_puzzles(path: str | PathLike[str], form: str | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file of another program.

    Parameters
    ----------
    path, form
        See `import_file`.

    Raises
    ------
    PuzzleError
        If there is no such format, or the file cannot be read, contains no puzzles, or states an
        impossible puzzle.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = folder + "/soma.xmpuzzle"
    ...     exactile.write_puzzle_as(exactile.load("soma-cube"), path, "xmpuzzle")
    ...     import_puzzles(path) == (exactile.load("soma-cube"),)
    True
    """
    found = import_file(path, form)
    if not isinstance(found, ForeignPuzzles):
        raise FileError(f"{found.name}: it is not a file of puzzles of another program.")
    return tuple(found.foreign.puzzles)


@door
def write_puzzle_as(puzzle: Puzzle, path: str | PathLike[str], form: str) -> None:
    """Write a puzzle in `form`, one of `PUZZLE_FORMATS`; the path ``"-"`` is standard output.

    A file for BurrTools is compressed, except on standard output.

    Raises
    ------
    FileError
        If there is no such format, or it cannot express the puzzle.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import exactile
    >>> write_puzzle_as(exactile.load("tetrahexes-4x7"), "-", "toml")
    format = 1
    <BLANKLINE>
    [puzzle.tetrahexes-4x7]
    title = "Tetrahexes, 4 by 7"
    ...
    """
    if form == "toml":
        from exactile.files.puzzles.writer import write_puzzles

        write_puzzles(path, [puzzle])
    elif form == "xmpuzzle":
        from exactile.files.foreign.xmpuzzle_writer import packed, xmpuzzle_text

        text = xmpuzzle_text(puzzle)
        with written(path) as stream:
            if os.fspath(path) == "-" or not isinstance(stream, TextIOWrapper):
                stream.write(text)
            else:
                stream.buffer.write(packed(text))
    else:
        raise FileError(f"There is no format '{form}': there are {', '.join(PUZZLE_FORMATS)}.")
