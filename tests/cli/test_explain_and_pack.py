"""`explain` and `pack` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exactile
from exactile.cli.words import StatusLine
from exactile.tuning import TUNING
from support.command_line import Cli
from support.ctrl_c import interrupted
from support.few import few


def test_explain_in_words(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "why.svg"
    code, out, err = cli("explain", "mutilated-chessboard-6x6", "-o", str(path))
    assert code == 0
    lines = out.splitlines()
    assert lines[:3] == [
        "mutilated-chessboard-6x6 has no solution.",
        "These 17 units cannot all be covered.",
        "Drop any one of them and the rest can be met.",
    ]
    assert out.count("#") == 17
    assert "17 demands (minimal), refuted by glucose4, " in err
    assert "<title>These 17 units cannot all be covered.</title>" in path.read_text()
    assert ">These 17 units cannot all be covered.</text>" in path.read_text()


def test_explain_as_json(cli: Cli) -> None:
    code, out, err = cli("explain", "tetrominoes-5x4", "--smallest", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["status"] == "unsolvable"
    assert (document["method"], document["minimal"], document["size"]) == ("smallest", True, 5)
    assert document["pieces"] == {"I4": 1, "L4": 1, "O4": 1, "T4": 1, "Z4": 1}
    assert (document["units"], document["rules"], document["at_least"]) == ([], [], 5)
    assert document["refuted_by"] == ["reason", "dlx"]


def test_explain_tells_of_its_steps(cli: Cli) -> None:
    code, _, err = cli("explain", "soma-w", "-v")
    assert code == 0
    assert "7 demands cannot be met together, minimal\n" in err
    assert cli("explain", "soma-w", "-q")[2] == ""


def test_explain_what_has_a_solution(cli: Cli) -> None:
    code, out, _ = cli("explain", "soma-cube")
    assert (code, out) == (0, "soma-cube has a solution: there is nothing to explain.\n")
    document = json.loads(cli("explain", "soma-cube", "--json")[1])
    assert (document["status"], document["size"]) == ("solvable", None)
    assert len(document["solution"]) == 7


def test_explain_areas(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "few.toml"
    path.write_text(
        'format = 1\n[puzzle.few]\nlattice = "square"\n'
        'pieces = { set = "domino" }\nregion = { box = [3, 1] }\n'
    )
    code, out, _ = cli("explain", str(path))
    assert code == 0
    assert out == "few has no solution: the pieces have 2 units, the region has 3.\n"


def test_pack_in_words(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "packing.svg"
    code, out, _ = cli("pack", "tetrominoes-5x4", "--workers", "1", "-o", str(path))
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "tetrominoes-5x4: 16 of 20 units; no packing covers more."
    assert "".join(lines[2:6]).count(".") == 4
    assert path.read_text().startswith("<svg ")


@pytest.mark.parametrize("backend", ["cpsat", "rc2"])
def test_pack_as_json(cli: Cli, backend: str) -> None:
    words = ("pack", "soma-w", "--objective", "pieces", "--backend", backend, "--json")
    code, out, err = cli(*words, "--workers", "1", "--set", "first_look=0")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["value"], document["bound"], document["total"]) == (6, 6, 7)
    assert document["optimal"]
    assert not document["solution"]
    placements = tuple(
        exactile.Placement(name, tuple(map(tuple, units))) for name, units in document["placements"]
    )
    assert len({p.piece for p in placements}) == 6


def test_pack_finds_solutions_too(cli: Cli) -> None:
    code, out, _ = cli("pack", "soma-cube")
    assert code == 0
    assert out.startswith("soma-cube: a solution, with 27 of 27 units.\n")


def test_pack_within_a_limit(cli: Cli) -> None:
    words = ("--time-limit", "0.1", "--workers", "1", "--set", "first_look=0")
    code, out, _ = cli("pack", "hexominoes-14x15", *words)
    assert code == 3
    assert "of 210 units, at most 2" in out
    assert "(time limit).\n" in out


def test_pack_tells_of_each_better_packing(cli: Cli) -> None:
    code, _, err = cli("pack", "tetrominoes-5x4", "--workers", "1", "-v")
    assert code == 0
    assert err.splitlines()[-2] == "16 of 20 units, at most 16"


@pytest.mark.parametrize(
    "words",
    few(
        [
            ("explain", "hexominoes-14x15"),
            ("pack", "hexominoes-14x15", "--set", "first_look=0", "--backend", "rc2"),
            ("pack", "hexominoes-14x15", "--set", "first_look=0"),
        ],
        3,
    ),
)
def test_ctrl_c_keeps_what_there_is(
    words: tuple[str, ...], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TUNING, "first_look", 1e-9)
    code, out, err = interrupted(lambda: cli(*words, "--json"), 3, StatusLine, "__call__")
    assert code == 130, err
    document = json.loads(out)
    assert document["stopped"] == "interrupted"
    assert document["puzzle"] == "hexominoes-14x15"


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "soma-w", "--time-limit", "0"),
        ("pack", "soma-w", "--objective", "corners"),
        ("pack", "soma-w", "--backend", "dlx"),
    ],
)
def test_wrong_usage(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli(*words)[0] == 2
