"""Texts of the command line: results in words, plain messages, completions, progress lines."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import rich_click as click
from click.shell_completion import CompletionItem

from exactile.clock import CLOCK
from exactile.wanted import plural as plural

if TYPE_CHECKING:
    from rich.live import Live

    from exactile.counting.method import Method
    from exactile.search.handle import Handle

VARIABLE = "_EXACTILE_COMPLETE"
"""The environment variable by which the completion script of a shell requests completions."""


def puzzles(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return completions of PUZZLE: files, and ids that begin with the letters typed, `begun`."""
    from exactile.files.puzzles.catalogue import entries

    files = CompletionItem(begun, type="file")  # first: shells take files if nothing follows
    return [files, *(CompletionItem(e.id, help=e.title) for e in entries() if _fits(e.id, begun))]


def backends(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return completions: the names of solvers that begin with the letters typed, `begun`."""
    from exactile.backends import backend_names

    return _items(backend_names(), begun)


def lattices(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return completions: lattices of the catalogue that begin with the letters typed, `begun`."""
    from exactile.files.puzzles.catalogue import entries

    return _items(sorted({e.lattice for e in entries()}), begun)


def about(name: str, message: str) -> str:
    """Return a message with a name in front, unless it already begins with the name.

    >>> about("ring", "ring has no solution."), about("ring", "Time is up.")
    ('ring has no solution.', 'ring: Time is up.')
    """
    return message if message.startswith(f"{name} ") else f"{name}: {message}"


def _items(words: Iterable[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if _fits(word, begun)]


def _fits(word: str, begun: str) -> bool:
    return word.startswith(begun.casefold())


PLAIN = {
    r"is not a valid integer(?: range)?\.": "is not a whole number.",
    r"is not a valid boolean\. Recognized values: .*": "is neither yes nor no.",
    r"is not a valid float(?: range)?\.": "is not a number: write digits alone.",
    r"(?<!\S)(\S++) is not in the range x>=(\S+)\.": r"\1 is too small: it must be \2 or more.",
    r"(?<!\S)(\S++) is not in the range x>(\S+)\.": r"\1 is too small: it must be more than \2.",
    r"(?<!\S)(\S++) is not in the range (\S+)<=x<=(\S+)\.": r"\1 is not between \2 and \3.",
}


def in_plain_words(message: str) -> str:
    """Return a message of click in plain words.

    >>> in_plain_words("Invalid value for '-n': 0 is not in the range x>=1.")
    "Invalid value for '-n': 0 is too small: it must be 1 or more."
    """
    for said, meant in PLAIN.items():
        message = re.sub(said, meant, message)
    return message


def every(number: int, what: str, alike: str = "") -> str:
    """Return in words how many results there are, and that these are all.

    >>> every(1, "solution"), every(6, "solution", " up to symmetry")
    ('1 solution, the only one', 'all 6 solutions up to symmetry')
    """
    if number == 1:
        return f"1 {what}{alike}, the only one"
    return f"all {plural(number, what)}{alike}"


def ignored(lines: Sequence[int]) -> list[str]:
    """Return a remark that some options of a model file are ignored, as a list of one text.

    `lines`: the line numbers of the options without primary items. The list is empty if there are
    none.

    >>> ignored([3, 7]), ignored([])
    (['2 options without primary items ignored (line 3 ...)'], [])
    """
    if not lines:
        return []
    more = " ..." if len(lines) > 1 else ""
    options = plural(len(lines), "option")
    return [f"{options} without primary items ignored (line {lines[0]}{more})"]


def uses_text(uses: Mapping[str, int]) -> str:
    """Return pieces with their numbers of uses as text.

    >>> uses_text({"X": 1, "Y": 10}), uses_text({})
    ('X 10×Y', 'no piece')
    """
    return " ".join(name if n == 1 else f"{n}×{name}" for name, n in uses.items()) or "no piece"


def percent(done: float) -> str:
    """Return a fraction in percent, rounded down, so that only a finished search has 100 %.

    >>> percent(0.1234), percent(0.99999)
    ('12.3 %', '99.9 %')
    """
    return f"{int(done * 1000) / 10:.1f} %"


FIRST_SHOWN = 3.0
"""Seconds after which a progress line begins to show the time left."""

MOST_SAMPLES = 1000
"""Largest number of samples of its progress that a progress line keeps."""

UNSURE = 8.0
"""If two measured rates differ by more than this factor, the time left counts as unknown."""


class Line:
    """A progress line on stderr, clipped to the terminal's width; each update overwrites it.

    If stderr is not a terminal, or `enabled` is False, nothing is written. As a context manager, it
    is cleared at the end.
    """

    INTERVAL = 0.2

    def __init__(self, *, enabled: bool = True) -> None:
        self._on = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._last = CLOCK.now()
        self._live: Live | None = None

    def due(self) -> bool:
        """Return whether the line is shown and was not updated in the last `INTERVAL` seconds."""
        return self._on and CLOCK.now() - self._last > self.INTERVAL

    def show(self, text: str) -> None:
        """Replace the line by a text if an update is due."""
        if self.due():
            from rich.text import Text  # here, because short commands do not need it

            self._last = CLOCK.now()
            self._live = self._live or _live()
            self._live.start()
            self._live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def counted(self, done: float) -> None:
        """Show a fraction, such as ``12.3 % counted``, if an update is due."""
        self.show(f"{percent(done)} counted")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def _live() -> Live:
    """Return a live display of the package `rich` for one line on stderr.

    The display honors ``NO_COLOR``, ``COLUMNS`` and ``TERM``.
    """
    from rich.console import Console
    from rich.live import Live

    return Live(
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


class Progress(Line):
    """The progress line of a search."""

    def __init__(self, *, enabled: bool = True) -> None:
        super().__init__(enabled=enabled)
        self._started = self._last
        self._samples = [(0.0, 0.0)]

    def __call__(self, search: Handle[Any] | Method) -> None:
        """Show the progress of a search, and an estimate of the time left, if an update is due.

        There is no estimate if the finished fraction is unknown or the number of solutions is
        limited.
        """
        if self.due():
            seconds = CLOCK.now() - self._started
            text = progress_text(search.done, search.found, seconds, search.doing)
            limits = getattr(search, "limits", None)
            if search.done is not None and (limits is None or limits.number is None):
                self._samples.append((seconds, search.done))
                if len(self._samples) > MOST_SAMPLES:
                    del self._samples[1::2]
                text += time_left(self._samples)
            self.show(text)


class EachProgress(Progress):
    """The progress line of searches for several puzzles, one after the other.

    `number`: number of puzzles.
    """

    def __init__(self, number: int, *, enabled: bool = True) -> None:
        super().__init__(enabled=enabled)
        self._number, self._begun, self._name = number, 0, ""

    def begin(self, name: str) -> None:
        """Begin to show the progress for the next puzzle, whose name is `name`."""
        self._begun += 1
        self._name, self._started, self._samples = name, CLOCK.now(), [(0.0, 0.0)]
        self.show("reading")

    def show(self, text: str) -> None:
        """Show the number and name of the current puzzle, then a text, if an update is due."""
        super().show(f"{self._begun:,} of {self._number:,}, {self._name}: {text}")


class StatusLine(Line):
    """A progress line that shows the last intermediate result, and the seconds so far.

    `verbose`: whether to write each result on a line of its own, which is not overwritten, even if
    stderr is not a terminal.
    """

    def __init__(self, *, enabled: bool = True, verbose: bool = False) -> None:
        super().__init__(enabled=enabled and not verbose)
        self._verbose = verbose
        self._started = self._last
        self._text = ""

    def __call__(self, text: str) -> None:
        """Show a new result; if the text is empty, update only the seconds."""
        self._text = text or self._text
        if self._verbose and text:
            click.echo(text, err=True)
        elif self._text:
            self.show(f"{self._text}, {CLOCK.now() - self._started:.0f} s")


def time_left(samples: list[tuple[float, float]]) -> str:
    """Return an estimate of the time left, in words; empty in the first `FIRST_SHOWN` seconds.

    `samples`: pairs of the time since the start, in seconds, and the fraction done by then. The
    estimate is a range that follows from two rates: the rate over the whole time, and the rate over
    its second half. If one of them is 0, or they differ by more than the factor `UNSURE`, the time
    left is unknown.

    >>> time_left([(0, 0), (5, 0.1), (10, 0.2)]), time_left([(0, 0), (5, 0.1), (10, 0.15)])
    (', 40 s left', ', 57 s to 85 s left')
    >>> time_left([(0, 0), (3, 0.062), (19, 0.063)]), time_left([(0, 0), (1, 0.5)])
    (', unknown time left', '')
    """
    now, done = samples[-1]
    if now < FIRST_SHOWN:
        return ""
    then, before = samples[bisect_right(samples, now / 2, key=lambda sample: sample[0]) - 1]
    rates = sorted([done / now, (done - before) / (now - then)])
    if rates[0] <= 0 or rates[1] > UNSURE * rates[0]:
        return ", unknown time left"
    ends = dict.fromkeys(_span((1 - done) / rate) for rate in reversed(rates))
    return f", {' to '.join(ends)} left"


def _span(seconds: float) -> str:
    """Return a duration in words, such as ``40 s``, ``5 min`` or ``3 days``."""
    for unit, size, most in (("s", 1, 100), ("min", 60, 6000), ("h", 3600, 172_800)):
        if seconds < most:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 86_400:,.0f} days"


def progress_text(done: float | None, found: int, seconds: float, doing: str | None = None) -> str:
    """Return the progress of a search in words.

    `done`: the finished fraction; None if unknown. `doing`: the last report of a solver that looks
    for a first solution; if there is one, it replaces the number of solutions.

    >>> progress_text(0.1234, 1234, 5.6), progress_text(None, 1, 0.2)
    ('12.3 % searched, 1,234 solutions, 6 s', '1 solution, 0 s')
    >>> progress_text(0.99999, 0, 61)
    '99.9 % searched, 0 solutions, 61 s'
    >>> progress_text(0.5, 0, 61, "204 of 210 units; repair")
    '50.0 % searched, 61 s; 204 of 210 units; repair'
    """
    part = "" if done is None else f"{percent(done)} searched, "
    if doing:
        return f"{part}{seconds:.0f} s; {doing}"
    return f"{part}{plural(found, 'solution')}, {seconds:.0f} s"
