"""The checker as a program of its own, compiled from its sources as they stand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "native"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    path = tmp_path_factory.mktemp("program") / "check-proof"
    sources = [SOURCES / "proof_checker_main.cpp", SOURCES / "proof_checker.cpp"]
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, "-O1", "-std=c++20", *warnings, "-o", path, *sources], check=True)
    return path


def test_the_program(program: Path, tmp_path: Path) -> None:
    def run(*arguments: str | Path) -> tuple[int, str]:
        result = subprocess.run([program, *arguments], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    cnf, proof = tmp_path / "cnf", tmp_path / "proof"
    cnf.write_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    proof.write_text("1 0\n0\n")
    assert run(cnf, proof) == (0, "c 2 lemmas, 0 deletions, 4 propagations\ns VERIFIED\n")
    proof.write_text("0\n")
    assert run(cnf, proof, "--assume", "1")[0] == 0
    code, text = run(cnf, proof)
    assert code == 1
    assert text.startswith("s NOT VERIFIED line 1: the lemma does not follow by unit propagation")
    assert run(cnf, proof, "--assume", "5")[0] == 1
    proof.write_text("1 0\n0\n")
    assert run(cnf, proof, "--write-lrat", tmp_path / "lrat")[0] == 0
    assert run(cnf, tmp_path / "lrat", "--lrat")[0] == 0
    code, text = run(cnf, proof, "--write-lrat", tmp_path)
    assert code == 2
    assert text.startswith(f"cannot open {tmp_path}: ")
    if Path("/dev/full").exists():
        assert run(cnf, proof, "--write-lrat", "/dev/full")[0] == 2
    proof.write_text("5 1 0 1 3 0\n6 0 5 2 4 0\n")
    assert run("--lrat", cnf, proof)[0] == 0
    assert run(cnf, proof)[0] == 1
    assert run(cnf, tmp_path)[0] == 1
    assert run(cnf, tmp_path / "none") == (
        2,
        f"cannot open {tmp_path / 'none'}: No such file or directory\n",
    )
    for wrong in (
        *([], [cnf], [cnf, proof, "--drat"], [cnf, proof, "--assume", "x"]),
        [cnf, proof, "--lrat", "--write-lrat", tmp_path / "lrat"],
    ):
        code, text = run(*wrong)
        assert (code, text.split()[0]) == (2, "usage:")
