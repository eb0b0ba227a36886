"""Certificates about tilings of the plane or of space, and their verification.

Claims are checked by their definitions. A periodic tiling must cover each unit of a period once. A
*patch*, a finite set of tiles, must consist of complete coronas (rings of tiles) around its first
tile. Refutations are checked step by step: see `exactile.certificate.refutation`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Annotated, Any

import msgspec
import numpy as np

from exactile.atomic import naming_disk, written
from exactile.certificate.checker import check_proof
from exactile.certificate.copies import (
    Copies,
    CoverFormula,
    coordinates,
    coronas_formula,
    cross,
    disc_formula,
    numbered,
    write_formula,
)
from exactile.certificate.reading import document, opened
from exactile.certificate.refutation import Crowned, Sought, TilingRefutation
from exactile.errors import CertificateError, NotFoundError
from exactile.geometry import get_lattice

FORMAT = 1

NAME = "tiling.json"
"""The name of the file with a certificate about tilings, in the certificate's directory."""

PROOFS = {
    "disc.drup": "The units around a tile can all be covered",
    "coronas.drup": "A tile has coronas",
}
"""The files that may contain a proof; for each, the statement that its formula expresses."""

MOST_INDEX = 10**6
"""Largest number of translations of the lattice modulo the period of a tiling."""

Row = tuple[Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)], ...]
"""A vector; or a copy: the numbers of its prototile and its motion, then its translation."""


class Period(msgspec.Struct, forbid_unknown_fields=True):
    """A periodic tiling.

    `vectors`: translations that map the tiling to itself, one for each dimension. `copies`: one of
    each class of tiles that are equal up to these translations.
    """

    vectors: tuple[Row, ...]
    copies: tuple[Row, ...]


