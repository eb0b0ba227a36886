"""`count --method` and `sample` as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import exactile
from exactile.counting.method import Method
from exactile.counting.sampled import SampledFrontier
from support.clock import late
from support.command_line import Cli


def test_count_without_listing(cli: Cli) -> None:
    code, out, err = cli("count", "dominoes-16x16")
    assert code == 0
    assert "dominoes-16x16, memo: complete" in out
    number = "2,444,888,770,250,892,795,802,079,170,816"
    assert re.search(rf"all +{number}   as published", out)
    assert len({line.index(",", 20) for line in out.splitlines()[2:]}) == 1  # in one column
    assert "8 symmetries" in err


@pytest.mark.parametrize(
    ("method", "taken"),
    [("auto", "memo"), ("memo", "memo"), ("frontier", "frontier"), ("list", "list")],
)
def test_methods_agree(cli: Cli, method: str, taken: str) -> None:
    code, out, err = cli("count", "dominoes-6x6", "--method", method, "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["method"] == taken
    assert document["status"] == "complete"
    assert [document[k] for k in ("raw", "rotation", "symmetry")] == [6728, 1712, 930]
    assert {"items", "options", "nodes", "seconds"} <= document["stats"].keys()


def test_memory_of_a_front(cli: Cli, tmp_path: Path) -> None:
    words = ("count", "pentominoes-5x12", "--method", "frontier", "--set", f"scratch={tmp_path}")
    code, out, _ = cli(*words, "--memory", "100M", "--workers", "2")
    assert code == 0
    assert "pentominoes-5x12, frontier: complete" in out
    assert "up to symmetry         1,010" in out
    code, _, err = cli(*words, "--memory", "100K")
    assert code == 1
    assert "allow it more (--memory)" in err
    for size in ("none", "0", "5T", "-1G"):
        code, _, err = cli(*words, f"--memory={size}")
        assert code == 2
        assert f"{size} is not a size: write 500M or 8G." in err


def test_a_time_limit_leaves_nulls(cli: Cli) -> None:
    words = ("count", "hexominoes-14x15", "--method", "memo", "--time-limit", "0.1")
    code, out, _ = cli(*words, "--json")
    document = json.loads(out)
    assert code == 3
    assert (document["status"], document["stopped"]) == ("unknown", "time limit")
    assert [document[k] for k in ("raw", "rotation", "symmetry")] == [None] * 3
    _, out, _ = cli(*words)
    assert "nothing known before the search stopped: time limit" in out


def test_memo_has_no_backend(cli: Cli) -> None:
    code, _, err = cli("count", "dominoes-4x4", "--method", "memo", "--backend", "sat")
    assert code == 2
    assert "--method memo and --backend exclude each other: the method needs no backend" in err
    code, out, _ = cli("count", "dominoes-4x4", "--backend", "reference")
    assert code == 0
    assert "dominoes-4x4, reference: complete" in out


def test_samples_are_drawn(cli: Cli) -> None:
    code, out, err = cli("sample", "dominoes-4x4", "-n", "2", "--seed", "5")
    assert code == 0
    assert [len(block.splitlines()) for block in out.split("\n\n")] == [5, 1, 5, 1]
    assert err == "dominoes-4x4, memo: 2 of 36 solutions\n"
    assert cli("sample", "dominoes-4x4", "-n", "2", "--seed", "5")[1] == out
    assert cli("sample", "dominoes-4x4", "-n", "2", "--seed", "6")[1] != out


def test_samples_from_an_estimate_say_how_nearly_uniform_they_are(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("sample", "polyominoes-45-5x16", "-n", "2", "--about", "--states", "300")
    code, out, err = cli(*words)
    assert (code, len(out.split("\n\n"))) == (0, 4)
    assert re.fullmatch(
        r"polyominoes-45-5x16, sampled frontier: 2 of about [\d.,e]+ solutions; the chance of "
        r"any set of them is off by at most about \d+\.\d\d%\n",
        err,
    )
    assert "2 of 36 solutions" in cli("sample", "dominoes-4x4", "-n", "2", "--about")[2]
    path = tmp_path / "some.svg"
    with monkeypatch.context() as patch:
        late(patch, 20, SampledFrontier, "_begun")
        code, _, err = cli(*words, "--time-limit", "60", "--format", "svg", "-o", str(path))
    assert (code, "2 of " in err, path.exists()) == (0, True, True)
    code, _, err = cli("sample", "dominoes-4x4", "--states", "9")
    assert code == 2
    assert "--states needs --about" in err


@pytest.mark.parametrize("form", ["jsonl", "puzzler"])
def test_samples_are_read_and_checked(cli: Cli, tmp_path: Path, form: str) -> None:
    path = str(tmp_path / "some")
    words = ("sample", "polyominoes-123-8x8", "-n", "30", "--format", form, "-o", path)
    assert cli(*words)[:2] == (0, "")
    code, out, _ = cli("check", "polyominoes-123-8x8", path)
    assert (code, out) == (0, "30 solutions of polyominoes-123-8x8, all right and all different\n")


def test_samples_by_a_front_with_a_scratch_directory(cli: Cli, tmp_path: Path) -> None:
    path = str(tmp_path / "some.jsonl")
    name = "pentominoes-6x10"
    words = ("-n", "20", "-o", path, "--format", "jsonl", "--memory", "30M", "--workers", "2")
    code, _, err = cli("sample", name, *words, "--set", f"scratch={tmp_path}")
    assert (code, err) == (0, f"{name}, frontier: 20 of 9,356 solutions\n")
    code, out, _ = cli("check", name, path)
    assert (code, out) == (0, f"20 solutions of {name}, all right and all different\n")
    assert [p.name for p in tmp_path.iterdir()] == ["some.jsonl"]


def test_samples_as_json(cli: Cli) -> None:
    code, out, err = cli("sample", "dominoes-8x8", "-n", "3", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["raw"], document["seed"], len(document["solutions"])) == (12988816, 0, 3)
    puzzle = exactile.load("dominoes-8x8")
    for solution in document["solutions"]:
        placements = (
            exactile.Placement(name, tuple(map(tuple, units))) for name, units in solution
        )
        exactile.check(puzzle, tuple(placements))


def test_drawing_samples_stops_in_time(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("sample", "dominoes-4x4", "-n", str(2**63 - 1), "--time-limit", "60")
    with monkeypatch.context() as patch:
        late(patch, 2, Method, "unrank")
        code, out, err = cli(*words)
    assert code == 3
    [told] = re.findall(r"([\d,]+) of 36 solutions \(time limit\)", err)
    assert out.count("a-h: I2") == int(told.replace(",", "")) > 0
    late(monkeypatch, 2, Method, "unrank")
    code, out, _ = cli(*words, "--json")
    document = json.loads(out)
    assert (code, document["stopped"], document["raw"]) == (3, "time limit", 36)
    assert document["solutions"]


def test_one_sample_as_a_picture(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "one.svg"
    assert cli("sample", "dominoes-4x4", "--format", "svg", "-o", str(path))[0] == 0
    assert path.read_text().startswith("<svg ")


def test_samples_of_nothing_and_of_too_much(cli: Cli) -> None:
    code, out, err = cli("sample", "mutilated-chessboard-6x6")
    assert (code, out) == (0, "")
    assert err == "mutilated-chessboard-6x6, memo: no solution\n"
    code, out, err = cli("sample", "hexominoes-14x15", "--time-limit", "0.1")
    assert (code, out) == (3, "")
    assert "unknown (time limit)" in err


@pytest.mark.parametrize(
    "words",
    [
        ("-n", "0"),
        ("--json", "--format", "jsonl"),
        ("--json", "-o", "file"),
    ],
)
def test_wrong_usage(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli("sample", "dominoes-4x4", *words)[0] == 2
