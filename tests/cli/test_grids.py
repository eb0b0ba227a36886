"""`exactile sudoku`, `exactile queens`, and model files where a puzzle is expected."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from exactile.answers import SudokuAnswer
from exactile.classics.grids import search
from exactile.cli.grid_commands import SudokuSession
from exactile.cli.output import Output
from exactile.cli.words import Progress
from exactile.counting.listing import Alternating
from support.clock import late
from support.command_line import Cli
from support.sudokus import DRAWN, HARD, HARD_SOLUTION, SMALL, SMALL_SOLUTION, TILTED


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Relative paths are below a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def file(text: str, name: str = "grids.txt") -> str:
    Path(name).write_text(text, "utf-8")
    return name


AMBIGUOUS = HARD_SOLUTION.replace("1", ".").replace("2", ".")


def test_a_unique_one_is_drawn(cli: Cli) -> None:
    code, out, err = cli("sudoku", file(DRAWN))
    assert code == 0
    assert out == "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 3 | 4 1\n4 1 | 2 3\n"
    assert err == "grids.txt, dlx: unique\n"
    assert cli("sudoku", file(out), "-q") == (0, out, "")


def test_an_ambiguous_one_shows_two_solutions_and_where_they_differ(cli: Cli) -> None:
    code, out, err = cli("sudoku", file(SMALL[:8] + "." * 8))
    assert code == 0
    assert out.count("----+----") == 2
    assert "# ambiguous: two solutions differ in " in out
    assert "cells: row 3, column 1 (" in out
    assert err == "grids.txt, dlx: ambiguous\n"


def test_a_contradictory_one_has_a_reason(cli: Cli) -> None:
    code, out, err = cli("sudoku", file("1..1" + "." * 12))
    assert code == 0
    assert out.endswith(
        "# contradictory: row 1 has 1 twice: in row 1, column 1 and in row 1, column 4\n"
    )
    assert err == "grids.txt, dlx: contradictory\n"


def test_collections_have_a_line_for_each(cli: Cli) -> None:
    name = file(f"{HARD}\n{AMBIGUOUS}\n{'1' + HARD[1:]}\n")
    code, out, err = cli("sudoku", name)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == HARD_SOLUTION
    assert "  # ambiguous: two solutions differ in " in lines[1]
    assert lines[2].startswith("1" + HARD[1:] + "  # contradictory: ")
    assert err == "grids.txt, dlx: 3 sudokus: 1 ambiguous, 1 contradictory, 1 unique\n"
    assert cli("sudoku", name, "--number", "1", "--format", "line", "-q") == (
        0,
        HARD_SOLUTION + "\n",
        "",
    )
    assert cli("sudoku", name, "--number", "4")[::2] == (
        1,
        "Error: grids.txt: it has no sudoku number 4.\n",
    )


def test_json_is_one_document(cli: Cli) -> None:
    code, out, err = cli("sudoku", file(f"# two\n{HARD}\n{'11' + '.' * 79}\n"), "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["file"], document["backend"]) == ("grids.txt", "dlx")
    assert (document["unique"], document["ambiguous"], document["contradictory"]) == (1, 0, 1)
    first, second = document["sudokus"]
    assert (first["line"], first["status"], first["givens"]) == (2, "unique", HARD)
    assert (first["solutions"], first["differing"]) == ([HARD_SOLUTION], [])
    assert first["stats"]["items"] == 324
    assert second["solutions"] == []
    assert second["reason"].startswith("row 1 has 1 twice")
    _, out, _ = cli("sudoku", file(AMBIGUOUS), "--json")
    (document,) = json.loads(out)["sudokus"]
    one, two = document["solutions"]
    assert [[9 * (r - 1) + c - 1 for r, c in document["differing"]]] == [
        [k for k in range(81) if one[k] != two[k]]
    ]


def test_all_solutions_and_their_number(cli: Cli) -> None:
    name = file("." * 16)
    assert cli("sudoku", name, "--count") == (0, "288\n", "grids.txt, dlx: ambiguous\n")
    code, out, _ = cli("sudoku", name, "--all", "--format", "line", "-q")
    assert (code, len(set(out.splitlines()))) == (0, 288)
    assert len(cli("sudoku", name, "--limit", "5", "--format", "line", "-q")[1].splitlines()) == 5
    assert cli("sudoku", name, "--x", "--count", "-q")[1] == "48\n"
    _, out, _ = cli("sudoku", name, "--count", "--json")
    (document,) = json.loads(out)["sudokus"]
    assert (document["raw"], document["factor"]) == (288, 24)
    code, out, err = cli("sudoku", file("." * 81), "--count", "--time-limit", "0.1")
    assert (code, out) == (3, "not counted in this time\n")
    assert err == "grids.txt, dlx: unknown\n"
    assert cli("sudoku", file("11" + "." * 14), "--count")[:2] == (0, "0\n")
    assert cli("sudoku", file("11" + "." * 14), "--all", "-q")[0] == 0


def test_solutions_are_drawn_with_a_blank_line_between(cli: Cli) -> None:
    code, out, _ = cli("sudoku", file("." * 16), "--limit", "3", "-q")
    grids = out.split("\n\n")
    assert (code, len(grids)) == (0, 3)
    assert not out.startswith("\n")
    assert [len(grid.splitlines()) for grid in grids] == [5, 5, 5], out


def test_a_time_limit_is_told_though_a_later_sudoku_is_done() -> None:
    """So the exit code is that of an unfinished search."""
    session = SudokuSession(
        *("grids.txt", Output("-"), "line"),
        as_json=False,
        minimal=False,
        proof=None,
        settings={},
        progress=Progress(enabled=False),
    )
    for stopped in (None, "solution limit", "time limit", "solution limit", None):
        session.take(SudokuAnswer(line=1, status="solvable", givens="", stopped=stopped), "")
    assert session.stopped == "time limit"


def test_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SMALL.encode())))
    code, out, err = cli("sudoku", "-", "--format", "line")
    assert (code, out, err) == (0, SMALL_SOLUTION + "\n", "standard input, dlx: unique\n")


def test_a_count_takes_the_number_of_workers(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int | None] = []

    class Recorded(Alternating):
        def __init__(self, *, use_memo: bool = True, workers: int | None = None) -> None:
            given.append(workers)
            super().__init__(use_memo=use_memo, workers=workers)

    monkeypatch.setattr(search, "Alternating", Recorded)
    assert cli("sudoku", file(SMALL), "--count", "--workers", "2")[:2] == (0, "1\n")
    assert given == [2]


def test_superfluous_givens_are_told(cli: Cli) -> None:
    _, out, _ = cli("sudoku", file(SMALL), "--minimal")
    assert "# 7 givens superfluous, each by itself: row 1, column 4 (4); " in out
    _, out, _ = cli("sudoku", file(HARD), "--minimal")
    assert out.endswith("# minimal: no given is superfluous\n")
    with pytest.MonkeyPatch.context() as patch:
        late(patch, 1, search, "judge")
        code, out, _ = cli("sudoku", file(HARD), "--minimal", "--time-limit", "60")
    assert code == 3
    assert out.endswith("# unknown which givens are superfluous (time limit)\n")
    _, out, _ = cli("sudoku", file(SMALL), "--minimal", "--json")
    assert json.loads(out)["sudokus"][0]["superfluous"][0] == [1, 4]


def test_jigsaws_in_one_file_or_two(cli: Cli) -> None:
    grid = "1...." + "." * 20
    one = cli("sudoku", file(f"regions\n{TILTED}\n\n{grid}\n"), "--count", "-q")
    file("\n".join(TILTED[k : k + 5] for k in range(0, 25, 5)), "regions.txt")
    two = cli("sudoku", file(grid), "--jigsaw", "regions.txt", "--count", "-q")
    assert one == two == (0, "576\n", "")
    code, _, err = cli("sudoku", "grids.txt", "--jigsaw", "regions.txt", "--boxes", "5x5")
    assert (code, "exclude each other" in err) == (2, True)


@pytest.mark.parametrize("words", [[], ["--x"], ["--windows"], ["--boxes", "2x2"]])
def test_models_go_round(cli: Cli, words: list[str]) -> None:
    name = file("1..............." if words else SMALL)
    _, number, _ = cli("sudoku", name, *words, "--count", "-q")
    assert cli("sudoku", name, *words, "--format", "xcc", "-o", "grid.dlx") == (0, "", "")
    assert Path("grid.dlx").read_text("utf-8").startswith("| sudoku of 4 by 4: 1..")
    assert cli("count", "grid.dlx", "-q")[:2] == (0, number)
    assert cli("count", "grid.dlx", "-q")[1] == number


def test_pictures(cli: Cli) -> None:
    assert cli("sudoku", file(HARD), "--format", "svg", "-o", "a.svg")[0] == 0
    text = Path("a.svg").read_text("utf-8")
    assert text.count("<text") == 81
    assert text.count('font-weight="bold"') == 81 - HARD.count(".")
    _, text, err = cli("sudoku", file(f"{AMBIGUOUS}\n{HARD}\n"), "--format", "svg")
    assert "grids.txt: only sudoku 1 was taken: --number N takes another one." in err
    code, _, err = cli("sudoku", file(f"{AMBIGUOUS}\n1234\n"), "--format", "svg")
    assert (code, "--number" in err) == (0, False)  # the second one is too short
    _, text, err = cli("sudoku", file(AMBIGUOUS), "--format", "svg")
    assert "--number" not in err
    assert "#fbd9a5" in text  # behind the cells that differ
    _, text, _ = cli("sudoku", file(f"regions\n{TILTED}\n\n{'.' * 25}\n"), "--format", "svg")
    assert text.count("<path fill=") + text.count(' fill="#') > 5
    _, text, _ = cli("queens", "6", "--format", "svg")
    assert text.startswith("<svg ")
    for ending, head in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert cli("sudoku", file(HARD), "-o", f"a.{ending}")[0] == 0
        assert cli("queens", "6", "-o", f"b.{ending}")[0] == 0
        assert Path(f"a.{ending}").read_bytes()[:4] == Path(f"b.{ending}").read_bytes()[:4] == head


def test_proofs(cli: Cli) -> None:
    code, _, err = cli("sudoku", file(HARD), "--proof", "proof")
    assert code == 0
    assert err.startswith("proof: a proof of ")
    assert sorted(p.name for p in Path("proof").iterdir()) == ["formula.cnf", "proof.drup"]
    code, _, err = cli("sudoku", "grids.txt", "--proof", "proof")
    assert (code, err) == (1, "Error: proof: it exists already: name a new directory.\n")
    code, _, err = cli("sudoku", file("." * 16), "--proof", "other")
    assert (code, Path("other").exists()) == (1, False)
    assert "more than one solution" in err


@pytest.mark.parametrize(
    "words",
    [
        ["--all", "--limit", "3"],
        ["--all", "--count"],
        ["--minimal", "--format", "svg"],
        ["--minimal", "--format", "png"],
        ["--json", "--format", "line"],
        ["--boxes", "3"],
        ["--boxes", "0x3"],
        ["--count", "--backend", "sat"],
    ],
)
def test_wrong_usage_of_sudoku(cli: Cli, words: list[str]) -> None:
    assert cli("sudoku", file(SMALL), *words)[0] == 2


def test_mistakes_get_one_message(cli: Cli) -> None:
    assert cli("sudoku", "nowhere.txt") == (1, "", "Error: nowhere.txt: there is no such file.\n")
    code, out, err = cli("sudoku", file(f"{HARD}\n{HARD}5\n"), "--json")
    assert (code, out) == (1, "")
    assert err.startswith('Error: grids.txt: line 2: "8...')
    code, _, err = cli("sudoku", file(SMALL), "--set", "backend=nothing")
    assert (code, err[:7]) == (1, "Error: ")


def test_queens(cli: Cli) -> None:
    code, out, err = cli("queens", "6")
    assert (code, out.count("Q"), len(out.splitlines())) == (0, 6, 6)
    assert err.startswith("queens 6, dlx: 1 solution, 30 items, 36 options, ")
    assert cli("queens", "3", "-q") == (0, "", "")
    code, out, _ = cli("queens", "8", "--count", "-q")
    assert (code, [int(line.split()[-1]) for line in out.splitlines()[1:]]) == (0, [92, 24, 12])
    assert (
        "--count and --output exclude each other"
        in cli("queens", "8", "--count", "-o", "numbers.txt")[2]
    )
    _, out, _ = cli("queens", "8", "--all", "-q")
    assert len(set(out.splitlines())) == 92
    assert "1 5 8 6 3 7 2 4" in out.splitlines()
    assert len(cli("queens", "8", "--list", "--up-to", "symmetry", "-q")[1].splitlines()) == 12


def test_queens_as_json(cli: Cli) -> None:
    _, out, _ = cli("queens", "5", "--torus", "--count", "--json")
    document = json.loads(out)
    assert [document[k] for k in ("raw", "rotation", "symmetry")] == [10, 2, 1]
    _, out, _ = cli("queens", "4", "--list", "--json")
    assert sorted(json.loads(out)["solutions"]) == [[2, 4, 1, 3], [3, 1, 4, 2]]
    _, out, _ = cli("queens", "4", "--json")
    document = json.loads(out)
    assert (document["raw"], document["found"], len(document["solutions"])) == (None, 1, 1)
    code, out, _ = cli("queens", "40", "--count", "--time-limit", "0.01", "--json")
    assert (code, json.loads(out)["raw"], json.loads(out)["stopped"]) == (3, None, "time limit")


def test_queens_as_a_model_file(cli: Cli) -> None:
    assert cli("queens", "6", "--format", "xcc", "-o", "queens.dlx") == (0, "", "")
    assert cli("count", "queens.dlx", "-q") == (0, "4\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["0"],
        ["8", "--list", "--count"],
        ["8", "--up-to", "symmetry"],
        ["8", "--count", "--format", "svg"],
        ["8", "--all", "--format", "pdf"],
        ["8", "--json", "--format", "svg"],
    ],
)
def test_wrong_usage_of_queens(cli: Cli, words: list[str]) -> None:
    assert cli("queens", *words)[0] == 2


MODEL = "a b c\na b\nc\na\nb c\n"


def test_solve_and_count_take_model_files(cli: Cli) -> None:
    name = file(MODEL, "model.dlx")
    code, out, err = cli("solve", name)
    assert (code, len(out.split("\n\n"))) == (0, 1)
    assert err.startswith("model.dlx, dlx: 1 solution (solution limit)")
    for word in ("--all", "--limit=9"):
        code, out, _ = cli("solve", name, word, "-q")
        assert (code, {frozenset(s.splitlines()) for s in out.strip().split("\n\n")}) == (
            0,
            {frozenset({"a b", "c"}), frozenset({"a", "b c"})},
        )
    assert cli("count", name, "-q") == (0, "2\n", "")
    _, out, _ = cli("count", name, "--json")
    document = json.loads(out)
    assert (document["puzzle"], document["raw"]) == ("model.dlx", 2)
    assert (document["rotation"], document["symmetry"]) == (None, None)
    _, out, _ = cli("solve", name, "--json", "--backend", "reference")
    assert len(json.loads(out)["solutions"]) == 1
    assert cli("solve", file("a b\na\n", "none.dlx"), "-q") == (0, "", "")
    assert cli("solve", name, "-q", "--set", "verbose=yes")[2].startswith("4 options, ")


@pytest.mark.parametrize("name", ["model.json", "model.xcc"])
def test_other_model_files(cli: Cli, name: str) -> None:
    form = "json" if name.endswith("json") else "xcc"
    assert cli("export", "pentominoes-3x20", "--format", form, "-o", name)[0] == 0
    assert cli("count", name, "-q") == (0, "8\n", "")


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "--up-to", "symmetry"],
        ["solve", "--format", "svg"],
        ["solve", "--set", "allow_crossing=yes"],
        ["solve", "--set", "ordered=yes"],
        ["count", "--method", "memo"],
        ["count", "--certificate", "here"],
    ],
)
def test_what_only_puzzles_have_is_refused(cli: Cli, words: list[str]) -> None:
    code, _, err = cli(words[0], file(MODEL, "model.dlx"), *words[1:])
    assert (code, f"{words[1]} " in err) == (2, True)
    assert "is for puzzles: model.dlx is a model" in err


def test_windows_need_boxes(cli: Cli, tmp_path: Path) -> None:
    regions = "AAABB\nACCBB\nACCDB\nEECDD\nEEEDD\n"
    grid = "1....\n..2..\n..1..\n.....\n..3.4\n"
    file, apart, alone = (tmp_path / name for name in ("both.txt", "regions.txt", "grid.txt"))
    file.write_text(f"regions\n{regions}\n{grid}")
    apart.write_text(regions)
    alone.write_text(grid)
    for options in (("--windows",), ("--boxes", "1x5")):
        code, _, err = cli("sudoku", str(file), *options)
        assert code == 1
        assert "leave out" in err
        code, _, err = cli("sudoku", str(alone), "--jigsaw", str(apart), *options)
        assert code == 2
        assert "exclude each other" in err
