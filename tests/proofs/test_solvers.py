"""Proofs by other solvers, and other checkers on proofs: all agree."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

import exactile
from exactile.certificate.checker import check_proof
from exactile.errors import CertificateError
from exactile.model import Model
from exactile.reasons.refuter import refute
from support.dratify import dratify_accepts
from support.formulas import clauses, variables, write_formula
from support.naive_proofs import naive_lrat

SOLVERS = [
    *("cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42"),
    *("gluecard3", "gluecard4", "lingeling", "maplecm", "maplechrono", "ergo"),
]

LRAT = Path("/tmp/lrat.txt")  # CP-SAT writes it there, whatever TMPDIR says


def chessboard(*, loose: tuple[str, ...] = ()) -> Model:
    """Return dominoes on the mutilated board; their number is free, and some units are optional."""
    model = exactile.lower(exactile.load("mutilated-chessboard-6x6"))
    free = [
        label.removeprefix("unit ") in loose or k == 0
        for k, label in enumerate(model.meaning.labels)
    ]
    upper = np.where(np.arange(model.items) == 0, model.options, model.upper).astype(np.int32)
    return replace(model, lower=np.where(free, 0, model.lower).astype(np.int32), upper=upper)


def proof_by(solver: str, model: Model) -> list[str]:
    """Return the lines of the proof that a model has no solution."""
    with Solver(name=solver, bootstrap_with=clauses(model), with_proof=True) as engine:
        assert engine.solve() is False
        return list(engine.get_proof())


@pytest.mark.parametrize("solver", SOLVERS)
def test_proofs_by_solvers_hold(tmp_path: Path, solver: str) -> None:
    model = chessboard()
    lines = proof_by(solver, model)
    if lines[-1] != "0":  # ergo leaves it out
        lines.append("0")
    cnf = write_formula(tmp_path / "cnf", model)
    proof = tmp_path / "proof"
    proof.write_text("\n".join(lines))
    assert check_proof(cnf, proof).lemmas > 10
    assert dratify_accepts(cnf, proof)
    proof.write_text("0\n")
    with pytest.raises(CertificateError, match="line 1: the lemma does not follow"):
        check_proof(cnf, proof)
    assert not dratify_accepts(cnf, proof)
    # There are two more even units than odd ones; if two may stay empty, the rest can be covered.
    loose = chessboard(loose=("0,0", "5,5"))
    with Solver(name="minisat22", bootstrap_with=clauses(loose)) as engine:
        assert engine.solve()
    proof.write_text("\n".join(lines))
    cnf = write_formula(tmp_path / "cnf", loose)
    with pytest.raises(CertificateError, match="does not follow"):
        check_proof(cnf, proof)


def test_proofs_by_maplesat_are_refused(tmp_path: Path) -> None:
    cnf = write_formula(tmp_path / "cnf", chessboard())
    proof = tmp_path / "proof"
    proof.write_text("\n".join(proof_by("maplesat", chessboard())))
    with pytest.raises(CertificateError, match="line 1: the lemma does not follow"):
        check_proof(cnf, proof)
    assert not dratify_accepts(cnf, proof)


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        ("tritrigs-heart-2", "native"),
        ("tetrahexes-4x7", "native"),
        ("mutilated-chessboard-6x6", "python"),
    ],
)
def test_another_checker_accepts_our_proofs(tmp_path: Path, name: str, engine: str) -> None:
    model = exactile.lower(exactile.load(name))
    found = refute(model, tmp_path / "proof", variables=variables(model)).solutions
    cnf = write_formula(tmp_path / "cnf", model, solutions=found)
    assert dratify_accepts(cnf, tmp_path / "proof", engine)
    lines = (tmp_path / "proof").read_text().splitlines()
    (tmp_path / "proof").write_text("\n".join([*lines[: len(lines) // 2], "0"]))
    assert not dratify_accepts(cnf, tmp_path / "proof", engine)


def test_hints_by_cp_sat_hold(tmp_path: Path) -> None:
    if LRAT.exists():
        pytest.skip(f"{LRAT} is there: another run of CP-SAT may be writing it")
    cnf = write_formula(tmp_path / "cnf", chessboard())
    program = (
        "import pathlib, sys\n"
        "from ortools.sat.python import cp_model\n"
        "model, solver = cp_model.CpModel(), cp_model.CpSolver()\n"
        "header, *lines = pathlib.Path(sys.argv[1]).read_text().splitlines()\n"
        "true = [model.new_bool_var('') for _ in range(int(header.split()[2]))]\n"
        "for line in lines:\n"
        "    numbers = [int(word) for word in line.split()[:-1]]\n"
        "    model.add_bool_or([true[n - 1] if n > 0 else ~true[-n - 1] for n in numbers])\n"
        "solver.parameters.num_workers = 1\n"
        "solver.parameters.cp_model_presolve = False\n"
        "solver.parameters.linearization_level = 0\n"
        "solver.parameters.symmetry_level = 0\n"
        "solver.parameters.output_lrat_proof = True\n"
        "solver.parameters.check_merged_lrat_proof = True\n"
        "print(solver.status_name(solver.solve(model)))\n"
    )
    try:
        run = subprocess.run([sys.executable, "-c", program, cnf], capture_output=True, text=True)
        if run.returncode or not LRAT.exists():
            pytest.skip(f"this version of CP-SAT writes no hints: {run.stderr[-200:]}")
        assert run.stdout == "INFEASIBLE\n"
        text = LRAT.read_bytes()
    finally:
        for left in (LRAT, *(LRAT.with_name(f"lrat{k}.bin") for k in range(3))):
            left.unlink(missing_ok=True)
    (proof := tmp_path / "proof").write_bytes(text)
    checked = check_proof(cnf, proof, kind="lrat")
    assert checked.lemmas == text.count(b"\n") - text.count(b" d ")
    header, *rest = cnf.read_text().splitlines()
    formula = [[int(word) for word in line.split()[:-1]] for line in rest]
    assert naive_lrat(formula, int(header.split()[2]), text) == 0
    lines = text.splitlines(keepends=True)
    proof.write_bytes(b"".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :]))
    with pytest.raises(CertificateError, match=r"the hint \d+ is not a clause"):
        check_proof(cnf, proof, kind="lrat")
