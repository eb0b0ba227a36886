"""Why a prototile does not tile, for others to see and to check: units that cannot all be covered.

All units within a distance of a tile are to be covered by disjoint copies, those outside may be.
This is a cover problem like others: a SAT solver finds the distance at which it has no solution,
and which of the units it needs for that. `write_proofs` writes such problems as formulas, with
proofs that checkers of other projects accept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from exactile.answers import UncoverableUnits
from exactile.answers.base import Coordinates, Placed
from exactile.atomic import written
from exactile.backends.sat_proof import write_refutation
from exactile.certificate.checker import check_proof
from exactile.certificate.copies import STEP, Copies, coordinates
from exactile.certificate.refutation import Sought, TilingRefutation
from exactile.certificate.tilings import TilingCertificate, copies_of
from exactile.errors import CheckFailedError
from exactile.files.models.exact_cover import option_texts
from exactile.model.dimacs import clause_lines, header
from exactile.model.encode import Formula, encode
from exactile.model.meaning import Meaning
from exactile.model.model import Model
from exactile.reasons.adapters.explanation import CoreKind, search_cores
from exactile.reasons.refuter import refute
from exactile.search.limits import Limits
from exactile.tiling.native import as_points
from exactile.tiling.prototiles import Prototiles

DROPPING = 10.0
"""Seconds in which units are dropped, once it is known that all cannot be covered."""

NATIVE_SECONDS, NATIVE_BYTES = 10.0, 1 << 25
"""Limits of the native search for a proof; a SAT solver goes on."""

ENCODING = "product"
"""How formulas say that at most one copy covers a unit: with few clauses."""

Item = int | tuple[int, int]
"""A unit, or a way through a vertex."""


class Disc:
    """Units around some tiles, and the copies that can cover them, as a model.

    Parameters
    ----------
    copies
        All copies.
    tiles
        The tiles that are there.
    needed
        Units that must be covered; those of the tiles are ignored.
    placements
        The copies that may be used, if not all that cover one of these units.

    Attributes
    ----------
    placements
        The copy of each option.
    needed
        The units that must be covered: the first items, in order.
    model
        The model.
    """

    def __init__(
        self,
        copies: Copies,
        tiles: Sequence[int],
        needed: Iterable[int],
        placements: Iterable[int] | None = None,
    ) -> None:
        there = {item for tile in tiles for item in _items(copies, tile)}
        self.copies, self.tiles = copies, tiles
        self.needed = sorted(set(needed) - there)
        if placements is None:
            placements = _over(copies, self.needed)
        rows = {copy: _items(copies, copy) for copy in sorted(set(placements))}
        rows = {copy: row for copy, row in rows.items() if there.isdisjoint(row)}
        self.placements = list(rows)
        number: dict[Item, int] = {unit: k for k, unit in enumerate(self.needed)}
        options = [[number.setdefault(item, len(number)) for item in row] for row in rows.values()]
        lower = [1] * len(self.needed) + [0] * (len(number) - len(self.needed))
        model = Model.of_options(options, lower=lower, upper=[1] * len(number))
        self.model = replace(model, meaning=Meaning(tuple(_label(copies, i) for i in number)))


def _over(copies: Copies, units: Iterable[int]) -> set[int]:
    return {unit - unit % STEP + copy for unit in units for copy in copies.over(unit % STEP)}


def _items(copies: Copies, copy: int) -> list[Item]:
    """Return what at most one copy has: units, and ways through vertices."""
    items: list[Item] = [*copies.units(copy)]
    rule = copies.lattice.crossing
    for vertex, rays in copies.rays(copy) if rule is not None else ():
        assert rule is not None
        items += [(vertex, way) for way in rule.items(sum(1 << ray for ray in rays))]
    return items


def _label(copies: Copies, item: Item) -> str:
    if isinstance(item, tuple):
        place, _ = coordinates(item[0], copies.lattice.dimension)
        return f"crossing{item[1]} at {','.join(map(str, place))}"
    return ",".join(map(str, customary(copies, [item])[0]))


def customary(copies: Copies, units: Sequence[int]) -> tuple[Coordinates, ...]:
    """Return units in customary coordinates."""
    width = copies.lattice.dimension
    rows = [(*place, kind) for place, kind in (coordinates(unit, width) for unit in units)]
    return tuple(copies.lattice.coordinates(as_points(copies.lattice, np.array(rows))))


def find_disc(
    certificate: TilingCertificate,
    prototiles: Prototiles,
    limits: Limits,
    watch: Callable[[], None] | None = None,
) -> tuple[Disc, UncoverableUnits] | None:
    """Find units that cannot all be covered, none of them superfluous if there is time for that.

    Parameters
    ----------
    certificate
        A certificate with a refutation that holds.
    prototiles
        What it is about.
    limits
        When to stop.
    watch
        Called many times a second.

    Returns
    -------
    tuple[Disc, UncoverableUnits] or None
        The problem of covering all units within the distance, and those of them that suffice. None
        if time is over first.

    Raises
    ------
    CheckFailedError
        If the attempt to cover them covers other units: a bug.
    """
    copies = copies_of(certificate)
    refutation = TilingRefutation(copies, Sought.TILING, certificate.refutation or "")
    tiles = [copy for copy, _ in refutation.lemmas[-1].tiles]
    units = {unit for tile in tiles for unit in copies.units(tile)} or {0}
    distance, needed = 0, list[int]()
    while not needed:
        disc = Disc(copies, tiles, units)
        if disc.needed:
            found = _dropped(disc, limits, watch)
            if found is None:
                return None
            needed, attempt, minimal = found
        if not needed:
            distance, units = distance + 1, _wider(copies, units)
    covered = {unit for copy in attempt for unit in copies.units(copy)}
    missed = [unit for unit in needed if unit not in covered]
    if len(covered) < sum(len(copies.units(copy)) for copy in attempt) or not missed:
        raise CheckFailedError(
            "An attempt to cover units is none. This is a bug: please report it."
        )

    def placed(copy: int) -> Placed:
        owner = prototiles.owners[copies.prototile(copy)]
        return Placed(owner.name, customary(copies, copies.units(copy)))

    return disc, UncoverableUnits(
        distance=distance,
        tiles=tuple(map(placed, tiles)),
        units=customary(copies, needed),
        minimal=minimal,
        attempt=tuple(map(placed, attempt)),
        missed=customary(copies, missed),
    )


def _wider(copies: Copies, units: set[int]) -> set[int]:
    return units | {near for unit in units for near in copies.touching(unit)}


def _dropped(
    disc: Disc, limits: Limits, watch: Callable[[], None] | None
) -> tuple[list[int], list[int], bool] | None:
    """Return needed units that cannot all be covered, copies that cover most, whether all count.

    No units if all can be covered; None if that is not known before the time is over.
    """
    core: list[int] | None = None
    attempt: list[int] = []
    minimal = False
    for found in search_cores(disc.model):
        if watch is not None:
            watch()
        if found is not None and found.kind is CoreKind.SOLUTION:
            return [], [], False
        if found is not None and found.kind in {CoreKind.CORE, CoreKind.MINIMAL}:
            if core is None:
                limits = limits.within(DROPPING)
            core = [disc.needed[item] for item in found.demand]
            minimal = found.kind is CoreKind.MINIMAL
        if found is not None and found.kind is CoreKind.WITNESS:
            attempt = [disc.placements[option] for option in found.options]
        if limits.reached() is not None:
            break
    if core is None:
        return None
    wanted = set(core)
    return core, [c for c in attempt if not wanted.isdisjoint(disc.copies.units(c))], minimal


# --- proofs for other checkers


def coronas_formula(copies: Copies, tile: int, coronas: int) -> tuple[Disc, Formula]:
    """Return a formula that is satisfied if a tile can have a number of complete coronas.

    Variables after those of the copies, and of the encoding, say that a copy has at least k coronas
    around it, for k from 1; and that a unit touches a copy that has. Such a unit must be covered,
    by a copy with k - 1 coronas.
    """
    own = set(copies.units(tile))
    crowned: list[set[int]] = [{tile}]
    for _ in range(coronas):
        around = {unit for copy in crowned[0] for unit in copies.around(copy)} - own
        crowned.insert(0, {c for c in _over(copies, around) if own.isdisjoint(copies.units(c))})
    disc = Disc(copies, [tile], (), set().union(*crowned[:-1]))
    begin = encode(disc.model, ENCODING)
    option = {copy: number for number, copy in enumerate(disc.placements, start=1)}
    over: dict[int, list[int]] = {}
    for copy in disc.placements:
        for unit in copies.units(copy):
            over.setdefault(unit, []).append(copy)
    top = begin.variables
    has: list[dict[int, int]] = [option]
    clauses: list[list[int]] = []
    touches: list[dict[int, int]] = [{}]
    for level in range(1, coronas + 1):
        known = crowned[level] if level == coronas else crowned[level] & option.keys()
        has.append({copy: top + k for k, copy in enumerate(sorted(known), start=1)})
        top += len(has[-1])
        halo = sorted({unit for copy in known for unit in copies.around(copy)} - own)
        touches.append({unit: top + k for k, unit in enumerate(halo, start=1)})
        top += len(halo)
        for copy, variable in has[level].items():
            clauses += [
                [-variable, touches[level][unit]] for unit in copies.around(copy) if unit not in own
            ]
        for unit, variable in touches[level].items():
            clauses.append([-variable, *(option[copy] for copy in over.get(unit, ()))])
            if level > 1:
                clauses += [
                    [-variable, -option[copy], has[level - 1][copy]] for copy in over.get(unit, ())
                ]
    clauses.append([has[coronas][tile]])
    flat = np.array([x for clause in clauses for x in (*clause, 0)], dtype=np.int32)
    return disc, Formula(top, np.concatenate([begin.literals, flat]))


def write_proofs(
    directory: Path, certificate: TilingCertificate, disc: Disc, limits: Limits
) -> Iterator[Path]:
    """Write the formulas of a certificate with proofs that they have no solution; yield the files.

    Files are ``disc.cnf`` and ``disc.drup``; and ``coronas.cnf`` and ``coronas.drup``, if the
    certificate says that one more corona is impossible with holes too. A formula without a proof in
    time is not kept.

    Raises
    ------
    BackendError
        If the solver fails.
    CheckFailedError
        If a formula has a solution: a bug.
    CertificateError
        If a proof does not hold: a bug of the solver.
    """
    what = "The units that must be covered cannot all be"
    formula = encode(disc.model, ENCODING)
    yield from _write(directory / "disc.cnf", disc, formula, what, limits, native=True)
    heesch = certificate.heesch
    if heesch is not None and heesch.solid == heesch.holed:
        tile = copies_of(certificate).copy(0, 0, (0,) * disc.copies.lattice.dimension)
        around, formula = coronas_formula(disc.copies, tile, heesch.holed + 1)
        what = f"A tile cannot have {heesch.holed + 1} complete coronas"
        yield from _write(directory / "coronas.cnf", around, formula, what, limits)


def _refuted(model: Model, proof: Path, limits: Limits) -> bool:
    """Have the native search write a proof; return whether it does."""
    variables = np.arange(1, model.options + 1, dtype=np.int32)
    return refute(
        model, proof, variables=variables, limits=limits, limit_bytes=NATIVE_BYTES
    ).finished


def _write(
    path: Path, disc: Disc, formula: Formula, what: str, limits: Limits, *, native: bool = False
) -> Iterator[Path]:
    proof = path.with_suffix(".drup")
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as stream:
        stream.write(f"c {what}, by disjoint copies, on the lattice: {disc.copies.lattice.name}\n")
        for tile in disc.tiles:
            units = (",".join(map(str, u)) for u in customary(disc.copies, disc.copies.units(tile)))
            stream.write(f"c a tile is at {' '.join(units)}\n")
        stream.write("c the copies that the first variables stand for:\n")
        for variable, text in enumerate(option_texts(disc.model), start=1):
            stream.write(f"c {variable} {text}\n")
        stream.write(header(formula))
        stream.writelines(clause_lines(formula.literals))
    if not native or not _refuted(disc.model, proof, limits.within(NATIVE_SECONDS)):
        answer = write_refutation(path, proof, stopped=limits.reached)
        if answer is None:
            path.unlink()
            return
        if not answer:
            raise CheckFailedError(f"{path}: it has a solution. This is a bug: please report it.")
    check_proof(path, proof)
    yield from (path, proof)
