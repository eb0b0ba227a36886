"""Arguments and options of several subcommands, each declared once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from exactile.cli import inline, words
from exactile.cli.output import NewDirectory, OutputFile, OutputPath, form_of
from exactile.plugins import DEFAULT_BACKEND
from exactile.wanted import size_text

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """The type of whole numbers for everything that counts."""

    def __init__(self, least: int = 1) -> None:
        super().__init__(least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)
        if number >= 2**63:
            self.fail(f"{number:,} is too large.", param, ctx)
        return number


class Bytes(click.ParamType[int]):
    """A size in memory: a number, and K, M or G for powers of 1024.

    `least`: smallest number of bytes, which catches 8 typed for 8G.
    """

    name = "size"

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)", str(value).upper().removesuffix("B"))
        told = float(match[1]) * 1024 ** " KMG".index(match[2] or " ") if match else 0.0
        if not 1 <= told < 2**62:
            self.fail(f"{value} is no size: write 500M or 8G.", param, ctx)
        size = int(told)
        if match and size < self._least:
            few = f"{value} is less than {size_text(self._least)}"
            self.fail(f"{few}: write {match[1]}M or {match[1]}G.", param, ctx)
        return size


class Number(click.FloatRange):
    """A number within a range; ``nan`` is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"'{value}' is no number: write digits alone.", param, ctx)
        return number


class Percentage(Number):
    """A part of a number above 0: ``5%`` or ``0.05``."""

    name = "part"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the part, 0.05 for 5 %."""
        if isinstance(value, str) and value.strip().endswith("%"):
            return super().convert(value.strip()[:-1], param, ctx) / 100
        return super().convert(value, param, ctx)


MOST = 2**63 - 1
"""The largest number of solutions, pieces and so on."""

puzzles_argument = click.argument(
    "puzzles", metavar="PUZZLE...", nargs=-1, required=True, shell_complete=words.puzzles
)
lattice_option = click.option(
    "--lattice", help="Only puzzles on this lattice.", shell_complete=words.lattices
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
up_to_option = click.option(
    "--up-to",
    type=click.Choice(["rotation", "symmetry"]),
    help="Give one solution of each orbit, under symmetries or under rotations.",
)
seed_option = click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 2**31 - 1),
    metavar="N",
    help="Seed of random choices, for solvers that make any.",
)
crossing_option = click.option(
    "--allow-crossing",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({inline.CROSSING: value}),
    help="Let pieces cross at vertices of stick and trig grids.",
)
output_option = click.option(
    "-o",
    "--output",
    type=OutputFile(keep=True),
    default="-",
    metavar="FILE",
    is_eager=True,  # its ending is the format
    help="Write to FILE; its extension chooses the format. After Ctrl-C it holds what was found so "
    "far.",
)
output_path_option = click.option(
    "-o",
    "--output",
    type=OutputPath(),
    default="-",
    metavar="FILE",
    is_eager=True,
    help="Write to FILE; its extension chooses the format.",
)
scratch_option = click.option(
    "--scratch",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    metavar="DIR",
    help="Where these lists go; nothing is left there.",
)
columns_option = click.option(
    "--columns",
    type=Whole(),
    metavar="N",
    help="Number of pictures in a row of a sheet or page.",
)
exploded_option = click.option(
    "--exploded", is_flag=True, help="Draw pieces in space apart from each other."
)
CODES = "exactile.exit_code"
"""Key of the exit codes in a command's context."""

exit_code_option = click.option(
    "--exit-code",
    type=click.Choice(["plain", "sat"]),
    default="plain",
    show_default=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({CODES: value}),
    help="plain: 0 answered, 3 not finished; sat: 10 solvable, 20 unsolvable, 0 unknown, as in SAT "
    "competitions.",
)
certificate_option = click.option(
    "--certificate",
    type=NewDirectory(),
    metavar="DIR",
    help="Leave a certificate in a new directory; see `exactile verify-certificate`.",
)


