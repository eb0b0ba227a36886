"""Model files as a user meets them: `count`, `solve`, `export`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support import cover_files as problems
from support.command_line import Cli
from support.ctrl_c import interrupted


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Relative paths are below a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def file(text: str, name: str = "problem.xcc") -> str:
    Path(name).write_text(text, "utf-8")
    return name


def test_the_number_of_solutions_is_printed(cli: Cli) -> None:
    code, out, err = cli("count", file(problems.langford(7)))
    assert (code, out) == (0, "52\n")
    assert err.startswith("problem.xcc, dlx: all 52 solutions, 21 items, 63 options, ")


def test_unsolvable_exits_with_20(cli: Cli) -> None:
    code, out, err = cli("count", file(problems.langford(5)))
    assert (code, out) == (0, "0\n")
    assert "no solution" in err


def test_a_limit_leaves_the_number_open(cli: Cli) -> None:
    code, out, err = cli("solve", file(problems.langford(7)), "--limit", "5")
    assert (code, out.count("\n\n")) == (0, 4)
    assert "5 solutions (solution limit)" in err


def test_unknown_exits_with_3(cli: Cli) -> None:
    hard = file(problems.langford(18))  # no solution, and a long search
    code, out, err = cli("count", hard, "--time-limit", "0.1", "--json")
    document = json.loads(out)
    assert (code, err) == (3, "")
    assert (document["status"], document["count"]) == ("unknown", None)
    assert (document["found"], document["stopped"]) == (0, "time limit")


@pytest.mark.parametrize("backend", ["reference", "sat", "cpsat"])
def test_solutions_are_lines_of_options(cli: Cli, backend: str) -> None:
    name = file(problems.COLORS)
    code, out, _ = cli("solve", name, "--all", "--backend", backend)
    assert (code, out) == (0, "p r x:A y\nq x:A\n")
    code, out, _ = cli("solve", name, "--all", "--json", "--backend", backend)
    assert json.loads(out)["solutions"] == [["p r x:A y", "q x:A"]]


def test_solutions_have_an_empty_line_between_them(cli: Cli) -> None:
    _, out, _ = cli("solve", file(problems.langford(3)), "--all", "-q")
    first, second = (set(block.splitlines()) for block in out.split("\n\n"))
    assert {"3 s1 s5", "3 s2 s6"} == {line for line in first | second if line[0] == "3"}
    assert len(first) == len(second) == 3


def test_options_that_take_no_part_are_reported(cli: Cli) -> None:
    name = file(problems.IGNORED)
    _, out, err = cli("count", name, "--backend", "reference")
    assert out == "1\n"
    assert "problem.xcc: 1 option without primary items ignored (line 4)" in err
    _, out, _ = cli("count", name, "--backend", "sat", "--json")
    document = json.loads(out)
    assert (document["count"], document["ignored_lines"]) == (1, [4])


def test_mistakes_get_one_message(cli: Cli) -> None:
    code, out, err = cli("count", file("a b\na c\n"))
    assert (code, out) == (1, "")
    assert err == 'Error: problem.xcc: line 2: there is no item "c".\n'
    code, _, err = cli("count", "nowhere.xcc")
    assert (code, err) == (1, "Error: nowhere.xcc: there is no such file.\n")
    assert cli("export", "pentominoes-6x10", "--format", "abc")[0] == 2


@pytest.mark.parametrize(
    ("puzzle", "raw"), [("pentominoes-3x20", 8), ("tetrahexes-4x7", 18), ("soma-cube", 11520)]
)
def test_exported_puzzles_have_their_solutions(cli: Cli, puzzle: str, raw: int) -> None:
    assert cli("export", puzzle, "-o", "puzzle.xcc") == (0, "", "")
    assert cli("count", "puzzle.xcc", "-q") == (0, f"{raw}\n", "")


def test_the_crossing_rule_is_exported(cli: Cli) -> None:
    puzzle = "tritrigs-heart-2"
    counts = []
    for words in ([], ["--set", "allow_crossing=yes"]):
        _, text, _ = cli("export", puzzle, *words)
        assert text.startswith(f"| {puzzle}: ")
        assert ("pieces may cross" in text) == bool(words)
        _, out, _ = cli("count", file(text), "-q")
        _, expected, _ = cli("count", puzzle, "--json", *words)
        assert int(out) == json.loads(expected)["raw"]
        counts.append(int(out))
    assert counts[0] < counts[1]


def test_standard_input(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "exactile", "count", "xcc:-"],
        input=problems.TOY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert done.stderr.startswith("standard input, dlx: ")


@pytest.mark.parametrize("backend", ["dlx", "reference", "sat"])
def test_ctrl_c_leaves_with_130(cli: Cli, tmp_path: Path, backend: str) -> None:
    path = tmp_path / "hard.xcc"
    path.write_text(problems.langford(18), "utf-8")
    words = ("count", str(path), "--json", "--backend", backend)
    code, out, err = interrupted(lambda: cli(*words))
    assert (code, err) == (130, "")  # the answer says it, as that of `count` does
    assert json.loads(out)["stopped"] == "interrupted"
