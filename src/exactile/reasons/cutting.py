"""Writes the argument of a coloring as a proof by cutting planes, for proof checkers.

The rows of `exactile.certificate.linear_formula`, each times the weight of its unit or piece, add
up to a sum in which each placement has its own weight. In an inequality, no placement weighs more
than 0, but the sum must be more. In a congruence, all weights are multiples of the modulus: divided
by it, the sum has integer coefficients, so both of its bounds can be rounded, and then they
contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactile.certificate.linear import LinearCertificate
from exactile.certificate.linear_formula import CHOICE, BoundedSum, LinearFormula
from exactile.errors import CertificateError


def cutting_planes(formula: LinearFormula, coloring: LinearCertificate) -> Iterator[str]:
    r"""Yield the lines of the proof, in the format of VeriPB, version 2.0.

    Raise CertificateError if the coloring is a balance, whose argument adds up no constraints.

    >>> import exactile
    >>> from exactile.certificate.placements import remainder
    >>> from exactile.reasons.colorings import find_linear
    >>> puzzle = exactile.load("t-tetrominoes-6x6")
    >>> formula = LinearFormula(remainder(puzzle))
    >>> *_, pol, output, conclusion, end = cutting_planes(formula, find_linear(puzzle).certificate)
    >>> pol, conclusion
    ('pol 75 76 +\n', 'conclusion UNSAT : 77\n')
    """
    if coloring.kind == "balance":
        raise CertificateError(
            "The coloring found is a balance, for which no proof by cutting planes is known: "
            "choose a proof by clauses, drup or lrat."
        )
    number = 2 * len(formula.rows)
    yield f"pseudo-Boolean proof version 2.0\nf {number}\n"
    weights = [_weight(row, coloring) for row in formula.rows]
    m = coloring.modulus
    if m == 0:
        yield _pol([(2 * r + 1 + (w < 0), abs(w)) for r, w in enumerate(weights)])
    else:
        for bound in (1, 2):
            yield _pol([(2 * r + bound, w % m) for r, w in enumerate(weights)], f" {m} d")
        yield f"pol {number + 1} {number + 2} +\n"
        number += 2
    yield "output NONE\n"
    yield f"conclusion UNSAT : {number + 1}\n"
    yield "end pseudo-Boolean proof\n"


def _weight(row: BoundedSum, coloring: LinearCertificate) -> int:
    if isinstance(row.item, tuple):
        return coloring.units.get(row.item, 0)
    return coloring.omitted if row.item == CHOICE else coloring.pieces.get(row.item, 0)


def _pol(sum_of: list[tuple[int, int]], then: str = "") -> str:
    """Return the line that adds constraints, each times a factor; one at least is not 0."""
    first, *others = (f"{number} {factor} *" for number, factor in sum_of if factor)
    return " ".join(("pol", first, *(f"{other} +" for other in others))) + then + "\n"
