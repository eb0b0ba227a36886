"""Comparisons of backends as text, and as a folder with tables and plots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from textwrap import fill

from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.atomic import written
from exactile.render.colors import FAINT, INK, PAPER
from exactile.render.paper import SVG, number
from exactile.render.tables import WIDTH, shortened, table

LONGEST_HEAD = 40
"""Where a column's name is longer, columns have numbers and a legend."""

SHORT = {"out of memory": "memory", "missing": "missing", "wrong": "WRONG"}


def comparison_text(answer: ComparisonAnswer, width: int | None = WIDTH) -> str:
    """Return the table of a comparison with explanations.

    Without a width nothing is shortened; see `exactile.render.tables.table`.

    >>> import exactile
    >>> puzzles = [exactile.load("dominoes-4x4")]
    >>> answer = exactile.compare(puzzles, ["dlx", "reference"], task="all")
    >>> row = comparison_text(answer).splitlines()[2]
    >>> [cell.strip() for cell in row.split("|")[1:3]]
    ['dominoes-4x4', '36']
    """
    rows = [
        [puzzle, _solutions(mine), *(_cell(run, answer.time_limit) for run in mine)]
        for puzzle, mine in _by_puzzle(answer)
    ]
    memory = f", {answer.memory_limit} MB" if answer.memory_limit else ""
    remarks = [
        *(f"{name}: {text}" for name, text in _versions(answer.runs).items()),
        *(
            f"{run.puzzle}, {run.backend}: {run.end}: {' '.join(run.message.split())}"
            for run in answer.runs
            if run.message and run.end != "time limit"
        ),
        *(f"DISAGREEMENT: {fault}" for fault in answer.disagreements),
    ]
    heads, legend = list(answer.backends), []
    if max(map(len, heads), default=0) > LONGEST_HEAD:
        heads = [str(number) for number in range(1, len(heads) + 1)]
        legend = [*(f"{n}: {name}" for n, name in zip(heads, answer.backends, strict=True)), ""]
    lines = [
        table(["puzzle", "answer", *heads], rows, width),
        "",
        *legend,
        f"Task: {answer.task}. Seconds of searching, with starting the solver and writing",
        "the model for it, without building the model, which is the same for all.",
        f"Limits: {answer.time_limit:g} s{memory}.",
        "'>' means stopped by the time limit, '?' not run.",
        f"Workers: {answer.workers}. Seed: {answer.seed}{_elsewhere(answer)}.",
        "",
        *(fill(f"- {text}", WIDTH, subsequent_indent="  ") for text in remarks),
    ]
    return "\n".join(lines) + "\n"


