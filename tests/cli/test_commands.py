"""The command line as a user meets it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.answers import SolutionList, Status
from exactile.cli.main import COMMANDS
from exactile.puzzle.check import faults
from exactile.puzzle.coordinates import from_coordinates
from exactile.puzzle.relax import relax
from exactile.search.handle import Handle
from support.clock import late, ticking
from support.command_line import Cli, started
from support.ctrl_c import interrupted
from support.events import in_slices
from support.few import few
from support.waiting import PATIENCE


def test_every_command_has_help_that_fits_80_columns(cli: Cli) -> None:
    for words in ([], *([c] for c in COMMANDS)):
        code, out, _ = cli(*words, "--help")
        assert code == 0
        assert "Usage: exactile" in out
        assert max(len(line) for line in out.splitlines()) <= 80


def test_solve_draws(cli: Cli) -> None:
    code, out, err = cli("solve", "pentominoes-6x10")
    assert code == 0
    assert len(out.splitlines()) == 6
    assert set(re.sub(r"\s", "", out)) == set("FILNPTUVWXYZ")
    assert "pentominoes-6x10, auto (dlx): 1 solution" in err


def test_solve_looks_for_one_solution_by_all_means_and_lists_by_dlx(cli: Cli) -> None:
    for given, backend in (
        ([], "auto (dlx)"),
        (["--limit", "1"], "auto (dlx)"),
        (["--limit", "2"], "dlx"),
        (["--backend", "dlx"], "dlx"),
    ):
        _, _, err = cli("solve", "soma-cube", *given)
        assert f"soma-cube, {backend}:" in err


def test_solve_draws_the_best_packing_when_it_is_stopped(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    late(monkeypatch, lambda search, _: search.packing is not None)
    code, out, err = cli(
        *("solve", "tetrominoes-5x4", "--set", "use_reasons=no", "--time-limit", "60"),
        *("--backend", "first:repair"),
    )
    assert (code, out) == (3, "")
    assert "of 20 units were filled" in err
    assert len(err.splitlines()) > 5


def test_ctrl_c_hands_over_the_best_packing(cli: Cli) -> None:
    words = (
        "solve",
        "hexominoes-14x15",
        "--set",
        "use_reasons=no",
        "--backend",
        "first:repair",
        "--json",
    )
    code, out, err = interrupted(lambda: cli(*words), lambda search, _: search.packing is not None)
    assert code == 130, err
    answer = SolutionList.from_json(out)
    assert (answer.status, answer.stopped) == (Status.UNKNOWN, "interrupted")
    assert answer.packing is not None
    puzzle = exactile.load("hexominoes-14x15")
    packing = from_coordinates(puzzle, answer.packing)
    assert not faults(relax(puzzle), packing)
    assert sum(len(placement.units) for placement in packing) > 0


def test_solve_unsolvable_is_an_answer(cli: Cli) -> None:
    code, out, err = cli("solve", "mutilated-chessboard-6x6")
    assert (code, out) == (0, "")
    assert "no solution" in err


def test_solve_unknown_exits_with_3(cli: Cli) -> None:
    code, out, err = cli(
        "solve",
        "polysticks-1234-5x5-diamond-lattice-ring",
        "--set",
        "use_reasons=no",
        "--time-limit",
        "0.1",
    )
    assert (code, out) == (3, "")
    assert "unknown (time limit)" in err


def test_reading_and_lowering_are_in_the_time(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock runs before there is a model; when it is over, nothing is searched."""
    ticking(monkeypatch, 10.0)
    code, out, _ = cli("solve", "soma-cube", "--all", "--time-limit", "15", "--json")
    answer = SolutionList.from_json(out)
    assert (code, answer.stopped, answer.stats["nodes"]) == (3, "time limit", None)


def test_solve_json(cli: Cli) -> None:
    code, out, err = cli("solve", "tetrahexes-4x7", "--all", "--json", "--backend", "sat")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["status"] == "complete"
    assert len(document["solutions"]) == 18
    first, second = document["solutions"][:2]
    assert {name for name, _ in first} == {name for name, _ in second}
    assert document["stats"]["options"] == 488


def test_solve_limit(cli: Cli) -> None:
    code, out, _ = cli("solve", "tetrahexes-4x7", "--limit", "3", "--format", "jsonl")
    assert code == 0
    assert len(out.splitlines()) == 5


