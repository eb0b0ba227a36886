"""`exactile coloring`: output, files and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exactile.certificate.linear import LinearCertificate, verify
from exactile.cli.main import run
from exactile.files import load


def test_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run(["coloring", "mutilated-chessboard-6x6", "-o", str(file)]) == 0
    drawn = capsys.readouterr().out.splitlines()
    assert drawn[0] == "  # o # o #"
    assert "#: black, 18 units" in drawn
    assert drawn[-1].endswith("But there are 18 black and 16 white units.")
    assert file.read_text().startswith("<svg ")


def test_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    assert run(["coloring", "hexiamonds-3x12", "-o", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("hexiamonds-3x12: no coloring rules out a solution.\nTried: ")
    assert max(map(len, said.splitlines())) <= 80
    assert not file.exists()
    assert run(["coloring", "y-pentominoes-15x15", "--time-limit", "1e-9"]) == 3
    assert "no coloring found (time limit). Not all was tried." in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["coloring", "tetrominoes-5x4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    certificate = LinearCertificate.from_json(document["certificate"])
    verify(load("tetrominoes-5x4"), certificate)
    assert (document["puzzle"], certificate.modulus) == ("tetrominoes-5x4", 2)
    assert document["finished"] is True
    assert run(["coloring", "pentominoes-6x10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["certificate"], document["argument"]) == (None, None)
    assert "modulo 2, 3" in document["tried"]


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["coloring", "tetrominoes-5x4", "-o", str(tmp_path / "no" / "x.svg")]) == 1
    assert "Cannot read or write" in capsys.readouterr().err
