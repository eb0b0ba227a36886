"""Proofs that a sudoku has no other solution: formula and proof belong together."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from exactile.certificate.checker import check_proof
from exactile.classics.grids import verbs
from exactile.classics.grids.search import SudokuSearch
from exactile.classics.grids.sudoku import Layout, boxed
from exactile.classics.grids.verbs import FORMULA, PROOF, clauses, prove_solutions
from exactile.errors import CertificateError
from exactile.search.limits import Limits
from support.clock import late
from support.sudokus import HARD, HARD_SOLUTION, LAYOUTS, SMALL, empty, sudoku


@pytest.mark.parametrize(
    ("text", "solutions"), [(HARD, [HARD_SOLUTION]), ("1" + HARD[1:], []), (SMALL[:8] + "." * 8, 2)]
)
def test_proofs_are_accepted(text: str, solutions: object, tmp_path: Path) -> None:
    subject = sudoku(text)
    proven = prove_solutions(subject, tmp_path / "new")
    assert proven is not None
    assert set(proven.solutions) == set(SudokuSearch(subject))
    if isinstance(solutions, list):
        assert [subject.text(g) for g in proven.solutions] == solutions
    lemmas = (tmp_path / "new" / PROOF).read_text("ascii").splitlines()
    assert proven.lemmas == len([line for line in lemmas if not line.startswith("d")]) > 0


def test_without_the_forbidden_solution_the_proof_is_refused(tmp_path: Path) -> None:
    assert prove_solutions(sudoku(HARD), tmp_path / "new") is not None
    formula = tmp_path / "new" / FORMULA
    lines = formula.read_text("ascii").splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("p "))
    words = lines[head].split()
    lines[head] = f"p cnf {words[2]} {int(words[3]) - 1}"
    formula.write_text("\n".join(lines[:-1]) + "\n", "ascii")
    with pytest.raises(CertificateError, match="is refused"):
        check_proof(formula, tmp_path / "new" / PROOF)


@pytest.mark.parametrize("name", ["4x4", "X", "windows"])
def test_the_formula_holds_for_the_solutions_and_no_others(name: str) -> None:
    """Grids of four rows that are permutations: the clauses say which are solutions."""
    layout: Layout = LAYOUTS[name]
    rows = [r for r in product(range(1, 5), repeat=4) if len(set(r)) == 4]
    found = set()
    every = clauses(empty(layout), [])
    first = (1, 2, 3, 4)
    for rest in product(rows, repeat=3):
        columns = list(zip(first, *rest, strict=True))
        if any(len(set(column)) < 4 for column in columns):
            continue
        grid = (*first, *rest[0], *rest[1], *rest[2])
        true = {4 * cell + d for cell, d in enumerate(grid)}
        if all(any((lit > 0) == (abs(lit) in true) for lit in clause) for clause in every):
            found.add(grid)
    assert found == {g for g in SudokuSearch(empty(layout)) if g[:4] == first}


def test_the_time_may_be_over_before_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late(monkeypatch, 1, verbs, "refute")
    assert prove_solutions(sudoku(HARD), tmp_path / "new", limits=Limits(1000)) is None
    assert list(tmp_path.iterdir()) == []


def test_the_time_may_be_over(tmp_path: Path) -> None:
    assert prove_solutions(empty(boxed(9, (3, 3))), tmp_path / "new", limits=Limits(0.1)) is None
    assert list(tmp_path.iterdir()) == []
