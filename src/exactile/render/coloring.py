"""A coloring that proves that a puzzle is unsolvable: its drawing, its legend, its argument."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from textwrap import wrap

from exactile.answers import ColoringAnswer
from exactile.certificate.linear import LinearCertificate, all_sums, piece_sums
from exactile.certificate.placements import remainder
from exactile.puzzle import Placement, Puzzle
from exactile.reasons.colorings import Coloring, weights_of
from exactile.render.cover import Cover
from exactile.render.forms import draw_cover
from exactile.render.paper import (
    EMPTY_FILL,
    INK,
    MARGIN,
    PALETTE,
    PAPER,
    WIDTH,
    Drawing,
    ground,
    harmless,
    number,
)
from exactile.render.text import draw_marks
from exactile.wanted import plural

LINE, LETTER = 19.0, 13.0
"""Height of a line of text below a drawing, and of its letters, in pixels."""


def draw_coloring_text(puzzle: Puzzle, certificate: LinearCertificate) -> str:
    """Return the drawing of a coloring as text, with a legend below it.

    Raise RegionError if the region is too large to be drawn as text.

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


def draw_coloring_svg(puzzle: Puzzle, certificate: LinearCertificate) -> str:
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
    drawing = draw_cover(cover, WIDTH)
    return _framed(drawing, cover.title, shading, argument(puzzle, certificate))


def _framed(drawing: Drawing, title: str, shading: Shading, text: str) -> str:
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
    for line in wrap(text, int((WIDTH - 2 * MARGIN) / (0.53 * LETTER))):
        body.append(_line(MARGIN, place, line))
        place += LINE
    return ground(WIDTH, place + MARGIN, title, (drawing.placed(0, 0), *body)).svg()


def _line(left: float, top: float, text: str) -> str:
    return (
        f'<text x="{number(left)}" y="{number(top + LETTER * 0.85)}" '
        f'font-size="{number(LETTER)}" fill="{INK}">{harmless(text)}</text>'
    )


BLACK = "#5f6875"
"""The color of units that are called black: a gray on which black letters and lines can be seen."""

SIGNS = "#o"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Shading:
    """The color, the name and the text character of each weight that occurs in a coloring.

    If both 1 and −1 occur, and no other weights except 0, then 1 is black, −1 white and 0 gray. If
    only 1 or only −1 occurs, it is black, and 0 is white. If there are other weights, each has a
    color of the palette and is named by its number; 0 is white.

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
        # Whether, in addition, all units with a weight other than 0 are black
        self.single = self.named and len(self._values) < 2
        covered = {unit for placement in puzzle.fixed for unit in placement.units}
        self.left = [point not in covered for point in points]

    def count(self, weight: int) -> int:
        """Return the number of units that have a weight, not counting those of fixed placements."""
        return sum(w == weight for w, left in zip(self.weights, self.left, strict=True) if left)

    def name(self, weight: int) -> str:
        """Return the name of a weight, such as ``black``, or its number as text."""
        if not self.named:
            return str(weight).replace("-", "−")
        if weight == 0:
            return "white" if self.single else "gray"
        return "black" if weight == self._values[-1] else "white"

    def fill(self, weight: int) -> str:
        """Return the color in which a weight is drawn."""
        if self.named:
            return {"black": BLACK, "white": PAPER, "gray": EMPTY_FILL}[self.name(weight)]
        return PALETTE[self._values.index(weight) % len(PALETTE)] if weight else PAPER

    def mark(self, weight: int) -> str:
        """Return the character for a weight, such as ``#`` for black; empty for weight 0."""
        if weight == 0:
            return ""
        if self.named:
            return SIGNS[0] if self.name(weight) == "black" else SIGNS[1]
        if self._values[0] > 0 and self._values[-1] < 10:
            return str(weight)
        return LETTERS[self._values.index(weight) % len(LETTERS)]

    def entries(self) -> list[tuple[int, str]]:
        """Return pairs of a weight and its text for a legend, such as ``"black, 18 units"``.

        The greatest weight comes first; 0 is left out.
        """
        kind = "" if self.named else "weight "
        return [
            (weight, f"{kind}{self.name(weight)}, {plural(self.count(weight), 'unit')}")
            for weight in reversed(self._values)
        ]

    def legend(self) -> list[str]:
        """Return the lines of a text legend, such as ``#: black, 18 units``."""
        return [f"{self.mark(weight)}: {text}" for weight, text in self.entries()]


MOST_LISTED = 8
"""Largest number of sums that a sentence lists; if there are more, it states only the range."""


def coloring_answer(puzzle: Puzzle, found: Coloring) -> ColoringAnswer:
    """Return the answer of a search for colorings, with the proof in words if there is one.

    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4")
    >>> coloring_answer(puzzle, exactile.find_coloring(puzzle)).certificate.modulus
    2
    """
    certificate = found.certificate
    return ColoringAnswer(
        puzzle=puzzle.name,
        certificate=None if certificate is None else weights_of(certificate),
        argument=None if certificate is None else argument(puzzle, certificate),
        tried=found.tried,
        finished=found.finished,
        stopped=found.stopped,
    )


