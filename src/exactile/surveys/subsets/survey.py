"""Surveys many regions: finds which of them the pieces cover and how difficult that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from exactile.answers import Status, SubsetCounts, SurveyedPuzzle
from exactile.answers.base import passed_on
from exactile.errors import Interrupted
from exactile.puzzle import Solution
from exactile.puzzle.puzzle import Puzzle
from exactile.reasons.colorings import find_linear
from exactile.render.layout import LETTER, PageLayout, Section, block_of
from exactile.render.paper import FAINT, MM, Drawing, ground, lettering
from exactile.render.thumbnail import small
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.surveys.subsets.tally import count_by_subset, sizes
from exactile.wanted import plural

SURVEY_COLORING_SECONDS = 5.0
"""Seconds to search for a coloring that proves that the pieces do not cover a region."""

SURVEY_COLORING_NODES = 100
"""A coloring is tried if a search that found no solution took at least this many nodes."""


EASY, MODERATE = 6, 9
"""Largest number of pieces of an easy and of a moderate puzzle, as L. E. Shader defined them."""


@dataclass(frozen=True)
class Finding:
    """The result of a survey for one puzzle."""

    puzzle: Puzzle
    count: SubsetCounts  # its solutions by subset
    proof: str | None  # why it has no solution, in words, if it has none

    @property
    def difficulty(self) -> str | None:
        """``"easy"``, ``"moderate"`` or ``"difficult"``, judged by the least number of pieces.

        It is ``"impossible"`` if there is no solution. If the search is not complete, fewer pieces
        may suffice, so the difficulty is ``"easy"`` or None.
        """
        if self.count.status is Status.UNSOLVABLE:
            return "impossible"
        word = difficulty(sizes(self.count)[0]) if self.count.by_pieces else None
        return word if self.count.status.final or word == "easy" else None

    @property
    def effort(self) -> float | None:
        """Nodes of the whole search, divided by the number of solutions plus 1.

        This measures difficulty better than the number of pieces does: if solutions are spread
        evenly, about this many nodes are visited before the first one. None if the search is not
        complete or does not count nodes.
        """
        nodes = self.count.stats.nodes
        if nodes is None or not self.count.status.final:
            return None
        return float(nodes) / ((self.count.raw or 0) + 1)

    @property
    def answer(self) -> SurveyedPuzzle:
        """The result as an answer."""
        count = self.count
        final = count.status.final and bool(count.by_pieces)
        return SurveyedPuzzle(
            puzzle=count.puzzle,
            units=len(self.puzzle.region),
            status=count.status,
            difficulty=self.difficulty,
            pieces=sizes(count) if final else None,
            subsets=count.subsets,
            raw=count.raw,
            rotation=count.rotation,
            symmetry=count.symmetry,
            effort=self.effort,
            needed=count.needed if final else None,
            unused=count.unused if final else None,
            proof=self.proof,
            example=count.by_pieces[0].pieces if count.by_pieces else None,
            stopped=count.stopped,
            stats=count.stats,
        )


def difficulty(pieces: int) -> str:
    """Return Shader's word for the difficulty of a puzzle that needs `pieces` pieces.

    Examples
    --------
    >>> difficulty(6), difficulty(9), difficulty(10)
    ('easy', 'moderate', 'difficult')
    """
    if pieces <= EASY:
        return "easy"
    return "moderate" if pieces <= MODERATE else "difficult"


def survey(
    puzzles: Iterable[Puzzle],
    *,
    time_limit: float | None = None,
    coloring: bool = True,
    watch: Callable[[Any], None] | None = None,
    count: Callable[[Puzzle], SubsetCounts] | None = None,
) -> Iterator[Finding]:
    """Count the solutions of each puzzle by subset; yield the results in the order of `puzzles`.

    After Ctrl-C, the result so far for the current puzzle is yielded, and then `KeyboardInterrupt`
    is raised.

    - `time_limit`: time limit for each puzzle, in seconds.
    - `coloring`: whether to look for a coloring, a shorter proof, if a search shows that there is
      no solution but takes many nodes.
    - `watch`: called with the running search at every heartbeat.
    - `count`: a function that counts the solutions of a puzzle in place of `count_by_subset`; it
      gets neither the time limit nor `watch`.

    Examples
    --------
    >>> import exactile
    >>> [(f.difficulty, sizes(f.count)) for f in survey([exactile.load("shader-star")])]
    [('moderate', (8, 8))]
    """
    for puzzle in puzzles:
        limits = Limits(time_limit).rest()
        try:
            counted = (
                passed_on(count(puzzle))
                if count
                else count_by_subset(puzzle, time_limit=time_limit, use_symmetry=False, watch=watch)
            )
        except Interrupted as stop:
            yield Finding(puzzle, stop.answer, None)
            raise
        yield Finding(puzzle, counted, _proof(puzzle, counted, limits if coloring else None))


def _proof(puzzle: Puzzle, count: SubsetCounts, limits: Limits | None) -> str | None:
    """Return a proof in words that a puzzle has no solution; None if it may have a solution.

    The proof is a quick reason, a coloring, or the number of nodes of the whole search. With
    `limits` None, no coloring is tried.
    """
    if count.status is not Status.UNSOLVABLE:
        return None
    if count.reason is not None:
        return count.reason
    nodes = count.stats.nodes or 0
    found = None
    if limits is not None and not limits.reached() and nodes >= SURVEY_COLORING_NODES:
        found = find_linear(puzzle, limits=limits.within(SURVEY_COLORING_SECONDS)).certificate
    if found is not None:
        return f"a coloring forbids it ({found.kind})"
    return f"all was searched: {plural(nodes, 'node')}"


ORDER = ("easy", "moderate", "difficult", "impossible", "unknown")

COLUMNS = 6
WIDTH, MARGIN, LINE = 150, 16, 15
ZOOM = 0.7

SECONDS = 2.0
"""Seconds to find a solution for the picture of a region."""


def draw_sheet(findings: Iterable[Finding]) -> str:
    """Return an SVG document with a small picture of each region and its result, by difficulty.

    A region is drawn with a solution if a new search finds one quickly; otherwise it is gray.

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
    return ground(_wide(), y + MARGIN, "Regions by difficulty", body).svg()


