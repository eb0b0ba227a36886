"""`exactile new`, `export`, `import`: start a puzzle file; exchange files with other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal

import rich_click as click

from exactile.atomic import written
from exactile.cli import options
from exactile.cli.output import OutputPath, form_of
from exactile.cli.several import NAME, Told, answer_each, own_file, require_different
from exactile.cli.table import options_of
from exactile.cli.words import Progress, ignored, plural
from exactile.errors import FileError
from exactile.files.foreign.conversion import (
    PUZZLE_FORMATS,
    PUZZLES,
    SOLUTIONS,
    ForeignModel,
    ForeignPuzzles,
    ForeignSolutions,
    import_file,
    write_puzzle_as,
)
from exactile.files.models.cnf_writer import WRITABLE
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import (
    CUBE,
    ENCODED,
    FORMATS,
    READERS,
    SYMMETRY,
    export_model,
    format_names,
)
from exactile.files.puzzles.writer import write_puzzles
from exactile.files.reading import NamedPuzzle, is_puzzle_file
from exactile.files.sources import PACKED
from exactile.puzzle import Puzzle

if TYPE_CHECKING:
    from exactile.cli.model_file import ModelFile

TEMPLATE = """\
# A puzzle file. Try:
#   exactile show {file}     what it is
#   exactile solve {file}    a solution
#   exactile count {file}    how many solutions there are
# The documentation of puzzle files explains every key.
format = 1

[puzzle.{name}]
title = "Pentominoes, 6 by 10"

# square, cube, hexagon, triangle, kites, square-edges, triangle-edges, hexagon-edges, cube-faces,
# cube-edges, quarter-squares or sixth-triangles
lattice = "square"

# A set by its name. "only" and "omit" choose pieces, "copies" says how often each is used.
pieces = {{ set = "pentominoes" }}
# pieces = "30xdomino, X"
# pieces = {{ set = "pentominoes", omit = ["X"], copies = {{ Y = 2 }} }}
# Pieces of your own, in coordinates:
# pieces = {{ cells = {{ A = "0,0 1,0 2,0", B = "0,0 1,0 1,1" }} }}

# The region: a box, or a drawing, where # is a cell to be covered and + one that may stay empty.
region.box = [10, 6]
# region.drawing = '''
# .####.
# ######
# .####.
# '''

