"""Reading and writing files of models, as opposed to puzzles, in all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import TextIOWrapper
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from exactile.atomic import written
from exactile.doors import Positive, door
from exactile.errors import FileError
from exactile.files.models.cnf_writer import (
    cubes_of,
    restricted,
    without_images,
    write_cnf,
    write_icnf,
    write_wcnf,
)
from exactile.files.models.exact_cover import (
    ExactCover,
    parse_exact_cover,
    write_exact_cover,
    written_options,
)
from exactile.files.models.linear import (
    write_asp,
    write_cpsat,
    write_lp,
    write_minizinc,
    write_mps,
    write_opb,
    write_xcsp,
)
from exactile.files.models.model_json import parse_json, puzzle_placements, write_json
from exactile.files.sources import PACKED, contents, model_format
from exactile.model.lower import lower
from exactile.plugins import named, names
from exactile.puzzle.puzzle import Puzzle

FORMATS = {
    "xcc": "exact cover, the text format of Knuth's programs",
    "json": "items and options as JSON",
    "cnf": "DIMACS CNF for SAT solvers and model counters",
    "icnf": "CNF with cubes for cube-and-conquer",
    "wcnf": "WCNF of 2022, for MaxSAT solvers, to cover as much as possible",
    "opb": "pseudo-Boolean constraints",
    "lp": "integer program, LP format",
    "mps": "integer program, MPS format",
    "mzn": "MiniZinc",
    "xcsp3": "XCSP3 for constraint solvers",
    "asp": "answer-set program for clingo",
    "cpsat": "text form of CP-SAT's CpModelProto",
}
"""Built-in formats for writing models; `format_names` also lists those of other packages."""

ENCODED: dict[str, Callable[..., None]] = {
    "cnf": write_cnf,
    "icnf": write_icnf,
    "wcnf": write_wcnf,
}
"""Writers of the formats that consist of clauses; these have a choice of encodings."""

PLAIN: dict[str, Callable[..., None]] = {
    "xcc": write_exact_cover,
    "opb": write_opb,
    "lp": write_lp,
    "mps": write_mps,
    "mzn": write_minizinc,
    "xcsp3": write_xcsp,
    "asp": write_asp,
    "cpsat": write_cpsat,
}

GROUP = "exactile.formats"
"""The group of entry points by which other packages add formats."""

CUBE = "{cube}"
"""Placeholder in a file name, for the number of the cube that the file contains."""

SYMMETRY = ("none", "piece")
"""Ways to exclude symmetric images of solutions.

