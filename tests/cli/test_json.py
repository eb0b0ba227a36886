"""What every command prints with ``--json`` follows its published schema and can be read back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jsonschema
import msgspec
import pytest

import exactile
from exactile.answers import Answer
from exactile.answers.schema import ANSWERS
from exactile.cli import main
from exactile.cli.main import COMMANDS, loaded
from exactile.cli.output import print_json
from exactile.files.solution_files import write_solutions
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.survey import survey
from support.command_line import Cli
from support.waiting import has_heard, is_full, wait_until

SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"

Fill = Callable[[Path], None]

COVER = "a b\na\nb\na b\n"


def write_cover(folder: Path) -> None:
    (folder / "two.dlx").write_text(COVER)


def write_sudokus(folder: Path) -> None:
    (folder / "some.txt").write_text("1..4.4.223.1..2.\n11..............\n................\n")


def write_one_sudoku(folder: Path) -> None:
    (folder / "one.txt").write_text("1..4.4.223.1..2.\n")


def write_found(folder: Path) -> None:
    puzzle = exactile.load("dominoes-4x4")
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    with (folder / "found.jsonl").open("w") as stream:
        write_solutions(puzzle, [solution, solution], stream)


def write_certificate(folder: Path) -> None:
    exactile.prove(exactile.load("tetrominoes-5x4"), certificate=folder / "proof")


def write_store(folder: Path) -> None:
    with Store(folder / "a.store", write=True) as store:
        for verb in ("count", "prove", "solve"):
            StoredRun.begin(store, exactile.load("tetrahexes-4x7"), verb).go_on()


def write_open_store(folder: Path) -> None:
    with Store(folder / "a.store", write=True) as store:
        StoredRun.begin(store, exactile.load("tetrahexes-4x7"), "solve").cut(10)


def write_tiling(folder: Path) -> None:
    exactile.tile("U", freedom="fixed", certificate=folder / "shape")


def write_census(folder: Path) -> None:
    with Store(folder / "census.store", write=True) as store:
        survey(Census("square", 4, "free"), store, shard=(1, 2))


CALLS: list[tuple[str, Fill | None]] = [
    ("list tetrominoes", None),
    ("show soma-cube", None),
    ("show soma-cube dominoes-4x4", None),
    ("show hexiamonds-iamond-hex-separated", None),
    ("show checkered-pentominoes-8x8", None),
    ("solve tetrominoes-5x4", None),
    ("solve dominoes-4x4 --all --up-to symmetry", None),
    ("solve tetrasticks-5x5 --up-to pieces --limit 2", None),
    ("solve two.dlx --all", write_cover),
    ("takeapart soma-cube", None),
    ("takeapart tetrominoes-5x4 --store a.store", None),
    ("count dominoes-4x4 --assemblable --store a.store", None),
    ("make trominoes", None),
    ("count soma-cube --assemblable", None),
    ("count dominoes-4x4", None),
    ("count dominoes-4x4 --method list", None),
    ("count dominoes-4x4 mutilated-chessboard-6x6", None),
    ("solve dominoes-4x4 tetrominoes-5x4", None),
    ("prove dominoes-4x4 tetrominoes-5x4", None),
    ("count tetrominoes-5x4 --certificate DIR", None),
    ("count shader-hexagon --by-pieces", None),
    ("count shader-hexagon --by-pieces --time-limit 1e-9", None),
    ("count two.dlx", write_cover),
    ("subsets shader-hexagon shader-ring --time-limit 1e-9", None),
    ("sample dominoes-8x8 -n 2", None),
    ("estimate soma-cube --dives 20 --measure 0.01", None),
    ("prove tetrominoes-5x4", None),
    ("prove tetrominoes-5x4 --certificate DIR", None),
    ("prove tritrigs-heart-2 --backend dlx", None),
    ("coloring tetrominoes-5x4", None),
    ("coloring dominoes-4x4", None),
    ("explain tetrominoes-5x4", None),
    ("explain dominoes-4x4", None),
    ("pack tetrominoes-5x4 --workers 1", None),
    ("compare dominoes-4x4 --backends dlx,reference --task all", None),
    ("instances list pockets", None),
    ("instances make DIR pockets-4", None),
    ("check dominoes-4x4 found.jsonl", write_found),
    ("verify-certificate proof", write_certificate),
    ("tile X", None),
    ("tile U --freedom fixed", None),
    ("tile U --freedom fixed --heesch", None),
    ("tile --lattice square --order 4", None),
    ("verify-certificate shape", write_tiling),
    ("verify-certificate census.store", write_census),
    ("status census.store", write_census),
    ("resume census.store", write_census),
    ("help options", None),
    ("peg triangle-4 --start 2", None),
    ("peg triangle-4 --count --by-moves", None),
    ("peg triangle-4 --all --start 5", None),
    ("peg diamond-4 --set pagoda=yes --start 1", None),
    ("sudoku some.txt --boxes 2x2", write_sudokus),
    ("sudoku some.txt --boxes 2x2 --count", write_sudokus),
    ("sudoku some.txt --boxes 2x2 --limit 3", write_sudokus),
    ("sudoku one.txt --boxes 2x2 --minimal", write_one_sudoku),
    ("queens 6", None),
    ("queens 6 --count", None),
    ("pieces square 4", None),
    ("pieces cube 4 --one-sided --count", None),
    ("classes tetrahexes-4x7", None),
    ("classes tetrahexes-4x7 --set pairs=yes --set most=0", None),
    ("catalogue verify --puzzle dominoes-4x4 --budget 1 --ledger some.sqlite", None),
    ("design challenges tetrahexes-4x7 -n 2 --graded", None),
    ("design grade one-sided-tetratwigs-triangle-4", None),
    ("backends", None),
    ("count tetrahexes-4x7 --store a.store", None),
    ("solve tetrahexes-4x7 --all --store a.store", None),
    ("prove tetrahexes-4x7 --store a.store", None),
    ("resume a.store", write_open_store),
    ("status a.store", write_store),
    ("solutions a.store --limit 2 --up-to rotation", write_store),
    ("work a.store --shard 1/2 -o b.store", write_open_store),
    ("merge b.store a.store", write_store),
]


def test_every_command_that_prints_json_is_called_here() -> None:
    printing = {
        name
        for name in COMMANDS
        for command in (loaded(name), *getattr(loaded(name), "commands", {}).values())
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert printing == {call.split()[0] for call, _ in CALLS} == {*ANSWERS}


@cache
def validator(command: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        json.loads((SCHEMAS / f"{command}.json").read_text("utf-8"))
    )


def read_back(kind: type[Answer], text: str) -> bool:
    """Return whether an answer of this kind says the same, no word more and none less."""
    try:
        answer = msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError:
        return False
    return answer.to_json() == text


@pytest.mark.parametrize(("call", "fill"), CALLS, ids=[call for call, _ in CALLS])
def test_json_follows_its_schema_and_reads_back(
    call: str, fill: Fill | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    for package in ("manifold3d", "trimesh") if call.startswith("make ") else ():
        pytest.importorskip(package, reason="the extra make is not installed")
    monkeypatch.chdir(tmp_path)
    if fill is not None:
        fill(tmp_path)
    command, *words = call.replace("DIR", "certificate").split()
    _, out, _ = cli(command, *words, "--json")
    assert out.count("\n") == 1
    validator(command).validate(json.loads(out))
    assert any(read_back(kind, out.rstrip("\n")) for kind in ANSWERS[command])


def test_every_command_with_json_is_called() -> None:
    assert {call.split()[0] for call, _ in CALLS} == set(ANSWERS)


def test_an_answer_is_printed_whole_before_ctrl_c_is_heard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "_came", [])

    class Interrupted(Answer, frozen=True):
        def to_json(self, indent: int = 0) -> str:
            signal.raise_signal(signal.SIGINT)
            return "all of it"

    with pytest.raises(KeyboardInterrupt):
        print_json(Interrupted())
    assert capsys.readouterr().out == "all of it\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_json_is_whole_after_ctrl_c_without_buffers_too() -> None:
    """A write to a full pipe that a signal comes into is not finished by itself."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "exactile", "list", "--json"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        begun = process.stdout.read(1)
        pipe = process.stdout
        wait_until(lambda: is_full(pipe), process)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: has_heard(process.pid), process)
        document = begun + process.stdout.read()
    assert len(document) > 2**16
    assert json.loads(document)