def write_comparison(answer: ComparisonAnswer, folder: str | PathLike[str]) -> None:
    """Write a comparison to a folder: compare.json, compare.md, cactus.svg and scatter.svg."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "compare.json": answer.to_json(indent=1) + "\n",
        "compare.md": comparison_text(answer, width=None),
    }
    columns = zip(*(map(_time, mine) for _, mine in _by_puzzle(answer)), strict=True)
    times = {name: list(column) for name, column in zip(answer.backends, columns, strict=True)}
    for name, draw in (("cactus", cactus_plot), ("scatter", scatter_plot)):
        texts[f"{name}.svg"] = draw(times, answer.time_limit, f"{answer.task}: {name} plot")
    for name, text in texts.items():  # a file is never half written, not even after Ctrl-C
        with written(folder / name) as stream:
            stream.write(text)


def _by_puzzle(answer: ComparisonAnswer) -> Iterator[tuple[str, list[ComparedRun | None]]]:
    """Yield each puzzle with its results, backend by backend; None for one that has not run yet."""
    given = {(run.puzzle, run.backend): run for run in answer.runs}
    for puzzle in answer.puzzles:
        yield puzzle, [given.get((puzzle, backend)) for backend in answer.backends]


def _elsewhere(answer: ComparisonAnswer) -> str:
    """Return the exception for columns with their own seed, in words."""
    named = any("+seed=" in name for name in answer.backends)
    return ", where a column names no other" if named else ""


def _versions(runs: Iterable[ComparedRun]) -> dict[str, str]:
    """Return version and parameters of each backend that ran."""
    known: dict[str, str] = {}
    for run in runs:
        if run.version:
            told = ", ".join(f"{k}={v}" for k, v in run.parameters.items())
            known.setdefault(run.backend, run.version + (f" ({told})" if told else ""))
    return known


def _solutions(mine: list[ComparedRun | None]) -> str:
    """Return the known answer for a puzzle: a number, yes, no, disputed, or nothing."""
    done = [run for run in mine if run is not None]
    numbers = {run.digest: run.distinct for run in done if run.digest is not None}
    refuted = 0 in numbers.values()
    if len(numbers) > 1 or (refuted and any(run.found for run in done)):
        return "disputed"
    for solutions in numbers.values():
        return f"{solutions:,}" if solutions else "none"
    return "some" if any(run.found for run in done) else "?"


def in_seconds(seconds: float) -> str:
    """Return a time with as many digits as are meaningful.

    >>> in_seconds(0.0002), in_seconds(0.0123), in_seconds(1.234), in_seconds(4321.0)
    ('<0.001', '0.012', '1.23', '4321')
    """
    if seconds < 0.001:
        return "<0.001"
    digits = 3 if seconds < 0.1 else 2 if seconds < 100 else 0
    return f"{seconds:.{digits}f}"


def _cell(run: ComparedRun | None, time_limit: float) -> str:
    seconds = _time(run)
    if run is None:
        return "?"
    if seconds is not None:
        return in_seconds(seconds)
    return f"> {time_limit:g}" if run.end == "time limit" else SHORT.get(run.end, run.end)


def _time(run: ComparedRun | None) -> float | None:
    return run.seconds if run is not None and run.end == "finished" else None


Times = Mapping[str, Sequence[float | None]]
"""For each backend its seconds on each puzzle, None if it did not finish."""

INKS = ("#2b2b2b", "#d1495b", "#1d72c4", "#2e8b57", "#8a5cc2", "#d98324", "#0e8a99", "#a0522d")
FORMS = ("circle", "square", "triangle", "diamond", "cross")
"""Color and form distinguish backends, so that each alone suffices for a few."""

PLOT_WIDTH, PLOT_HEIGHT = 640, 460
LEFT, RIGHT, TOP, BOTTOM = 74, 16, 40, 56
LINE, LETTER = 18, 7.2
"""Height of a line of the legend, and approximate width of a letter."""

LONGEST_NAME = (PLOT_WIDTH - LEFT - RIGHT - 16) // 8
"""Number of letters of a name that fit into the legend."""

LEAST = 1e-3
"""Shortest time drawn, in seconds; shorter ones are drawn as this."""


@dataclass(frozen=True)
class Axis:
    """A logarithmic or linear map from values to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = True

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high, here = (
            (math.log10(v) for v in (self.low, self.high, max(value, self.low)))
            if self.log
            else (self.low, self.high, value)
        )
        return self.start + (self.end - self.start) * (here - low) / (high - low)

    @classmethod
    def of_seconds(cls, times: Times, limit: float, start: float, end: float) -> Axis:
        """Return an axis of whole decades that covers all times and has room for "unfinished"."""
        known = [max(t, LEAST) for row in times.values() for t in row if t is not None]
        low = 10.0 ** math.floor(math.log10(min([*known, limit / 10])))
        return cls(low, limit * (limit / low) ** 0.12, start, end)

    def ticks(self, limit: float) -> list[float]:
        """Return the powers of ten below a limit, as far as there is room for both."""
        first = round(math.log10(self.low))
        powers = [10.0**k for k in range(first, math.ceil(math.log10(limit)))]
        return [p for p in powers if p < 0.6 * limit]


def cactus_plot(times: Times, limit: float, title: str = "") -> str:
    """Return a cactus plot: point n of a line is the time in which n puzzles are solved, each.

    `times`: seconds of each backend. `limit`: the time limit in seconds. `title`: the heading.

    >>> picture = cactus_plot({"dlx": [0.1, None], "sat": [2.0, 0.5]}, 60)
    >>> picture.count("<polyline"), picture.startswith("<svg")
    (2, True)
    """
    most = max((len(row) for row in times.values()), default=0) or 1
    across = Axis(0, most, LEFT, PLOT_WIDTH - RIGHT, log=False)
    up = Axis.of_seconds(times, limit, PLOT_HEIGHT - BOTTOM, TOP)
    step = max(1, math.ceil(most / 12))
    parts = [
        *_grid_up(up, limit),
        *(_tick_across(across.at(n), str(n)) for n in range(0, most + 1, step)),
        _words(PLOT_WIDTH / 2, PLOT_HEIGHT - 14, "puzzles solved"),
    ]
    for k, (_, row) in enumerate(times.items()):
        solved = sorted(t for t in row if t is not None)
        places = [(across.at(n), up.at(t)) for n, t in enumerate(solved, start=1)]
        line = " ".join(f"{number(x)},{number(y)}" for x, y in places)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{_ink(k)}" stroke-width="1.6"/>'
        )
        parts += [_mark(k, x, y) for x, y in places]
    return _sheet(parts, title, list(enumerate(times)))


