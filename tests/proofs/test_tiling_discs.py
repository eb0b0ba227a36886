"""Units around a prototile that cannot all be covered, and proofs of it for other checkers."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Cadical195

from exactile.certificate.checker import check_proof
from exactile.certificate.tilings import copies_of
from exactile.errors import CertificateError
from exactile.model.encode import Formula
from exactile.search.limits import Limits
from exactile.tiling.decide import TilingSettings, decide
from exactile.tiling.disc import coronas_formula, find_disc, write_proofs
from exactile.tiling.prototiles import Prototiles
from exactile.tiling.verbs import prototiles_of, tile
from support.dratify import dratify_accepts

Cell = tuple[int, ...]

U: list[Cell] = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 4)]
HEESCH_4: list[Cell] = [
    *((-3, 2), (-3, 4), (-2, 2), (-2, 4), (-1, 1), (-1, 3)),
    *((0, 0), (0, 1), (0, 2), (0, 3), (1, 0)),
]

NON_TILERS: dict[str, list[Cell]] = {
    "square": U,
    "hexagon": [(0, 0), (0, 1), (0, 2), (1, 2), (2, 1), (3, 0)],
    "triangle": [*((0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)), *((1, 1, 0), (1, 0, 1), (2, 0, 0))],
    "kites": [(0, 0, 1), (0, 1, 5), (0, 1, 0), (1, 0, 2)],
    "square-edges": [(0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 0, 0)],
    "triangle-edges": [(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 2)],
    "cube": [place for place in product(range(3), repeat=3) if place != (1, 1, 1)],
}


def can_be_covered(shape: list[Cell], needed: list[Cell]) -> bool:
    """Return whether copies of a shape of squares cover what is needed and miss it, by SAT."""
    images = set()
    for x_sign, y_sign, swapped in product((1, -1), (1, -1), (False, True)):
        image = [(x * x_sign, y * y_sign) for x, y in shape]
        images.add(tuple(sorted((y, x) if swapped else (x, y) for x, y in image)))
    copies = {
        frozenset((x + a - c, y + b - d) for x, y in image)
        for image in images
        for a, b in needed
        for c, d in image
    }
    placed = [copy for copy in copies if copy.isdisjoint(shape)]
    with Cadical195() as solver:
        for cell in {cell for copy in placed for cell in copy}.union(needed):
            over = [k for k, copy in enumerate(placed, start=1) if cell in copy]
            for i, one in enumerate(over):
                for other in over[:i]:
                    solver.add_clause([-one, -other])
            if cell in needed:
                solver.add_clause(over)
        return bool(solver.solve())


def within(shape: list[Cell], distance: int) -> list[Cell]:
    """Return the squares within a distance of others, without these."""
    steps = range(-distance, distance + 1)
    return sorted({(x + a, y + b) for x, y in shape for a in steps for b in steps} - set(shape))


def test_no_unit_of_a_disc_can_be_spared_and_no_distance_is_less() -> None:
    found = tile(U, lattice="square", disc=True).uncoverable
    assert found is not None
    assert found.minimal
    [(_, shape)] = found.tiles
    cells, needed = [*map(tuple, shape)], [*map(tuple, found.units)]
    assert set(needed) <= set(within(cells, found.distance))
    assert not can_be_covered(cells, needed)
    assert can_be_covered(cells, within(cells, found.distance - 1))
    for spared in needed:
        assert can_be_covered(cells, [cell for cell in needed if cell != spared])
    covered = [tuple(unit) for _, copy in found.attempt for unit in copy]
    assert len(covered) == len(set(covered)) == len(U) * len(found.attempt)
    assert set(covered).isdisjoint(cells)
    assert sorted(map(tuple, found.missed)) == sorted(set(needed) - set(covered))


@pytest.mark.parametrize("lattice", NON_TILERS)
def test_another_checker_accepts_the_proof(lattice: str, tmp_path: Path) -> None:
    answer = tile(NON_TILERS[lattice], lattice=lattice, proofs=tmp_path / "proofs")
    assert (answer.verdict, answer.method) == ("does not tile", "refutation")
    formula, proof = map(Path, answer.proofs)
    assert check_proof(formula, proof)
    assert dratify_accepts(formula, proof)
    words = formula.read_text().split("\n")
    needed = next(k for k, line in enumerate(words) if line[:1] not in "cp")
    words[needed] = ""
    formula.write_text("\n".join(words))
    with pytest.raises(CertificateError):
        check_proof(formula, proof)


def test_one_more_corona_is_refuted_by_a_formula_and_one_less_is_not(tmp_path: Path) -> None:
    prototiles = Prototiles(prototiles_of(U, "square", None))
    certificate = decide(prototiles, TilingSettings(heesch=True)).certificate
    assert certificate.heesch is not None
    assert certificate.heesch.solid == certificate.heesch.holed == 1
    copies = copies_of(certificate)
    for coronas in (1, 2):
        disc, formula = coronas_formula(copies, copies.copy(0, 0, (0, 0)), coronas)
        assert formula.variables > len(disc.placements)
        with Cadical195(bootstrap_with=clauses_of(formula)) as solver:
            assert solver.solve() == (coronas == 1)
    found = find_disc(certificate, prototiles, Limits(), None)
    assert found is not None
    files = list(write_proofs(tmp_path, certificate, found[0], Limits()))
    assert [file.name for file in files[2:]] == ["coronas.cnf", "coronas.drup"]
    for formula_file, proof in (files[:2], files[2:]):
        assert dratify_accepts(formula_file, proof)


def clauses_of(formula: Formula) -> list[list[int]]:
    ends = np.flatnonzero(formula.literals == 0)
    return [part[part != 0].tolist() for part in np.split(formula.literals, ends + 1)[:-1]]


def test_time_that_does_not_suffice_is_said(tmp_path: Path) -> None:
    limits = Limits()
    answer = tile(U, lattice="square", disc=True, limits=limits, watch=limits.cancel)
    assert answer.uncoverable is None
    assert answer.stopped == "cancelled"
    prototiles = Prototiles(prototiles_of(U, "square", None))
    certificate = decide(prototiles, TilingSettings(heesch=True)).certificate
    found = find_disc(certificate, prototiles, Limits(), None)
    assert found is not None
    limits.cancel()
    assert list(write_proofs(tmp_path, certificate, found[0], limits)) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_another_checker_accepts_the_proof_for_the_heesch_number_4(tmp_path: Path) -> None:
    answer = tile(HEESCH_4, lattice="hexagon", proofs=tmp_path / "proofs")
    assert answer.uncoverable is not None
    assert answer.uncoverable.distance == 12
    formula, proof = map(Path, answer.proofs)
    assert proof.stat().st_size < 2**21
    assert dratify_accepts(formula, proof)
