"""Drawing of a coloring that shows a puzzle to be unsolvable, with legend and argument."""

from __future__ import annotations

from html import escape
from textwrap import wrap

from exactile.certificate.linear import LinearCertificate
from exactile.puzzle import Placement, Puzzle
from exactile.render.colorings.argument import argument
from exactile.render.colorings.shading import Shading
from exactile.render.colors import INK
from exactile.render.cover import Cover
from exactile.render.drawing import Drawing, number
from exactile.render.forms import draw_cover
from exactile.render.paper import MARGIN, ground
from exactile.render.text import draw_marks

LINE, LETTER = 19.0, 13.0
"""Height of a line and of its letters below a drawing, in pixels."""


def draw_coloring_text(puzzle: Puzzle, certificate: LinearCertificate) -> str:
    """Return the drawing of a coloring as text, and its legend.

    >>> import exactile
    >>> from exactile.reasons.colorings import find_linear
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> print(draw_coloring_text(puzzle, find_linear(puzzle).certificate), end="")
    . # . # .
    # . # . #
    . # . # .
    # . # . #
    <BLANKLINE>
    #: black, 10 units
    """
    shading = Shading(puzzle, certificate)
    drawing = draw_marks(puzzle, [shading.mark(weight) for weight in shading.weights])
    return drawing + "".join(f"{line}\n" for line in ["", *shading.legend()])


def draw_coloring_svg(puzzle: Puzzle, certificate: LinearCertificate, *, width: int = 640) -> str:
    """Return the drawing of a coloring as SVG, with a legend and the argument below it.

    >>> import exactile
    >>> from exactile.reasons.colorings import find_linear
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> picture = draw_coloring_svg(puzzle, find_linear(puzzle).certificate)
    >>> picture.count(">black<"), "Every placement of T4 covers" in picture
    (10, True)
    """
    shading = Shading(puzzle, certificate)
    shown = [
        (tuple(unit), weight)
        for unit, weight, left in zip(
            puzzle.region.units.tolist(), shading.weights, shading.left, strict=True
        )
        if left
    ]
    cover = Cover(
        puzzle,
        tuple(Placement(shading.name(weight), (unit,)) for unit, weight in shown),
        colors=[shading.fill(weight) for _, weight in shown],
        labels=["" if shading.named else shading.name(weight) for _, weight in shown],
    )
    drawing = draw_cover(cover, width)
    return _framed(drawing, width, cover.title, shading, argument(puzzle, certificate))


def _framed(drawing: Drawing, width: int, title: str, shading: Shading, text: str) -> str:
    """Return a drawing with a legend and a text below it, as one document."""
    body = []
    place = drawing.size[1] + LINE / 2
    for weight, line in shading.entries():
        body.append(
            f'<rect x="{number(MARGIN)}" y="{number(place)}" width="{number(LETTER)}" '
            f'height="{number(LETTER)}" fill="{shading.fill(weight)}" stroke="{INK}"/>'
        )
        body.append(_line(MARGIN + 1.6 * LETTER, place, line))
        place += LINE
    place += LINE / 3
    for line in wrap(text, int((width - 2 * MARGIN) / (0.53 * LETTER))):
        body.append(_line(MARGIN, place, line))
        place += LINE
    return ground(width, place + MARGIN, title, (drawing.placed(0, 0), *body)).svg()


def _line(left: float, top: float, text: str) -> str:
    return (
        f'<text x="{number(left)}" y="{number(top + LETTER * 0.85)}" '
        f'font-size="{number(LETTER)}" fill="{INK}">{escape(text)}</text>'
    )