def argument(puzzle: Puzzle, certificate: LinearCertificate) -> str:
    r"""Return sentences that prove, from a verified certificate, that a puzzle has no solution.

    >>> import exactile
    >>> from exactile.reasons.colorings import find_linear
    >>> board = exactile.load("mutilated-chessboard")
    >>> print(argument(board, find_linear(board).certificate).replace(". ", ".\n"))
    Color the units black and white as drawn.
    Every placement covers as many black as white units.
    But there are 32 black and 30 white units.
    """
    return _Argument(puzzle, certificate).text()


class _Argument:
    """The sentences of a proof by coloring, and the sums of weights that they state."""

    def __init__(self, puzzle: Puzzle, certificate: LinearCertificate) -> None:
        self.certificate = certificate
        self.left = remainder(puzzle)
        self.sums = piece_sums(self.left, certificate)
        self.shading = Shading(puzzle, certificate)
        self.weights = {unit: w for unit, w in certificate.units.items() if w}
        self.single = self.shading.single
        self.sign = -1 if self.single and -1 in self.weights.values() else 1
        self.noun = "unit" if self.single and self._everywhere() else "black unit"
        self.prefix = ["Put the fixed placements in place"] if puzzle.fixed else []

    def _everywhere(self) -> bool:
        return self.left.units.keys() == self.weights.keys()

    def text(self) -> str:
        """Return the whole proof as one text."""
        pieces = [name for name, weight in self.certificate.pieces.items() if weight]
        if not self.weights and pieces and not self.sums[pieces[0]]:
            sentences = [f"Piece {pieces[0]} must be used, but it fits nowhere"]
        elif len(self.weights) == 1 and not pieces and self.certificate.kind == "inequality":
            sentences = ["The black unit must be covered, but no placement covers it"]
        else:
            kinds = {
                "balance": self.balance,
                "congruence": self.congruence,
                "inequality": self.inequality,
            }
            sentences = [*self.opening(), *kinds[self.certificate.kind]()]
        return ". ".join([*self.prefix, *sentences]) + "."

    def opening(self) -> list[str]:
        """Return a first sentence that refers to the drawing; none if all units are black."""
        if self.noun == "unit":
            return []
        if self.shading.named:
            return [f"Color the units {'' if self.single else 'black and white '}as drawn"]
        return ["Give the units the weights that are drawn"]

    def rules(self, words: Mapping[str, str]) -> list[str]:
        """Return sentences such as "Every placement of F or I covers 1 black unit".

        `words`: the predicate for each piece, such as ``covers 1 black unit``. Pieces with equal
        predicates share a sentence. The most frequent predicate comes last, and its sentence does
        not name the pieces.
        """
        groups: dict[str, list[str]] = defaultdict(list)
        for name, text in words.items():
            if self.sums[name]:
                groups[text].append(name)
        ordered = sorted(groups.items(), key=lambda group: len(group[1]))
        return [
            f"Every placement of {_listed(names, 'or')} {text}"
            if place < len(ordered)
            else f"Every {'other ' if place > 1 else ''}placement {text}"
            for place, (text, names) in enumerate(ordered, 1)
        ]

    def congruence(self) -> list[str]:
        """Return the sentences of a proof by congruence.

        They state the weight that each piece covers, modulo a number; the total of all pieces; and
        the total of the units, which differs.
        """
        m = self.certificate.modulus
        rest = {name: -self.sign * self.certificate.pieces.get(name, 0) % m for name in self.sums}
        words = {
            name: self.many(sums) + f", {_residue(rest[name], m)}"
            for name, sums in self.sums.items()
        }
        if self.single and m == 2:
            words = {name: f"covers {_residue(r, m)} of {self.noun}s" for name, r in rest.items()}
        whole = sum(low * rest[name] for name, (low, _) in self.left.uses.items())
        whole -= self.sign * self.left.omitted * self.certificate.omitted
        result = _residue(whole % m, m)
        so = "So, whichever pieces are left out," if self.left.choice else "So"
        uses = sum(low for low, _ in self.left.uses.values()) - self.left.omitted
        exact = all(low == high for low, high in self.left.uses.values())
        everything = f"all {uses:,} together" if exact and uses > 1 else "all together"
        if self.single and m == 2:
            together = f"{so} {everything} cover {result} of {self.noun}s"
        else:
            together = f"{so} for {everything} it is {result}"
        return [*self.rules(words), together, f"But {self.whole()}"]

    def inequality(self) -> list[str]:
        """Return the sentences of a proof by inequality.

        They state an upper bound on the weight that each piece covers, the resulting bound on the
        total of all pieces, and the weight that must be covered, which is greater.
        """
        most = {name: -self.certificate.pieces.get(name, 0) for name in self.sums}
        exact = {name: self.sums[name] == [most[name]] for name in most}
        verb = "covers" if self.shading.named else "weighs"
        words = {name: f"{verb} {self.amount(most[name], exact[name])}" for name in most}
        bound = sum(
            most[name] * (high if most[name] > 0 else low)
            for name, (low, high) in self.left.uses.items()
        )
        bound -= self.left.omitted * self.certificate.omitted
        sure = all(exact.values()) and all(low == high for low, high in self.left.uses.values())
        sentences = self.rules(words)
        if self.single or any(most.values()):
            sentences.append(f"So together they {verb[:-1]} {self.amount(bound, sure)}")
        least = sum(w * (self.left.units[u] if w > 0 else 1) for u, w in self.weights.items())
        if not self.shading.named:
            last = f"what is to be covered weighs {_number(least)}"
        elif self.single and self.sign > 0:
            last = f"{plural(least, self.noun)} must be covered"
        elif self.single:
            last = f"there {'is' if least == -1 else 'are'} only {plural(-least, self.noun)}"
        else:
            last = self.whole()
        return [*sentences, f"But {last}"]

    def balance(self) -> list[str]:
        """Return the sentences of a proof by possible totals.

        They state the weights that each piece can cover, the totals that all pieces can have, and
        the total of the units, which is not among them.
        """
        reached = sorted(all_sums(self.left, self.certificate))
        if not reached:
            return ["The pieces have too few placements to be used as often as they must be"]
        total = sum(self.weights.values())
        hidden = reached[0] < total < reached[-1] and len(reached) > MOST_LISTED
        never = f", but never {_number(self.sign * total)}" if hidden else ""
        return [
            *self.rules({name: self.many(sums) for name, sums in self.sums.items()}),
            f"Together they can {self.many(reached).replace('covers', 'cover', 1)}{never}",
            f"But {self.whole()}",
        ]

    def many(self, sums: Sequence[int]) -> str:
        """Return possible sums as a predicate, such as ``covers 1 or 3 black units``."""
        numbers = sorted(self.sign * s for s in sums)
        if not self.shading.named:
            return f"weighs {_range(numbers)}"
        if self.single:
            return f"covers {_range(numbers)} {self.noun}{'' if numbers == [1] else 's'}"
        if numbers == [0]:
            return "covers as many black as white units"
        return f"covers {_range(numbers)} more black than white units"

    def whole(self) -> str:
        """Return the total of the units, such as ``there are 32 black and 30 white units``."""
        total = self.sign * sum(self.weights.values())
        if not self.shading.named:
            return f"the units to be covered weigh {_number(total)}"
        if self.single:
            return f"there {'is' if total == 1 else 'are'} {plural(total, self.noun)}"
        black, white = self.shading.count(1), self.shading.count(-1)
        return f"there are {black:,} black and {white:,} white units"

    def amount(self, weight: int, exact: bool) -> str:
        """Return a sum in words: ``2 black units`` if `exact`, else ``at most 2 black units``."""
        if not self.shading.named:
            return ("" if exact else "at most ") + _number(weight)
        if self.single:
            limit = "" if exact else "at most " if self.sign > 0 else "at least "
            return limit + plural(self.sign * weight, self.noun)
        if weight == 0:
            return ("" if exact else "at most ") + "as many black as white units"
        limit = "" if exact else "at most " if weight > 0 else "at least "
        colors = "black than white" if weight > 0 else "white than black"
        return f"{limit}{abs(weight):,} more {colors} units"


