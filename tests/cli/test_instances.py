"""`exactile instances` as a user meets it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from exactile.cli.main import run


def test_a_list_by_families(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["instances", "list", "pockets", "aztec-*"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert " ".join(lines[0].split()) == "name answer units options symmetries density source"
    assert lines[1].startswith("aztec-diamonds: 2 to the power")
    assert lines[2].split()[:5] == ["aztec-diamonds-4", "counted", "1,024", "40", "64"]
    for word, end in (("units", "40"), ("options", "64"), ("symmetries", "8"), ("density", "%")):
        assert lines[2][: lines[0].index(word) + len(word)].endswith(end)
    assert "10 instances in 2 families" in err
    assert run(["instances", "list", "pockets", "--answer", "open"]) == 0
    assert "0 instances in 0 families" in capsys.readouterr().err
    assert run(["instances", "list", "banana"]) == 1
    assert "`exactile instances list` has all" in " ".join(capsys.readouterr().err.split())


def test_a_terminal_shows_all_numbers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["instances", "list", "polycubes-*", "bricks"])
    whole = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(["instances", "list", "polycubes-*", "bricks"])
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert max(map(len, lines)) <= 80
    words = " ".join(" ".join(lines).split())
    assert len(whole) > 30
    assert all(" ".join(line.partition("%")[0].split()) + "%" in words for line in whole[1:])


def test_a_list_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["instances", "list", "pockets-4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["families"]
    assert [i["name"] for family in told for i in family["instances"]] == ["pockets-4"]


def test_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "library"
    assert run(["instances", "make", str(place), "pockets-4", "--format", "xcc.gz"]) == 0
    assert "1 instance" in capsys.readouterr().err
    assert (place / "pockets" / "pockets-4.xcc.gz").exists()
    assert (place / "instances.tsv").read_text().splitlines()[0].endswith("\tsha256")
    assert run(["instances", "make", str(place), "pockets-4", "--format", "banana"]) == 1
    assert "There is no format 'banana'" in " ".join(capsys.readouterr().err.split())