class Heesch(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The Heesch numbers of a prototile: the largest numbers of complete coronas around a tile.

    Coronas are rings of tiles. `solid` is the number if no corona may have holes, `holed` if the
    last one may. A patch proves that a number is not smaller; 0 needs no patch. One refutation
    proves that neither number is larger. It is about `holed` if the numbers are equal; otherwise it
    is about `solid`, because `holed` is at most `solid` + 1: only the last corona may have holes.
    """

    solid: int
    holed: int
    solid_patch: tuple[Row, ...]
    holed_patch: tuple[Row, ...]
    solid_refutation: str = ""
    holed_refutation: str = ""


class FormulaProof(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A proof that a formula has no solution.

    - `file`: a key of `PROOFS`.
    - `digest`: the SHA-256 digest of the formula.
    - `tiles`, `distance`: the formula states that all units within this distance of the tiles (if
      there are none, of the unit of type 0 at place 0) are covered. See `disc_formula`.
    - `coronas`: if not 0, the formula states instead that the only prototile has this number of
      coronas. See `coronas_formula`.
    """

    file: str
    digest: str
    tiles: tuple[Row, ...] = ()
    distance: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    coronas: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


class TilingCertificate(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A claim about some prototiles, such as that they do not tile, with its evidence.

    - `format`, `made_by`: the format, and the program that wrote the certificate.
    - `lattice`, `motions`: the lattice, and the matrices by which prototiles may be turned.
    - `prototiles`: the points of each.
    - `crossing`: whether prototiles must not cross at vertices.
    - `each`: whether each prototile must be used.
    - `tiling`: evidence that the prototiles tile.
    - `refutation`: evidence that they do not: no tiling has the tiles of its last lemma.
    - `unbalanced`: whether the evidence that they do not tile is the frequency of a type of unit,
      which differs between the only prototile and the lattice.
    - `patch`, `coronas`: copies, and the number of complete coronas around the first one.
    - `heesch`: the Heesch numbers of the only prototile, which does not tile.
    - `proofs`: proofs that the prototiles do not tile, or have no more coronas.
    """

    format: int
    made_by: str
    lattice: str
    motions: tuple[tuple[Row, ...], ...]
    prototiles: tuple[tuple[Row, ...], ...]
    crossing: bool = False
    each: bool = False
    tiling: Period | None = None
    refutation: str | None = None
    unbalanced: bool = False
    patch: tuple[Row, ...] = ()
    coronas: int = 0
    heesch: Heesch | None = None
    proofs: tuple[FormulaProof, ...] = ()


@dataclass(frozen=True)
class VerifiedTiling:
    """The facts that a certificate about tilings proves.

    `verdict`: ``"tiles"``, ``"does not tile"``, or None if it proves neither. `argument`: the kind
    of proof, in words. `steps`: number of steps of all refutations.
    """

    certificate: TilingCertificate
    verdict: str | None
    argument: str
    steps: int


def write_certificate(directory: Path, certificate: TilingCertificate) -> None:
    """Write the file of a certificate into a directory, but not the files of its proofs."""
    with written(directory / NAME, "wb") as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n")


def read_certificate(directory: Path) -> TilingCertificate:
    """Return the certificate in a directory.

    Raise CertificateError if it is missing, damaged, or in a different format.
    """
    path = directory / NAME
    read = document(path, FORMAT)
    return certificate_of(read, str(path))


def certificate_of(value: Any, where: str = "The certificate") -> TilingCertificate:
    """Return the certificate that a JSON value describes.

    Raise CertificateError if it describes none. `where`: the source of the value, for messages.
    """
    try:
        return msgspec.convert(value, TilingCertificate)
    except msgspec.ValidationError as error:
        raise CertificateError(f"{where}: it is damaged: {error}.") from None


def verify_tiling(
    certificate: TilingCertificate,
    directory: Path | None = None,
    heartbeat: Callable[[int], None] | None = None,
) -> VerifiedTiling:
    """Verify a certificate; `directory` has the files of its proofs, if it has any.

    While a proof is checked, `heartbeat` is called many times a second with the number of lemmas
    checked so far. Raise CertificateError if anything in the certificate is wrong; the message
    names the first fault.

    >>> domino = TilingCertificate(
    ...     format=1,
    ...     made_by="hand",
    ...     lattice="square",
    ...     motions=(((1, 0), (0, 1)),),
    ...     prototiles=(((0, 0), (1, 0)),),
    ...     tiling=Period(vectors=((2, 0), (0, 1)), copies=((0, 0, 0, 0),)),
    ... )
    >>> verify_tiling(domino).verdict
    'tiles'
    """
    found = _Verifier(certificate).verified()
    for proof, formula in formulas(certificate):
        if directory is None:
            raise CertificateError("Its proofs are in files: name the directory.")
        opened(directory / proof.file).close()
        with naming_disk(gettempdir()), TemporaryDirectory(prefix="exactile-") as private:
            cnf = Path(private, "formula.cnf")
            if write_formula(cnf, formula, PROOFS[proof.file]) != proof.digest:
                raise CertificateError(f"The digest of the formula of {proof.file} is another.")
            check_proof(cnf, directory / proof.file, heartbeat=heartbeat)
    return found


def write_formulas(directory: Path, certificate: TilingCertificate) -> None:
    """Write the formula of each proof of a certificate into a directory, for other checkers.

    The directory is made if it does not exist. Raise CertificateError as `formulas` does.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for proof, formula in formulas(certificate):
        write_formula((directory / proof.file).with_suffix(".cnf"), formula, PROOFS[proof.file])


def formulas(certificate: TilingCertificate) -> Iterator[tuple[FormulaProof, CoverFormula]]:
    """Yield each proof of a certificate with its formula, which follows from the certificate.

    Raise CertificateError unless each proof shows that the prototiles do not tile, or that they
    have no more coronas than the certificate claims.
    """
    copies = copies_of(certificate) if certificate.proofs else None
    for proof in certificate.proofs:
        assert copies is not None
        if proof.file not in PROOFS:
            raise CertificateError(f"A proof is in one of the files {', '.join(PROOFS)}.")
        if proof.coronas:
            heesch = certificate.heesch
            if heesch is None or proof.coronas != heesch.holed + 1 or proof.tiles:
                raise CertificateError(f"The proof {proof.file} excludes no corona that counts.")
            tile = copies.copy(0, 0, (0,) * copies.lattice.dimension)
            yield proof, coronas_formula(copies, tile, proof.coronas)
            continue
        if certificate.tiling is not None:
            raise CertificateError("It claims that the prototiles tile, and that they do not.")
        tiles = [copies.copy(row[0], row[1], row[2:]) for row in proof.tiles if len(row) > 2]
        needed = len(certificate.prototiles) == 1 or certificate.each
        if len(tiles) < len(proof.tiles) or len(tiles) > 1 or (tiles and not needed):
            raise CertificateError(f"The proof {proof.file} leaves tilings without its tiles.")
        yield proof, disc_formula(copies, tiles, proof.distance)


def copies_of(certificate: TilingCertificate) -> Copies:
    """Return all copies of the prototiles of a certificate.

    Raise CertificateError if its lattice, motions or prototiles are invalid.
    """
    try:
        lattice = get_lattice(certificate.lattice)
    except NotFoundError as error:
        raise CertificateError(str(error)) from None
    if not certificate.prototiles or not all(certificate.prototiles):
        raise CertificateError("There is no prototile, or one without units.")
    if any(len(set(points)) < len(points) for points in certificate.prototiles):
        raise CertificateError("A prototile has a unit twice.")
    return Copies(lattice, certificate.motions, certificate.prototiles, certificate.crossing)


class _Verifier:
    def __init__(self, certificate: TilingCertificate) -> None:
        self._certificate = certificate
        self._copies = copies_of(certificate)
        self._width = self._copies.lattice.dimension
        self._steps = 0

    def verified(self) -> VerifiedTiling:
        given = self._certificate
        verdict, argument = None, ""
        if given.tiling is not None:
            self._check_tiling(given.tiling)
            verdict = "tiles"
            number = len(given.tiling.copies)
            argument = f"a period of {number} {'copy' if number == 1 else 'copies'}"
        if given.refutation is not None or given.unbalanced:
            if verdict is not None:
                raise CertificateError("It claims that the prototiles tile, and that they do not.")
            verdict = "does not tile"
            if given.unbalanced:
                self._require_unbalanced()
                argument = "the numbers of units of each type"
            else:
                self._check_refutation(given.refutation or "")
                argument = f"a refutation of {self._steps:,} steps"
        if given.coronas or given.patch:
            self._check_patch(given.patch, given.coronas, solid=0)
            argument = argument or f"a patch of {len(given.patch)} tiles"
        if given.heesch is not None:
            if verdict == "tiles":
                raise CertificateError("Prototiles that tile have no Heesch numbers.")
            self._check_heesch(given.heesch)
        if any(not proof.coronas for proof in given.proofs):
            verdict = "does not tile"
            argument = argument or "a proof that units around a tile cannot be covered"
        if not argument and given.heesch is None:
            raise CertificateError("It claims nothing.")
        return VerifiedTiling(given, verdict, argument or "Heesch numbers", self._steps)

    def _copy(self, row: Row) -> int:
        if len(row) != self._width + 2:
            raise CertificateError(f"{list(row)} is not a copy: write {self._width + 2} numbers.")
        return self._copies.copy(row[0], row[1], row[2:])

    # --- tilings

    def _check_tiling(self, tiling: Period) -> None:
        """Raise CertificateError unless copies form a periodic tiling.

        They must cover each unit of a period exactly once, must not cross, and must include each
        prototile if `each` is set.
        """
        basis = _hermite(tiling.vectors, self._width)
        index = int(np.prod([basis[i][i] for i in range(self._width)]))
        kinds = len(self._copies.lattice.origins)
        covered: Counter[int] = Counter()
        at: dict[int, list[frozenset[int]]] = {}
        used = set()
        for row in tiling.copies:
            copy = self._copy(row)
            used.add(row[0])
            covered.update(_reduced(unit, basis) for unit in self._copies.units(copy))
            for vertex, rays in self._copies.rays(copy):
                at.setdefault(_reduced(vertex, basis), []).append(rays)
        if len(covered) != index * kinds or set(covered.values()) != {1}:
            raise CertificateError("The copies do not cover each unit of a period exactly once.")
        for rays_there in at.values():
            if any(cross(a, b) for i, a in enumerate(rays_there) for b in rays_there[:i]):
                raise CertificateError("Two copies cross at a vertex.")
        if self._certificate.each and len(used) < len(self._certificate.prototiles):
            raise CertificateError("The tiling does not use each prototile.")

    # --- refutations

    def _check_refutation(self, text: str) -> None:
        claim = self._refuted(Sought.TILING, text)
        needed = len(self._certificate.prototiles) == 1 or self._certificate.each
        if len(claim) > 1 or (claim and not needed):
            raise CertificateError("The refutation leaves tilings that do not have its tiles.")

    def _refuted(self, sought: Sought, text: str) -> list[Crowned]:
        refutation = TilingRefutation(self._copies, sought, text)
        self._steps += refutation.steps
        return refutation.lemmas[-1]

    def _require_unbalanced(self) -> None:
        """Raise CertificateError unless types of unit show that the only prototile does not tile.

        They do if some type is not as frequent in the prototile as in the lattice. Types that the
        motions map to each other count as one.
        """
        lattice = self._copies.lattice
        if len(self._certificate.prototiles) != 1:
            raise CertificateError("Numbers of units say nothing about several prototiles.")
        points = np.array(self._certificate.prototiles[0])
        present = Counter(lattice.types(points).tolist())
        origins = np.array(lattice.origins)
        for kind in range(len(origins)):
            orbit = {int(lattice.types(m @ origins[kind])) for m in self._copies.matrices}
            if sum(present[k] for k in orbit) * len(origins) != len(points) * len(orbit):
                return
        raise CertificateError("The numbers of units of each type rule nothing out.")

    # --- coronas

    def _check_patch(self, rows: Sequence[Row], coronas: int, *, solid: int) -> None:
        """Raise CertificateError unless a patch has complete coronas around its first tile.

        `rows`: the tiles. `coronas`: the number of coronas; together they must contain all tiles
        but the first. The first `solid` coronas must have no holes. Later coronas may fill holes of
        earlier ones.
        """
        if coronas < 0 or not rows:
            raise CertificateError("A patch has tiles, and a number of coronas from 0.")
        copies = [self._copy(row) for row in rows]
        units = [self._copies.units(copy) for copy in copies]
        owner = {unit: tile for tile, each in enumerate(units) for unit in each}
        if len(owner) < sum(map(len, units)):
            raise CertificateError("Tiles of a patch overlap.")
        self._require_uncrossed([rays for copy in copies for rays in self._copies.rays(copy)])
        around = [self._copies.around(copy) for copy in copies]
        reached, last = {0}, {0}
        for corona in range(coronas):
            if any(unit not in owner for tile in last for unit in around[tile]):
                raise CertificateError(f"Corona {corona + 1} of a patch is not complete.")
            last = {owner[unit] for tile in last for unit in around[tile]} - reached
            reached |= last
            if self._copies.are_flat and corona < solid:
                self._require_solid({u for tile in reached for u in units[tile]})
        if len(reached) < len(rows):
            raise CertificateError("A patch has tiles that are in none of its coronas.")

    def _require_uncrossed(self, found: list[tuple[int, frozenset[int]]]) -> None:
        at: dict[int, list[frozenset[int]]] = {}
        for vertex, rays in found:
            if any(cross(rays, other) for other in at.get(vertex, ())):
                raise CertificateError("Tiles of a patch cross at a vertex.")
            at.setdefault(vertex, []).append(rays)

    def _require_solid(self, units: set[int]) -> None:
        """Raise CertificateError if the units enclose a hole: units with no way to the outside."""
        axes = list(zip(*(coordinates(u, self._width)[0] for u in units), strict=True))
        low, high = [min(axis) - 2 for axis in axes], [max(axis) + 2 for axis in axes]
        corner = [numbered(low, kind) for kind in range(len(self._copies.lattice.origins))]
        reached, waiting = set(corner), list(corner)
        for unit in waiting:
            for near in self._copies.joined(unit):
                place, _ = coordinates(near, self._width)
                within = all(a <= c <= b for a, c, b in zip(low, place, high, strict=True))
                if within and near not in units and near not in reached:
                    reached.add(near)
                    waiting.append(near)
        if any(
            n not in units and n not in reached for u in units for n in self._copies.touching(u)
        ):
            raise CertificateError("A patch has a hole.")

    def _check_heesch(self, heesch: Heesch) -> None:
        if len(self._certificate.prototiles) != 1:
            raise CertificateError("Several prototiles have no Heesch numbers.")
        if not 0 <= heesch.solid <= heesch.holed <= heesch.solid + 1:
            raise CertificateError(
                f"Heesch numbers {heesch.solid} without holes and {heesch.holed} with holes in the "
                "last corona contradict each other."
            )
        if heesch.holed > heesch.solid and not self._copies.are_flat:
            raise CertificateError("Only cells of the plane have Heesch numbers that differ.")
        patches = ((heesch.solid_patch, heesch.solid), (heesch.holed_patch, heesch.holed))
        for patch, coronas in patches:
            if patch or coronas > 0:
                self._check_patch(patch, coronas, solid=heesch.solid)
        if heesch.holed > heesch.solid:
            self._require_claim(Sought.SOLID, heesch.solid_refutation, heesch.solid + 1)
        else:
            self._require_claim(Sought.CORONAS, heesch.holed_refutation, heesch.holed + 1)

    def _require_claim(self, sought: Sought, text: str, coronas: int) -> None:
        claim = self._refuted(sought, text)
        if len(claim) != 1 or claim[0][1] > coronas:
            raise CertificateError(f"A refutation does not exclude {coronas} coronas.")


def _hermite(vectors: Sequence[Row], width: int) -> list[Row]:
    """Check that the vectors of a period are in Hermite form, and return them as a list.

    Vector i, from 0, must have a positive coordinate i and only zeros after it. Raise
    CertificateError if the vectors are not in this form, or the period is too large. `width`: the
    dimension.
    """
    if len(vectors) != width or any(len(vector) != width for vector in vectors):
        raise CertificateError(f"A period has {width} vectors of {width} coordinates.")
    for i, vector in enumerate(vectors):
        if vector[i] < 1 or any(vector[i + 1 :]):
            raise CertificateError("The vectors of a period are not in Hermite form.")
    if int(np.prod([vector[i] for i, vector in enumerate(vectors)], dtype=object)) > MOST_INDEX:
        raise CertificateError("The period is too large.")
    return list(vectors)


def _reduced(number: int, basis: Sequence[Row]) -> int:
    """Return the representative of a unit or a vertex modulo a period, encoded as an integer.

    `number`: the unit or vertex, encoded likewise. `basis`: the vectors of the period, in Hermite
    form.

    >>> _reduced(numbered((5, 7)), [(3, 0), (1, 2)]) == numbered((2, 1))
    True
    """
    place, kind = coordinates(number, len(basis))
    rest: Sequence[int] = place
    for i in reversed(range(len(basis))):
        times = rest[i] // basis[i][i]
        rest = [r - times * b for r, b in zip(rest, basis[i], strict=True)]
    return numbered(rest, kind)
