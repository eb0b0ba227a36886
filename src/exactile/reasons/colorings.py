"""Finds colorings that prove a puzzle unsolvable, and prefers plain ones.

A coloring gives weights to units and pieces: see `exactile.certificate.linear`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import gcd

import msgspec
import numpy as np

from exactile.answers import Weights
from exactile.backends.farkas import alike, drained, farkas
from exactile.certificate.linear import Kind, LinearCertificate, verify
from exactile.certificate.placements import MOST_UNITS
from exactile.doors import door
from exactile.errors import CertificateError, CheckFailedError
from exactile.geometry.lattice import Point
from exactile.model.lower import lower, unbalanced
from exactile.model.model import ItemKind, Longs, Model
from exactile.model.weights import (
    HIGHEST,
    PRIME,
    System,
    merged_model,
    system,
    weights,
    without_fixed,
)
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.relax import loosened
from exactile.reasons.weights import integers, kernel, plainest
from exactile.search.limits import Limits
from exactile.tuning import TUNING

COLORING_CLASSES = 8
"""Largest number of classes of units for which periodic weights are searched."""


POWERS = {0: (PRIME, 1), 2: (2, 1), 3: (3, 1), 4: (2, 2), 5: (5, 1), 7: (7, 1)} | {
    8: (2, 3),
    9: (3, 2),
    16: (2, 4),
    27: (3, 3),
    32: (2, 5),
}
"""Moduli in the order in which they are tried, each with its prime and the exponent.