def scatter_plot(times: Times, limit: float, title: str = "") -> str:
    """Return a plot of the first backend's times (across) against those of each other one (up).

    Unfinished runs are on the dashed line of the limit. The slanted lines are times that are equal,
    ten, and a hundred times as long.

    >>> picture = scatter_plot({"dlx": [0.1, None], "sat": [2.0, 0.5]}, 60)
    >>> "seconds of dlx" in picture
    True
    """
    names = list(times)
    across = Axis.of_seconds(times, limit, LEFT, PLOT_WIDTH - RIGHT)
    up = Axis.of_seconds(times, limit, PLOT_HEIGHT - BOTTOM, TOP)
    edge = across.at(limit)
    parts = [
        *_grid_up(up, limit),
        *(_tick_across(across.at(t), _seconds(t)) for t in across.ticks(limit)),
        _line(edge, TOP, edge, PLOT_HEIGHT - BOTTOM, "4 3", INK),
        _words(edge, PLOT_HEIGHT - BOTTOM + 18, _seconds(limit)),
        *_slanted(across, up, limit),
    ]
    if names:
        parts.append(_words(PLOT_WIDTH / 2, PLOT_HEIGHT - 14, f"seconds of {names[0]}"))
    for k, name in enumerate(names[1:], start=1):
        for x, y in zip(times[names[0]], times[name], strict=True):
            place = [limit if t is None else max(t, LEAST) for t in (x, y)]
            parts.append(_mark(k, across.at(place[0]), up.at(place[1])))
    return _sheet(parts, title, list(enumerate(names))[1:])


def _slanted(across: Axis, up: Axis, limit: float) -> Iterator[str]:
    edge = across.at(limit)
    for factor, dashes in ((1.0, ""), (0.1, "1 3"), (0.01, "1 3")):
        low = max(across.low, up.low / factor)
        if low < limit:
            start, end = (across.at(low), up.at(low * factor)), (edge, up.at(limit * factor))
            yield _line(*start, *end, dashes, INK)


def _grid_up(up: Axis, limit: float) -> Iterator[str]:
    for t in up.ticks(limit):
        yield _line(LEFT, up.at(t), PLOT_WIDTH - RIGHT, up.at(t))
        yield _words(LEFT - 8, up.at(t) + 4, _seconds(t), "end")
    yield _line(LEFT, up.at(limit), PLOT_WIDTH - RIGHT, up.at(limit), "4 3", INK)
    yield _words(LEFT - 8, up.at(limit) + 4, _seconds(limit), "end")
    yield (
        f'<text x="18" y="{PLOT_HEIGHT / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 18 {PLOT_HEIGHT / 2:.0f})">seconds</text>'
    )


def _tick_across(x: float, text: str) -> str:
    bottom = PLOT_HEIGHT - BOTTOM
    return _line(x, TOP, x, bottom) + _words(x, bottom + 18, text)


def _seconds(value: float) -> str:
    return f"{value:g}"


def _ink(k: int) -> str:
    return INKS[k % len(INKS)]


def _line(x: float, y: float, x2: float, y2: float, dashes: str = "", color: str = FAINT) -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line {ends} stroke="{color}" stroke-width="0.8"{dash}/>'


def _words(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def _mark(k: int, x: float, y: float) -> str:
    """Return a mark of the k-th backend."""
    form, r = FORMS[k % len(FORMS)], 4.2
    paint = f'fill="{_ink(k)}" fill-opacity="0.75" stroke="{PAPER}" stroke-width="0.6"'
    if form == "circle":
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{r}" {paint}/>'
    corners = {
        "square": [(-r, -r), (r, -r), (r, r), (-r, r)],
        "triangle": [(0, -1.3 * r), (1.2 * r, 0.9 * r), (-1.2 * r, 0.9 * r)],
        "diamond": [(0, -1.4 * r), (1.4 * r, 0), (0, 1.4 * r), (-1.4 * r, 0)],
        "cross": [
            *((-r, -1.6), (-1.6, -1.6), (-1.6, -r), (1.6, -r), (1.6, -1.6), (r, -1.6)),
            *((r, 1.6), (1.6, 1.6), (1.6, r), (-1.6, r), (-1.6, 1.6), (-r, 1.6)),
        ],
    }[form]
    points = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in corners)
    return f'<polygon points="{points}" {paint}/>'


def _legend(names: Sequence[tuple[int, str]]) -> tuple[list[str], int]:
    """Return names with their marks, and the number of lines that they take."""
    x, line, parts = float(LEFT), 1, []
    for k, name in names:
        text = shortened(name, LONGEST_NAME)
        if x > LEFT and x + 16 + LETTER * len(text) > PLOT_WIDTH:
            x, line = float(LEFT), line + 1
        y = TOP + LINE * (line - 1)
        parts += [_mark(k, x + 6, y - 12), _words(x + 16, y - 8, text, "start")]
        x += 30 + LETTER * len(text)
    return parts, line


def _sheet(parts: Sequence[str], title: str, names: Sequence[tuple[int, str]]) -> str:
    """Return a plot below its legend, as large as necessary."""
    heading = f"<title>{escape(title)}</title>" if title else ""
    legend, lines = _legend(names)
    lower = LINE * (lines - 1)
    high = PLOT_HEIGHT + lower
    return (
        f'<svg {SVG} viewBox="0 0 {PLOT_WIDTH} {high}" width="{PLOT_WIDTH}" height="{high}" '
        f'role="img" font-family="sans-serif" font-size="12" fill="{INK}">'
        f'{heading}<rect width="{PLOT_WIDTH}" height="{high}" fill="{PAPER}"/>'
        + "\n".join([*legend, f'<g transform="translate(0 {lower})">', *parts, "</g></svg>\n"])
    )
