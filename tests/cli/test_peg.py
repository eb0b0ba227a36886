"""`exactile peg` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactile.classics.peg import load_board, verbs
from exactile.classics.peg.problem import PegProblem
from exactile.classics.peg.search import PegLimits
from support.command_line import Cli

BOARDS = '''
[board.one]
grid = "square"
drawing = """
##o
ooo
"""
goal = """
oo#
ooo
"""
'''


def test_all_starts(cli: Cli) -> None:
    code, out, err = cli("peg", "triangle-4", "--shortest")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "1: no solution (parity)"
    assert lines[1] == "2: 7-2 1-4 9-7-2 6-4-1-6 10-3"
    assert len(lines) == 10
    assert err == "triangle-4, native: 10 starts: 6 solvable, 4 unsolvable\n"


def test_all_solutions_and_some(cli: Cli) -> None:
    code, out, _ = cli("peg", "triangle-4", "--start", "2", "--all")
    assert (code, len(set(out.splitlines()))) == (0, 14)
    code, some, _ = cli("peg", "triangle-4", "--start", "2", "--limit", "3")
    assert (code, some.splitlines()) == (0, out.splitlines()[:3])
    code, every, _ = cli("peg", "triangle-4", "--all", "-q")
    assert code == 0
    assert sum("-" in line for line in every.splitlines()) == 84


def test_counts(cli: Cli) -> None:
    assert cli("peg", "triangle-5", "--start", "5", "--count")[:2] == (0, "1550\n")
    code, out, _ = cli("peg", "triangle-4", "--count", "--by-moves")
    assert code == 0
    assert out.splitlines()[-1] == (
        "| all        |      12 |      24 |      30 |      18 |        84 |"
    )
    code, out, _ = cli("peg", "triangle-4", "--count", "--shortest", "--json")
    document = json.loads(out)
    assert (code, document["count"]) == (0, 12)
    assert [start["moves"] for start in document["starts"]][:2] == [None, 5]
    code, out, _ = cli("peg", "wiegleb", "--start", "5", "--count", "--time-limit", "0.1")
    assert (code, out) == (3, "unknown (time limit)\n")
    code, out, _ = cli("peg", "triangle-4", "--start", "1", "--count", "--backend", "dlx")
    assert (code, out) == (0, "0\n")


@pytest.mark.parametrize("words", [[], ["--by-moves"], ["--shortest"]])
def test_an_interrupted_count_has_no_sum(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Ctrl-C comes when four of ten starts are counted."""
    tally, done = verbs.tally, list[verbs.PegTally]()

    def interrupted(*given: Any, **options: Any) -> verbs.PegTally:
        if len(done) == 2:  # the third and the fourth start are images of the second one
            raise KeyboardInterrupt
        done.append(tally(*given, **options))
        return done[-1]

    monkeypatch.setattr(verbs, "tally", interrupted)
    code, out, err = cli("peg", "triangle-4", "--count", *words)
    rows = [line.strip("| ").split() for line in out.splitlines()][2:]
    assert code == 130
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "all"]
    assert rows[-1][-1] == "-"
    assert "10 starts: 3 solvable, 1 unsolvable, 6 unknown" in err


def test_solutions_with_the_fewest_moves_are_not_counted_by_moves() -> None:
    problem = PegProblem.vacancy(load_board("triangle-4"), 1)  # it has no solution
    settings = verbs.PlaySettings(fewest=True)
    assert verbs.tally(problem, settings, PegLimits(), by_moves=True).by_moves is None


def test_reasons(cli: Cli) -> None:
    code, out, _ = cli("peg", "triangle-4", "--start", "1")
    assert code == 0
    assert "Each jump changes it by 0 or 2. At the start it is 6, at the end it would be 1." in out
    code, out, _ = cli("peg", "diamond-4", "--start", "13", "--end", "13", "--set", "pagoda=yes")
    assert code == 0
    assert "No jump makes the sum larger." in out
    code, out, _ = cli("peg", "triangle-5", "--start", "5", "--end", "1")
    assert code == 0
    assert "A last peg in hole 1: all sequences were tried, " in out
    code, out, _ = cli(
        "peg", "triangle-4", "--start", "1", "--backend", "sat", "--set", "use_reasons=no"
    )
    assert code == 0
    assert "A last peg anywhere: sat found its model unsolvable." in out