# Placements that every solution has:
# fixed = [{{ piece = "X", units = "2,1 1..3,2 2,3" }}]
"""


@click.command("new")
@click.argument("file", type=OutputPath("toml"), default="-", metavar="[FILE.toml]")
def new_command(file: str) -> None:
    """Write an example of a puzzle file, with comments, to start from; without FILE, print it."""
    if file != "-" and not is_puzzle_file(file):
        better = Path(file).with_suffix(".toml")
        raise click.UsageError(f"A puzzle file ends with .toml: write {better}.")
    if file != "-" and Path(file).exists():
        raise FileError(f"{file} already exists; choose another name.")
    with written(file) as stream:
        word = "FILE.toml" if file == "-" else quote(f"./{file}" if file[0] == "-" else file)
        stream.write(TEMPLATE.format(file=word, name="mine"))
    if file != "-":
        click.echo(f"{file}: change it as you like, then: exactile solve {word}", err=True)


@options_of("export")
@options.form(
    *format_names(),
    *PUZZLE_FORMATS,
    default="xcc",
    help="; ".join(f"{n}: {meaning}" for n, meaning in (FORMATS | PUZZLE_FORMATS).items()) + ".",
    packed=PACKED,
)
@options.option(
    "--encoding",
    type=click.Choice(WRITABLE),
    help="How cnf, icnf and wcnf express 'at most one of these' in clauses; by default, chosen by "
    "size.",
)
@options.option(
    "--symmetry",
    type=click.Choice(SYMMETRY),
    default="none",
    help="piece: leave out most symmetric images of solutions of a puzzle. One piece or "
    "one unit is selected: of its placements that are symmetric to each other, one is allowed. If "
    "none is suitable, nothing changes.",
)
@options.number(
    "--cubes",
    help="Cut the search into at least N parts, called cubes, or fewer if it is small. They become "
    f"lines of one icnf file, or with -o '{CUBE}.cnf' a file for each. icnf needs this option.",
)
@options.output_path
def export_command(
    puzzle: Puzzle | ModelFile | list[NamedPuzzle],
    form: str,
    encoding: str | None,
    symmetry: Literal["none", "piece"],
    cubes: int | None,
    output: str,
) -> int:
    """Write the model of a puzzle, or of a model file (.xcc, .dlx, .json), for other programs.

    The model states the puzzle as an exact-cover problem. --format toml writes the puzzle itself,
    as a puzzle file. Files of models are compressed if their names end with .gz or .xz.

    For several puzzles, name them one after the other, or write FILE.toml for all puzzles of a
    file, or a pattern such as 'FILE.toml#day-*'. Each is then written to a file of its own: -o must
    contain {name}, as in -o 'FOLDER/{name}.cnf'. In the format toml, they may share one file.
    """
    if encoding is not None and form not in ENCODED:
        *first, last = ENCODED
        raise click.UsageError(f"--encoding is for {', '.join(first)} and {last}: {form} has none.")
    if form in PUZZLE_FORMATS and (cubes is not None or symmetry != "none"):
        raise click.UsageError(f"--cubes and --symmetry are for models: {form} is the puzzle.")
    if (form == "icnf" or CUBE in output) != (cubes is not None):
        raise click.UsageError(
            f"--cubes N goes with --format icnf, or with files for each cube: -o '{CUBE}.cnf'."
        )
    if form in PUZZLE_FORMATS and Path(output).suffix.lower() in PACKED:
        raise click.UsageError(f"{output}: files of puzzles are not compressed.")

    def write(given: Puzzle | ExactCover, file: str) -> None:
        export_model(given, file, form, encoding=encoding, symmetry=symmetry, cubes=cubes)

    if isinstance(puzzle, list):
        return _export_each(puzzle, form, write, output)
    if form not in PUZZLE_FORMATS:
        write(puzzle if isinstance(puzzle, Puzzle) else puzzle.problem, output)
    elif isinstance(puzzle, Puzzle):
        write_puzzle_as(puzzle, output, form)
    else:
        raise click.UsageError(f"--format {form} is for puzzles: {puzzle.file} is a model.")
    return 0


def _export_each(
    puzzles: list[NamedPuzzle],
    form: str,
    write: Callable[[Puzzle | ExactCover, str], None],
    output: str,
) -> int:
    """Write each puzzle to its own file; return the exit code.

    In the format toml, all are written to one file if its name does not contain ``{name}``. In the
    other formats, such a name raises click.UsageError. `write`: writes the model of a puzzle.
    """
    if form == "toml" and NAME not in output:  # one file: an error ends all
        write_puzzles(output, (named.load() for named in puzzles))
        return 0

    def write_one(named: NamedPuzzle, _: Progress) -> Told:
        stated = named.load()
        file = own_file(output, named, stated)
        if form in PUZZLE_FORMATS:
            write_puzzle_as(stated, file, form)
        else:
            write(stated, file)
        return None, 0

    require_different(puzzles, output, "Models", form)
    return answer_each(puzzles, write_one, None)


@click.command("import")
@click.argument("file", metavar="FILE")
@options.option(
    "--format",
    "form",
    type=click.Choice([*READERS, *PUZZLES, SOLUTIONS]),
    help="Format of FILE; by default, recognized by its name or its contents.",
)
@options.output_path
@options.quiet("Do not report what was read.")
def import_command(file: str, form: str | None, output: str, quiet: bool) -> None:
    """Convert a file of another program to a format of Exactile.

    Exact-cover models (xcc, the format of Knuth's programs, or json) are written as JSON. Puzzles
    (xmpuzzle of BurrTools, psv of PolySolver, polycube of Busche's solver) are written as a puzzle
    file; if FILE also contains solutions, -o NAME.jsonl writes these instead. Solutions
    of Polyform Puzzler (solutions) are written as jsonl. FILE may be -, for standard input.
    """
    form_of(output, ["toml", "json", "jsonl"])  # early, before a long file is read
    found = import_file(file, form)
    stored = isinstance(found, ForeignPuzzles) and any(found.foreign.solutions)
    forms = [found.written_as, *(["jsonl"] if stored else [])]
    form = form_of(output, forms, default=found.written_as)
    if isinstance(found, ForeignPuzzles) and form == "jsonl":
        found.write_stored(output)
    else:
        found.write(output)
    if not quiet:
        for line in _described(found, form):
            click.echo(f"{found.name}: {line}", err=True)


def _described(
    found: ForeignPuzzles | ForeignSolutions | ForeignModel, form: str | None
) -> list[str]:
    """Return lines that describe a file that was read, such as the number of its puzzles.

    `form`: the format to which it was converted.
    """
    if isinstance(found, ForeignPuzzles):
        ids = [puzzle.name for puzzle in found.foreign.puzzles]
        stored = sum(map(len, found.foreign.solutions))
        notes = [
            plural(stored, "stored solution")
            + (" written" if form == "jsonl" else " not written: to get them, name a .jsonl file")
        ]
        return [
            f"{plural(len(ids), 'puzzle')}, {' '.join(ids)}",
            *found.foreign.notes,
            *(notes if stored else []),
        ]
    if isinstance(found, ForeignSolutions):
        return [f"{plural(found.number or 0, 'solution')} of {found.puzzle.name}"]
    problem, model = found.problem, found.problem.model
    colors = f", {plural(len(problem.colors), 'color')}" if problem.colors else ""
    lines = [f"{plural(model.items, 'item')}, {plural(model.options, 'option')}{colors}"]
    return lines + ignored(problem.ignored)
