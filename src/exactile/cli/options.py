"""Arguments and options of several subcommands, each declared once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import rich_click as click

from exactile.cli import inline, words
from exactile.cli.output import (
    SHEETS,
    NewDirectory,
    OutputFile,
    OutputPath,
    Picture,
    PictureFile,
    form_of,
)
from exactile.plugins import DEFAULT_BACKEND
from exactile.wanted import size_text

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """The type of options whose value is a whole number from `least` to `MOST`."""

    def __init__(self, least: int = 1) -> None:
        super().__init__(least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; raise click.BadParameter for any other value."""
        number = super().convert(value, param, ctx)
        if number > MOST:
            self.fail(f"{number:,} is too large.", param, ctx)
        return number


class Bytes(click.ParamType[int]):
    """The type of options whose value is a size in memory, such as ``500M`` or ``8G``.

    `least`: smallest number of bytes that is accepted, so that 8 in place of 8G is an error.
    """

    name = "size"

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes; raise click.BadParameter for any other value."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)", str(value).upper().removesuffix("B"))
        exact = float(match[1]) * 1024 ** " KMG".index(match[2] or " ") if match else 0.0
        if not 1 <= exact < 2**62:
            self.fail(f"{value} is not a size: write 500M or 8G.", param, ctx)
        size = int(exact)
        if match and size < self._least:
            few = f"{value} is less than {size_text(self._least)}"
            self.fail(f"{few}: write {match[1]}M or {match[1]}G.", param, ctx)
        return size


class Length(click.ParamType[float]):
    """The type of options whose value is a length, such as ``20mm``, ``2cm`` or ``0.75in``.

    A number without a unit is in millimeters. Lengths from 0.5 mm to 1000 mm are accepted.
    """

    name = "length"
    MILLIMETERS = MappingProxyType({"mm": 1.0, "cm": 10.0, "in": 25.4, "": 1.0})

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number of millimeters; raise click.BadParameter for any other value."""
        match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) *(mm|cm|in|)", str(value).strip().lower())
        length = float(match[1]) * self.MILLIMETERS[match[2]] if match else 0.0
        if not 0.5 <= length <= 1000:
            self.fail(
                f"'{value}' is not a length of 0.5 to 1000 mm: write 20mm, 2cm or 0.75in.",
                param,
                ctx,
            )
        return length


class Number(click.FloatRange):
    """The type of options whose value is a number in a range; ``nan`` and ``inf`` are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; raise click.BadParameter for any other value."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a number: write digits alone.", param, ctx)
        return number


class Percentage(Number):
    """The type of options whose value is a fraction above 0 and up to 1: ``5%`` or ``0.05``."""

    name = "fraction"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the fraction, 0.05 for ``5%``; raise click.BadParameter for any other value."""
        text = str(value).strip()
        try:
            float(text.removesuffix("%"))
        except ValueError:
            self.fail(f"'{value}' is not a fraction: write 5% or 0.05.", param, ctx)
        number = super().convert(text.removesuffix("%"), param, ctx)
        number = number / 100 if text.endswith("%") else number
        if number > 1:
            self.fail(f"'{value}' is more than 100 %: write 5% or 0.05.", param, ctx)
        return number


MOST_SHARES = 100_000
"""Largest N of --shard I/N.

A search can be cut into ten times as many parts, so that a share has several parts.
"""


class Shard(click.ParamType[tuple[int, int]]):
    """The type of --shard, a share of a search: ``3/200`` is the third of 200 shares."""

    name = "share"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return the number of the share and the number of shares: (3, 200) for ``3/200``.

        Raise click.BadParameter for any other value, or if there are more than `MOST_SHARES`.
        """
        match = re.fullmatch(r"(\d{1,18})/(\d{1,18})", str(value))
        number, of = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= number <= of:
            self.fail(f"{value} is not a share: write 3/200 for the third of 200.", param, ctx)
        if of > MOST_SHARES:
            self.fail(f"{of:,} shares are too many: take at most {MOST_SHARES:,}.", param, ctx)
        return number, of