def _residue(rest: int, modulus: int) -> str:
    """Return words for the numbers that leave the remainder `rest` when divided by `modulus`.

    >>> _residue(1, 2), _residue(0, 3), _residue(2, 3)
    ('an odd number', 'a multiple of 3', '2 more than a multiple of 3')
    """
    if modulus == 2:
        return ("an even number", "an odd number")[rest]
    return f"{rest:,} more than a multiple of {modulus}" if rest else f"a multiple of {modulus}"


def _number(number: int) -> str:
    return f"{number:,}".replace("-", "−")


def _listed(words: Sequence[str], last: str) -> str:
    """Return words as an enumeration, with the conjunction `last` before the last word.

    >>> _listed(["F"], "or"), _listed(["F", "I", "L"], "or")
    ('F', 'F, I or L')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _range(numbers: Sequence[int]) -> str:
    """Return numbers in words: as an enumeration or, if there are too many, as a range.

    An enumeration has at most `MOST_LISTED` numbers.

    >>> _range([3, -1]), _range(range(100))
    ('−1 or 3', '0 to 99')
    """
    if len(numbers) > MOST_LISTED:
        return f"{_number(min(numbers))} to {_number(max(numbers))}"
    return _listed([_number(n) for n in sorted(numbers)], "or") if numbers else ""