def test_json(cli: Cli) -> None:
    code, out, err = cli("peg", "triangle-4", "--start", "2", "--shortest", "--all", "--json")
    document = json.loads(out)
    assert (code, err, document["status"]) == (0, "", "complete")
    (start,) = document["starts"]
    assert start["empty"] == [2]
    assert start["moves"] == 5
    assert [[7, 2], [1, 4], [9, 7, 2], [6, 1, 4, 6], [10, 3]] in start["solutions"]
    code, out, _ = cli("peg", "european", "--start", "19", "--json")
    (start,) = json.loads(out)["starts"]
    assert code == 0
    assert {reason["kind"] for reason in start["reasons"]} == {"parity"}
    assert sum(len(reason["goals"]) for reason in start["reasons"]) == 37


def test_pictures(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("peg", "triangle-4", "--start", "2", "--shortest", "--format", "boards")
    assert code == 0
    assert out.startswith("1.  7-2\n   #\n  o #\n # # #\n# # # #\n\n2.  1-4\n")
    assert out.endswith("end\n   o\n  o #\n o o o\no o o o\n")
    target = tmp_path / "a.svg"
    code, out, _ = cli("peg", "triangle-4", "--format", "svg", "-o", str(target))
    assert (code, out) == (0, "")
    assert target.read_text("utf-8").startswith("<svg ")
    target = tmp_path / "a.png"
    assert cli("peg", "triangle-4", "-o", str(target))[:2] == (0, "")
    assert target.read_bytes().startswith(b"\x89PNG")
    code, out, err = cli("peg", "triangle-4", "--start", "1", "--format", "svg")
    assert (code, out) == (0, "")
    assert "1 unsolvable" in err
    assert cli("peg", "triangle-4", "--start", "1", "--format", "svg", "-q") == (0, "", "")


def test_a_board_of_ones_own(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(BOARDS, "utf-8")
    assert cli("peg", str(path))[:2] == (0, "1-3\n")
    assert cli("peg", str(path), "--end", "1")[0] == 0
    assert cli("peg", str(path), "--holes")[:2] == (0, "1 2 3\n4 5 6\n")
    code, out, err = cli("peg", str(path), "--holes", "--json")
    assert (code, out) == (2, "")
    assert "--holes and --json exclude each other" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--all", "--limit", "2"], "--all and --limit exclude each other"),
        (["--count", "--all"], "--count and --all exclude each other"),
        (["--by-moves"], "--by-moves goes with --count"),
        (["--json", "--format", "svg"], "--json and --format exclude each other"),
        (["--format", "svg", "--all"], "--format svg and --all exclude each other"),
        (["--set", "memory=8"], "8 is less than 1M: write 8M or 8G"),
        (["--set", "memory=0"], "0 is not a size: write 500M or 8G"),
    ],
)
def test_wrong_usage(cli: Cli, words: list[str], message: str) -> None:
    code, _, err = cli("peg", "triangle-4", *words)
    assert code == 2
    assert message in " ".join(err.replace("│", " ").split())


def test_errors(cli: Cli) -> None:
    code, out, err = cli("peg", "triangle-4", "--start", "11")
    assert (code, out) == (1, "")
    assert err.startswith("Error: The board triangle-4 has no hole 11")
    code, out, err = cli("peg", "english", "--start", "17", "--count", "--set", "memory=1M")
    assert (code, out) == (1, "")
    assert "needs more than 1M, " in err
    code, _, err = cli("peg", "triangle-4", "--backend", "nothing")
    assert code == 1
    assert "nothing" in err


def test_help_fits(cli: Cli) -> None:
    code, out, _ = cli("peg", "--help")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_counts_agree_with_reasons(cli: Cli) -> None:
    code, out, _ = cli("peg", "european", "--start", "19", "--count")
    assert (code, out.split()) == (0, ["0"])


def test_wrong_backends_and_limits_are_noticed_at_once(cli: Cli) -> None:
    code, out, err = cli("peg", "triangle-4", "--start", "1", "--backend", "foo")
    assert (code, out) == (1, "")
    assert "There is no backend 'foo'" in err
    code, _, err = cli("peg", "english", "--set", "memory=nan")
    assert code == 2
    assert "nan" in err
