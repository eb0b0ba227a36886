"""Colors in puzzles of BurrTools: which cells of pieces may lie on which cells of the result.

Color 0 means no color and matches everything. Other colors match if the problem lists the pair,
counted from 0. Colors therefore have an effect only if both the pieces and the result have some;
they become the paint of a puzzle.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

from exactile.files.foreign.xml_nodes import Node
from exactile.geometry.lattice import Point
from exactile.puzzle import Paint

Pair = tuple[int, int]
"""A color of a piece and one of the result."""

Colored = Mapping[Point, int]
"""The colors of cells."""


def allowed_pairs(problem: Node) -> set[Pair]:
    """Return the pairs of colors that a problem allows, colors counted from 1.

    >>> from exactile.files.foreign.xml_nodes import parse_xml
    >>> text = b'<problem><bitmap><pair piece="0" result="1"/></bitmap></problem>'
    >>> allowed_pairs(parse_xml("a.xmpuzzle", text))
    {(1, 2)}
    """
    return {
        (pair.number("piece") + 1, pair.number("result") + 1)
        for bitmap in problem.all("bitmap")
        for pair in bitmap.all("pair")
    }


def paint_of(problem: Node, pieces: Mapping[str, Colored], result: Colored) -> Paint:
    """Return the paint for the colors of a problem; empty if they allow everything.

    >>> from exactile.files.foreign.xml_nodes import parse_xml
    >>> text = b'<problem><bitmap><pair piece="0" result="0"/></bitmap></problem>'
    >>> problem = parse_xml("a.xmpuzzle", text)
    >>> paint = paint_of(problem, {"I": {(0, 0): 1, (1, 0): 0}}, {(0, 0): 1, (1, 0): 2})
    >>> paint.units, paint.pieces, paint.fits
    ({(0, 0): 'a', (1, 0): 'b'}, {'I': {(0, 0): 'a'}}, {'a': ('a',)})
    """
    allowed = allowed_pairs(problem)
    there = {color for color in result.values() if color}
    own = {color for cells in pieces.values() for color in cells.values() if color}
    if all((color, goal) in allowed for color in own for goal in there):
        return Paint()
    painted = {name: _named(cells) for name, cells in pieces.items()}
    return Paint(
        _named(result),
        {name: cells for name, cells in painted.items() if cells},
        {
            color_name(color): tuple(color_name(g) for g in sorted(there) if (color, g) in allowed)
            for color in sorted(own)
        },
    )


def _named(cells: Colored) -> dict[Point, str]:
    return {cell: color_name(color) for cell, color in cells.items() if color}


def color_name(color: int) -> str:
    """Return the name of a color: a letter for the first 26, so that they can be drawn.

    >>> color_name(1), color_name(27)
    ('a', 'color-27')
    """
    return ascii_lowercase[color - 1] if color <= len(ascii_lowercase) else f"color-{color}"


def numbers(paint: Paint) -> dict[str, int]:
    """Return the number of each paint, from 1.

    >>> numbers(Paint({(0, 0): "white"}, {"I": {(0, 0): "black"}}))
    {'black': 1, 'white': 2}
    """
    on_pieces = {name for own in paint.pieces.values() for name in own.values()}
    return {name: k for k, name in enumerate(sorted(on_pieces | set(paint.units.values())), 1)}


def pair_lines(paint: Paint) -> list[str]:
    """Return the elements that list the matching colors.

    >>> pair_lines(Paint({(0, 0): "b", (1, 0): "w"}, {"I": {(0, 0): "b"}}, {"b": ("b", "w")}))
    ['<pair piece="0" result="0"/>', '<pair piece="0" result="1"/>']
    """
    number = numbers(paint)
    on_pieces = sorted({name for own in paint.pieces.values() for name in own.values()})
    on_region = sorted(set(paint.units.values()))
    return [
        f'<pair piece="{number[own] - 1}" result="{number[goal] - 1}"/>'
        for own in on_pieces
        for goal in on_region
        if goal in paint.fits.get(own, (own,))
    ]
