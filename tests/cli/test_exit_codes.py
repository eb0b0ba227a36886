"""Exit codes: 0 answered, 3 not finished; those of SAT competitions on request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import exactile
from exactile.answers import INTERRUPTED
from exactile.clock import CLOCK
from exactile.counting.listing import Listing
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import read_model
from exactile.search.handle import Handle
from exactile.search.limits import Limits
from support.clock import Stopped, late
from support.command_line import Cli
from support.waiting import PATIENCE

SOLVABLE, UNSOLVABLE = "tetrahexes-4x7", "mutilated-chessboard-6x6"
OPEN = (
    "polysticks-1234-5x5-diamond-lattice-ring",
    "--set",
    "use_reasons=no",
    "--time-limit",
    "0.1",
)
ALONE = ("--pieces", "I3,V3", "--box", "3x2", "--fix", "I3@0..2,0")
"""A puzzle with one solution."""

CODES = [
    (("solve", SOLVABLE), 0, 10),
    (("solve", SOLVABLE, "--all"), 0, 10),
    (("solve", SOLVABLE, "--limit", "3"), 0, 10),
    (("solve", UNSOLVABLE), 0, 20),
    (("solve", *OPEN), 3, 0),
    (("solve", "shader-hexagon", "--up-to", "pieces", "--limit", "2"), 0, 10),
    (("prove", SOLVABLE), 0, 10),
    (("prove", UNSOLVABLE), 0, 20),
    (("prove", *OPEN), 3, 0),
    (("count", SOLVABLE), 0, 10),
    (("count", UNSOLVABLE), 0, 20),
    (("count", *OPEN, "--method", "list"), 3, 0),
    (("count", "two.xcc"), 0, 10),
    (("count", "two.xcc"), 0, 10),
    (("count", "none.xcc"), 0, 20),
    (("coloring", UNSOLVABLE), 0, 20),
    (("coloring", SOLVABLE), 0, 0),
    (("coloring", "y-pentominoes-15x15", "--time-limit", "1e-9"), 3, 0),
    (("explain", UNSOLVABLE), 0, 20),
    (("explain", SOLVABLE), 0, 10),
    (("explain", "hexominoes-14x15", "--time-limit", "1e-9"), 3, 0),
    (("queens", "8"), 0, 10),
    (("queens", "3"), 0, 20),
    (("sudoku", "unique.txt"), 0, 10),
    (("sudoku", "wrong.txt"), 0, 20),
    (("peg", "triangle-4", "--start", "2"), 0, 10),
    (("peg", "triangle-4", "--start", "5"), 0, 20),
    (("peg", "english", "--start", "17", "--count", "--time-limit", "1e-9"), 3, 0),
]
UNFINISHED = [
    ("sample", "pentominoes-6x10", "--time-limit", "1e-9"),
    ("pack", "hexominoes-14x15", "--set", "first_look=0", "--time-limit", "0.1"),
    ("classes", "pentominoes-6x10", "--set", "backend=reference", "--time-limit", "0.1"),
    ("subsets", "shader-hexagon", "--time-limit", "1e-9"),
    ("render", "dominoes-4x4", "--time-limit", "1e-9", "-o", "x.svg"),
    ("sheet", *ALONE, "--graded", "--time-limit", "1e-9", "-o", "x.pdf"),
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.xcc").write_text("a b\na\nb\na b\n")
    Path("none.xcc").write_text("a b\na\n")
    Path("unique.txt").write_text("1..4.4.223.1..2.\n")
    Path("wrong.txt").write_text("11..............\n")


@pytest.mark.parametrize(
    ("words", "plain", "sat"),
    CODES,
    ids=lambda v: " ".join(map(str, v)) if isinstance(v, tuple) else "",
)
def test_codes(words: tuple[str, ...], plain: int, sat: int, cli: Cli) -> None:
    code, _, err = cli(*words)
    assert code == plain, err
    assert cli(*words, "--set", "exit_code=sat")[0] == sat


@pytest.mark.parametrize(
    ("words", "owner", "name"),
    [
        (("solve", "dominoes-8x8", "--all", "--backend", "reference"), Handle, "_take"),
        (("queens", "30", "--count"), Listing, "_step"),
    ],
)
def test_codes_of_what_is_found_before_the_time_is_over(
    words: tuple[str, ...], owner: Any, name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for more, code in (([], 3), (["--set", "exit_code=sat"], 10)):
        with monkeypatch.context() as patch:
            late(patch, lambda search, _: search.found > 0, owner, name)
            assert cli(*words, "--time-limit", "60", *more)[0] == code


@pytest.mark.parametrize("words", UNFINISHED, ids=lambda words: words[0])
def test_what_is_not_finished_says_so(words: tuple[str, ...], cli: Cli) -> None:
    code, _, err = cli(*words)
    assert code == 3, err


def _slow_reading(monkeypatch: pytest.MonkeyPatch) -> Stopped:
    """Let reading a puzzle take ten seconds, and each look at the clock a millisecond."""
    clock, load = Stopped(monkeypatch), exactile.load

    def now() -> float:
        clock.move(1e-3)
        return clock.shows

    monkeypatch.setattr(CLOCK, "now", now)

    def slowly(name: str) -> exactile.Puzzle:
        clock.move(10)
        return load(name)

    monkeypatch.setattr("exactile.files.load", slowly)
    monkeypatch.setattr("exactile.files.reading.load", slowly)
    return clock


def test_reading_takes_of_the_time_limit(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a region of a million units: the clock runs while a puzzle is read."""
    _slow_reading(monkeypatch)
    assert cli("count", "soma-cube", "--time-limit", "11")[0] == 0
    for command in ("count", "solve", "prove", "sample", "pack", "explain"):
        searched = ("--set", "use_reasons=no") if command in ("count", "solve", "prove") else ()
        code, out, err = cli(command, "hexominoes-14x15", *searched, "--time-limit", "9")
        assert (code, "time limit" in out + err) == (3, True), command
    for command in ("solve", "prove", "classes", "takeapart"):  # which need much less than that
        assert cli(command, "soma-cube", "--time-limit", "9")[0] == 3, command


