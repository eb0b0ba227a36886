"""What the subcommands share: arguments, options, and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, Stats, Status
from exactile.cli import inline
from exactile.cli.options import CODES

if TYPE_CHECKING:
    from exactile.puzzle import Puzzle
    from exactile.search import Search
    from exactile.search.search import Options

UNFINISHED = 3
"""The exit code if a limit was reached before the answer, or a solver gave up."""

COMPETITION = {
    Status.SOLVABLE: 10,
    Status.COMPLETE: 10,
    Status.UNSOLVABLE: 20,
    Status.UNKNOWN: 0,
}
"""The exit codes of SAT competitions."""


class HasCounters(Protocol):
    """An object with counters to report."""

    @property
    def stats(self) -> Stats:
        """Counters of a search."""


@dataclass(frozen=True)
class Settings:
    """The values of the options of a search."""

    backend: str
    time_limit: float | None
    seed: int
    workers: int | None
    ordered: bool
    encoding: str | None
    use_symmetry: bool
    use_reasons: bool
    quiet: bool
    verbose: bool

    def search(
        self,
        reference: str,
        limit: int | None = None,
        watch: Callable[[Search], None] | None = None,
        hint: str | None = None,
        up_to: str | None = None,
    ) -> Search:
        """Return the requested search; `hint` is a solution file.

        Its clock runs: reading and lowering take of the time limit, too.
        """
        from exactile.files import read_solutions
        from exactile.search import Search
        from exactile.search.limits import Limits

        limits = Limits(self.time_limit, limit)
        limits.begin()
        subject = read_puzzle(reference)
        options = self.options()
        del options["time_limit"]
        if hint:
            options["hint"] = next(read_solutions(hint, subject), ())
        return Search(subject, limits=limits, up_to=up_to, watch=watch, **options)

    def options(self) -> Options:
        """Return the arguments that every verb takes."""
        return {
            "backend": self.backend,
            "time_limit": self.time_limit,
            "seed": self.seed,
            "workers": self.workers,
            "ordered": self.ordered,
            "encoding": self.encoding,
            "use_symmetry": self.use_symmetry,
            "use_reasons": self.use_reasons,
        }

    def report_counters(self, search: HasCounters, *, default: bool) -> None:
        """Print the counters on stderr if requested, or by default if not quiet."""
        if self.verbose or (default and not self.quiet):
            click.echo(counters(search.stats), err=True)


def gathered(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a command, with `Settings` in place of single values."""
    settings = Settings(**{f.name: given.pop(f.name) for f in fields(Settings)})
    return {**given, "settings": settings}


def exit_code(status: Status, stopped: str | None = None) -> int:
    """Return the exit code of an answer, according to --exit-code.

    Parameters
    ----------
    status
        What is known.
    stopped
        Why a search ended early, if it did.
    """
    if stopped == INTERRUPTED:
        return 130
    if get_current_context().meta.get(CODES) == "sat":
        return COMPETITION[status]
    answered = status is not Status.UNKNOWN and stopped in (None, SOLUTION_LIMIT)
    return 0 if answered else UNFINISHED


def is_given(name: str) -> bool:
    """Return whether an option was given on the command line."""
    return get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def read_puzzle(reference: str) -> Puzzle:
    """Return a puzzle as named and changed on the command line."""
    from exactile.files import load

    given = _said(inline.INLINE)
    return changed(inline.stated(**given) if given else load(reference))


def changed(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with what --fix and allow_crossing say."""
    puzzle = inline.fixed(puzzle, _said(inline.FIXED) or ())
    if may_cross():  # what is known is known of the puzzle with the rule
        return replace(puzzle, crossing=False, known=())
    return puzzle


def may_cross() -> bool:
    """Return whether --allow-crossing was given."""
    return bool(_said(inline.CROSSING))


def _said(option: str) -> Any:
    """Return what the command keeps of an option in its context."""
    context = get_current_context(silent=True)
    return context.meta.get(option) if context else None


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> plural(1, "puzzle"), plural(2000, "puzzle"), plural(2, "polyhex", "polyhexes")
    ('1 puzzle', '2,000 puzzles', '2 polyhexes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def every(number: int, what: str, alike: str = "") -> str:
    """Return words for this many, and no more.

    Examples
    --------
    >>> every(1, "solution"), every(6, "solution", " up to symmetry")
    ('1 solution, the only one', 'all 6 solutions up to symmetry')
    """
    if number == 1:
        return f"1 {what}{alike}, the only one"
    return f"all {plural(number, what)}{alike}"


def searched(done: float | None) -> str:
    """Return the finished part of a search in words; 100 % appears only at the end.

    Examples
    --------
    >>> searched(0.1234), searched(0.99999), searched(None)
    (', 12.3 % searched', ', 99.9 % searched', '')
    """
    return "" if done is None else f", {int(done * 1000) / 10:.1f} % searched"


def counters(stats: Stats) -> str:
    """Return the counters of a search in words."""
    words = [
        f"{value:,} {name}"
        for name, value in stats.told().items()
        if isinstance(value, int) and name != "items"
    ]
    return ", ".join([*words, f"{total_seconds(stats):.2f} s"])


def total_seconds(stats: Stats) -> float:
    """Return the duration of a search, with building its model and checking its solutions."""
    spent = (stats.build_seconds, stats.check_seconds, stats.seconds)
    return float(sum(seconds or 0 for seconds in spent))
