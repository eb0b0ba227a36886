"""A comparison of backends as one HTML page that needs no other file, with its plots."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from exactile.answers import ComparisonAnswer
from exactile.render.comparison_text import (
    FAMILIES,
    Rows,
    Scores,
    Times,
    explanations,
    families,
    plural,
    ranks,
    remarks,
    times,
)
from exactile.render.paper import FAINT, INK, PAPER, SVG, harmless, number

STYLE = """
body { font: 15px/1.45 sans-serif; color: #222; background: #fff; margin: 2rem auto;
  max-width: 100rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12px; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .4rem; text-align: right; border-bottom: 1px solid #ddd; }
th { vertical-align: bottom; font-weight: 600; max-width: 7.5rem; overflow-wrap: break-word; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
td.best { font-weight: 700; } td.open { color: #a33; }
.faults { border: 2px solid #b00020; padding: .2rem 1rem; color: #b00020; }
svg { max-width: 100%; height: auto; }
"""


def plots(scores: Scores) -> dict[str, str]:
    """Return SVG plots by name: ``cactus``, and ``scatter`` if there are several backends."""
    answer, title = scores.answer, f"{scores.answer.task}: "
    drawn = {"cactus": cactus_plot(scores.times, answer.time_limit, title + "cactus plot")}
    if len(scores.backends) > 1:
        drawn["scatter"] = scatter_plot(
            scores.times,
            answer.time_limit,
            title + "scatter plots",
            against=scores.ranking[0].backend,
            puzzles=scores.puzzles,
            families=[scores.family[puzzle] for puzzle in scores.puzzles],
        )
    return drawn


def comparison_page(answer: ComparisonAnswer) -> str:
    """Return the page of a comparison: disagreements, scores, families, plots, times, remarks.

    >>> import exactile
    >>> answer = exactile.compare([exactile.load("dominoes-4x4")], ["dlx", "reference"], task="all")
    >>> page = comparison_page(answer)
    >>> "<h2>Scores</h2>" in page, page.count("<svg")
    (True, 2)
    """
    scores = Scores(answer)
    drawn = plots(scores)
    parts = [f"<h1>{_heading(answer)}</h1>"]
    if answer.disagreements:
        faults = "".join(f"<li>{escape(fault)}</li>" for fault in answer.disagreements)
        parts.append(f'<div class="faults"><h2>Disagreements</h2><ul>{faults}</ul></div>')
    if not answer.finished:
        parts.append("<p>Not all runs are finished.</p>")
    parts += [f"<p>{escape(text)}</p>" for text in explanations(scores)]
    parts += ["<h2>Scores</h2>", _table(ranks(scores))]
    if len(scores.families) > 1:
        note = f"<p>{FAMILIES}</p>"
        parts += ["<h2>Families</h2>", note, _table(families(scores))]
    parts += [
        "<h2>Cactus plot</h2><p>A line that goes further to the right has solved more puzzles, "
        "each within the time of its point.</p>",
        drawn["cactus"],
    ]
    if "scatter" in drawn:
        parts += [
            "<h2>Scatter plots</h2><p>Each mark is a puzzle. Below the diagonal, the backend in a "
            "plot's title is faster than the one on the horizontal axis; dotted lines mark a "
            "factor of ten.</p>",
            drawn["scatter"],
        ]
    parts += ["<h2>Times</h2>", _table(times(scores), marked=True)]
    items = "".join(f"<li>{escape(text)}</li>" for text in remarks(answer))
    parts.append(f"<h2>Remarks</h2><ul>{items}</ul>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{_heading(answer)}</title><style>{STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _heading(answer: ComparisonAnswer) -> str:
    return (
        f"{plural(len(answer.backends), 'solver')} on {plural(len(answer.puzzles), 'puzzle')}, "
        f"task {escape(answer.task)}"
    )


def _table(rows: Rows, *, marked: bool = False) -> str:
    """Return a table as HTML.

    With `marked`, the shortest time of each row is bold, and cells without a time are red.
    """
    head, *body = rows
    lines = ["".join(f"<th>{_breakable(cell)}</th>" for cell in head)]
    for row in body:
        known = [t for t in map(_number, row[2:]) if t is not None] if marked else []
        cells = []
        for k, cell in enumerate(row):
            kind = ""
            if marked and k > 1:
                time = _number(cell)
                best = time is not None and time == min(known)
                kind = ' class="open"' if time is None else ' class="best"' if best else ""
            cells.append(f"<td{kind}>{escape(cell)}</td>")
        lines.append("".join(cells))
    return (
        '<div class="wide"><table>' + "\n".join(f"<tr>{x}</tr>" for x in lines) + "</table></div>"
    )


def _breakable(name: str) -> str:
    """Return a name as HTML, with a possible break before each ``+``, ``:``, ``_`` or ``=``."""
    return re.sub(r"(?=[+:_=])", "<wbr>", escape(name))


def _number(cell: str) -> float | None:
    """Return the seconds in a cell such as ``<0.001``; None for other cells, such as ``> 60``."""
    try:
        return float(cell.removeprefix("<"))
    except ValueError:
        return None


INKS = ("#2b2b2b", "#d1495b", "#1d72c4", "#2e8b57", "#8a5cc2", "#d98324", "#0e8a99", "#a0522d")
FORMS = ("circle", "square", "triangle", "diamond", "cross")
"""Forms of the marks of backends or families in plots; the marks also differ in color."""

PLOT_WIDTH, PLOT_HEIGHT = 960, 540
PANEL_WIDTH, PANEL_HEIGHT = 360, 330
RIGHT, BOTTOM = 16, 56
LEFT, TOP = 74, 12
LINE, LETTER = 18, 7.25
"""Height of a line of the legend, and width of a letter in it, in pixels."""

LEAST = 1e-3
"""Shortest time that plots show, in seconds; shorter times are drawn as if they were this long."""


@dataclass(frozen=True)
class Axis:
    """A logarithmic or linear map from values to pixels: `low` to `start`, and `high` to `end`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = True

    def at(self, value: float) -> float:
        """Return the position of a value in pixels.

        On a logarithmic axis, values below `low` have the position of `low`.
        """
        low, high, here = (
            (math.log10(v) for v in (self.low, self.high, max(value, self.low)))
            if self.log
            else (self.low, self.high, value)
        )
        return self.start + (self.end - self.start) * (here - low) / (high - low)

    @classmethod
    def of_seconds(cls, times: Times, limit: float, start: float, end: float) -> Axis:
        """Return a logarithmic axis from a power of ten to a little more than the time limit.

        `times`: the seconds of all points. `limit`: the time limit in seconds. `start`, `end`: the
        positions of the ends of the axis, in pixels.
        """
        known = [max(t, LEAST) for row in times.values() for t in row if t is not None]
        low = 10.0 ** math.floor(math.log10(min([*known, limit / 10])))
        return cls(low, limit * (limit / low) ** 0.06, start, end)

    def ticks(self, limit: float) -> list[float]:
        """Return the powers of ten on the axis that are below 0.3 times the time limit.

        Larger ones would be too close to the label of the limit.
        """
        first = round(math.log10(self.low))
        powers = [10.0**k for k in range(first, math.ceil(math.log10(limit)))]
        return [p for p in powers if p < 0.3 * limit]


def cactus_plot(times: Times, limit: float, title: str = "") -> str:
    """Return a cactus plot as SVG: point n of a backend's line is at its n-th shortest time.

    `times`: seconds of each backend, None for unfinished runs, which have no point. `limit`: the
    time limit in seconds. `title`: the heading.

    >>> picture = cactus_plot({"dlx": [0.1, None], "sat": [2.0, 0.5]}, 60)
    >>> picture.count("<polyline"), picture.startswith("<svg")
    (2, True)
    """
    most = max((len(row) for row in times.values()), default=0) or 1
    across = Axis(0, most, LEFT, PLOT_WIDTH - RIGHT, log=False)
    up = Axis.of_seconds(times, limit, PLOT_HEIGHT - BOTTOM, TOP)
    step = max(1, math.ceil(most / 12))
    parts = [
        *_grid_up(up, limit, PLOT_WIDTH, PLOT_HEIGHT),
        *(_tick_across(across.at(n), str(n), PLOT_HEIGHT) for n in range(0, most + 1, step)),
        _words(PLOT_WIDTH / 2, PLOT_HEIGHT - 14, "puzzles solved"),
    ]
    for k, (name, row) in enumerate(times.items()):
        solved = sorted(t for t in row if t is not None)
        places = [(across.at(n), up.at(t)) for n, t in enumerate(solved, start=1)]
        line = " ".join(f"{number(x)},{number(y)}" for x, y in places)
        dashes = ' stroke-dasharray="6 3"' if k // len(INKS) % 2 else ""
        parts.append(
            f'<g><title>{harmless(name)}</title><polyline points="{line}" fill="none" '
            f'stroke="{INKS[k % len(INKS)]}" stroke-width="1.6"{dashes}/>'
        )
        parts += [*(_mark(k, x, y) for x, y in places), "</g>"]
    return _sheet([(0, 0, parts)], title, list(times), PLOT_WIDTH, PLOT_HEIGHT)


def scatter_plot(
    times: Times,
    limit: float,
    title: str = "",
    *,
    against: str | None = None,
    puzzles: Sequence[str] = (),
    families: Sequence[str] = (),
) -> str:
    """Return, as SVG, scatter plots that compare one backend with each of the others.

    Each point is a puzzle: across is the time of the one backend, up that of the other. Marks of
    unfinished runs are on the dashed lines, which show the limit. The slanted lines show equal
    times, and ratios of 10.

    - `times`, `limit`, `title`: as in `cactus_plot`.
    - `against`: the backend across; the first by default.
    - `puzzles`: the name of each puzzle, for tooltips; none if empty.
    - `families`: the family of each puzzle; each has its own mark. If empty, all marks are equal.

    >>> picture = scatter_plot({"dlx": [0.1, None], "sat": [2.0, 0.5]}, 60)
    >>> "seconds of dlx" in picture
    True
    """
    names = list(times)
    first = against or (names[0] if names else "")
    kinds = list(dict.fromkeys(families))
    panels = []
    others = [name for name in names if name != first]
    columns = min(3, len(others)) or 1
    label = len(_lines(f"seconds of {first}", PANEL_WIDTH))
    tall = PANEL_HEIGHT + 12 * max(0, label - 2)  # there is always room for two lines
    for k, name in enumerate(others):
        points = [
            (x, y, kinds.index(families[n]) if families else 0, puzzles[n] if puzzles else "")
            for n, (x, y) in enumerate(zip(times[first], times[name], strict=True))
        ]
        parts = _panel(times, limit, (first, name), points)
        place = (k % columns * PANEL_WIDTH, k // columns * tall)
        panels.append((*place, parts))
    high = tall * max(1, math.ceil(len(others) / columns))
    legend = kinds if len(kinds) > 1 else []
    return _sheet(panels, title, legend, PANEL_WIDTH * columns, high)


def _panel(
    times: Times,
    limit: float,
    names: tuple[str, str],
    points: Sequence[tuple[float | None, float | None, int, str]],
) -> list[str]:
    """Return the elements of one scatter plot.

    `times`: the seconds that the axes must include. `names`: the backends across and up. `points`:
    for each puzzle, its seconds across and up (None for an unfinished run), the index of its
    family, and its name.
    """
    top = TOP + 12 * len(_lines(names[1], PANEL_WIDTH))
    across = Axis.of_seconds(times, limit, LEFT, PANEL_WIDTH - RIGHT)
    up = Axis.of_seconds(times, limit, PANEL_HEIGHT - BOTTOM, top)
    edge, floor = across.at(limit), PANEL_HEIGHT - BOTTOM
    parts = [
        *_grid_up(up, limit, PANEL_WIDTH, PANEL_HEIGHT, top),
        *(_tick_across(across.at(t), _seconds(t), PANEL_HEIGHT, top) for t in across.ticks(limit)),
        _line(edge, top, edge, floor, "4 3", INK),
        _words(edge, floor + 18, _seconds(limit)),
        *_slanted(across, up, limit),
        *_several(f"seconds of {names[0]}", floor + 36, PANEL_WIDTH),
        *_several(names[1], TOP + 4, PANEL_WIDTH),
    ]
    for x, y, kind, puzzle in points:
        place = [limit if t is None else max(t, LEAST) for t in (x, y)]
        mark = _mark(kind, across.at(place[0]), up.at(place[1]))
        parts.append(f"<g><title>{harmless(puzzle)}</title>{mark}</g>" if puzzle else mark)
    return parts


def _lines(text: str, width: int) -> list[str]:
    """Return a name in lines that fit a width in pixels; lines break before a ``+`` if possible."""
    words = text.replace("+", " +")
    most = int((width - 24) / LETTER)
    return [line.replace(" +", "+") for line in wrap(words, most, break_on_hyphens=False)] or [""]


def _several(text: str, y: float, width: int) -> Iterator[str]:
    for k, line in enumerate(_lines(text, width)):
        yield _words((LEFT + width - RIGHT) / 2, y + 12 * k, line)


def _slanted(across: Axis, up: Axis, limit: float) -> Iterator[str]:
    edge = across.at(limit)
    for factor, dashes in ((1.0, ""), (0.1, "1 3"), (10.0, "1 3")):
        low, high = max(across.low, up.low / factor), min(limit, limit / factor)
        if low < high:
            start = (across.at(low), up.at(low * factor))
            yield _line(*start, min(edge, across.at(high)), up.at(high * factor), dashes, INK)


def _grid_up(up: Axis, limit: float, width: int, height: int, top: int = TOP) -> Iterator[str]:
    for t in up.ticks(limit):
        yield _line(LEFT, up.at(t), width - RIGHT, up.at(t))
        yield _words(LEFT - 8, up.at(t) + 4, _seconds(t), "end")
    yield _line(LEFT, up.at(limit), width - RIGHT, up.at(limit), "4 3", INK)
    yield _words(LEFT - 8, up.at(limit) + 4, _seconds(limit), "end")
    middle = f"{(top + height - BOTTOM) / 2:.0f}"
    yield (
        f'<text x="18" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 18 {middle})">seconds</text>'
    )


def _tick_across(x: float, text: str, height: int, top: int = TOP) -> str:
    bottom = height - BOTTOM
    return _line(x, top, x, bottom) + _words(x, bottom + 18, text)


def _seconds(value: float) -> str:
    return f"{value:g}"


def _line(x: float, y: float, x2: float, y2: float, dashes: str = "", color: str = FAINT) -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line {ends} stroke="{color}" stroke-width="0.8"{dash}/>'


def _words(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{harmless(text)}</text>'


def _mark(k: int, x: float, y: float) -> str:
    """Return the mark of the k-th backend or family, centered at ``(x, y)``."""
    form, r = FORMS[k % len(FORMS)], 4.2
    paint = f'fill="{INKS[k % len(INKS)]}" fill-opacity="0.75" stroke="{PAPER}" stroke-width="0.6"'
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


def _legend(names: Sequence[str], width: int) -> tuple[list[str], int]:
    """Return the elements of a legend (names with their marks) and its height in pixels.

    A name that is wider than `width` pixels is wrapped.
    """
    x, y, parts = 12.0, 16, []
    for k, name in enumerate(names):
        lines = _lines(name, width)
        long = 30 + LETTER * max(map(len, lines))
        if x > 12 and x + long > width:
            x, y = 12.0, y + LINE
        parts += [_mark(k, x + 6, y - 4)]
        for text in lines:
            parts.append(_words(x + 16, y, text, "start"))
            y += LINE
        x, y = x + long, y - LINE
        if len(lines) > 1:
            x = float(width)
    return parts, y + LINE if names else 4


def _sheet(
    panels: Sequence[tuple[float, float, Sequence[str]]],
    title: str,
    names: Sequence[str],
    width: int,
    height: int,
) -> str:
    """Return one SVG document with the legend of the given names and the plots below it.

    `panels`: left, top and elements of each plot. `width`, `height`: size of all plots in pixels.
    """
    heading = f"<title>{harmless(title)}</title>" if title else ""
    legend, lower = _legend(names, width)
    high = height + lower
    drawn = (
        f'<g transform="translate({number(x)} {number(y + lower)})">' + "\n".join(parts) + "</g>"
        for x, y, parts in panels
    )
    return (
        f'<svg {SVG} viewBox="0 0 {width} {high}" width="{width}" height="{high}" '
        f'role="img" font-family="sans-serif" font-size="12" fill="{INK}">'
        f'{heading}<rect width="{width}" height="{high}" fill="{PAPER}"/>'
        + "\n".join(['<g font-family="monospace">', *legend, "</g>", *drawn, "</svg>\n"])
    )
