"""`exactile compare` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from xml.etree import ElementTree as ET

import pytest

import exactile
from exactile.answers import ComparedRun
from exactile.cli.main import run
from exactile.render.comparison_text import comparison_text
from exactile.surveys.compare.comparison import Comparison, variants
from exactile.surveys.compare.trial import Trial, perform
from support.ctrl_c import interrupted_when

PUZZLES = ["soma-steps", "mutilated-chessboard-6x6"]


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each backend is tried in this process: `unit/search/test_compare.py` tries others."""

    def tried(trial: Trial, stop: Event | None = None) -> ComparedRun:
        return trial.outcome(**perform(trial))

    monkeypatch.setattr("exactile.surveys.compare.comparison.run_trial", tried)


@pytest.mark.usefixtures("_here")
def test_a_table_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["compare", *PUZZLES, "--backends", "dlx,cpsat,reference", "--task", "all"]
    assert run([*words, "-o", str(tmp_path / "new" / "folder")]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    names = [cell.strip() for cell in lines[0].split("|")[1:-1]]
    assert names == ["puzzle", "answer", "dlx", "cpsat", "reference"]
    assert [line.split("|")[2].strip() for line in lines[2:4]] == ["328", "none"]
    assert max(len(line) for line in lines) <= 80
    assert "OR-Tools" in out
    assert "num_workers=1" in out
    assert len(err.splitlines()) == 6
    folder = tmp_path / "new" / "folder"
    assert (folder / "compare.md").read_text() == out  # as long as names are short
    document = json.loads((folder / "compare.json").read_text())
    assert [(r["puzzle"], r["distinct"]) for r in document["runs"]] == [
        (name, count) for name, count in zip(PUZZLES, (328, 0), strict=True) for _ in range(3)
    ]
    assert len({r["digest"] for r in document["runs"]}) == 2
    assert document["disagreements"] == []
    for name in ("cactus.svg", "scatter.svg"):
        assert ET.parse(folder / name).getroot().tag.endswith("svg")


def test_a_document_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", PUZZLES[1], "--backends", "dlx", "--json", "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    document = json.loads(out)
    assert document["task"] == "first"
    assert document["finished"]
    [only] = document["runs"]
    assert (only["end"], only["answer"], only["backend"]) == ("finished", "unsolvable", "dlx")
    assert only["version"]


def test_limits_stand_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "hexominoes-14x15", "--backends", "dlx,sat", "-q", "--time-limit"]
    assert run([*words, "1e6", "--memory", "90M"]) == 0
    out, _ = capsys.readouterr()
    cells = [cell.strip() for cell in out.splitlines()[2].split("|")[1:-1]]
    assert cells[:2] == ["hexominoes-14x15", "?"]
    assert set(cells[2:]) <= {"memory", "crash"}  # some code dies for want of memory
    assert "- hexominoes-14x15, dlx: " in out
    assert run([*words, "0.1"]) == 0
    out, _ = capsys.readouterr()
    assert "| > 0.1 |" in out


def test_a_disagreement_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def liars(self: Comparison) -> Iterator[ComparedRun]:
        for backend, found in zip(self.backends, (8, 3), strict=True):
            outcome = ComparedRun(
                puzzle=self.puzzles[0].name,
                backend=backend,
                end="finished",
                answer="complete",
                found=found,
                distinct=found,
                number=found,
                digest=str(found),
                seconds=1.0,
            )
            self.outcomes.append(outcome)
            yield outcome

    monkeypatch.setattr(Comparison, "run", liars)
    assert run(["compare", "pentominoes-3x20", "--backends", "dlx,cpsat", "--task", "all"]) == 1
    out, err = capsys.readouterr()
    words = "pentominoes-3x20: dlx found 8 solutions and cpsat 3, and both say"
    assert words in err
    assert "DISAGREEMENT" in out


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare"]) == 2
    assert run(["compare", "soma-cube", "--task", "some"]) == 2
    assert run(["compare", "soma-cube", "--memory", "90"]) == 2  # bytes, not megabytes
    assert run(["compare", "soma-cube", "--backends", "dlz"]) == 1
    assert run(["compare", "soma-cube", "--backends", ","]) == 1
    assert run(["compare", "no-such-puzzle"]) == 1
    assert "no-such-puzzle" in capsys.readouterr().err


