"""Units around a prototile that cannot all be covered, and proofs of it for other checkers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from pysat.solvers import Cadical195

from exactile import Freedom, Piece
from exactile.certificate import copies as module
from exactile.certificate.checker import Checked, check_proof
from exactile.certificate.copies import Copies, coronas_formula, cross, disc_formula
from exactile.certificate.tilings import copies_of, read_certificate, verify_tiling
from exactile.errors import CertificateError, Interrupted
from exactile.geometry import get_lattice
from exactile.search.limits import Limits
from exactile.surveys.tiling.decide import TilingSettings, decide
from exactile.surveys.tiling.disc import DiscSearch, write_proofs
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.surveys.tiling.verbs import prototiles_of, tile
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


def test_one_unit_that_no_prototile_covers(tmp_path: Path) -> None:
    """Sticks that lie in one direction only: the disc is that unit, at distance 0."""
    sticks = [
        Piece(name, get_lattice("square-edges"), units, Freedom.FIXED)
        for name, units in (("A", ((0, 1),)), ("B", ((0, 1), (0, 3))))
    ]
    answer = tile(sticks, disc=True, proofs=tmp_path / "proofs")
    found = answer.uncoverable
    assert found is not None
    assert (found.distance, found.units, found.missed) == (0, ((0, 0, 0),), ((0, 0, 0),))
    formula, proof = map(Path, answer.proofs)
    assert dratify_accepts(formula, proof)
    verify_tiling(read_certificate(tmp_path / "proofs"), tmp_path / "proofs")


def test_one_more_corona_is_refuted_by_a_formula_and_one_less_is_not(tmp_path: Path) -> None:
    prototiles = Prototiles(prototiles_of(U, "square", None))
    certificate = decide(prototiles, TilingSettings(heesch=True)).certificate
    assert certificate.heesch is not None
    assert certificate.heesch.solid == certificate.heesch.holed == 1
    copies = copies_of(certificate)
    for coronas in (1, 2):
        formula = coronas_formula(copies, copies.copy(0, 0, (0, 0)), coronas)
        assert formula.variables > len(formula.used)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            assert solver.solve() == (coronas == 1)
    files = list(write_proofs(tmp_path, certificate, DiscSearch(certificate, Limits()), Limits()))
    assert [file.name for file in files[2:]] == ["coronas.cnf", "coronas.drup"]
    for formula_file, proof in (files[:2], files[2:]):
        assert dratify_accepts(formula_file, proof)
        formula_file.unlink()  # it follows from the certificate
    verified = verify_tiling(read_certificate(tmp_path), tmp_path)
    assert [proof.coronas for proof in verified.certificate.proofs] == [0, 2]


@pytest.mark.parametrize(("most", "made"), [(20, []), (30_000, ["disc.cnf", "disc.drup"])])
def test_formulas_that_are_too_large_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, made: list[str]
) -> None:
    monkeypatch.setattr(module, "MOST_LITERALS", most)
    proofs = tmp_path / "proofs"
    answer = tile(U, lattice="square", heesch=True, proofs=proofs)
    assert answer.verdict == "does not tile"
    assert [Path(name).name for name in answer.proofs] == made
    assert proofs.exists() == bool(made)


def test_a_certificate_holds_by_its_proof_alone(tmp_path: Path) -> None:
    tile(U, lattice="square", proofs=tmp_path / "proofs")
    given = read_certificate(tmp_path / "proofs")
    (tmp_path / "proofs" / "disc.cnf").unlink()
    alone = replace(given, refutation=None)
    assert verify_tiling(alone, tmp_path / "proofs").verdict == "does not tile"
    with pytest.raises(CertificateError, match="name the directory"):
        verify_tiling(alone)
    [proof] = given.proofs
    for forged, words in [
        (replace(proof, distance=1), "digest"),
        (replace(proof, digest="0" * 64), "digest"),
        (replace(proof, tiles=()), "digest"),
        (replace(proof, tiles=proof.tiles * 2), "leaves tilings"),
        (replace(proof, tiles=((0,),)), "leaves tilings"),
        (replace(proof, file="other.drup"), "in one of the files"),
        (replace(proof, file="coronas.drup"), "cannot be read"),
        (replace(proof, coronas=2), "claims nothing"),
    ]:
        with pytest.raises(CertificateError, match=words):
            verify_tiling(replace(alone, proofs=(forged,)), tmp_path / "proofs")
    lines = (tmp_path / "proofs" / "disc.drup").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "proofs" / "disc.drup").write_text("".join(lines[:-2] + lines[-1:]), "utf-8")
    with pytest.raises(CertificateError, match="refused"):
        verify_tiling(alone, tmp_path / "proofs")


@pytest.mark.parametrize("lattice", NON_TILERS)
def test_formulas_mean_what_they_say(lattice: str) -> None:
    """Each model of the formula is a cover; written pair by pair, it has one as well or none."""
    grid = get_lattice(lattice)
    copies = Copies(
        grid, grid.group.tolist(), [grid.points(NON_TILERS[lattice]).tolist()], crossing=True
    )
    tile_there = copies.copy(0, 0, (0,) * grid.dimension)
    formula = disc_formula(copies, [tile_there], 1)
    with Cadical195(bootstrap_with=formula.clauses) as solver:
        found = solver.solve()
        chosen = [
            formula.used[v - 1] for v in solver.get_model() or () if 0 < v <= len(formula.used)
        ]
    pairs = [
        [-a, -b]
        for b, two in enumerate(formula.used, 1)
        for a, one in enumerate(formula.used[: b - 1], 1)
        if not set(copies.units(one)).isdisjoint(copies.units(two)) or crossing(copies, one, two)
    ]
    with Cadical195(bootstrap_with=[*formula.clauses[: len(formula.needed)], *pairs]) as solver:
        assert solver.solve() == found
    if found:
        covered = [unit for copy in [tile_there, *chosen] for unit in copies.units(copy)]
        assert len(covered) == len(set(covered))
        assert set(formula.needed) <= set(covered)
        everyone = [tile_there, *chosen]
        assert not any(crossing(copies, a, b) for a in everyone for b in everyone if a != b)


def crossing(copies: Copies, one: int, two: int) -> bool:
    """Return whether two copies cross at a vertex."""
    return any(v == w and cross(a, b) for v, a in copies.rays(one) for w, b in copies.rays(two))


def test_time_that_does_not_suffice_is_said(tmp_path: Path) -> None:
    limits = Limits()
    answer = tile(U, lattice="square", disc=True, limits=limits, watch=limits.cancel)
    assert answer.uncoverable is None
    assert answer.stopped == "cancelled"
    prototiles = Prototiles(prototiles_of(U, "square", None))
    certificate = decide(prototiles, TilingSettings(heesch=True)).certificate
    search = DiscSearch(certificate, Limits())
    limits.cancel()
    assert list(write_proofs(tmp_path, certificate, search, limits)) == []
    assert list(tmp_path.iterdir()) == []


def test_a_distance_that_would_take_all_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tile(U, lattice="square", proofs=tmp_path / "proofs")
    given = read_certificate(tmp_path / "proofs")
    [proof] = given.proofs
    far = replace(given, proofs=(replace(proof, distance=200),))
    monkeypatch.setattr("exactile.certificate.copies.MOST_UNITS", 2000)
    with pytest.raises(CertificateError, match="too many units"):
        verify_tiling(far, tmp_path / "proofs")


@pytest.mark.parametrize("interrupted", [False, True])
def test_the_check_of_a_proof_ends_with_the_time(
    interrupted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits, place = Limits(), tmp_path / "proofs"

    def checked(cnf: Path, proof: Path, heartbeat: Callable[[int], None]) -> Checked:
        assert proof.exists()
        if interrupted:
            raise KeyboardInterrupt
        limits.cancel()
        return check_proof(cnf, proof, heartbeat=heartbeat)

    monkeypatch.setattr("exactile.surveys.tiling.disc.check_proof", checked)
    if interrupted:
        with pytest.raises(Interrupted):
            tile(U, lattice="square", proofs=place)
    else:
        answer = tile(U, lattice="square", proofs=place, limits=limits)
        assert (answer.proofs, answer.stopped) == ((), "cancelled")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_another_checker_accepts_the_proof_for_the_heesch_number_4(tmp_path: Path) -> None:
    answer = tile(HEESCH_4, lattice="hexagon", proofs=tmp_path / "proofs")
    formula, proof = map(Path, answer.proofs)
    [stated] = read_certificate(tmp_path / "proofs").proofs
    assert stated.distance == 12
    assert proof.stat().st_size < 2**21
    assert dratify_accepts(formula, proof)