def test_reading_takes_of_the_time_limit_of_other_commands(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = _slow_reading(monkeypatch)
    for words in (
        ("design", "challenges", "tetrahexes-4x7"),
        ("design", "boards", "tetrahexes-4x7"),
        ("render", "tetrahexes-4x7", "-o", "x.svg"),
        ("prove", "tetrahexes-4x7", "soma-cube"),
    ):
        code, _, err = cli(*words, "--time-limit", "9")
        assert code == 3, (words, err)

    def read_slowly(name: str) -> ExactCover:
        clock.move(10)
        return read_model(name)

    class Noted(Limits):
        def __init__(self, time_limit: float, *more: int) -> None:
            left.append(time_limit)
            super().__init__(time_limit, *more)

    left: list[float] = []
    monkeypatch.setattr("exactile.cli.model_file.read_model", read_slowly)
    monkeypatch.setattr("exactile.cli.model_file.Limits", Noted)
    for verb in ("solve", "count"):
        cli(verb, "two.xcc", "--time-limit", "9")
        assert left.pop() < 1e-6


@pytest.mark.parametrize("words", [("render", "-o", "x.svg"), ("make", "-o", "made")])
def test_ctrl_c_while_a_solution_is_sought(
    words: tuple[str, ...], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = replace(
        exactile.prove(exactile.load("soma-cube"), time_limit=1e-9), stopped=INTERRUPTED
    )
    monkeypatch.setattr("exactile.reasons.verdict.prove", lambda *_, **__: stopped)
    code, out, err = cli(words[0], "soma-cube", *words[1:])
    assert (code, out, err) == (130, "", "Interrupted.\n")
    assert not Path(words[-1]).exists()


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    """Whatever is opened next would else have their numbers."""
    line = f"exec {sys.executable} -m exactile list --lattice kites {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "" if "2" in closed else done.stderr)
    assert "Traceback" not in done.stderr


def test_closed_input_is_empty() -> None:
    line = f"exec {sys.executable} -m exactile check soma-cube - <&- >&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: standard input")
