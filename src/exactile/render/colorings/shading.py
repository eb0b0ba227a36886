"""The colors in which weights of units are drawn, and the names of these colors."""

from __future__ import annotations

from exactile.certificate.linear import LinearCertificate
from exactile.puzzle import Puzzle
from exactile.render.colors import EMPTY_FILL, PALETTE, PAPER

BLACK = "#5f6875"
"""Light enough to be written and drawn on."""

SIGNS = "#o"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Shading:
    """The color and the name of each weight that occurs in a coloring.

    1 is black. So is −1 if it is the only weight, else it is white. If there are other weights, all
    have the colors of a palette and are named by their numbers.

    >>> import exactile
    >>> from exactile.reasons.colorings import find_linear
    >>> board = exactile.load("t-tetrominoes-6x6")
    >>> shading = Shading(board, find_linear(board).certificate)
    >>> shading.name(1), shading.name(0), shading.mark(1), shading.legend()
    ('black', 'white', '#', ['#: black, 18 units'])
    """

    def __init__(self, puzzle: Puzzle, certificate: LinearCertificate) -> None:
        points = [tuple(p) for p in puzzle.region.units.tolist()]
        # The weight of each unit of the region; 0 also for units that fixed placements cover
        self.weights = [certificate.units.get(point, 0) for point in points]
        self._values = sorted(set(self.weights) - {0})
        self.named = set(self._values) <= {1, -1}  # whether the colors are black and white
        # Whether they are, and all units that weigh anything are black
        self.single = self.named and len(self._values) < 2
        covered = {unit for placement in puzzle.fixed for unit in placement.units}
        self.left = [point not in covered for point in points]

    def count(self, weight: int) -> int:
        """Return the number of units with a weight."""
        return sum(w == weight for w, left in zip(self.weights, self.left, strict=True) if left)

    def name(self, weight: int) -> str:
        """Return the color or the number that names a weight."""
        if not self.named:
            return str(weight).replace("-", "−")
        if weight == 0:
            return "white" if self.single else "grey"
        return "black" if weight == self._values[-1] else "white"

    def fill(self, weight: int) -> str:
        """Return the color in which a weight is drawn."""
        if self.named:
            return {"black": BLACK, "white": PAPER, "grey": EMPTY_FILL}[self.name(weight)]
        return PALETTE[self._values.index(weight) % len(PALETTE)] if weight else PAPER

    def mark(self, weight: int) -> str:
        """Return the character that stands for a weight in text, nothing for 0."""
        if weight == 0:
            return ""
        if self.named:
            return SIGNS[0] if self.name(weight) == "black" else SIGNS[1]
        if self._values[0] > 0 and self._values[-1] < 10:
            return str(weight)
        return LETTERS[self._values.index(weight) % len(LETTERS)]

    def entries(self) -> list[tuple[int, str]]:
        """Return the name of each weight with its number of units, the heaviest first."""
        kind = "" if self.named else "weight "
        return [
            (weight, f"{kind}{self.name(weight)}, {plural(self.count(weight))}")
            for weight in reversed(self._values)
        ]

    def legend(self) -> list[str]:
        """Return the entries with their characters in text."""
        return [f"{self.mark(weight)}: {text}" for weight, text in self.entries()]


def plural(number: int, noun: str = "unit") -> str:
    """Return a number of units in words.

    >>> plural(1), plural(1000, "black unit")
    ('1 unit', '1,000 black units')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