0 stands for weights without a modulus, which are first computed modulo a large prime."""

PROGRAM_BYTES = 600
"""Approximate bytes of a linear program for each coefficient in it."""

CHECK_BYTES = 150
"""Approximate bytes of memory for verifying a coloring, for each unit of each placement."""


@dataclass(frozen=True)
class Coloring:
    """The result of a search for colorings.

    `certificate`: verified weights, if any were found. `finished`: whether no attempt was cut short
    or left out. `stopped`: the limit that was reached, if any.
    """

    certificate: LinearCertificate | None
    finished: bool
    stopped: str | None = None

    @property
    def tried(self) -> str:
        """The attempts that a search makes, in words."""
        moduli = ", ".join(str(m) for m in POWERS if m)
        return f"weights without a modulus and modulo {moduli}; sums of parities; inequalities"


def _memory_share() -> int:
    """Return the bytes of memory to use: the fraction `Tuning.memory_part` of the machine's memory.

    If the size of the memory is unknown, return half of `Tuning.memory_bytes`.
    """
    try:
        return int(TUNING.memory_part * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return TUNING.memory_bytes // 2


def weights_of(coloring: LinearCertificate) -> Weights:
    """Return a coloring as the weights that an answer contains."""
    return msgspec.convert(coloring.to_json(), Weights)


@door
def find_linear(
    puzzle: Puzzle,
    model: Model | None = None,
    *,
    limits: Limits | None = None,
    inequalities: bool = True,
) -> Coloring:
    """Search for weights that prove a puzzle unsolvable.

    Parameters
    ----------
    puzzle
        The puzzle.
    model
        The model of the puzzle, if it has been made already. It is ignored if the puzzle has rules
        about uncovered units or numbers of uses, because weights do not express these.
    limits
        Limits of time and memory. Without a memory limit, at most a fraction of the machine's
        memory is used: see `exactile.tuning.Tuning.memory_part`.
    inequalities
        Whether to try, as the last and longest attempt, weights under which placements weigh at
        most 0 instead of exactly 0.

    Raises
    ------
    CheckFailedError
        If the coloring found is wrong, which is a bug.
    ModelError
        If the puzzle has too many placements.

    Examples
    --------
    >>> import exactile
    >>> found = find_linear(exactile.load("tetrominoes-5x4"))
    >>> found.certificate.modulus, found.certificate.pieces
    (2, {'T4': 1})
    >>> find_linear(exactile.load("pentominoes-6x10")).certificate is None
    True
    """
    limits = (limits or Limits()).rest()
    if limits.memory is None:
        limits.memory = _memory_share()
    certificate = stopped = None
    try:
        if puzzle.open_rules or puzzle.use_rules:  # weights say nothing of open units
            model = lower(loosened(puzzle), limits.require)
        model = lower(puzzle, limits.require) if model is None else model
        limits.require()
        if len(model.members) <= MOST_UNITS:
            certificate = _Finder(puzzle, model, limits).find(inequalities=inequalities)
        else:
            stopped = "too many placements to check a coloring"
    except TimeoutError as reached:
        stopped = str(reached)
    except MemoryError:
        stopped = "memory limit"
    return Coloring(certificate, stopped is None and inequalities, stopped)


class _Finder:
    def __init__(self, puzzle: Puzzle, model: Model, limits: Limits) -> None:
        self.puzzle = puzzle
        self.model = model
        self.limits = limits
        self.system = system(model).shuffled()
        limits.require()
        self.swept = self.system.swept()
        self.unit = model.meaning.unit_of(self.system.items)

    def find(self, *, inequalities: bool) -> LinearCertificate | None:
        return self._verified(self._found(inequalities=inequalities))

    def _found(self, *, inequalities: bool) -> LinearCertificate | None:
        """Return a coloring that is not yet verified, or None."""
        found = self._uncovered()
        if found is None and any(map(self._exists, HIGHEST)):
            found = self._periodic()
            if found is None:
                found = self._weights(self.system, (self.unit >= 0).astype(np.int64))
        if found is not None:
            return self._weighed(self.system.items, *found)
        return self._balance() or (self._inequality() if inequalities else None)

    def _verified(self, found: LinearCertificate | None) -> LinearCertificate | None:
        """Return a coloring after other code has verified it on every placement; None stays None.

        Raise CheckFailedError if the coloring is wrong, TimeoutError or MemoryError at a limit.
        """
        if found is not None:
            self.limits.require(CHECK_BYTES * len(self.model.members))
            try:
                verify(self.puzzle, found, self.limits.require)
            except CertificateError as error:
                raise CheckFailedError(
                    f"A coloring of {self.puzzle.name} is wrong: {error}"
                ) from error
        return found

    def _uncovered(self) -> tuple[int, Longs] | None:
        """Return 0 (no modulus) and weights, if a unit or piece is in no placement; else None.

        One such unit or piece has weight 1, everything else 0.
        """
        options = np.bincount(self.system.members, minlength=self.system.columns)
        alone = np.flatnonzero(options == 0)[-1:]  # a unit rather than a piece
        weights = np.zeros(self.system.columns, dtype=np.int64)
        weights[alone] = 1
        return (0, weights) if len(alone) else None

    def _exists(self, modulus: int) -> bool:
        return weights(self.swept, modulus, self.limits.require).exist

    def _weights(self, given: System, sizes: Longs) -> tuple[int, Longs] | None:
        """Return a modulus, and weights that prove the puzzle unsolvable by this modulus; or None.

        There is a weight for each column of a system. `sizes`: the number of units that each column
        stands for.
        """
        for modulus, (prime, power) in POWERS.items():
            gens = kernel(given, prime, power, self.limits)
            if modulus == 0 and gens.size:
                gens = integers(given, gens)
            if gens[-1].any():
                return modulus, plainest(gens, modulus, sizes, self.limits)
        return None

    def _periodic(self) -> tuple[int, Longs] | None:
        """Return what `_weights` returns, but with weights that are periodic in space."""
        painted = self.unit >= 0
        for partition in partitions(self.puzzle.region):
            self.limits.require()
            _, kinds = np.unique(partition[self.unit[painted]], return_inverse=True)
            count = int(kinds.max(initial=-1)) + 1
            if count > COLORING_CLASSES:
                break
            classes = count + np.cumsum(~painted) - 1  # every other column is a class of its own
            classes[painted] = kinds
            sizes = np.bincount(kinds, minlength=int(classes.max()) + 1)
            found = self._weights(self.system.merged(classes), sizes)
            if found is not None:
                return found[0], found[1][classes]
        return None

    def _weighed(self, items: Longs, modulus: int, weights: Longs) -> LinearCertificate:
        points = [tuple(p) for p in self.puzzle.region.units.tolist()]
        units, pieces, omitted = {}, {}, 0
        meaning = self.model.meaning
        found = zip(items.tolist(), meaning.unit_of(items).tolist(), weights.tolist(), strict=True)
        for item, unit, weight in found:
            if weight and meaning.is_piece[item]:
                pieces[self.puzzle.pieces[item].name] = weight
            elif weight and unit >= 0:
                units[points[unit]] = weight
            elif weight:
                omitted = weight
        kind: Kind = "congruence" if modulus else "inequality"
        return LinearCertificate(kind, modulus, units, pieces, omitted)

    def _balance(self) -> LinearCertificate | None:
        """Return a two-coloring whose colors cannot be covered in the right numbers, or None."""
        shade = unbalanced(self.model)
        if shade is None:
            return None
        taken = {unit for placement in self.puzzle.fixed for unit in placement.units}
        region = self.puzzle.region
        units = {
            point: weight
            for point, weight, optional in zip(
                map(tuple, region.units.tolist()),
                self.model.meaning.shades[shade].tolist(),
                region.optional.tolist(),
                strict=True,
            )
            if weight and not optional and point not in taken
        }
        return LinearCertificate("balance", units=units)

    def _inequality(self) -> LinearCertificate | None:
        """Return weights by which placements weigh at most 0, but a solution more than 0; or None.

        Items that play the same role have the same weight.
        """
        rest = without_fixed(self.model)
        used = (self.model.meaning.kinds <= ItemKind.OMISSION) & (rest.upper > 0)
        if not used.any():
            return None
        roles = drained(alike(rest), self.limits.require)
        classes = np.full(rest.items, -1)
        classes[used] = np.unique(roles[used], return_inverse=True)[1]
        merged = merged_model(rest, classes)
        self.limits.require(PROGRAM_BYTES * len(merged.members))
        for least in farkas(merged):
            self.limits.require()
            if least is not None:
                return self._proving(self._weighed(np.flatnonzero(used), 0, least[classes[used]]))
        return None

    def _proving(self, found: LinearCertificate) -> LinearCertificate | None:
        """Return a coloring if it proves the puzzle unsolvable; None if rounding spoiled it.

        Raise TimeoutError if a limit is reached or memory is short.
        """
        self.limits.require(CHECK_BYTES * len(self.model.members))
        try:
            verify(self.puzzle, found, self.limits.require)
        except CertificateError:
            return None
        return found


LONGEST = {2: 8, 3: 4}
"""Longest period of the partitions of units that are tried, by the dimension of the lattice."""


def partitions(region: Region) -> Iterator[Longs]:
    """Yield periodic partitions of the units, those with the fewest classes first.

    A partition is an array with the number of the class of each unit, from 0. Periods are at most
    `LONGEST`. If there are several types of units, some partitions mix them in a class, others do
    not.

    Examples
    --------
    >>> import exactile
    >>> region = exactile.load("dominoes-4x4").region
    >>> [found.tolist()[:6] for found, _ in zip(partitions(region), range(4))]
    [[0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 1, 0]]
    """
    cells = (region.units - region.units.min(axis=0)) // region.lattice.period
    longest = LONGEST[region.lattice.dimension]
    forms = [np.zeros(len(cells), dtype=np.int64)]
    for n in range(2, longest + 1):
        forms += [cells @ np.array(a) % n for a in _forms(region.lattice.dimension, n)]
        if n <= longest // 2:  # all forms of this period at once
            forms.append(cells % n @ n ** np.arange(region.lattice.dimension))
    kinds = len(region.lattice.origins)
    both = [*forms, *(form * kinds + region.types for form in forms if kinds > 1)]
    found: dict[bytes, Longs] = {}
    for form in both:
        _, first, classes = np.unique(form, return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(first))  # numbered by their first units
        partition = rank[classes.ravel()]
        found.setdefault(partition.tobytes(), partition)
    yield from sorted(found.values(), key=lambda partition: int(partition.max()))


def _forms(dimension: int, n: int) -> list[Point]:
    """Return linear forms that take all values modulo n, as coefficients.

    Of forms that are multiples of each other, only one is returned.

    Examples
    --------
    >>> _forms(2, 3)
    [(0, 1), (1, 0), (1, 1), (1, 2)]
    """
    found: dict[Point, None] = {}
    for form in product(range(n), repeat=dimension):
        if gcd(n, *form) == 1:
            multiples = [tuple(u * a % n for a in form) for u in range(1, n) if gcd(u, n) == 1]
            found.setdefault(min(multiples))
    return list(found)