MOST = 2**63 - 1
"""Largest whole number that options accept."""

CODES = "exactile.exit_code"
"""Key, in ``meta`` of click's context, of the value of --exit-code."""

QUARTER = " (default: a quarter of the machine's memory). Colorings that need more are not tried."
"""End of the help of --memory for commands that look for colorings."""


def option(*names: str, **how: Any) -> Callable[[F], F]:
    """Return an option as `click.option` does; the help shows its default unless that is None.

    If the choices are too long for their column of the help, the text of the help lists them.
    """
    shown = how.get("default") is not None
    choices = list(map(str, getattr(how.get("type"), "choices", ())))
    if len("|".join(choices)) > MOST_CHOICES and "metavar" not in how:
        how["metavar"] = names[0].strip("-").upper()
        if not all(f"{choice}:" in how["help"] for choice in choices):
            how["help"] += f" One of: {', '.join(choices)}."
    return click.option(*names, **{"show_default": shown} | how)


MOST_CHOICES = 24
"""Largest number of characters of choices that the help of an option shows beside it."""


def number(*names: str, least: int = 1, **how: Any) -> Callable[[F], F]:
    """Return an option whose value is a whole number, at least `least`."""
    return option(*names, type=Whole(least), metavar="N", **how)


def symmetric(help: str) -> Callable[[F], F]:
    """Return the option --symmetric N, the least number of symmetries; 1 by default."""
    return number("--symmetric", default=1, help=help)


cells = number(
    "--cells",
    help="Try the pieces of a single PUZZLE on every region of N connected cells, in place of its "
    "own region.",
)
puzzles = click.argument(
    "puzzles", metavar="PUZZLE...", nargs=-1, required=True, shell_complete=words.puzzles
)
lattice = option("--lattice", help="Only puzzles on this lattice.", shell_complete=words.lattices)
as_json = option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
up_to = option(
    "--up-to",
    type=click.Choice(["rotation", "symmetry"]),
    help="Give only one of several solutions that are equal up to rotation, or up to symmetry; by "
    "default, give all.",
)
seed = option(
    "--seed",
    default=0,
    type=click.IntRange(0, 2**31 - 1),
    metavar="N",
    help="Seed of random choices.",
)
crossing = option(
    "--allow-crossing",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({inline.CROSSING: value}),
    help="Let pieces cross at the vertices of stick and trig grids.",
)
exit_code = option(
    "--exit-code",
    type=click.Choice(["plain", "sat"]),
    default="plain",
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({CODES: value}),
    help="plain: 0 answered, 3 not finished; sat: 10 solvable, 20 unsolvable, 0 unknown, as in "
    "SAT competitions.",
)
certificate = option(
    "--certificate",
    type=NewDirectory(),
    metavar="DIR",
    help="Write a certificate, a proof of the answer, into a new directory. `exactile "
    "verify-certificate` verifies it.",
)


def proof_format(*formats: str) -> Callable[[F], F]:
    """Return the option --proof-format, the format of a certificate's proof.

    `formats`: the formats that it accepts.
    """
    coloring = "a coloring, if one is found, is the proof; otherwise "
    by_default = coloring * ("pbp" in formats) + "drup"
    meanings = {
        "drup": "drup: clauses",
        "lrat": "lrat: clauses with hints for fast checking",
        "pbp": "pbp: cutting planes, for proofs by a coloring",
    }
    return option(
        "--proof-format",
        type=click.Choice(formats),
        help=f"Format of the certificate's proof. {'; '.join(meanings[name] for name in formats)}. "
        f"By default, {by_default}.",
    )


scratch = option(
    "--scratch",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    metavar="DIR",
    help="Directory for temporary lists; by default, that of the system for temporary files.",
)
columns = number(
    "--columns",
    help="Number of pictures in a row; by default, 4 for pdf, otherwise chosen by the number and "
    "size of the pictures.",
)


