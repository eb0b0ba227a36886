"""Proofs that hold, and what goes wrong on the way to one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from exactile.backends import sat_proof
from exactile.backends.sat import PROOFS, solver_names
from exactile.backends.sat_proof import read_dimacs, write_refutation
from exactile.errors import BackendError
from exactile.model.encode import encode
from exactile.model.lower import lower
from support import full_disk
from support.small import dominoes, mutilated
from support.waiting import PATIENCE

Clauses = list[list[int]]


def write_cnf(path: Path, clauses: Clauses) -> Path:
    top = max((abs(x) for clause in clauses for x in clause), default=0)
    lines = [f"p cnf {top} {len(clauses)}", "c a comment"]
    path.write_text("\n".join([*lines, *(" ".join(map(str, [*c, 0])) for c in clauses), ""]))
    return path


def holds(clauses: Clauses, proof: str) -> bool:
    """Check a proof as slowly as can be: every line follows by unit propagation; deletions are
    left out, which makes nothing follow that did not."""
    known = [set(c) for c in clauses]
    lines = proof.splitlines()
    for line in lines:
        if line.startswith("d"):
            continue
        *words, end = map(int, line.split())
        assert end == 0
        false = {-x for x in words}
        if not contradicts(known, false):
            return False
        known.append(set(words))
    return lines[-1] == "0"


def contradicts(clauses: list[set[int]], true: set[int]) -> bool:
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if clause & true:
                continue
            rest = [x for x in clause if -x not in true]
            if not rest:
                return True
            if len(rest) == 1:
                true.add(rest[0])
                changed = True
    return False


def formulas() -> list[Clauses]:
    return [
        [[1], [-1]],
        [[1, 2], [-1, 2], [1, -2], [-1, -2]],
        [[1], [-1, 2], [-2]],
        [[1, 2], []],
        encode(lower(mutilated(4))).clauses(),
        encode(lower(mutilated(4)), "product").clauses(),
        encode(lower(mutilated(6)), "seqcounter").clauses(),
    ]


@pytest.mark.parametrize("solver", PROOFS)
def test_proofs_hold(tmp_path: Path, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made in this process, which is faster."""
    monkeypatch.setattr(tempfile, "tempdir", None)  # restored afterwards
    for clauses in formulas():
        cnf = write_cnf(tmp_path / "cnf", clauses)
        assert sat_proof.refute(cnf, tmp_path / "proof", solver)
        assert holds(clauses, (tmp_path / "proof").read_text()), clauses


def test_a_process_writes_the_same(tmp_path: Path) -> None:
    clauses = formulas()[-1]
    cnf = write_cnf(tmp_path / "cnf", clauses)
    assert write_refutation(cnf, tmp_path / "proof") is True
    assert holds(clauses, (tmp_path / "proof").read_text())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cnf", "proof"]


def test_every_solver_with_proofs_is_there() -> None:
    assert set(PROOFS) < set(solver_names())


def test_maplesat_is_not_trusted(tmp_path: Path) -> None:
    """What it writes is of other variables. If this fails one day, it may join the others."""
    from pysat.solvers import Solver

    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    with Solver("maplesat", bootstrap_with=clauses, with_proof=True) as running:
        assert not running.solve()
        assert not holds(clauses, "\n".join(running.get_proof()))
    cnf = write_cnf(tmp_path / "cnf", clauses)
    with pytest.raises(BackendError, match="'maplesat' writes no valid proofs"):
        write_refutation(cnf, tmp_path / "proof", "maplesat")


def test_a_long_binary_proof_is_translated_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    clauses = encode(lower(mutilated(4))).clauses()
    cnf = write_cnf(tmp_path / "cnf", clauses)
    assert sat_proof.refute(cnf, tmp_path / "whole", "cadical195")
    monkeypatch.setattr(sat_proof, "CHUNK", 7)
    assert sat_proof.refute(cnf, tmp_path / "pieces", "cadical195")
    assert (tmp_path / "whole").read_text() == (tmp_path / "pieces").read_text()


def test_the_binary_format() -> None:
    """Numbers of one, two and three bytes, added and deleted; nothing after the empty clause."""
    data = b"a\x02\x05\x00" + b"d\x80\x01\x00" + b"a\x81\x80\x01\x00" + b"a\x00" + b"d\x02\x00"
    numbers = sat_proof._numbers(np.frombuffer(data, dtype=np.uint8))
    assert sat_proof._lines(numbers) == ("1 -2 0\nd 64 0\n-8192 0\n", True)


def test_a_formula_with_a_solution_has_no_proof(tmp_path: Path) -> None:
    cnf = write_cnf(tmp_path / "cnf", encode(lower(dominoes(4, 4))).clauses())
    assert write_refutation(cnf, tmp_path / "proof") is False
    assert [p.name for p in tmp_path.iterdir()] == ["cnf"]


def test_a_time_limit_leaves_nothing_behind(tmp_path: Path) -> None:
    hard = encode(lower(mutilated(20))).clauses()
    cnf = write_cnf(tmp_path / "cnf", hard)
    assert write_refutation(cnf, tmp_path / "proof", stopped=lambda: "time limit") is None
    assert [p.name for p in tmp_path.iterdir()] == ["cnf"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
@pytest.mark.parametrize("solver", ["cadical195", "glucose4"])
@pytest.mark.parametrize("limit", [100, 6000])
def test_a_full_disk_leaves_no_half_proof(tmp_path: Path, solver: str, limit: int) -> None:
    """No file may grow beyond the limit: the solver's own, in the first case even the last one."""
    clauses = encode(lower(mutilated(8))).clauses()
    cnf = write_cnf(tmp_path / "cnf", clauses)
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from exactile.backends.sat_proof import write_refutation\n"
        "from exactile.errors import BackendError\n"
        "limit = int(sys.argv[4])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "try:\n"
        "    print(write_refutation(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))\n"
        "except BackendError as error:\n"
        "    print(error)\n"
    )
    words = [sys.executable, "-c", code, str(cnf), str(tmp_path / "proof"), solver, str(limit)]
    environment = full_disk.ENVIRONMENT
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=PATIENCE, check=True, env=environment
    )
    assert "The proof cannot be written" in done.stdout
    assert [p.name for p in tmp_path.iterdir()] == ["cnf"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    cnf = write_cnf(tmp_path / "cnf", [[1], [-1]])
    with pytest.raises(BackendError, match="cannot be written"):
        write_refutation(cnf, tmp_path / "missing" / "proof")


@pytest.mark.parametrize("text", ["p cnf 1 1\n1 x 0\n", "p cnf 1 1\n1\n"])
def test_a_formula_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "cnf").write_text(text)
    with pytest.raises(BackendError, match="The formula cannot be read"):
        write_refutation(tmp_path / "cnf", tmp_path / "proof")


def test_a_killed_solver_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os.kill(os.getpid(), 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    cnf = write_cnf(tmp_path / "cnf", [[1], [-1]])
    with pytest.raises(BackendError, match="died \\(SIGKILL\\)"):
        write_refutation(cnf, tmp_path / "proof")
    assert not (tmp_path / "proof").exists()
    assert not list(tmp_path.glob("*.part"))


def test_dimacs_is_read_whatever_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "cnf"
    path.write_text("c x\np cnf 3 3\n1 -2\n0 3 0\n0\nc end\n")
    assert read_dimacs(path) == [[1, -2], [3], []]
