"""Colors in puzzles of BurrTools: which cells of pieces may lie on which cells of the result.

Color 0 is none, and goes with everything. Other colors go together if the problem lists the pair,
counted from 0. So colors say something only if both the pieces and the result have some.
"""

from __future__ import annotations

from exactile.files.xml_nodes import Node

Pair = tuple[int, int]
"""A color of a piece and one of the result."""


def allowed_pairs(problem: Node) -> set[Pair]:
    """Return the pairs of colors that a problem allows, colors counted from 1.

    Examples
    --------
    >>> from exactile.files.xml_nodes import parse_xml
    >>> text = b'<problem><bitmap><pair piece="0" result="1"/></bitmap></problem>'
    >>> allowed_pairs(parse_xml("a.xmpuzzle", text))
    {(1, 2)}
    """
    return {
        (pair.number("piece") + 1, pair.number("result") + 1)
        for bitmap in problem.all("bitmap")
        for pair in bitmap.all("pair")
    }


def require_no_rule(problem: Node, pieces: set[int], result: set[int]) -> None:
    """Refuse a problem whose colors forbid some placements.

    Parameters
    ----------
    problem
        The problem.
    pieces, result
        The colors of the cells of its pieces, and of its result.

    Raises
    ------
    FileError
        If a color of the pieces must not lie on one of the result.
    """
    pairs = {(p, r) for p in pieces - {0} for r in result - {0}}
    forbidden = sorted(pairs - allowed_pairs(problem))
    if forbidden:
        piece, place = forbidden[0]
        raise problem.error(
            f"color {piece} of the pieces must not lie on color {place} of the result: colors that "
            "restrict placements are not supported."
        )