def cell(otherwise: str = "") -> Callable[[F], F]:
    """Return the option --cell, the side of a cell at actual size; `otherwise`: end of the help."""
    text = "Draw at actual size; LENGTH is the longest side of a cell, such as 20mm, 2cm or 0.75in."
    return option("--cell", type=Length(), metavar="LENGTH", help=text + otherwise)


def paper(default: str | None = "a4", help: str = "Page size.") -> Callable[[F], F]:
    """Return the option --paper, the page size."""
    return option("--paper", type=click.Choice(["a4", "letter"]), default=default, help=help)


colors = option(
    "--colors",
    type=click.Choice(["palette", "gray", "patterns"]),
    default="palette",
    help="Colors of the pieces; gray and patterns are for printers without colors.",
)
exploded = option(
    "--exploded", is_flag=True, help="Draw the pieces of a solid puzzle apart from each other."
)

assemblable = option(
    "--assemblable",
    is_flag=True,
    help="Find only solutions that can be taken apart, and only one of several that are equal up "
    "to symmetry.",
)
rotations = option(
    "--rotations",
    is_flag=True,
    help="On the cube lattice, also allow quarter turns of groups of pieces.",
)


WRITE = "Write to FILE instead of standard output; its extension chooses the format."


def _output(kind: OutputPath, help: str = WRITE, metavar: str = "FILE") -> Callable[[F], F]:
    return option(
        *("-o", "--output"),
        type=kind,
        default="-",
        show_default=False,
        metavar=metavar,
        is_eager=True,  # its extension chooses the format
        help=help,
    )


output = _output(OutputFile(keep=True), f"{WRITE} After Ctrl-C, FILE has the results so far.")
output_path = _output(OutputPath())
drawing = _output(OutputFile(keep=True), WRITE.replace("FILE", "PICTURE"), "PICTURE")


def picture(
    help: str = "Also draw the result, as .svg, .png or .pdf.", forms: Sequence[str] = SHEETS
) -> Callable[[F], F]:
    """Return the option --output for a picture that is drawn in addition to the printed output.

    The command gets the picture, or None, as the argument ``picture``. `forms`: the formats that
    the extension of the file may choose. Together with --json, a picture on standard output raises
    click.UsageError.
    """

    def decorated(function: F) -> F:
        @wraps(function)
        def wrapped(picture: Picture | None, **given: Any) -> Any:
            if picture is not None and picture.name == "-" and given.get("as_json"):
                raise click.UsageError("--json prints one document: write the picture to a file.")
            return function(picture=picture, **given)

        kind = PictureFile(forms, keep=True)  # also if drawn after Ctrl-C
        named = option("-o", "--output", "picture", type=kind, metavar="FILE", help=help)
        return cast(F, named(wrapped))

    return decorated


