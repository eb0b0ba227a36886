"""The race: its instances, our own adapter, and what the report says of good and bad answers."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from exactile.files.models.formats import read_model
from exactile.search.cover import CoverSearch

RACE = Path(__file__).parents[2] / "benchmarks" / "race"

Pairs = dict[tuple[str, str], dict[str, Any]]


def module(name: str) -> ModuleType:
    """Load a script of the race."""
    spec = importlib.util.spec_from_file_location(f"race_{name}", RACE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


INSTANCES = module("instances")
REPORT = module("report")
NAMES = [race.name for race in INSTANCES.RACES]
QUICK = [race for race in INSTANCES.RACES if race.quick]


@pytest.mark.parametrize("race", QUICK, ids=lambda race: race.name)
def test_instances_have_the_solutions_that_they_are_said_to_have(race: Any, tmp_path: Path) -> None:
    problem = read_model(race.file(tmp_path))
    search = CoverSearch(problem.model, backend="sat" if problem.model.colored else "dlx")
    assert sum(len(rows) for rows in search.batches()) == race.solutions
    assert problem.ignored == ()
    assert problem.model.upper.max() == 1  # most packages know no bounds


def test_names_are_distinct_and_large_ones_are_large() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert 48**3 > 10**5
    text = INSTANCES.latin(48, 8)
    assert text.count("\n") == 1 + 48**3


def test_a_race_of_our_own(tmp_path: Path) -> None:
    """The whole way, with our adapter alone."""
    words = ["--only", "queens-10,mutilated-chessboard", "--solvers", "exactile", "--repeat", "2"]
    folders = ["--files", str(tmp_path / "files"), "--output", str(tmp_path / "results")]
    done = subprocess.run(
        [sys.executable, str(RACE / "race.py"), *words, *folders],
        capture_output=True,
        text=True,
        check=True,
    )
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(r["instance"], r["count"]) for r in runs] == [
        ("mutilated-chessboard", 0),
        ("mutilated-chessboard", 0),
        ("queens-10", 724),
        ("queens-10", 724),
    ]
    document = json.loads((tmp_path / "results" / "race.json").read_text("utf-8"))
    assert [(r["wrong"], r["runs"]) for r in document["records"]] == [(False, 2), (False, 2)]
    page = (tmp_path / "results" / "race.md").read_text("utf-8")
    assert "| queens-10 | 724 | " in page


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a race on this machine says of itself."""
    output = tmp_path_factory.mktemp("race")
    assert race_of_one(output).returncode == 0
    found: dict[str, Any] = json.loads((output / "race.json").read_text("utf-8"))["settings"]
    return found


def race_of_one(output: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Race on one instance with our adapter alone."""
    words = ("--only", "queens-10", "--solvers", "exactile", "--repeat", "1", *words)
    folders = ("--files", str(output / "files"), "--output", str(output))
    command = [sys.executable, str(RACE / "race.py"), *words, *folders]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_was_run_again_takes_the_place_of_what_was_there(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    pairs = [(name, solver) for name in ("queens-10", "one") for solver in ("exactile", "other")]
    before = [answer(solver) | {"instance": name} for name, solver in pairs]
    told = settings | {"repeat": 3, "timeout": 9}
    file = tmp_path / "race.json"
    file.write_text(json.dumps({"settings": told, "records": before}))
    assert race_of_one(tmp_path, "--merge").returncode == 0
    document = json.loads(file.read_text("utf-8"))
    assert document["records"][1:] == before[1:]
    assert document["records"][0]["count"] == 724
    assert document["settings"] == told


@pytest.mark.parametrize(("key", "value"), [("clock", None), ("processor", "another")])
def test_results_of_another_clock_or_machine_are_not_merged(
    settings: dict[str, Any], tmp_path: Path, key: str, value: str | None
) -> None:
    told = {k: v for k, v in settings.items() if k != key} | ({key: value} if value else {})
    file = tmp_path / "race.json"
    text = json.dumps({"settings": told, "records": [answer("exactile")]})
    file.write_text(text)
    done = race_of_one(tmp_path, "--merge")
    assert done.returncode == 2
    assert done.stdout == ""  # nothing was run
    assert f"({key} {value or 'unknown'}, now {settings[key]}): run the whole race" in done.stderr
    assert file.read_text() == text


def test_unknown_names_are_refused() -> None:
    done = subprocess.run(
        [sys.executable, str(RACE / "race.py"), "--only", "nothing"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "unknown: nothing" in done.stderr


def answer(solver: str, **given: Any) -> dict[str, Any]:
    """Return a record of the instance `one`."""
    good = {"count": 5, "wrong": False, "seconds": 2.0, "build_seconds": 1.0, "grown_kb": 2048}
    record = {"instance": "one", "solver": solver, "solutions": 5}
    return record | (given if "cannot" in given or "timeout" in given else good | given)


def test_the_report_shows_what_is_wrong_late_or_missing() -> None:
    records = [
        answer("exactile", seconds=1.0, build_seconds=0.0),
        answer("good"),
        answer("fast", seconds=0.5, build_seconds=0.0),
        answer("bad", count=4, wrong=True, seconds=0.001),
        answer("late", timeout=30.0),
        answer("unable", cannot="dense matrix of 30 GB"),
    ]
    page = REPORT.page(records, {"repeat": 1, "timeout": 30.0})
    searching, building = (part.split("\n\n")[1] for part in page.split("## ")[1:3])
    row = "| one | 5 | 1 | {} | **0.5** | *wrong: 4* | > 30 | – |"
    assert row.format("2") in searching
    assert row.format("3") in building
    assert "| geometric mean |  |  | 2 | **0.5** |  | > 30 |  |" in searching
    assert "- bad: wrong: 4 instead of 5 (one)" in page
    assert "- unable: dense matrix of 30 GB (one)" in page


@pytest.mark.parametrize(
    ("ratio", "text"), [(123.4, "123"), (12345.0, "12,345"), (1.26, "1.3"), (0.01234, "0.012")]
)
def test_ratios_have_two_digits(ratio: float, text: str) -> None:
    times: Callable[[float], str] = REPORT.times
    assert times(ratio) == text
