"""Files of models, as opposed to puzzles: the formats for reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import IO

from exactile.atomic import written
from exactile.doors import door
from exactile.errors import FileError
from exactile.files.models.cnf_writer import write_cnf, write_wcnf
from exactile.files.models.cpsat_writer import write_cpsat
from exactile.files.models.exact_cover import ExactCover, parse_exact_cover, write_exact_cover
from exactile.files.models.linear import write_lp, write_minizinc, write_mps, write_opb
from exactile.files.models.model_json import parse_json, puzzle_placements, write_json
from exactile.files.sources import SUFFIXES, contents
from exactile.model.lower import lower
from exactile.plugins import named, names
from exactile.puzzle.puzzle import Puzzle

FORMATS = {
    "xcc": "exact cover, the text format of Knuth's programs",
    "json": "items and options as JSON",
    "cnf": "DIMACS CNF for SAT solvers",
    "wcnf": "WCNF of 2022 for MaxSAT solvers: cover as much as possible",
    "opb": "pseudo-Boolean constraints",
    "lp": "integer program, LP format",
    "mps": "integer program, MPS format",
    "mzn": "MiniZinc",
    "cpsat": "text form of CP-SAT's CpModelProto",
}
"""Formats for writing models that come with this package; `format_names` lists all."""

ENCODED = {"cnf": write_cnf, "wcnf": write_wcnf}
"""Formats in clauses, which can be written in several encodings."""

PLAIN: dict[str, Callable[..., None]] = {
    "xcc": write_exact_cover,
    "opb": write_opb,
    "lp": write_lp,
    "mps": write_mps,
    "mzn": write_minizinc,
    "cpsat": write_cpsat,
}

GROUP = "exactile.formats"
"""The group of entry points that add formats."""

READERS = {"xcc": parse_exact_cover, "json": parse_json}
"""Formats for reading models."""


def format_names() -> list[str]:
    """Return the names of all formats for writing models: first `FORMATS`, then entry points.

    Entry points of the group ``exactile.formats`` are functions like
    `exactile.files.models.linear.write_opb`.

    >>> format_names()[:3]
    ['xcc', 'json', 'cnf']
    """
    return [*FORMATS, *(name for name in names(GROUP) if name not in FORMATS)]


@door
def read_model(source: str | PathLike[str] | IO[str], form: str | None = None) -> ExactCover:
    r"""Read a model file.

    Parameters
    ----------
    source
        A path, ``"-"`` for standard input, or an open text stream.
    form
        ``"xcc"`` or ``"json"``. By default the file's suffix decides; without a known one, a file
        that begins with a brace is JSON.

    Raises
    ------
    FileError
        If the file is damaged; the message names the line or the key.
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
    found = form or SUFFIXES.get(Path(name).suffix.lower())
    if found is None:
        found = "json" if text.lstrip().startswith("{") else "xcc"
    return READERS[found](name, text)


def model_of(puzzle: Puzzle, *, placements: bool = False) -> ExactCover:
    """Return the model of a puzzle, on request with the placement of each option.

    >>> import exactile
    >>> model_of(exactile.load("pentominoes-6x10")).title
    'pentominoes-6x10: Pentominoes, 6 by 10'
    """
    model = lower(puzzle)
    crossing = "" if puzzle.crossing else ", pieces may cross"
    return ExactCover(
        model,
        title=f"{puzzle.name}: {puzzle.title or 'a puzzle'}{crossing}",
        placements=tuple(puzzle_placements(puzzle, model)) if placements else (),
    )


def write_model(
    problem: ExactCover,
    output: IO[str],
    form: str,
    *,
    encoding: str | None = None,
    comments: Sequence[str] = (),
) -> None:
    r"""Write a model in one of the formats of `format_names`.

    - `problem`: the model, from `read_model` or `model_of`.
    - `output`: a text stream.
    - `form`: the format.
    - `encoding`: of the formats in clauses, see `exactile.model.encode.ENCODINGS`.
    - `comments`: further comment lines; not in ``"json"``.

    Raise FileError if there is no such format, ModelError if the format cannot express the model.

    >>> from io import StringIO
    >>> output = StringIO()
    >>> write_model(read_model(StringIO("a b\na\nb\n")), output, "opb")
    >>> output.getvalue().splitlines()[0]
    '* #variable= 2 #constraint= 2'
    """
    model, colors = problem.model, problem.colors
    comments = [*([problem.title] if problem.title else []), *comments]
    if form == "json":
        write_json(model, output, colors=colors, title=problem.title, placements=problem.placements)
    elif form in ENCODED:
        ENCODED[form](model, output, colors=colors, comments=comments, encoding=encoding)
    elif form in PLAIN:
        PLAIN[form](model, output, colors=colors, comments=comments)
    else:
        _added(form)(model, output, colors=colors, comments=comments)


def _added(form: str) -> Callable[..., None]:
    """Return the writer of a format that is not one of `FORMATS`."""
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
) -> None:
    """Write the model of a puzzle, or one from `read_model`, for other programs.

    Parameters
    ----------
    puzzle
        The puzzle or the model file's contents.
    path
        The destination; ``"-"`` is standard output.
    form, encoding
        See `write_model`.

    Raises
    ------
    FileError
        If there is no such format, or it cannot express the model.

    Examples
    --------
    >>> import exactile, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "p.xcc")
    ...     export_model(exactile.load("pentominoes-6x10"), path)
    ...     read_model(path).model.items
    72
    """
    problem = model_of(puzzle, placements=form == "json") if isinstance(puzzle, Puzzle) else puzzle
    with written(path) as stream:
        write_model(problem, stream, form, encoding=encoding)