def form(
    *choices: str,
    default: str | None = None,
    terminal: str | None = None,
    help: str = "",
    packed: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Return the option --format; by default, the extension of --output decides the format.

    - `choices`: the formats.
    - `default`: the format without --output; None if the command decides.
    - `terminal`: the format that the command chooses on a terminal, for the help; None if it is
      `default`.
    - `help`: the beginning of the help. The end, about the default, follows if `default` is given.
    - `packed`: extensions of compressed files, such as ``.gz``, which may follow the extension of
      the format.
    """

    def chosen(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
        output = context.params["output"]
        name = getattr(output, "name", output)
        if Path(name).suffix.lower() in packed:
            name = str(Path(name).with_suffix(""))
        return form_of(name, choices, given, default)

    instead = f"{terminal} on a terminal, else {default}" if terminal else default
    otherwise = (
        f" By default, the extension of -o decides; without -o, it is {instead}." if default else ""
    )
    return option(
        "--format", "form", type=click.Choice(choices), callback=chosen, help=help + otherwise
    )


def table_form(*choices: str) -> Callable[[F], F]:
    """Return the option --format, the format of a table of several puzzles."""
    return option(
        *("--format", "table"),
        type=click.Choice(choices),
        help="Print a table in this format, even for a single PUZZLE. By default, several puzzles "
        "give a table as text, and a single one gives none.",
    )


def sort(*columns: str) -> Callable[[F], F]:
    """Return the option --sort, whose value is one of these columns of a table."""
    return option(
        "--sort",
        type=click.Choice(columns),
        help="Sort the table by this column, smallest first; by default, the puzzles keep their "
        "order.",
    )


def time_limit(help: str = "Stop after this time.", **how: Any) -> Callable[[F], F]:
    """Return the option --time-limit, in seconds; if it has no default, the help says so."""
    positive = Number(min=0, min_open=True)
    text = help if "default" in how else f"{help} By default, there is no limit."
    return option("--time-limit", type=positive, metavar="SECONDS", help=text, **how)


def backend(
    help: str | None = None,
    default: str = DEFAULT_BACKEND,
    choices: tuple[str, ...] = (),
    **how: Any,
) -> Callable[[F], F]:
    """Return the option --backend, the name of a solver.

    `choices`: the names that are accepted; if empty, any name.
    """
    free = {"metavar": "NAME", "shell_complete": words.backends}
    how |= {"type": click.Choice(choices)} if choices else free
    return option("--backend", default=default, help=help, **how)


LISTED = (
    "Number of threads or processes. By default, the solver decides: dlx and sat use one, so that "
    "solutions come in a fixed order."
)
"""Help of --workers for commands without the option --store."""


def workers(
    help: str | None = f"{LISTED} With --store, all processors are used by default.",
    default: int | None = None,
    most: int = 1024,
) -> Callable[[F], F]:
    """Return the option --workers, the number of threads or processes, at most `most`."""
    kind = click.IntRange(1, most)
    return option("--workers", type=kind, default=default, metavar="N", help=help)


def find_all(*names: str, help: str = "Find all solutions.") -> Callable[[F], F]:
    """Return the option --all, to find all solutions; `names`: further names, such as --list."""
    return option(*names, "--all", "find_all", is_flag=True, help=help)


def limit(help: str = "Find at most N solutions.") -> Callable[[F], F]:
    """Return the option --limit, the largest number of solutions to find."""
    return number("-n", "--limit", help=help)


def counted(help: str) -> Callable[[F], F]:
    """Return the option --count, to print only a number."""
    return option("--count", "counted", is_flag=True, help=help)


use_reasons = option(
    "--use-reasons",
    type=bool,
    default=True,
    show_default=False,
    help="First try to rule out all solutions by areas and colorings.",
)
use_symmetry = option(
    "--use-symmetry",
    type=bool,
    default=True,
    show_default=False,
    help="Use the puzzle's symmetries to search less.",
)
ordered = option(
    "--ordered", is_flag=True, help="Give solutions in the same order for any number of workers."
)
encoding = option(
    "--encoding",
    metavar="NAME",
    help="Encoding of 'at most one' for sat: pairwise, seqcounter, bitwise, commander, "
    "product, or native if the solver has it.",
)


def memory(
    what: str,
    otherwise: str = " (default 4G); frontier keeps the rest on disk.",
    least: int = 1,
    **how: Any,
) -> Callable[[F], F]:
    """Return the option --memory, a limit of memory such as ``8G``.

    `what`: the beginning of the help, which names what is limited. `otherwise`: the end of the
    help, about the default. `least`: smallest number of bytes that is accepted.
    """
    text = f"{what}, such as 500M or 8G{otherwise}"
    return option("--memory", type=Bytes(least), metavar="SIZE", help=text, **how)


def quiet(help: str = "Print nothing but the result.") -> Callable[[F], F]:
    """Return the option --quiet, to print less."""
    return option("-q", "--quiet", is_flag=True, help=help)


def verbose(help: str = "Report each step on stderr.") -> Callable[[F], F]:
    """Return the option --verbose, to print more."""
    return option("-v", "--verbose", is_flag=True, help=help)


SOLVER = "Solver, such as dlx, cpsat or sat; `exactile backends` lists all."

search_backend = backend(f"{SOLVER} By default, dlx.", show_default=False)
model_backend = backend(SOLVER)
many_workers = workers("Number of threads or processes; by default, one for each processor.")
counters = verbose("Report counters on stderr.")

stored = click.argument("store", metavar="FILE", type=click.Path(dir_okay=False))
run = click.argument("run", metavar="[RUN]", required=False, type=Whole())
on = option(
    "--on",
    metavar="WHERE",
    help="Where the parts of the search run: threads (the default), processes, dask (a cluster on "
    "this machine), or dask:ADDRESS (the cluster of the scheduler at this address).",
)
store = option(
    "--store",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep the search in FILE, so that the same command, or `exactile resume`, can continue it "
    "later.",
)
parts = option(
    "--parts",
    type=click.IntRange(1, 10**6),
    metavar="N",
    help="Do not search, but cut the search into at least N parts, for `exactile work`.",
)

OWN: dict[str, dict[str, str]] = {
    "solve": {
        "limit": "Find at most N solutions; by default, one.",
        "backend": f"{SOLVER} By default, auto (several solvers race) for one solution, dlx for "
        "more; also dlx for a model file, and with --store, --assemblable or --up-to pieces.",
    },
    "count": {
        "assemblable": "Count only solutions that can be taken apart, and sort them by level. A "
        "level such as 5.3 has the number of moves of each separation.",
        "backend": f"{SOLVER} By default, dlx; other solvers find each solution, as in --method "
        "list.",
        "workers": "Number of threads or processes. By default, all processors; but without "
        "--store, solvers other than dlx decide.",
    },
    "takeapart": {
        "find_all": "Take apart all solutions, but only one of several that are equal up to "
        "symmetry.",
        "limit": "With FILE, take apart its first N solutions; by default, all. Without FILE, stop "
        "after N solutions that come apart; by default, after one.",
    },
    "prove": {
        "certificate": "If there is no solution, write a certificate, a proof of that, into a new "
        "directory. `exactile verify-certificate` verifies it.",
        "backend": f"{SOLVER} By default, auto (several solvers race); with --store, dlx.",
        "workers": "Number of threads or processes. By default, all processors; but with "
        "--backend and without --store, the solver decides.",
    },
    "sheet": {"output": WRITE},
    "pieces": {"output": WRITE},
    "tile": {
        "output": "Draw the answer, as .svg, .png or .pdf. With --order, FILE may also be .csv or "
        ".txt.",
        "time_limit": "Stop after this time; without it, after 2,000,000 nodes. With --order, "
        "each polyform gets 5,000,000 nodes in any case.",
    },
    "peg": {
        "find_all": "Find all solutions from each start.",
        "limit": "Find at most N solutions from each start; by default, one.",
        "workers": "Number of threads. native always uses one; by default, dlx and sat also "
        "use one, and other solvers decide.",
    },
    "sudoku": {
        "time_limit": "Stop each search after this time. By default, there is no limit.",
        "find_all": "List all solutions of each sudoku.",
        "limit": "List at most N solutions of each sudoku.",
    },
    "queens": {
        "up_to": "With --all, print only one of several solutions that are equal up to rotation, "
        "or up to symmetry.",
        "workers": f"{LISTED} But --count uses all processors with dlx.",
    },
}
"""Help of shared options for single commands, by the name of the parameter."""


def worded(command: str, *parts: Iterable[click.Parameter]) -> list[click.Parameter]:
    """Return the parameters of a command in one list; those in `OWN` get the help stated there."""
    every = list(chain(*parts))
    for each in every:
        if isinstance(each, click.Option) and each.name in OWN.get(command, {}):
            each.help = OWN[command][each.name]
    return every