@pytest.mark.parametrize("form", ["jsonl", "puzzler"])
def test_solutions_written_are_read_and_checked(cli: Cli, tmp_path: Path, form: str) -> None:
    path = str(tmp_path / "all")
    assert cli("solve", "tetrahexes-4x7", "--all", "--format", form, "-o", path)[0] == 0
    code, out, _ = cli("check", "tetrahexes-4x7", path)
    assert (code, out) == (0, "18 solutions of tetrahexes-4x7, all right and all different\n")
    code, out, _ = cli("render", "tetrahexes-4x7", path, "--number", "18", "--format", "text")
    assert code == 0
    assert "__/" in out
    code, _, err = cli("render", "tetrahexes-4x7", path, "--number", "19")
    assert code == 1
    assert "has no solution number 19" in err


@pytest.mark.parametrize("file", ["my puzzle.toml", "-x.toml"])
def test_commands_that_a_new_file_suggests_can_be_typed(
    file: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, _, err = cli("new", "--", file)
    typed = shlex.split(err.partition("then: exactile ")[2])
    assert typed[:1] == ["solve"]
    assert cli(*typed, "-q")[0] == 0
    assert f"exactile show {shlex.quote(typed[1])} " in Path(file).read_text("utf-8")
    assert "exactile show FILE.toml " in cli("new")[1]


def test_check_finds_what_is_wrong(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "two"
    _, out, _ = cli("solve", "tetrahexes-4x7", "--limit", "2", "--format", "jsonl")
    header, first, second, end = out.splitlines()
    swapped = second.replace('["I', '["Q').replace('["O', '["I').replace('["Q', '["O')
    path.write_text("\n".join([header, first, first, swapped, end]) + "\n")
    code, _, err = cli("check", "tetrahexes-4x7", str(path))
    assert code == 1
    assert "2 of 3 solutions of tetrahexes-4x7 are wrong" in err
    assert "solution 2: it repeats an earlier solution" in err
    assert "solution 3: the points" in err
    repeated = tmp_path / "repeated"
    repeated.write_text("\n".join([header, first, first, first, end]) + "\n")
    code, _, err = cli("check", "tetrahexes-4x7", str(repeated))
    assert code == 1
    assert "2 of 3 solutions of tetrahexes-4x7 repeat an earlier one:" in err
    code, out, _ = cli("check", "tetrahexes-4x7", str(path), "--json")
    assert code == 1
    assert [w["solution"] for w in json.loads(out)["wrong"]] == [2, 3]


def test_count(cli: Cli) -> None:
    code, out, err = cli("count", "soma-cube")
    assert code == 0
    assert re.search(r"up to symmetry +240   as published", out)
    assert "nodes" in err


def test_count_json_has_the_promised_keys(cli: Cli) -> None:
    code, out, _ = cli("count", "pentominoes-3x20", "--json")
    document = json.loads(out)
    assert code == 0
    assert [document[k] for k in ("raw", "rotation", "symmetry")] == [8, 4, 2]
    assert {"puzzle", "backend", "status", "stats"} <= document.keys()
    assert {"items", "options", "nodes", "seconds"} <= document["stats"].keys()


def test_undetermined_numbers_are_null(cli: Cli) -> None:
    words = ("--method", "list", "--time-limit", "0.1", "--json")
    code, out, _ = cli("count", "hexominoes-14x15", "--set", "use_reasons=no", *words)
    document = json.loads(out)
    assert code == 3
    assert [document[k] for k in ("raw", "rotation", "symmetry")] == [None] * 3
    assert document["stopped"] == "time limit"


def test_allow_crossing_counts_more(cli: Cli) -> None:
    counts = []
    for option in ([], ["--set", "allow_crossing=yes"]):
        _, out, _ = cli("count", "tritrigs-heart-2", "--json", *option)
        document = json.loads(out)
        counts.append((document["crossing"], document["raw"]))
    assert counts[0] == (True, 104)
    assert counts[1][0] is False
    assert counts[1][1] > 104


def test_solutions_that_cross_are_checked_shown_and_surveyed_as_such(
    cli: Cli, tmp_path: Path
) -> None:
    name, file = "seven-segment-digits-6x5", str(tmp_path / "crossing.jsonl")
    assert cli("solve", name, "--set", "allow_crossing=yes", "--all", "-q", "-o", file)[0] == 0
    assert "cross at the vertex" in cli("check", name, file)[2]
    for words in ([name, file], [file]):
        assert cli("check", *words, "--set", "allow_crossing=yes")[0] == 0
    assert (
        cli("render", name, file, "--set", "allow_crossing=yes", "-o", str(tmp_path / "x.svg"))[0]
        == 0
    )
    line = "  crossing    pieces may cross\n"
    assert line in cli("show", name, "--set", "allow_crossing=yes")[1]
    assert line not in cli("show", name)[1]
    assert (
        json.loads(cli("show", name, "--set", "allow_crossing=yes", "--json")[1])["crossing"]
        is False
    )
    assert json.loads(cli("show", "soma-cube", "--json")[1])["crossing"] is None
    solutions = [
        json.loads(cli("subsets", name, "--json", *option)[1])["puzzles"][0]["raw"]
        for option in ([], ["--set", "allow_crossing=yes"])
    ]
    assert solutions == [0, 20]


def test_prove(cli: Cli) -> None:
    code, out, _ = cli("prove", "mutilated-chessboard-6x6")
    assert (code, out) == (
        0,
        "mutilated-chessboard-6x6, coloring: unsolvable (no choice of placements balances the "
        "region by the parity of x + y)\n",
    )
    assert cli("prove", "pentominoes-6x10")[0] == 0
    code, out, _ = cli(
        "prove",
        "polysticks-1234-5x5-diamond-lattice-ring",
        "--set",
        "use_reasons=no",
        "--time-limit",
        "0.1",
        "--json",
    )
    assert (code, json.loads(out)["status"]) == (3, "unknown")


def test_show(cli: Cli) -> None:
    code, out, _ = cli("show", "Pentominoes6x10")
    assert code == 0
    assert "72 items, 2,056 options" in out
    assert "symmetries  4, 2 of them rotations" in out
    _, out, _ = cli("show", "soma-cube", "--json")
    assert json.loads(out)["symmetries"] == {"all": 48, "proper": 24}


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 101])
def test_puzzles_are_shown_in_80_columns(cli: Cli, step: int) -> None:
    _, out, _ = cli("list", "--json")
    puzzles = json.loads(out)["puzzles"][::step]
    assert len(puzzles) >= 1000 // step
    assert len({p["lattice"] for p in puzzles}) >= 7
    for puzzle in puzzles:
        code, out, err = cli("show", puzzle["id"])
        assert code == 0, err
        header = out.split("\n\n")[0]
        assert max(len(line) for line in header.splitlines()) <= 80, puzzle["id"]


