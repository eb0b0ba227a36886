"""Colorings that show a puzzle to be unsolvable, and their verification in a few lines.

Units and pieces have integer *weights*. The weight of a placement is that of its piece plus those
of its units. Leaving a piece out, if an omission allows it, counts as a placement: its weight is
that of the piece plus a constant. There are three kinds of argument:

congruence
    Every placement weighs 0 modulo m, and therefore so does every solution. But a solution contains
    each unit once and each piece as often as it is used, and the sum of their weights is not 0
    modulo m.
inequality
    Every placement weighs at most 0, but the units and pieces of a solution weigh more than 0.
balance
    Only units have weights. No choice of placements with the required number of each piece weighs
    as much as all units together, whether or not the placements overlap.

All three are about the units and pieces that remain after the fixed placements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import msgspec

from exactile.certificate.placements import Remainder, remainder
from exactile.certificate.reading import paced
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.puzzle.puzzle import Puzzle

Kind = Literal["congruence", "inequality", "balance"]

MOST_SUMS = 100_000
"""Largest number of total weights that a balance may compare: more would not be readable."""


class LinearDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A coloring as a JSON document; the keys are the attributes of `LinearCertificate`.

    `units` is a list of pairs: the point of a unit, and its weight.
    """

    kind: Kind
    modulus: int
    units: tuple[tuple[Point, int], ...]
    pieces: dict[str, int]
    omitted: int


@dataclass(frozen=True)
class LinearCertificate:
    """Weights that show a puzzle to be unsolvable; see `exactile.certificate.linear`.

    `modulus`: at least 2 for a congruence, otherwise 0. `units`: the weights of units by their
    points. `pieces`: the weights of pieces by their names; none in a balance. `omitted`: the weight
    that is added for each piece left out; 0 in a balance. Weights that are not given are 0.

    >>> import exactile
    >>> puzzle = exactile.load("mutilated-chessboard")
    >>> board = {tuple(p): 1 - 2 * (sum(p) % 2) for p in puzzle.region.units.tolist()}
    >>> coloring = LinearCertificate("inequality", 0, board)
    >>> verify(puzzle, coloring)
    >>> LinearCertificate.from_json(coloring.to_json()) == coloring
    True
    """

    kind: Kind
    modulus: int = 0
    units: Mapping[Point, int] = field(default_factory=dict)
    pieces: Mapping[str, int] = field(default_factory=dict)
    omitted: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as a JSON document: see `LinearDocument`."""
        document: dict[str, Any] = msgspec.to_builtins(
            LinearDocument(
                self.kind,
                self.modulus,
                tuple(sorted(self.units.items())),
                dict(sorted(self.pieces.items())),
                self.omitted,
            )
        )
        return document

    @staticmethod
    def from_json(document: object) -> LinearCertificate:
        """Return the certificate of a JSON document.

        Raise CertificateError if the document is not a coloring.
        """
        try:
            read = msgspec.convert(document, LinearDocument)
        except msgspec.ValidationError as error:
            raise CertificateError(f"The coloring is damaged: {error}.") from None
        units = dict(read.units)
        if len(units) < len(read.units):
            raise CertificateError("The coloring is damaged: it weighs a unit twice.")
        return LinearCertificate(read.kind, read.modulus, units, read.pieces, read.omitted)


def verify(
    puzzle: Puzzle, certificate: LinearCertificate, pulse: Callable[[], None] = lambda: None
) -> None:
    """Verify a coloring by computing the weight of every placement.

    `pulse`: called repeatedly; an exception that it raises ends the check. Raise CertificateError
    if the coloring does not show that there is no solution, or if the puzzle has too many
    placements for a certificate. If a placement has a wrong weight, the message names the first
    such placement.
    """
    left = remainder(puzzle, pulse)
    _check_names(left, certificate)
    if certificate.kind == "balance":
        _verify_balance(left, certificate)
    else:
        _verify_weights(left, certificate, pulse)


def _check_names(left: Remainder, certificate: LinearCertificate) -> None:
    """Raise CertificateError unless the weights and the modulus are allowed.

    Only units that no fixed placement covers, and pieces of the puzzle, may have weights. Only a
    congruence has a modulus. In a balance, only units have weights.
    """
    for unit in certificate.units:
        if unit not in left.units:
            raise CertificateError(f"The coloring weighs {list(unit)}, which need not be covered.")
    for name in certificate.pieces:
        if name not in left.uses:
            raise CertificateError(
                f"The coloring weighs '{name}', which is not a piece of the puzzle."
            )
    if (certificate.modulus >= 2) != (certificate.kind == "congruence") or certificate.modulus < 0:
        raise CertificateError(f"No {certificate.kind} has the modulus {certificate.modulus}.")
    if certificate.kind == "balance" and (certificate.omitted or any(certificate.pieces.values())):
        raise CertificateError("In a balance only units have weights.")


def _verify_weights(
    left: Remainder, certificate: LinearCertificate, pulse: Callable[[], None]
) -> None:
    m, pieces, units = certificate.modulus, certificate.pieces, certificate.units

    def proves_nothing(weight: int) -> bool:
        return weight % m == 0 if m else weight <= 0

    for name, where, weight in _weighed(left, certificate, pulse):
        if not proves_nothing(weight):
            at = " ".join(",".join(map(str, unit)) for unit in where)
            raise CertificateError(f"The placement of {name} at {at} weighs {weight}.")
    for name in left.choice:
        weight = pieces.get(name, 0) + certificate.omitted
        if not proves_nothing(weight):
            raise CertificateError(f"Leaving out {name} weighs {weight}.")
    total = 0
    for item, low, high, weight in chain(
        ((f"unit {list(u)}", low, 1, units.get(u, 0)) for u, low in left.units.items()),
        ((f"piece {n}", low, high, pieces.get(n, 0)) for n, (low, high) in left.uses.items()),
        [("the choice", left.omitted, left.omitted, certificate.omitted)],
    ):
        if m and low < high and weight % m:
            raise CertificateError(f"A solution need not contain {item}, but it weighs {weight}.")
        total += weight * (low if weight > 0 else high)  # the least possible weight
    if proves_nothing(total):
        raise CertificateError(f"The coloring proves nothing: a solution would weigh {total}.")


def _weighed(
    left: Remainder, certificate: LinearCertificate, pulse: Callable[[], None]
) -> Iterator[tuple[str, tuple[Point, ...], int]]:
    """Yield the piece, the units and the weight of every placement."""
    for name, places in left.placements.items():
        own = certificate.pieces.get(name, 0)
        for place in paced(places, pulse):
            yield name, place, own + sum(certificate.units.get(unit, 0) for unit in place)


def _verify_balance(left: Remainder, certificate: LinearCertificate) -> None:
    for unit, low in left.units.items():
        if low == 0 and certificate.units.get(unit, 0):
            raise CertificateError(f"Unit {list(unit)} is optional, but it has a weight.")
    total = sum(certificate.units.values())
    if total in all_sums(left, certificate):
        raise CertificateError(f"The coloring proves nothing: the pieces can weigh {total}.")


def piece_sums(left: Remainder, certificate: LinearCertificate) -> dict[str, list[int]]:
    """Return the sorted weights that the placements of each piece can have, by the piece's name."""
    return {
        name: sorted({sum(certificate.units.get(unit, 0) for unit in place) for place in places})
        for name, places in left.placements.items()
    }