@pytest.mark.usefixtures("_here")
def test_a_store_is_checked_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other, cut = tmp_path / "other", tmp_path / "cut.jsonl"
    other.write_text("not a store\n")
    assert run(["compare", PUZZLES[0], "--backends", "dlx", "--store", str(other)]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "is not a store of a comparison" in err
    cut.write_text('{"puzzle": "so\n')
    assert run(["compare", PUZZLES[0], "--backends", "dlx", "-q", "--store", str(cut)]) == 0
    assert f"{cut}: ignored 1 damaged line.\n" in capsys.readouterr().err
    kept, words = cut.read_text(), ["compare", PUZZLES[0], "--store", str(cut), "-o"]
    assert run([*words, str(tmp_path / "." / cut.name)]) == 1
    assert "is the store, which the result would replace" in capsys.readouterr().err
    assert cut.read_text() == kept


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second run would take ages; its processes end with it."""
    words = f"compare {PUZZLES[0]} hexominoes-14x15 --backends dlx,reference --task all"
    store, file = tmp_path / "runs.jsonl", tmp_path / "compare.json"

    def two_are_done() -> bool:
        return store.exists() and len(store.read_text().splitlines()) == 2

    told = [*words.split(), "--time-limit", "1e6", "--output", str(tmp_path)]
    told += ["--store", str(store)]
    assert interrupted_when(two_are_done, lambda: run(told)) == 130
    out, err = capsys.readouterr()
    assert "Interrupted" in err
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()[2:4]]
    assert rows[0][:2] == ["soma-steps", "328"]
    assert rows[1][1:] == ["?", "?", "?"]
    document = json.loads(file.read_text())
    assert not document["finished"]
    assert [r["digest"] is not None for r in document["runs"]] == [True, True]


@pytest.mark.usefixtures("_here")
def test_variants_are_compared_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PUZZLES[1], "--backends", "dlx,sat", "--encodings", "pairwise,bitwise"]
    assert run([*words, "--seeds", "1,2", "--task", "all", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["backends"] == [
        "dlx",
        *(f"sat+encoding={e}+seed={s}" for e in ("pairwise", "bitwise") for s in (1, 2)),
    ]
    assert len({r["distinct"] for r in told["runs"]}) == 1
    assert run(["compare", PUZZLES[1], "--backends", "dlx", "--encodings", "bitwise"]) == 1
    assert run(["compare", PUZZLES[1], "--backends", "dlx,reference", "--seeds", "1,2"]) == 1
    assert "No seed can be set for these backends" in capsys.readouterr().err
    assert run(["compare", PUZZLES[1], "--backends", "cpsat", "--param", "num_workers=2"]) == 1
    assert "Say --threads N." in capsys.readouterr().err


@pytest.mark.usefixtures("_here")
def test_a_file_is_no_directory(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PUZZLES[1], "--backends", "dlx", "-q", "--output"]
    for name, ending in (("x.txt", ".txt"), ("r.foo", ".foo")):
        assert run([*words, name]) == 1
        error = " ".join(capsys.readouterr().err.split())
        assert f"{name}: unknown ending '{ending}': use one of .csv, .html" in error
        assert not Path(name).exists()


@pytest.mark.usefixtures("_here")
def test_a_directory_stands_for_its_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    exactile.make_instances(tmp_path, ["pockets-4", "disc-heptomino-1"])
    words = ["compare", str(tmp_path), "--backends", "dlx", "--task", "prove", "--json", "-q"]
    assert run(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(r["puzzle"], r["family"], r["answer"]) for r in told["runs"]] == [
        ("disc-heptomino-1.xcc", "discs", "solvable"),
        ("pockets-4", "pockets", "unsolvable"),
    ]
    assert run(["compare", str(tmp_path / "empty")]) == 1
    (tmp_path / "empty").mkdir()
    capsys.readouterr()
    assert run(["compare", str(tmp_path / "empty")]) == 1
    assert "there is no puzzle or model file" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("_here")
def test_the_best_packing(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "tetrominoes-5x4", "--backends", "rc2", "--task", "pack", "-q"]
    assert run(words) == 0
    assert capsys.readouterr().out.splitlines()[2].split("|")[2].strip() == "16"
    assert run([*words, "--backends", "dlx"]) == 1
    assert "'dlx' cannot maximize" in " ".join(capsys.readouterr().err.split())
    assert run([*words, "--backends", "rc2+seed=1"]) == 1
    assert "rc2 takes no settings to pack: leave '+seed=1' out" in capsys.readouterr().err


@pytest.mark.usefixtures("_here")
def test_each_ending_is_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["compare", PUZZLES[1], "--backends", "dlx", "-q", "--output"]
    first = {".csv": "puzzle,", ".jsonl": "{", ".md": "| puzzle", ".html": "<!doctype"}
    for ending, begun in first.items():
        assert run([*words, str(tmp_path / f"x{ending}")]) == 0
        assert (tmp_path / f"x{ending}").read_text().startswith(begun)
    capsys.readouterr()


@pytest.mark.usefixtures("_here")
def test_model_files_patterns_and_counts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "two.xcc"
    model.write_text("a b c\na b\nc\na\nb c\n")
    words = ["compare", "dominoes-?x4", str(model), "--backends", "dlx,dlx+method=list,sat"]
    assert run([*words, "--task", "count", "--repeats", "2", "--shuffle", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "two.xcc" in told["puzzles"]
    runs = {(r["puzzle"], r["backend"], r["repeat"]): r for r in told["runs"]}
    assert len(runs) == 6 * len(told["puzzles"])
    assert {r["number"] for (puzzle, *_), r in runs.items() if puzzle == "two.xcc"} == {2}
    assert {r["number"] for (puzzle, *_), r in runs.items() if puzzle == "dominoes-4x4"} == {36}
    assert {r["family"] for r in runs.values()} == {"polyominoes", tmp_path.name}
    assert {r["seed"] for r in runs.values() if "dlx" in r["backend"]} == {None}
    assert run([*words, "--task", "all"]) == 1
    assert "+method is for the task 'count'" in capsys.readouterr().err
    for method, message in (
        ("frontier", "'two.xcc' is a model, which no frontier counts: write +method=list"),
        ("banana", "the methods of counting are auto, list, memo, frontier."),
    ):
        asked = ["--task", "count", "--backends", f"dlx+method={method}"]
        assert run(["compare", str(model), *asked]) == 1
        assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("dlx+seed=1", "makes no random choices"),
        ("external:true+seed=1", "write {seed} in the command"),
        ("sat+seed=x", "is not a number from 0"),
        ("sat+threads=0", "is not a number from 1"),
        ("sat+seed=1+seed=2", "sets seed twice"),
        ("dlx+symmetry=off", "write yes or no"),
        ("dlx+banana=1", "takes no parameters: leave banana out"),
        ("dlx+encoding=bitwise", "has no encodings"),
        ("dlx+method=memo", "is for counting"),
    ],
)
def test_settings_that_reach_nobody_are_refused(
    variant: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "dominoes-4x4", "--backend", variant]) == 1
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("dlx+method=memo --method list", "counts by the method 'memo', but the method 'list'"),
        ("sat+seed=3 --set seed=4", "sets seed=3, but seed is 4"),
        ("sat+threads=2 --workers 1", "sets threads=2, but workers is 1"),
        ("sat+encoding=product --set encoding=pairwise", "but encoding is pairwise: leave one out"),
    ],
)
def test_options_that_contradict_a_variant_are_refused(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["count", "dominoes-4x4", "--backend", *words.split()]) == 1
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("command", ["sudoku x.sdk", "queens 5", "peg triangle-4"])
def test_puzzles_on_grids_refuse_them_also(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*command.split(), "--backend", "cpsat+seed=3"]
    assert run([*words, "--seed", "4"]) == 1
    assert "sets seed=3, but seed is 4" in capsys.readouterr().err
    if command == "queens 5":
        assert run([*words, "--seed", "3"]) == 0
        assert "makes no random choices" not in capsys.readouterr().err


def test_other_commands_accept_variants(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for words in (
        "count dominoes-4x4 --backend dlx+symmetry=no+threads=1 --workers 1",
        "count dominoes-4x4 --backend dlx+method=frontier",
        "count dominoes-4x4 --backend dlx+method=list --method list",
        "prove mutilated-chessboard-6x6 --backend dlx+symmetry=no",
        "solve dominoes-4x4 --backend reference+symmetry=no --format jsonl --all",
    ):
        assert run([*words.split(), "--quiet"]) == 0
        told.append(capsys.readouterr().out)
    assert "36" in told[0]
    assert "36" in told[1]
    assert "36" in told[2]
    assert "unsolvable" in told[3]
    assert told[4].count("\n") >= 36


@pytest.mark.usefixtures("_here")
def test_refutations_are_certified(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PUZZLES[1], "--task", "prove", "--certificates", "--json", "-q"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactile.surveys.compare.comparison.run_trial", told_outcome)
        assert run([*words, "--backends", "dlx,reference"]) == 0
    native, plain = json.loads(capsys.readouterr().out)["runs"]
    assert native["proof"] == "checked"
    assert native["proof_bytes"] > 100
    assert native["proof_seconds"] > 0
    assert (plain["proof"], plain["proof_bytes"]) == ("none", None)
    assert run([*words, "--task", "first", "--backends", "dlx"]) == 1
    assert "Certificates are for the task 'prove'" in capsys.readouterr().err


def told_outcome(trial: Trial, stop: Event | None = None) -> ComparedRun:
    """Return all that a process would report of a trial."""
    told: list[ComparedRun] = []
    trial.run(told.append)
    return told[0]


def test_only_solvers_that_take_a_seed_are_given_one() -> None:
    asked = [
        "sat:ergo",
        "sat:cadical195",
        "external:true {seed}",
        "cpsat",
        "first",
        "sat:minisat22",
    ]
    assert variants(asked, seeds=[7]) == [
        *(
            "sat:ergo",
            "sat:cadical195+seed=7",
            "external:true {seed}+seed=7",
            "cpsat+seed=7",
            "first+seed=7",
        ),
        "sat:minisat22",
    ]
    puzzle = exactile.load("dominoes-4x4")
    assert exactile.count(puzzle, backend="sat:ergo", seed=7).raw == 36


@pytest.mark.usefixtures("_here")
def test_parameters_of_a_solver_side_by_side(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PUZZLES[1], "--backends", "dlx,cpsat", "--task", "all", "-q"]
    given = ["--param", "linearization_level=0,2", "--param", "search_branching=FIXED_SEARCH"]
    assert run([*words, *given, "--seeds", "1", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    levels = [f"+linearization_level={k}+search_branching=FIXED_SEARCH" for k in (0, 2)]
    assert told["backends"] == ["dlx", *(f"cpsat{level}+seed=1" for level in levels)]
    assert [r["parameters"].get("linearization_level") for r in told["runs"]] == [None, "0", "2"]
    assert {r["answer"] for r in told["runs"]} == {"unsolvable"}
    for wrong in ("banana=1", "linearization_level", "linearization_level=,", "cut_level=x"):
        assert run([*words, "--param", wrong]) in (1, 2)
        assert wrong.partition("=")[0] in capfd.readouterr().err


@pytest.mark.usefixtures("_here")
def test_a_parameter_that_is_told_twice_has_all_values(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PUZZLES[1], "--backends", "cpsat", "-q"]
    levels = ["--param", "linearization_level=1", "--param", "linearization_level=2"]
    branching = ["--param", "search_branching=FIXED_SEARCH"]
    assert run([*words, *levels, *branching]) == 0
    told = capfd.readouterr().out.splitlines()
    assert max(map(len, told)) <= 80
    for number in (1, 2):
        assert f"{number}: cpsat+linearization_level={number}+search_branching=FIXED_SEARCH" in told


@pytest.mark.parametrize(
    "name",
    [
        "random_seed",
        "enumerate_all_solutions",
        "keep_all_feasible_solutions_in_presolve",
        "num_workers",
        "num_search_workers",
        "shared_tree_num_workers",
        "stop_after_first_solution",
        "stop_after_presolve",
        "max_time_in_seconds",
        "max_deterministic_time",
        "max_number_of_conflicts",
        "fix_variables_to_their_hinted_value",
        "instantiate_all_variables",
        "use_lns_only",
        "cp_model_presolve",
        "max_presolve_iterations",
        "symmetry_level",
        "log_search_progress",
    ],
)
def test_parameters_on_which_the_answer_depends_are_refused(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", PUZZLES[1], "--backends", "cpsat", "--task", "all", "-q"]
    assert run([*words, "--param", f"{name}=1"]) == 1
    assert name in capfd.readouterr().err


def test_times_have_one_unit() -> None:
    puzzle = exactile.load(PUZZLES[1])
    comparison = Comparison([puzzle], ["dlx", "reference"], task="all")
    for backend, seconds in (("dlx", 0.0004), ("reference", 0.0123)):
        done = ComparedRun(
            puzzle=puzzle.name, backend=backend, end="finished", answer="x", seconds=seconds
        )
        comparison.outcomes.append(done)
    row = comparison_text(comparison.answer).splitlines()[2]
    assert [cell.strip() for cell in row.split("|")[3:5]] == ["<0.001", "0.012"]
