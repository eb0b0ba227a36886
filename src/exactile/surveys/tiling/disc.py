"""Proofs that a prototile does not tile: units around a tile that its copies cannot all cover.

In a tiling, disjoint copies cover all units within any given distance of a tile. Finding such
copies is an exact cover problem in which units farther away are optional. The native search, or a
SAT solver if that takes long, finds the least distance at which the problem has no solution. A SAT
solver then finds a smaller set of units that cannot all be covered. `write_proofs` writes proofs
that checkers of other projects accept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from exactile.answers import UncoverableUnits
from exactile.answers.base import Coordinates, Placed
from exactile.backends.sat_proof import write_refutation
from exactile.certificate.checker import check_proof
from exactile.certificate.copies import (
    Copies,
    CoverFormula,
    coordinates,
    coronas_formula,
    disc_formula,
    over,
    units_within,
    write_formula,
)
from exactile.certificate.refutation import Sought, TilingRefutation
from exactile.certificate.tilings import (
    PROOFS,
    FormulaProof,
    TilingCertificate,
    copies_of,
    write_certificate,
)
from exactile.errors import CertificateError, CheckFailedError
from exactile.model.model import Model
from exactile.reasons.adapters.explanation import CoreKind, search_cores
from exactile.reasons.refuter import refute
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits
from exactile.surveys.tiling.prototiles import Prototiles, as_points

FIRST, DROPPING = 60.0, 10.0
"""Seconds to find units that cannot all be covered, and then to drop the redundant ones."""

NATIVE_SECONDS, NATIVE_BYTES = 10.0, 1 << 25
"""Limits of the native search, after which a SAT solver is used: seconds, and bytes of a proof."""

SOLVER = "sat:cadical195"

MOST_DISTANCE = 1000
"""Distance from the tile at which a search gives up."""

Item = int | tuple[int, int]
"""A unit, or a vertex with one of the ways in which a copy passes through it."""

Watch = Callable[[], None]


class Disc:
    """The problem of covering units around some tiles with copies of prototiles, as a model.

    `needed`: the units that must be covered, except those of the tiles. The first items of the
    model stand for the needed units. `placements`: for each option, the number of the copy that it
    places.
    """

    def __init__(self, copies: Copies, tiles: Sequence[int], needed: Iterable[int]) -> None:
        there = {item for tile in tiles for item in _items(copies, tile)}
        self.copies, self.tiles = copies, tiles
        self.needed = sorted(set(needed) - there)
        rows = {copy: _items(copies, copy) for copy in sorted(over(copies, self.needed))}
        rows = {copy: row for copy, row in rows.items() if there.isdisjoint(row)}
        self.placements = list(rows)
        number: dict[Item, int] = {unit: k for k, unit in enumerate(self.needed)}
        options = [[number.setdefault(item, len(number)) for item in row] for row in rows.values()]
        lower = [1] * len(self.needed) + [0] * (len(number) - len(self.needed))
        self.model = Model.of_options(options, lower=lower, upper=[1] * len(number))

    def cover(self, limits: Limits, watch: Watch | None) -> list[int] | None:
        """Return copies, by number, that cover the needed units; None if that is impossible.

        Raise TimeoutError if this is not decided in time.
        """
        for backend, given in (("dlx", limits.within(NATIVE_SECONDS)), (SOLVER, limits)):
            search = CoverSearch(
                self.model,
                backend=backend,
                limits=given,
                watch=None if watch is None else lambda _: watch(),
            )
            with search:
                found = next(iter(search), None)
            if found is not None:
                return [self.placements[option] for option in found]
            if search.status.final:
                return None
        raise TimeoutError


def around(prototiles: Prototiles) -> tuple[Copies, list[int]]:
    """Return all copies of prototiles, and a list of the tiles around which discs are covered.

    If `prototiles.units` has a single entry, the list has one copy of it; otherwise it is empty.
    """
    lattice = prototiles.lattice
    points = [as_points(lattice, units).tolist() for units in prototiles.units]
    copies = Copies(lattice, prototiles.matrices.tolist(), points, prototiles.rule)
    origin = (0,) * lattice.dimension
    return copies, [copies.copy(0, 0, origin)] if len(points) == 1 else []


def discs(copies: Copies, tiles: Sequence[int]) -> Iterator[tuple[int, Disc]]:
    """Yield distances in increasing order, each with the disc of all units within this distance.

    The distance is that from the tiles or, if there are none, from the unit of type 0 at the
    origin. Raise CertificateError if a disc has too many units.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> domino = Copies(square, square.group.tolist(), [[(0, 0), (1, 0)]])
    >>> distance, disc = next(discs(domino, [domino.copy(0, 0, (0, 0))]))
    >>> distance, len(disc.needed)
    (1, 10)
    """
    for distance in range(1 if tiles else 0, MOST_DISTANCE):
        yield distance, Disc(copies, tiles, units_within(copies, tiles, distance))


def _items(copies: Copies, copy: int) -> list[Item]:
    """Return the items of a copy: its units, and its ways through vertices.

    Copies with a common item overlap or cross.
    """
    items: list[Item] = [*copies.units(copy)]
    rule = copies.lattice.crossing
    for vertex, rays in copies.rays(copy) if rule is not None else ():
        assert rule is not None
        items += [(vertex, way) for way in rule.items(sum(1 << ray for ray in rays))]
    return items


def customary(copies: Copies, units: Sequence[int]) -> tuple[Coordinates, ...]:
    """Return units in customary coordinates."""
    width = copies.lattice.dimension
    rows = [(*place, kind) for place, kind in (coordinates(unit, width) for unit in units)]
    return tuple(copies.lattice.coordinates(as_points(copies.lattice, np.array(rows))))


class DiscSearch:
    """A search for the least distance within which the units around a tile cannot all be covered.

    The constructor searches until the distance is found, time is up, or a disc is too large.

    `certificate`: must contain a valid refutation, whose last lemma names the tile if there is only
    one prototile. `watch`: called many times a second; None for no calls. `found`: whether the
    distance was found; only those below `MOST_DISTANCE` are tried. `distance`: the distance, 0 if
    it was not found. `disc`: the problem of covering all units within this distance.
    """

    def __init__(
        self, certificate: TilingCertificate, limits: Limits, watch: Watch | None = None
    ) -> None:
        self.certificate, self._limits, self._watch = certificate, limits, watch
        copies = copies_of(certificate)
        refutation = TilingRefutation(copies, Sought.TILING, certificate.refutation or "")
        tiles = [copy for copy, _ in refutation.lemmas[-1]]
        self.found = False
        self.distance = 0
        self._attempt: list[int] = []
        try:
            for distance, self.disc in discs(copies, tiles):
                found = self.disc.cover(limits, watch)
                if found is None:
                    self.found, self.distance = True, distance
                    return
                self._attempt = found
        except (TimeoutError, CertificateError):  # no time left, or too many units
            return

    def units(self, prototiles: Prototiles) -> UncoverableUnits:
        """Return units that cannot all be covered, none of them redundant if time permits.

        The search must have found the distance. Raise CheckFailedError if its last attempt to cover
        the units has overlaps, or if it covers all of them: a bug.
        """
        copies = self.disc.copies
        needed, minimal = self._needed()
        wanted = set(needed)
        attempt = [c for c in self._attempt if not wanted.isdisjoint(copies.units(c))]
        covered = {unit for copy in attempt for unit in copies.units(copy)}
        missed = [unit for unit in needed if unit not in covered]
        if len(covered) < sum(len(copies.units(copy)) for copy in attempt) or not missed:
            raise CheckFailedError(
                "An attempted cover has overlaps or misses nothing. This is a bug in Exactile: "
                "please report it."
            )

        def placed(copy: int) -> Placed:
            owner = prototiles.owners[copies.prototile(copy)]
            return Placed(owner.name, customary(copies, copies.units(copy)))

        return UncoverableUnits(
            distance=self.distance,
            tiles=tuple(map(placed, self.disc.tiles)),
            units=customary(copies, needed),
            minimal=minimal,
            attempt=tuple(map(placed, attempt)),
            missed=customary(copies, missed),
        )

    def _needed(self) -> tuple[list[int], bool]:
        """Return units that cannot all be covered, and whether it is known that none is redundant.

        If the search reports placements that cover some of the units, they become `_attempt`.
        """
        disc, limits = self.disc, self._limits.within(FIRST)
        needed, minimal, known = disc.needed, False, False
        for found in search_cores(disc.model):
            if self._watch is not None:
                self._watch()
            if found is not None and found.kind in {CoreKind.CORE, CoreKind.MINIMAL}:
                needed = [disc.needed[item] for item in found.demand]
                limits, known = limits if known else self._limits.within(DROPPING), True
                minimal = found.kind is CoreKind.MINIMAL
            if found is not None and found.kind is CoreKind.WITNESS:
                self._attempt = [disc.placements[option] for option in found.options]
            if limits.reached() is not None:
                break
        return needed, minimal


# --- proofs for other checkers


def write_proofs(
    directory: Path, certificate: TilingCertificate, search: DiscSearch, limits: Limits
) -> Iterator[Path]:
    """Write proofs, their formulas and a certificate; yield the files of each complete proof.

    `search` must have found a distance. The proof ``disc.drup`` shows that the units within this
    distance cannot all be covered. If the Heesch numbers with and without holes are equal,
    ``coronas.drup`` shows that one more corona is impossible. The formulas, ``disc.cnf`` and
    ``coronas.cnf``, are for other checkers; our own checker computes them from the certificate.
    Proofs that cannot be completed and checked in time are removed, and there is none if its
    formula would be too large. The certificate is written last; if no proof is left, it is not
    written, and `directory` is removed if this call made it. Raise CheckFailedError if a formula
    has a solution, and CertificateError if a proof is refused: a bug.
    """
    new = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    disc = search.disc
    rows = tuple(map(disc.copies.row, disc.tiles))
    wanted: list[tuple[FormulaProof, Callable[[], CoverFormula]]] = [
        (
            FormulaProof("disc.drup", "", rows, search.distance),
            partial(disc_formula, disc.copies, disc.tiles, search.distance),
        )
    ]
    heesch = certificate.heesch
    if heesch is not None and heesch.solid == heesch.holed:
        proof = FormulaProof("coronas.drup", "", coronas=heesch.holed + 1)
        tile = disc.copies.copy(0, 0, (0,) * disc.copies.lattice.dimension)
        wanted.append((proof, partial(coronas_formula, disc.copies, tile, proof.coronas)))
    made: list[FormulaProof] = []
    try:
        for proof, make in wanted:
            if limits.reached() is not None:
                break
            try:
                formula = make()
            except CertificateError:  # it would be too large
                continue
            cnf = (directory / proof.file).with_suffix(".cnf")
            digest = write_formula(cnf, formula, PROOFS[proof.file])
            if _refuted(formula, disc if not proof.coronas else None, cnf, limits):
                made.append(msgspec.structs.replace(proof, digest=digest))
                yield from (cnf, directory / proof.file)
    finally:
        if made:
            write_certificate(directory, msgspec.structs.replace(certificate, proofs=tuple(made)))
        elif new:
            with suppress(OSError):  # it is not empty
                directory.rmdir()


def _refuted(formula: CoverFormula, disc: Disc | None, cnf: Path, limits: Limits) -> bool:
    """Write a proof that a formula has no solution, and check the proof.

    Return whether there was time for both; if not, or after Ctrl-C, the files of the formula and
    the proof are removed. `disc`: the same problem for the native search; None to use a SAT solver.
    `cnf`: the file of the formula. Raise CheckFailedError if the formula has a solution, and
    CertificateError if the proof is refused.
    """
    proof = cnf.with_suffix(".drup")
    try:
        if _is_written(formula, disc, cnf, limits):
            check_proof(cnf, proof, heartbeat=lambda _: limits.require())
            return True
    except TimeoutError:
        pass
    except KeyboardInterrupt:
        _remove(cnf, proof)
        raise
    _remove(cnf, proof)
    return False


def _remove(*files: Path) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _is_written(formula: CoverFormula, disc: Disc | None, cnf: Path, limits: Limits) -> bool:
    """Write a proof that a formula has no solution; return whether there was time for that.

    For the parameters, see `_refuted`. Raise CheckFailedError if the formula has a solution.
    """
    proof = cnf.with_suffix(".drup")
    if disc is not None and disc.placements == formula.used:
        written = refute(
            disc.model,
            proof,
            variables=np.arange(1, disc.model.options + 1, dtype=np.int32),
            limits=limits.within(NATIVE_SECONDS),
            limit_bytes=NATIVE_BYTES,
        ).finished
        if written:
            return True
    answer = write_refutation(cnf, proof, stopped=limits.reached)
    if answer is False:
        raise CheckFailedError(f"{cnf}: it has a solution. This is a bug: please report it.")
    return bool(answer)
