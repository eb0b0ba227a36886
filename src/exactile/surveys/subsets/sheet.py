"""A sheet of regions, ordered by difficulty: the puzzles of a survey as one picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from exactile.puzzle import Solution
from exactile.render.colors import FAINT
from exactile.render.paper import ground, lettering
from exactile.render.thumbnail import small
from exactile.search.search import Search
from exactile.surveys.subsets.survey import Finding
from exactile.surveys.subsets.tally import sizes

ORDER = ("easy", "moderate", "difficult", "impossible", "unknown")

COLUMNS = 6
WIDTH, MARGIN, LINE = 150, 16, 15
ZOOM = 0.7

SECONDS = 2.0
"""Time limit for finding a solution to show."""


def draw_sheet(findings: Iterable[Finding], title: str = "Regions by difficulty") -> str:
    """Return an SVG document with a small picture of each region and its result.

    Regions that can be covered are shown covered, if a solution is found again quickly; others are
    grey.

    Examples
    --------
    >>> import exactile
    >>> from exactile.surveys.subsets.survey import survey
    >>> regions = [exactile.load(name) for name in ("shader-hexagon", "shader-spokes")]
    >>> sheet = draw_sheet(survey(regions))
    >>> [word in sheet for word in (">easy<", ">impossible<", ">difficult<", "8 subsets")]
    [True, True, False, True]
    """
    found = sorted(findings, key=lambda f: (ORDER.index(_word(f)), len(f.puzzle.region)))
    body: list[str] = []
    y = MARGIN
    for word, group in groupby(found, key=_word):
        y += 2 * LINE
        body.append(lettering(MARGIN, y, word, "start", size=17))
        body.append(f'<path d="M{MARGIN} {y + 7}H{_wide() - MARGIN}" stroke="{FAINT}"/>')
        y += LINE
        members = list(group)
        for start in range(0, len(members), COLUMNS):
            row = members[start : start + COLUMNS]
            height, drawn = _row(row, y)
            body += drawn
            y += height
    return ground(_wide(), y + MARGIN, title, body).svg()


def _wide() -> int:
    return 2 * MARGIN + COLUMNS * WIDTH


def _word(finding: Finding) -> str:
    return finding.difficulty or "unknown"


def _row(findings: Sequence[Finding], y: int) -> tuple[int, list[str]]:
    """Return the height of a row of pictures, and the elements."""
    pictures = [small(f.puzzle, _example(f), zoom=ZOOM) for f in findings]
    extents = [p.size for p in pictures]
    tallest = max(h for _, h in extents)
    body = []
    for k, (finding, picture, (wide, high)) in enumerate(
        zip(findings, pictures, extents, strict=True)
    ):
        middle = MARGIN + k * WIDTH + WIDTH / 2
        body.append(picture.placed(middle - wide / 2, y + tallest - high))
        for line, caption in enumerate(_caption(finding), start=1):
            body.append(lettering(middle, y + tallest + line * LINE, caption, size=11))
    return round(tallest) + 4 * LINE, body


def _example(finding: Finding) -> Solution:
    """Return a solution; no placements if there is none, or none was found in time."""
    if not finding.count.by_pieces:
        return ()
    with Search(finding.puzzle, limit=1, time_limit=SECONDS) as search:
        return next(search, ())


def _caption(finding: Finding) -> Iterator[str]:
    """Yield the name without the common part, and the numbers."""
    yield finding.puzzle.name.partition("-")[2] or finding.puzzle.name
    units = len(finding.puzzle.region)
    if not finding.count.by_pieces:
        yield f"{units} units"
        return
    least, most = sizes(finding.count)
    pieces = str(least) if least == most else f"{least} to {most}"
    number, what = len(finding.count.by_pieces), "subset"
    if number == 1 and finding.count.raw is not None:
        number, what = finding.count.raw, "solution"
    more = "" if finding.count.status.final else "at least "
    yield f"{pieces} pieces, {more}{number:,} {what}{'s' * (number != 1)}"