def draw_sheet_pages(findings: Iterable[Finding]) -> list[str]:
    """Return the pictures of `draw_sheet` on pages of paper: see `exactile.draw_pages`.

    >>> import exactile
    >>> from exactile.surveys.subsets.survey import survey
    >>> regions = [exactile.load(name) for name in ("shader-hexagon", "shader-spokes")]
    >>> len(draw_sheet_pages(survey(regions)))
    2
    """
    found = sorted(findings, key=lambda f: (ORDER.index(_word(f)), len(f.puzzle.region)))
    return PageLayout().pages(
        Section(word.capitalize(), [_block(finding) for finding in group])
        for word, group in groupby(found, key=_word)
    )


def _block(finding: Finding) -> Drawing:
    """Return the picture of a region with its caption; sizes are in millimeters."""
    picture = small(finding.puzzle, _example(finding), zoom=ZOOM).scaled(MM)
    lines = list(_caption(finding))
    (wide, high), step, size = picture.size, LINE * MM, 11 * MM
    width = max(WIDTH * MM, wide, *(LETTER * size * len(line) for line in lines))
    captions = [
        lettering(width / 2, high + k * step, line, size=size) for k, line in enumerate(lines, 1)
    ]
    drawn = picture.placed((width - wide) / 2, 0)
    return block_of(width, high + (len(lines) + 0.5) * step, [drawn, *captions])


def _wide() -> int:
    return 2 * MARGIN + COLUMNS * WIDTH


def _word(finding: Finding) -> str:
    return finding.difficulty or "unknown"


def _row(findings: Sequence[Finding], y: int) -> tuple[int, list[str]]:
    """Return the height of a row of pictures with captions, in pixels, and its SVG elements.

    `y`: the top of the row.
    """
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
    """Return a solution to draw; it is empty if there is none, or none is found in time."""
    if not finding.count.by_pieces:
        return ()
    with Search(finding.puzzle, limit=1, time_limit=SECONDS) as search:
        return next(search, ())


def _caption(finding: Finding) -> Iterator[str]:
    """Yield the lines below a picture: the name after its first hyphen, then the numbers found."""
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
    yield f"{pieces} pieces, {more}{plural(number, what)}"
