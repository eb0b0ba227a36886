"""The search that writes proofs: its solutions by other means, its proofs by two checkers."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import exactile
from exactile.backends.exploration import Exploration
from exactile.certificate.checker import check_proof
from exactile.errors import CertificateError
from exactile.model import Model
from exactile.model.orbits import Action, branches
from exactile.puzzle.symmetry import symmetries
from exactile.reasons import refuter as refuter_module
from exactile.reasons.refuter import Refutation, refute
from support.few import few
from support.formulas import variables, write_formula
from support.naive_proofs import naive_drup
from support.random_models import brute_force, random_model


def refuted(model: Model, proof: Path, **options: Sequence[int]) -> Refutation:
    return refute(model, proof, variables=variables(model), **options)  # type: ignore[arg-type]


def read_clauses(path: Path) -> list[list[int]]:
    lines = path.read_text().splitlines()[1:]
    return [[int(word) for word in line.split()[:-1]] for line in lines]


def listed(model: Model) -> list[tuple[int, ...]]:
    return [tuple(o for o in row if o >= 0) for row in Exploration(model).run().tolist()]


@pytest.mark.parametrize("first", few(range(0, 400, 40), 3))
def test_random_models(tmp_path: Path, first: int) -> None:
    cnf, proof = tmp_path / "cnf", tmp_path / "proof"
    refusals = 0
    for seed in range(first, first + 40):
        model = random_model(seed, colored=False, most_options=9)
        refutation = refuted(model, proof)
        assert refutation.finished
        assert len(refutation.solutions) == len(set(refutation.solutions))
        assert {frozenset(s) for s in refutation.solutions} == brute_force(model)
        assert refutation.bytes == proof.stat().st_size
        checked = check_proof(write_formula(cnf, model, solutions=refutation.solutions), proof)
        assert checked.lemmas == refutation.lemmas
        clauses = read_clauses(cnf)
        top = max([model.options, *(abs(x) for clause in clauses for x in clause)])
        assert naive_drup(clauses, top, proof.read_bytes()) == 0
        # If a single solution is not forbidden, nothing can prove that there is none.
        for solution in refutation.solutions[:3]:
            rest = [s for s in refutation.solutions if s != solution]
            with pytest.raises(CertificateError, match="does not follow"):
                check_proof(write_formula(cnf, model, solutions=rest), proof)
            refusals += 1
    assert refusals > 20


@pytest.mark.parametrize(
    ("name", "solutions"),
    [
        ("pentominoes-3x20", 8),
        ("tritrigs-heart-2", 104),
        ("mutilated-chessboard-6x6", 0),
        ("dominoes-6x6", 6728),
        ("tetrahexes-4x7", 18),
    ],
)
def test_puzzles(tmp_path: Path, name: str, solutions: int) -> None:
    model = exactile.lower(exactile.load(name))
    refutation = refuted(model, tmp_path / "proof")
    assert len(refutation.solutions) == solutions
    assert set(refutation.solutions) == set(listed(model))
    cnf = write_formula(tmp_path / "cnf", model, solutions=refutation.solutions)
    assert check_proof(cnf, tmp_path / "proof").lemmas == refutation.lemmas
    lines = (tmp_path / "proof").read_bytes().splitlines(keepends=True)
    (tmp_path / "proof").write_bytes(b"".join([*lines[: len(lines) // 2], lines[-1]]))
    with pytest.raises(CertificateError, match=f"line {len(lines) // 2 + 1}: .* does not follow"):
        check_proof(cnf, tmp_path / "proof")


def test_one_branch_of_each_orbit_is_enough(tmp_path: Path) -> None:
    puzzle = exactile.load("soma-cube")
    model = exactile.lower(puzzle)
    found = branches(model, Action(model, symmetries(puzzle)))
    assert found is not None
    item = next(
        i
        for i in range(model.meaning.pieces)
        if set(found.options) <= set(model.options_with(i).tolist())
    )
    excluded = sorted(set(model.options_with(item).tolist()) - set(found.options))
    refutation = refuted(model, tmp_path / "proof", excluded=excluded)
    width = max(map(len, refutation.solutions))
    rows = np.array([[*s, *[-1] * (width - len(s))] for s in refutation.solutions], dtype=np.int32)
    assert len(found.expanded(rows)) == 11520
    cnf = write_formula(tmp_path / "cnf", model, excluded=excluded, solutions=refutation.solutions)
    check_proof(cnf, tmp_path / "proof")
    cnf = write_formula(tmp_path / "cnf", model, solutions=refutation.solutions)
    with pytest.raises(CertificateError, match="does not follow"):
        check_proof(cnf, tmp_path / "proof")
    check_proof(cnf, tmp_path / "proof", assume=[-o - 1 for o in excluded])


def test_parts_in_threads_make_a_whole(tmp_path: Path) -> None:
    model = exactile.lower(exactile.load("tetrahexes-4x7"))
    item = min(range(model.items), key=lambda i: len(model.options_with(i)))
    cubes = model.options_with(item).tolist()

    def part(option: int) -> Refutation:
        return refuted(model, tmp_path / f"proof-{option}", chosen=[option])

    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(part, cubes))
    solutions = [solution for refutation in parts for solution in refutation.solutions]
    assert sorted(solutions) == sorted(listed(model))
    cnf = write_formula(tmp_path / "cnf", model, solutions=solutions)
    for option, refutation in zip(cubes, parts, strict=True):
        checked = check_proof(cnf, tmp_path / f"proof-{option}", assume=[option + 1])
        assert checked.lemmas == refutation.lemmas


def test_slices_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = exactile.lower(exactile.load("tritrigs-heart-2"))
    whole = refuted(model, tmp_path / "whole")
    monkeypatch.setattr(refuter_module, "BYTES_AT_ONCE", 1)
    beats: list[int] = []
    sliced = refute(model, tmp_path / "cut", variables=variables(model), heartbeat=beats.append)
    assert sliced == whole
    assert (tmp_path / "cut").read_bytes() == (tmp_path / "whole").read_bytes()
    assert len(beats) > 1000
    assert beats == sorted(beats)


def test_any_variables(tmp_path: Path) -> None:
    model = Model.of_options([[0, 1], [1, 2], [2, 0]], lower=[1] * 3, upper=[1] * 3)
    refute(model, tmp_path / "proof", variables=np.array([70, 2**31 - 1, 8], dtype=np.int32))
    assert (tmp_path / "proof").read_text() == "-70 0\n0\n"
