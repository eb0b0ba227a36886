"""Proofs that our check of DRUP writes as LRAT: accepted by other code, refused when damaged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pysat.solvers import Solver

import exactile
from exactile.certificate.checker import check_proof
from exactile.certificate.reading import read_manifest
from exactile.certificate.verify import verify
from exactile.errors import CertificateError
from exactile.reasons.certify import certify
from exactile.reasons.refuter import refute
from support.few import few
from support.formulas import variables, write_formula
from support.naive_proofs import naive_lrat
from support.random_models import random_model

Clauses = list[list[int]]


def read_clauses(path: Path) -> tuple[Clauses, int]:
    header, *lines = path.read_text().splitlines()
    return [[int(word) for word in line.split()[:-1]] for line in lines], int(header.split()[2])


def hinted(cnf: Path, proof: Path) -> bytes:
    """Return a proof as LRAT, accepted by two other checkers."""
    lrat = proof.with_name("lrat")
    checked = check_proof(cnf, proof, lrat=lrat)
    assert check_proof(cnf, proof) == checked
    text = lrat.read_bytes()
    assert check_proof(cnf, lrat, kind="lrat").lemmas == text.count(b"\n") - text.count(b" d ")
    assert naive_lrat(*read_clauses(cnf), text) == 0
    return text


@pytest.mark.parametrize("first", few(range(0, 200, 40), 2))
def test_of_our_search(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 40):
        model = random_model(seed, colored=False, most_options=9)
        found = refute(model, tmp_path / "proof", variables=variables(model)).solutions
        cnf = write_formula(tmp_path / "cnf", model, solutions=found)
        hinted(cnf, tmp_path / "proof")


@pytest.mark.parametrize("first", few(range(0, 300, 60), 2))
def test_of_solvers(tmp_path: Path, first: int) -> None:
    """Formulas at random: clauses that are repeated, hold always, or are single literals."""
    cnf, proof = tmp_path / "cnf", tmp_path / "proof"
    refuted = 0
    for seed in range(first, first + 60):
        rng = random.Random(seed)
        n = rng.randint(2, 8)
        literals = [x for v in range(1, n + 1) for x in (v, -v)]
        clauses = [rng.choices(literals, k=rng.randint(1, 4)) for _ in range(7 * n)]
        cnf.write_text(
            f"p cnf {n} {len(clauses)}\n"
            + "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
        )
        with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            if solver.solve():
                continue
            lines = [*solver.get_proof(), "0"]
        lemmas = [" ".join(map(str, (*rng.sample(c, len(c)), 0))) for c in clauses[:5]]
        random_deletions = [f"d {lemma}" for lemma in lemmas if len(lemma) > 6]
        proof.write_text("\n".join([*lemmas, *lines[:-1], *random_deletions, *lemmas, "0", ""]))
        try:
            check_proof(cnf, proof)
        except CertificateError:  # a clause that it needs was deleted
            continue
        hinted(cnf, proof)
        refuted += 1
    assert refuted > 20


def test_a_literal_that_has_become_true(tmp_path: Path) -> None:
    """Of the lemma 2 3, literal 3 follows once 2 is false, and with it the conflict."""
    clauses = [[2, 3], [-3, 4], [-3, -4, 5], [-4, -5, 2], [-2, 1], [-2, -1]]
    cnf = tmp_path / "cnf"
    lines = "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
    cnf.write_text(f"p cnf 5 {len(clauses)}\n{lines}")
    (tmp_path / "proof").write_text("2 3 0\n2 0\n0\n")
    assert hinted(cnf, tmp_path / "proof").startswith(b"7 2 3 0 1 0\n")


@pytest.mark.parametrize("name", ["tetrahexes-trefoil-x4", "tritrigs-heart-2"])
def test_certificates_with_hints(tmp_path: Path, name: str) -> None:
    puzzle = exactile.load(name)
    plain = certify(puzzle, tmp_path / "plain")
    answer = certify(puzzle, tmp_path / "hints", proof_format="lrat")
    assert (answer.raw, answer.symmetry) == (plain.raw, plain.symmetry)
    manifest = read_manifest(tmp_path / "hints")
    assert manifest.proof is not None
    assert (manifest.proof.file, manifest.proof.kind) == ("proof.lrat", "lrat")
    assert not (tmp_path / "hints" / "proof.drup").exists()
    assert verify(tmp_path / "hints").raw == answer.raw
    proof = tmp_path / "hints" / "proof.lrat"
    text = proof.read_bytes()
    proof.write_bytes(text.replace(b" 0 ", b" 0 1 ", 1))
    with pytest.raises(CertificateError, match=r"line 1: .*"):
        verify(tmp_path / "hints")


def test_a_changed_byte_is_refused_unless_the_proof_still_holds(tmp_path: Path) -> None:
    model = exactile.lower(exactile.load("mutilated-chessboard-6x6"))
    refute(model, tmp_path / "proof", variables=variables(model))
    cnf = write_formula(tmp_path / "cnf", model)
    text = hinted(cnf, tmp_path / "proof")
    clauses, top = read_clauses(cnf)
    rng = random.Random(0)
    refused = 0
    for _ in range(40):
        place = rng.randrange(len(text))
        changed = (
            text[:place] + rng.choice(b"0123456789- \nd").to_bytes(1, "big") + text[place + 1 :]
        )
        (tmp_path / "lrat").write_bytes(changed)
        expected = naive_lrat(clauses, top, changed)
        if expected == 0:
            check_proof(cnf, tmp_path / "lrat", kind="lrat")
            continue
        refused += 1
        with pytest.raises(CertificateError, match=f"refused: line {expected}: "):
            check_proof(cnf, tmp_path / "lrat", kind="lrat")
    assert refused > 25