def _raised(sums: set[tuple[int, int]], own: list[int]) -> set[tuple[int, int]]:
    """Return the possible totals after one more placement, with a weight from `own`.

    `sums`: the possible totals before it. A total is a pair: the number of omitted pieces, and the
    weight. Raise CertificateError if there are more than `MOST_SUMS`.
    """
    result: set[tuple[int, int]] = set()
    for out, weight in sums:
        result.update((out, weight + more) for more in own)
        if len(result) > MOST_SUMS:
            raise CertificateError("The balance has too many sums.")
    return result


def all_sums(left: Remainder, certificate: LinearCertificate) -> set[int]:
    """Return the total weights of all choices of placements with the required number of each piece.

    The placements may overlap. Raise CertificateError if there are more than `MOST_SUMS`.
    """
    reached = {(0, 0)}  # number of omitted pieces, and the weight of the others
    for name, own in piece_sums(left, certificate).items():
        low, high = left.uses[name]
        now = reached
        following = set(now) if low == 0 else set()
        if name in left.choice:
            following |= {(out + 1, weight) for out, weight in now}
        for use in range(1, min(high, len(left.placements[name])) + 1):
            now = _raised(now, own)
            if use >= low:
                following |= now
            if len(following) + len(now) > MOST_SUMS:
                raise CertificateError("The balance has too many sums.")
        reached = following
    return {weight for out, weight in reached if out == left.omitted}