def test_list_filters(cli: Cli) -> None:
    _, out, err = cli("list", "tritrig", "heart")
    assert [line.split()[0] for line in out.splitlines()] == [
        "tritrigs-heart-1",
        "tritrigs-heart-2",
    ]
    assert "2 puzzles" in err
    _, out, _ = cli("list", "--lattice", "cube", "--json")
    assert {p["lattice"] for p in json.loads(out)["puzzles"]} == {"cube"}


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["square", "5"], 12),
        (["square", "5", "--one-sided"], 18),
        (["square", "5", "--fixed"], 63),
        (["cube", "4"], 7),
        (["cube", "4", "--one-sided"], 8),
        (["triangle-edges", "3"], 12),
        (["triangle-edges", "2", "--quasi"], 8),
        (["cube-faces", "2"], 2),
        (["quarter-squares", "3"], 4),
        (["quarter-squares", "3", "--fixed"], 24),
        (["sixth-triangles", "2", "--one-sided"], 8),
    ],
)
def test_pieces(cli: Cli, words: list[str], count: int) -> None:
    code, out, _ = cli("pieces", *words, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["count"] == len(document["pieces"])
    if words != ["triangle-edges", "2", "--quasi"]:
        assert document["count"] == count
    assert {"lattice", "order", "count", "pieces"} <= document.keys()
    each = {"quarter-squares": 2, "sixth-triangles": 3}.get(words[0], 1)
    assert all(len(p["units"]) == each * int(words[1]) for p in document["pieces"])
    lines = cli("pieces", *words)[1].splitlines()
    assert [len(line.split()) - 1 for line in lines] == [each * int(words[1])] * len(lines)
    assert len(lines) == document["count"]


def test_pieces_of_a_set_of_blocks(cli: Cli) -> None:
    assert cli("pieces", "tetraboloes")[1].count("\n") == 14


def test_backends(cli: Cli) -> None:
    _, out, _ = cli("backends", "--json")
    found = {b["name"]: b for b in json.loads(out)["backends"]}
    assert found.keys() >= {"dlx", "cpsat", "sat", "reference"}
    assert "cadical195" in found["sat"]["solvers"]
    lines = cli("backends")[1].splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == [*found]
    assert max(map(len, lines)) <= 80


def test_render_svg(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    assert cli("render", "soma-cube", "-o", str(path))[0] == 0
    assert path.read_text().startswith("<svg")
    code, _, err = cli("render", "mutilated-chessboard-6x6")
    assert code == 1
    assert "With --empty, the puzzle itself is drawn" in err
    assert cli("render", "mutilated-chessboard-6x6", "--empty")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["count", "pentominos-6x10"], 1, "Did you mean 'pentominoes-6x10'?"),
        (["count", "nothing.toml"], 1, "nothing.toml"),
        (["count", "soma-cube", "--backend", "cpsatt"], 1, "Did you mean 'cpsat'?"),
        (["pieces", "squares", "3"], 1, "Did you mean 'square'?"),
        (["solve", "soma-cube", "--all", "--limit", "2"], 2, "exclude each other"),
        (["count", "soma-cube", "--time-limit", "-1"], 2, "--time-limit"),
        (["pieces", "square", "0"], 2, "ORDER"),
        (["pieces", "square", "99"], 1, "order"),
        (["cuont"], 2, "cuont"),
        (["solve", "soma-cube", "--json", "-o", "x"], 2, "--json and --output exclude each other"),
        (["list", "--lattice", "squares"], 1, "Did you mean 'square'?"),
        (["count", "#"], 1, "names no file"),
        (["count", "soma-cube", "--time-limit", "nan"], 2, "'nan' is not a number"),
        (["pieces", "square", "64"], 1, "of order 64, by far"),
        (["solve", "soma-cube", "-o", "/no/such/folder/x"], 1, "/no/such/folder/x"),
    ],
)
def test_mistakes_get_one_message(cli: Cli, words: list[str], code: int, message: str) -> None:
    got, out, err = cli(*words)
    assert got == code
    assert message in err
    assert "Traceback" not in out + err


