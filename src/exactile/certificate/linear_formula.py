"""The conditions of a puzzle as linear constraints, in the format OPB; from the puzzle alone.

Fixed placements are put in place first. Variable v from 1 means "placement v is used"; placements
are numbered by piece, then by their units. Then comes one variable for each piece that may be left
out, which means that it is. The rows, in this order:

1. each unit: the number of placements that cover it is 1, or at most 1 if it is optional;
2. each piece: the number of its placements, those of leaving it out included, is within its bounds;
3. the number of pieces left out, if any are by choice.

Crossings and rules about numbers are not among them: every solution satisfies these rows, and that
is what a refutation needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from exactile.certificate.placements import Remainder
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Placement

CHOICE = ""
"""The row of the number of pieces left out, among those of pieces."""


class BoundedSum(NamedTuple):
    """A sum of variables with its bounds: of a unit, or of a piece by its name, or `CHOICE`.

    It stands for two constraints: ``sum >= lower``, and ``sum <= upper``. So row r, from 0, has the
    constraints 2 r + 1 and 2 r + 2.
    """

    item: Point | str
    variables: list[int]
    lower: int
    upper: int

    def lines(self) -> Iterator[str]:
        """Yield its lines: an equation, or two inequalities."""
        if self.lower == self.upper:
            yield _line(1, self.variables, "=", self.lower)
            return
        yield _line(1, self.variables, ">=", self.lower)
        yield _line(-1, self.variables, ">=", -self.upper)


def _line(sign: int, variables: list[int], relation: str, degree: int) -> str:
    return " ".join((*(f"{sign:+d} x{v}" for v in variables), relation, str(degree), ";\n"))


class LinearFormula:
    """The rows of a puzzle.

    >>> import exactile
    >>> from exactile.certificate.placements import remainder
    >>> formula = LinearFormula(remainder(exactile.load("mutilated-chessboard-6x6")))
    >>> print(*list(formula.lines())[:3], sep="", end="")
    * #variable= 56 #constraint= 35
    +1 x1 +1 x2 = 1 ;
    +1 x1 +1 x3 +1 x4 = 1 ;
    """

    def __init__(self, left: Remainder) -> None:
        self.placements = [
            Placement(name, place) for name, places in left.placements.items() for place in places
        ]
        of_unit: dict[Point, list[int]] = defaultdict(list)
        of_piece: dict[str, list[int]] = defaultdict(list)
        for variable, placement in enumerate(self.placements, 1):
            of_piece[placement.piece].append(variable)
            for unit in placement.units:
                of_unit[unit].append(variable)
        left_out = list(
            range(len(self.placements) + 1, len(self.placements) + len(left.choice) + 1)
        )
        for variable, name in zip(left_out, left.choice, strict=True):
            self.placements.append(Placement(name, ()))
            of_piece[name].append(variable)
        self.rows = [BoundedSum(unit, of_unit[unit], low, 1) for unit, low in left.units.items()]
        self.rows += [
            BoundedSum(name, of_piece[name], *bounds) for name, bounds in left.uses.items()
        ]
        if left_out:
            self.rows.append(BoundedSum(CHOICE, left_out, left.omitted, left.omitted))

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        lines = [line for row in self.rows for line in row.lines()]
        yield f"* #variable= {len(self.placements)} #constraint= {len(lines)}\n"
        yield from lines