``piece``: one piece or unit is selected, and of each orbit of its placements, one is allowed.
"""

READERS = {"xcc": parse_exact_cover, "json": parse_json}
"""Functions that read models, by format; each takes the name and the text of a file."""


def format_names() -> list[str]:
    """Return the names of all formats for writing models: `FORMATS`, then those of other packages.

    Another package adds a format by an entry point in the group ``exactile.formats``: a function
    with the parameters of `exactile.files.models.linear.write_opb`.

    >>> format_names()[:3]
    ['xcc', 'json', 'cnf']
    """
    return [*FORMATS, *(name for name in names(GROUP) if name not in FORMATS)]


@door
def read_model(source: str | PathLike[str] | IO[str], form: str | None = None) -> ExactCover:
    r"""Return the contents of a model file.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open text stream.
    form
        ``"xcc"`` or ``"json"``. By default, the suffix of the file decides. The sources ``"xcc:-"``
        and ``"json:-"`` are standard input in these formats. Otherwise, a text that begins with a
        brace is read as JSON, any other text as ``"xcc"``.

    Raises
    ------
    FileError
        If the file is damaged or there is no such format; the message names the line or the key.
    NotFoundError
        If there is no such file.

    Examples
    --------
    >>> from io import StringIO
    >>> read_model(StringIO("a b\na\nb\n")).model.options
    2
    """
    if form is not None and form not in READERS:
        raise FileError(f"There is no reader for '{form}': there are {', '.join(READERS)}.")
    name, text = contents(source)
    found = form or model_format(str(source)) or model_format(name)
    if found is None:
        found = "json" if text.lstrip().startswith("{") else "xcc"
    return READERS[found](name, text)


def model_of(puzzle: Puzzle, *, placements: bool = False, symmetry: str = "none") -> ExactCover:
    """Return the model of a puzzle, for `write_model`.

    `placements`: whether to store the placement of each option, which only JSON files have.
    `symmetry`: one of `SYMMETRY`; see `exactile.files.models.cnf_writer.without_images`. Raise
    ModelError as `exactile.lower` does.

    >>> import exactile
    >>> model_of(exactile.load("pentominoes-6x10")).title
    'pentominoes-6x10: Pentominoes, 6 by 10'
    """
    model = lower(puzzle)
    crossing = "" if puzzle.crossing else ", pieces may cross"
    kept, own = (model, None) if symmetry == "none" else without_images(puzzle, model)
    return ExactCover(
        kept,
        title=f"{puzzle.name}: {puzzle.title or 'a puzzle'}{crossing}",
        placements=tuple(puzzle_placements(puzzle, model)) if placements else (),
        representatives=own,
    )


def write_model(
    problem: ExactCover,
    output: IO[str],
    form: str,
    *,
    encoding: str | None = None,
    cubes: int | None = None,
    comments: Sequence[str] = (),
) -> None:
    r"""Write a model in one of the formats of `format_names`.

    - `problem`: the model, from `read_model` or `model_of`.
    - `output`: a text stream.
    - `form`: the format.
    - `encoding`: one of `exactile.model.encode.ENCODINGS`, only for formats that consist of
      clauses; by default, the size of the model decides.
    - `cubes`: least number of cubes, only for ``"icnf"``; 1 by default. A small search has fewer.
    - `comments`: further comment lines, after the title, the notes of the model and its digest; not
      in ``"json"``.

    Raise FileError if there is no such format, or if `encoding` or `cubes` is given for a format
    without encodings or cubes. Raise ModelError if the format cannot express the model.

    >>> from io import StringIO
    >>> output = StringIO()
    >>> write_model(read_model(StringIO("a b\na\nb\n")), output, "opb")
    >>> output.getvalue().splitlines()[0]
    '* #variable= 2 #constraint= 2'
    """
    if encoding is not None and form not in ENCODED:
        raise FileError(f"The format {form} has no encodings: only {', '.join(ENCODED)} have.")
    if cubes is not None and form != "icnf":
        raise FileError(f"A file in the format {form} has no cubes: only one in icnf has.")
    model, colors = problem.model, problem.colors
    title = [problem.title] if problem.title else []
    notes = problem.notes
    if problem.representatives is not None:
        every = np.ones(model.options, dtype=bool)
        here = written_options(model) if form == "xcc" else every
        notes = (problem.representatives.note(here), *notes)
    comments = [*title, *notes, f"digest of the model: {model.digest}", *comments]
    if form == "json":
        write_json(model, output, colors=colors, title=problem.title, placements=problem.placements)
    elif form in ENCODED:
        more = {"cubes": cubes or 1} if form == "icnf" else {}
        ENCODED[form](model, output, colors=colors, comments=comments, encoding=encoding, **more)
    elif form in PLAIN:
        PLAIN[form](model, output, colors=colors, comments=comments)
    else:
        _added(form)(model, output, colors=colors, comments=comments)


def _added(form: str) -> Callable[..., None]:
    """Return another package's function that writes a format; raise FileError if there is none."""
    load = named("exactile.files.models", form, "write", GROUP)
    if load is None:
        raise FileError(f"There is no format '{form}': there are {', '.join(format_names())}.")
    try:
        write: Callable[..., None] = load()
    except (ImportError, AttributeError) as error:
        raise FileError(f"The format '{form}' cannot be loaded: {error}.") from error
    return write