def has_found(search: Handle[Any]) -> bool:
    """Return whether what a search has found was handed over."""
    return search.found > 0


def test_json_keeps_what_was_found_before_ctrl_c(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--all", "--json", "--set", "use_symmetry=no", "--workers", "1")
    in_slices(monkeypatch, 1000)  # or all is found by then
    code, out, _ = interrupted(
        lambda: cli("solve", "solid-pentominoes-3x4x5", *words),
        lambda search: search.found,
        Handle,
        "_next",
    )
    document = json.loads(out)
    assert code == 130
    assert document["stopped"] == "interrupted"
    assert len(document["solutions"]) > 0


def test_import_and_help_load_no_solver() -> None:
    script = (
        "import sys, exactile\n"
        "assert 'numpy' not in sys.modules\n"
        "from exactile.cli.main import run\n"
        "run(['--help'])\n"
        "print(sorted({'ortools', 'pysat', 'networkx', 'pandas'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


HARD = ("hexominoes-14x15", "--set", "use_reasons=no", "--backend")


@pytest.mark.parametrize("backend", ["dlx", "sat", "cpsat"])
@pytest.mark.parametrize("command", few(["count", "solve", "prove"], 3))
def test_ctrl_c_leaves_with_130(command: str, backend: str, cli: Cli) -> None:
    code, out, err = interrupted(lambda: cli(command, *HARD, backend))
    assert code == 130
    assert "nterrupted" in out + err


SEARCHING = """
from support.events import ForGood, at
at(ForGood(), 3, lambda: print("it searches", flush=True))
"""


def test_ctrl_c_ends_a_process() -> None:
    with started("count", *HARD, "dlx", first=SEARCHING) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "it searches\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert "nterrupted" in out + err


def test_what_was_found_before_ctrl_c_is_kept(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "solutions.jsonl"
    name = "solid-pentominoes-3x4x5"
    words = ["solve", name, "--all", "--format", "jsonl", "-o", str(path), "--workers", "1"]
    with monkeypatch.context() as patch:
        in_slices(patch, 1000)  # or all is found by then
        ended = interrupted(
            lambda: cli(*words, "--set", "use_symmetry=no"),
            lambda search: search.found,
            Handle,
            "_next",
        )
    assert ended[0] == 130
    assert cli("check", name, str(path))[0] == 0


def test_a_closed_pipe_is_no_error() -> None:
    with started("list", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(timeout=PATIENCE) == 0
    assert "Traceback" not in err
    assert "Exception ignored" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_message() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "exactile", "solve", "tetrahexes-4x7", "--all"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": ""},
        )
    assert done.returncode == 1
    assert "write standard output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", ["count", "solve", "prove"])
def test_an_encoding_can_be_chosen(cli: Cli, command: str) -> None:
    words = [command, "dominoes-4x4", "--set", "encoding=product", "--json"]
    code, out, err = cli(*words, "--backend", "sat")
    assert code == 0, err
    if command == "count":
        assert json.loads(out)["raw"] == 36
    code, _, err = cli(*words, "--backend", "dlx")
    assert code == 1
    assert "has no encodings" in err
    code, _, err = cli(command, "dominoes-4x4", "--backend", "sat", "--set", "encoding=totalizer")
    assert code == 1
    assert "one solution would have many models" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "seed=3", "--backend", "dlx"], True),
        (["--set", "seed=3", "--backend", "reference"], True),
        (["--set", "seed=3", "--backend", "sat"], False),
        (["--set", "seed=3", "--backend", "dlx", "--quiet"], False),
        (["--backend", "dlx"], False),
    ],
)
def test_a_seed_that_changes_nothing_is_told(cli: Cli, words: list[str], told: bool) -> None:
    for command in ("solve", "count", "prove"):
        code, _, err = cli(command, "dominoes-4x4", *words)
        assert (code, "makes no random choices: seed changes nothing." in err) == (0, told)


