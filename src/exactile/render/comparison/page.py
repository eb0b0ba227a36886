"""A comparison as one page of HTML that needs no other file."""

from __future__ import annotations

import re
from html import escape

from exactile.answers import ComparisonAnswer
from exactile.render.comparison.plots import cactus_plot, scatter_plot
from exactile.render.comparison.scores import Scores
from exactile.render.comparison.text import (
    FAMILIES,
    Rows,
    explanations,
    families,
    ranks,
    remarks,
    times,
)

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
    """Return the plots of a comparison: cactus, and scatter if there are two backends."""
    answer, title = scores.answer, f"{scores.answer.task}: "
    drawn = {"cactus": cactus_plot(scores.times, answer.time_limit, title + "cactus plot")}
    if len(answer.backends) > 1:
        drawn["scatter"] = scatter_plot(
            scores.times,
            answer.time_limit,
            title + "scatter plots",
            against=scores.ranking[0].backend,
            puzzles=answer.puzzles,
            families=[scores.family.get(puzzle, "others") for puzzle in answer.puzzles],
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
    parts += [f"<p>{escape(text)}</p>" for text in explanations(answer)]
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
        f"{len(answer.backends)} solvers on {len(answer.puzzles)} puzzles, task "
        f"{escape(answer.task)}"
    )


def _table(rows: Rows, *, marked: bool = False) -> str:
    """Return a table; with `marked`, the fastest time of each row stands out."""
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
    """Return a name that may be broken before signs between its parts."""
    return re.sub(r"(?=[+:_=])", "<wbr>", escape(name))


def _number(cell: str) -> float | None:
    """Return the seconds in a cell, None if there are none."""
    try:
        return float(cell.removeprefix("<"))
    except ValueError:
        return None