@door
def export_model(
    puzzle: Puzzle | ExactCover,
    path: str | PathLike[str],
    form: str = "xcc",
    *,
    encoding: str | None = None,
    symmetry: Literal["none", "piece"] = "none",
    cubes: Positive | None = None,
) -> None:
    """Write the model of a puzzle, or one from `read_model`, for other programs.

    Equal arguments give equal files, byte by byte.

    Parameters
    ----------
    puzzle
        The puzzle or the model file's contents.
    path
        The destination; ``"-"`` is standard output. A file with the suffix ``.gz`` or ``.xz`` is
        compressed.
    form, encoding
        See `write_model`.
    symmetry
        ``"piece"``, only for puzzles, excludes most symmetric images of solutions. One piece or
        unit that all symmetries map to itself is selected. Of each orbit of placements of this
        piece, or at this unit, only one placement is allowed. Each solution has an allowed image.
        If there is no such piece or unit that every solution uses, nothing is excluded.
    cubes
        Least number of parts of the search (a small search has fewer); each solution is in exactly
        one part. The format ``"icnf"`` requires a number; its parts are lines of one file. The
        format ``"wcnf"`` has no parts. In all other formats, each part has its own file, and
        ``{cube}`` in the path stands for its number. None, the default, divides nothing.

    Raises
    ------
    FileError
        If there is no such format, or the arguments do not fit the format, the path, or each other.
    ModelError
        If the model of the puzzle is too large, the format cannot express it, or there is no such
        encoding.
    OSError
        If a file cannot be written.

    Examples
    --------
    >>> import exactile, tempfile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "p.xcc")
    ...     export_model(puzzle, path)
    ...     export_model(puzzle, Path(folder, "p-{cube}.opb.xz"), "opb", symmetry="piece", cubes=2)
    ...     read_model(path).model.items, len(list(Path(folder).iterdir()))
    (35, 11)
    """
    named = CUBE in fspath(path)
    if (cubes is None and form == "icnf") or (named and (cubes is None or form == "icnf")):
        raise FileError(
            "The format icnf has all cubes in one file, and the number of them has to be given: "
            f"pass cubes=100. {CUBE} stands in the names of files in other formats."
        )
    if cubes is not None and (form == "wcnf" or not (named or form == "icnf")):
        raise FileError(
            f"Cubes are parts of all solutions: name a file for each, 'cube-{CUBE}.cnf', or take "
            "the format icnf; the format wcnf has no solutions to divide."
        )
    if isinstance(puzzle, Puzzle):
        problem = model_of(puzzle, placements=form == "json", symmetry=symmetry)
    elif symmetry == "none":
        problem = puzzle
    else:
        raise FileError("The symmetries of a model file are not known: export the puzzle itself.")
    if not named:
        with _stream(path) as stream:
            write_model(problem, stream, form, encoding=encoding, cubes=cubes)
        return
    parts = cubes_of(problem.model, cubes or 1)
    for number, cube in enumerate(parts, start=1):
        own = replace(
            problem,
            model=restricted(problem.model, cube, "cube"),
            notes=(*problem.notes, f"cube {number} of {len(parts)}"),
        )
        shown = str(number).zfill(len(str(len(parts))))
        with _stream(fspath(path).replace(CUBE, shown)) as stream:
            write_model(own, stream, form, encoding=encoding)


@contextmanager
def _stream(path: str | PathLike[str]) -> Iterator[IO[str]]:
    """Open a file to write, compressed if its ending is in `PACKED`.

    Compressed files contain neither a time nor a name, so that equal texts give equal files.
    """
    ending = Path(path).suffix.lower()
    if ending not in PACKED:
        with written(path) as stream:
            yield stream
        return
    with (
        written(path, "wb") as raw,
        _packing(raw, ending) as packed,
        TextIOWrapper(packed, encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


def _packing(raw: IO[bytes], ending: str) -> Any:
    """Return a binary stream that compresses its input and writes the result to `raw`."""
    if ending == ".xz":
        from lzma import LZMAFile

        return LZMAFile(raw, "wb")
    from gzip import GzipFile

    return GzipFile("", "wb", fileobj=raw, mtime=0)
