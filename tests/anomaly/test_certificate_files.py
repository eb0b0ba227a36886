"""Certificates from nobody knows where: pipes, exchanged files, endless sizes, other puzzles."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

import exactile
from exactile.certificate import placements, reading
from exactile.certificate import reading as files
from exactile.certificate import verify as verification
from exactile.certificate.formula import Clauses
from exactile.certificate.linear import LinearCertificate
from exactile.certificate.linear import verify as verify_linear
from exactile.certificate.placements import Symmetries
from exactile.certificate.verify import verify
from exactile.cli.main import run
from exactile.errors import CertificateError
from exactile.files.puzzles.writer import write_puzzles
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.statement import stated
from exactile.reasons.certify import PROOF, certify

OF_CLAUSES = [name for name in files.FILES if name != files.CONSTRAINTS]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("small") / "c"
    certify(exactile.load("dominoids-two-cubes"), directory)
    return directory


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small, tmp_path / "copy"))


def _change(directory: Path, **keys: object) -> None:
    path = directory / files.MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | keys))


def test_a_format_to_come_is_refused_in_one_sentence(copy: Path) -> None:
    _change(copy, format=3)
    with pytest.raises(CertificateError, match="it has format 3; this version reads 1"):
        verify(copy)


@pytest.mark.parametrize("name", [*OF_CLAUSES, PROOF])
def test_a_pipe_is_no_file(name: str, copy: Path) -> None:
    (copy / name).unlink()
    os.mkfifo(copy / name)
    with pytest.raises(CertificateError, match=rf"{name}: it is not a regular file"):
        verify(copy)


@pytest.mark.parametrize("name", [*OF_CLAUSES, PROOF])
def test_a_link_to_an_endless_device_is_no_file(name: str, copy: Path) -> None:
    (copy / name).unlink()
    (copy / name).symlink_to("/dev/zero")
    with pytest.raises(CertificateError, match=rf"{name}: it is not a regular file"):
        verify(copy)


@pytest.mark.parametrize("name", OF_CLAUSES)
def test_files_beyond_a_size_are_refused(name: str, copy: Path) -> None:
    os.truncate(copy / name, reading.LARGEST + 1)  # a hole: it takes no place
    with pytest.raises(CertificateError, match=rf"{name}: it is too large"):
        verify(copy)


def test_a_line_without_end_is_refused(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 1000)
    (copy / files.FORMULA).write_text("p" * 2000)
    with pytest.raises(CertificateError, match=r"formula\.cnf, line 1: the line is too long"):
        verify(copy)


def test_a_formula_exchanged_while_it_is_read_proves_nothing(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forger leaves out a solution, and gives the checker a formula that is refuted."""
    lines = (copy / files.SOLUTIONS).read_text().splitlines(keepends=True)
    (copy / files.SOLUTIONS).write_text("")
    _change(copy, raw=0, rotation=0, symmetry=0)
    assert lines
    with pytest.raises(CertificateError, match=r"formula\.cnf, line 1: it differs from what"):
        verify(copy)
    manifest = files.read_manifest(copy)
    formula = Clauses(exactile.load("dominoids-two-cubes"))
    group = Symmetries(formula.puzzle)
    (copy / files.FORMULA).write_text(
        "".join(verification.formula_text(formula, manifest, group, set()))
    )
    (copy / PROOF).write_text("0\n")
    compare = verification._compare

    def exchanged(path: Path, *given: object) -> None:
        compare(path, *given)  # type: ignore[arg-type]
        if path.name == files.FORMULA:
            path.write_text("p cnf 1 2\n1 0\n-1 0\n")  # has no model

    monkeypatch.setattr(verification, "_compare", exchanged)
    with pytest.raises(CertificateError, match=r"proof\.drup"):
        verify(copy)


def test_a_certificate_is_not_attributed_to_another_puzzle(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle = exactile.load("dominoids-two-cubes")
    write_puzzles(tmp_path / "my.toml", [replace(puzzle, name="mine")])
    assert run(["verify-certificate", str(small), "--puzzle", f"{tmp_path}/my.toml#mine"]) == 0
    told = capsys.readouterr().out
    assert "mine has exactly 20 solutions" in told
    assert "dominoids-two-cubes" not in told
    assert f"Digest: {puzzle.digest}" in told


def test_a_name_that_is_not_compared_is_not_claimed(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _change(copy, name="a-famous-puzzle")
    assert run(["verify-certificate", str(copy)]) == 0
    told = capsys.readouterr().out
    assert "the puzzle that it states has exactly 20 solutions" in told
    assert "It calls itself a-famous-puzzle, but no puzzle of the catalogue" in told
    assert run(["verify-certificate", str(copy), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["puzzle"], answer["calls_itself"]) == (None, "a-famous-puzzle")
    assert answer["digest"] == exactile.load("dominoids-two-cubes").digest
    _change(copy, name="soma-cube")
    assert run(["verify-certificate", str(copy)]) == 1
    assert "not for soma-cube" in capsys.readouterr().err


def test_a_key_that_stands_twice_is_refused(copy: Path) -> None:
    path = copy / files.MANIFEST
    path.write_text(path.read_text().replace('"raw":', '"raw": 3, "raw":', 1))
    with pytest.raises(CertificateError, match="the key 'raw' occurs twice"):
        verify(copy)


@pytest.mark.parametrize("half", [b"\xed\xa0\x80", b"\\ud800", b"\xff", b"\xfe\xff"])
@pytest.mark.parametrize("place", [b'"made_by', b'"made_by": "'])
def test_half_a_character_is_damage(place: bytes, half: bytes, copy: Path) -> None:
    path = copy / files.MANIFEST
    assert path.read_bytes().count(place) == 1
    path.write_bytes(path.read_bytes().replace(place, place + half))
    with pytest.raises(CertificateError, match=r"certificate\.json: it is damaged"):
        verify(copy)


def test_a_full_disk_for_temporary_files_is_named(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(verification, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(verification, "check_proof", full)
    assert run(["verify-certificate", str(copy)]) == 1
    assert f"Cannot read or write {tmp_path}: No space left" in capsys.readouterr().err


def test_rules_that_formulas_do_not_know_are_refused(copy: Path) -> None:
    manifest = files.read_manifest(copy)
    manifest.puzzle = stated(exactile.load("hexiamonds-iamond-hex-joined"))
    files.write_manifest(copy, manifest)
    with pytest.raises(CertificateError, match="pieces that must be joined"):
        verify(copy)


def test_a_balance_with_random_weights_takes_little_memory() -> None:
    lattice = get_lattice("square")
    units = lattice.points(lattice.builders["box"](50, 20))
    domino = Piece("I2", lattice, ((0, 0), (1, 0)), Freedom.FREE, 500, 500)
    puzzle = Puzzle("wide", Region(lattice, units), (domino,))
    rng = random.Random(1)
    weights = {tuple(u): rng.randint(-(10**12), 10**12) for u in units.tolist()}
    tracemalloc.start()
    try:
        with pytest.raises(CertificateError, match="too many sums"):
            verify_linear(puzzle, LinearCertificate("balance", 0, weights))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_puzzle_with_too_many_placements_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placements, "MOST_UNITS", 20)
    with pytest.raises(CertificateError, match="too many placements for a certificate"):
        verify(copy)


def test_more_solutions_than_claimed_are_not_looked_at(copy: Path) -> None:
    _change(copy, raw=3)
    with pytest.raises(CertificateError, match="more than the 3 claimed"):
        verify(copy)