def format_option(
    *choices: str,
    default: str | None = None,
    help: str = "",  # noqa: A002 (as in click)
) -> Callable[[F], F]:
    """Return the option of the output's format; by default the ending of --output decides."""

    def chosen(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
        output = context.params["output"]
        return form_of(getattr(output, "name", output), choices, given, default)

    otherwise = f" By default, the ending of -o decides, or it is {default}." if default else ""
    return click.option(
        "--format", "form", type=click.Choice(choices), callback=chosen, help=help + otherwise
    )


def time_limit_option(
    help: str | None = "Stop after this time.",  # noqa: A002 (as in click)
    default: float | None = None,
) -> Callable[[F], F]:
    """Return the option of a time limit, in seconds."""
    return click.option(
        "--time-limit",
        type=Number(min=0, min_open=True),
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=help,
    )


def backend_option(
    help: str | None = None,  # noqa: A002 (as in click)
    default: str = DEFAULT_BACKEND,
    choices: tuple[str, ...] = (),
    shown: str | None = None,
) -> Callable[[F], F]:
    """Return the option that names a solver, one of the choices if there are any."""
    kind: dict[str, Any] = {"type": click.Choice(choices)} if choices else {"metavar": "NAME"}
    if not choices:
        kind["shell_complete"] = words.backends
    told = shown or True
    return click.option("--backend", default=default, show_default=told, help=help, **kind)


def workers_option(
    help: str | None = (  # noqa: A002 (as in click)
        "Threads or processes, where a solver has them. Counts take all processors by default; "
        "lists of solutions one, so that their order is always the same."
    ),
    default: int | None = None,
    most: int = 1024,
) -> Callable[[F], F]:
    """Return the option of the number of threads or processes."""
    return click.option(
        "--workers",
        type=click.IntRange(1, most),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=help,
    )


def all_option(*names: str, help: str = "Find all solutions.") -> Callable[[F], F]:  # noqa: A002 (as in click)
    """Return the option to find all solutions; it may have other names, too."""
    return click.option("--all", *names, "find_all", is_flag=True, help=help)


def limit_option(help: str = "Find up to N; 1 if left out.") -> Callable[[F], F]:  # noqa: A002 (as in click)
    """Return the option of the number of solutions."""
    return click.option("-n", "--limit", type=Whole(), metavar="N", help=help)


def count_option(help: str) -> Callable[[F], F]:  # noqa: A002 (as in click)
    """Return the option to print numbers in place of what they count."""
    return click.option("--count", "counted", is_flag=True, help=help)


reasons_option = click.option(
    "--use-reasons",
    type=bool,
    default=True,
    help="Search only if neither areas nor colorings rule a solution out.",
)
symmetry_option = click.option(
    "--use-symmetry", type=bool, default=True, help="Use the puzzle's symmetry to search less."
)
ordered_option = click.option(
    "--ordered", is_flag=True, help="The same order of solutions for any number of workers."
)
encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    help="How sat writes 'at most one': pairwise, seqcounter, bitwise, commander, product, or "
    "native where the solver has it.",
)
QUARTER = " (default: a quarter of the machine's); what needs more is not tried."


def memory_option(
    what: str,
    otherwise: str = " (default 4G); lists beyond it go to disk.",
    *names: str,
    default: str | None = None,
    least: int = 1,
) -> Callable[[F], F]:
    """Return the option of a memory limit.

    `what`: for what. `otherwise`: how much there is without it, in words; or `default`. `names`:
    other names of the option.
    """
    return click.option(
        *("--memory", *names),
        type=Bytes(least),
        default=default,
        show_default=default is not None,
        metavar="SIZE",
        help=f"{what}, such as 500M or 8G{otherwise}",
    )


def quiet_option(help: str = "Print nothing but the result.") -> Callable[[F], F]:  # noqa: A002 (as in click)
    """Return the option to print less."""
    return click.option("-q", "--quiet", is_flag=True, help=help)


def verbose_option(help: str = "Report each step on stderr.") -> Callable[[F], F]:  # noqa: A002 (as in click)
    """Return the option to print more."""
    return click.option("-v", "--verbose", is_flag=True, help=help)


search_backend_option = backend_option(
    "dlx, auto, first, cpsat, sat, sat:NAME, dlx:KERNEL, external:CMD, reference; see `exactile "
    "backends`.",
    shown="dlx; auto for `prove`, and for one solution of `solve`",
)
model_backend_option = backend_option(
    "dlx, cpsat, sat, sat:NAME, dlx:KERNEL, external:CMD, reference; see `exactile backends`."
)
many_workers_option = workers_option(
    "Threads or processes; as many as there are processors if left out."
)
counters_option = verbose_option("Report counters on stderr.")