def test_a_seed_changes_nothing_in_counts_and_lists_and_something_in_races(cli: Cli) -> None:
    for words in ("count dominoes-4x4", "solve dominoes-4x4 --all", "count dominoes-4x4 soma-cube"):
        assert "dlx makes no random choices" in cli(*words.split(), "--seed", "3")[2]
    for words in ("prove dominoes-4x4", "solve dominoes-4x4 soma-cube"):
        assert "random choices" not in cli(*words.split(), "--seed", "3")[2]
    err = cli("solve", "dominoes-4x4", "--seed", "3")[2]
    assert ("auto (dlx) makes no random choices" in err) == ("auto (dlx): 1 solution" in err)


def test_a_seed_changes_nothing_in_classic_puzzles_either(cli: Cli, tmp_path: Path) -> None:
    for words in ("peg triangle-4 --start 2", "queens 6", "queens 6 --count"):
        solver = "native" if words.startswith("peg") else "dlx"
        told = f"{solver} makes no random choices: seed changes nothing.\n"
        assert told in cli(*words.split(), "--seed", "3")[2]
        assert "random" not in cli(*words.split(), "--seed", "3", "-q")[2]
        assert "random" not in cli(*words.split())[2]
    path = tmp_path / "one.txt"
    path.write_text("1..4.4.223.1..2.\n")
    assert "dlx makes no random choices" in cli("sudoku", str(path), "--seed", "3")[2]


def test_a_hint_is_used_or_ignored_with_a_note(cli: Cli, tmp_path: Path) -> None:
    path = str(tmp_path / "known.jsonl")
    assert cli("solve", "soma-cube", "--format", "jsonl", "-o", path, "-q")[0] == 0
    code, _, err = cli("solve", "soma-cube", "--backend", "cpsat", "--set", f"hint={path}")
    assert (code, "ignored" in err) == (0, False)
    code, _, err = cli("solve", "soma-cube", "--backend", "dlx", "--set", f"hint={path}")
    assert (code, "dlx makes no use of hints" in err) == (0, True)
    code, _, err = cli("solve", "soma-steps", "--backend", "cpsat", "--set", f"hint={path}")
    assert (code, "of 'soma-cube', not of 'soma-steps'" in err) == (1, True)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("solution 1:\n\n9,0,0 9,1,0 9,2,0 9,1,1 T\n\n")
    code, _, err = cli("solve", "soma-cube", "--backend", "cpsat", "--set", f"hint={wrong}")
    assert (code, "no placement of T on 9,0,0" in err) == (1, True)
    assert cli("solve", "soma-cube", "--set", f"hint={tmp_path / 'none'}")[0] == 1
