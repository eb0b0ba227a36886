"""The committed results of benchmarks: they are whole, and the documentation has their tables.

What was measured is not judged here: measuring again must not make these tests fail.
"""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.files.solution_files import read_solutions
from exactile.puzzle.check import faults_of_each

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def runs(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the runs of a comparison by puzzle and backend."""
    document = json.loads((RESULTS / f"{name}.json").read_text())
    assert document["finished"]
    assert document["disagreements"] == []
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for run in document["runs"]:
        found.setdefault(run["puzzle"], {})[run["backend"]] = run
    return found


@pytest.mark.parametrize("name", ["first", "prove", "all"])
def test_every_backend_ran_with_every_puzzle(name: str) -> None:
    found = runs(name)
    (backends,) = {frozenset(mine) for mine in found.values()}
    assert "dlx" in backends
    for mine in found.values():
        assert all(r["seconds"] >= 0 for r in mine.values() if r["end"] == "finished")
        answers = {r["answer"] for r in mine.values()}
        assert not {"solvable", "unsolvable"} <= answers


@pytest.mark.parametrize("name", ["first", "prove", "all"])
def test_the_page_has_the_table(name: str) -> None:
    page = (ROOT / "docs" / "backends.md").read_text()
    table = (RESULTS / f"{name}.md").read_text().split("\n\n")[0]
    assert table in page
    for puzzle in runs(name):
        assert exactile.load(puzzle).name == puzzle


def test_all_backends_found_the_same_sets() -> None:
    for mine in runs("all").values():
        assert len({r["digest"] for r in mine.values()}) == 1
        assert {r["answer"] for r in mine.values()} == {"complete"}


def test_the_page_has_the_best_of_the_others_where_pieces_are_copies() -> None:
    page = (ROOT / "docs" / "backends.md").read_text()
    for puzzle, mine in runs("first").items():
        others = [r["cpu_seconds"] for name, r in mine.items() if r["found"] and name != "auto"]
        assert f"| {puzzle} | {min(others):.2f} |" in page


def test_times_by_the_clock_are_in_a_table() -> None:
    table = (RESULTS / "first-copies.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    medians = [(float(row[3]), float(row[5])) for row in rows if "`" in "".join(row[1:2])]
    assert medians
    assert min(map(min, medians)) >= 0


def test_open_puzzles_are_tried_with_the_same_limits_and_each_seed() -> None:
    rows = [json.loads(x) for x in (RESULTS / "first-now.jsonl").read_text("utf-8").splitlines()]
    names = {row["puzzle"] for row in rows}
    assert len({(row["budget"], row["workers"]) for row in rows}) == 1
    assert {row["status"] for row in rows} <= {"solvable", "unknown"}
    for seed in {row["seed"] for row in rows}:
        assert sorted(row["puzzle"] for row in rows if row["seed"] == seed) == sorted(names)


def answered(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the last rows of `benchmarks/answered.py` by puzzle and backend."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for line in (RESULTS / f"{name}.jsonl").read_text().splitlines():
        row = json.loads(line)
        found.setdefault(row["puzzle"], {})[row["backend"]] = row
    return found


@pytest.mark.parametrize("name", ["answered", "answered-none"])
def test_no_answers_contradict_each_other(name: str) -> None:
    rows = answered(name)
    assert rows
    for mine in rows.values():
        assert set(mine) <= {"auto", "dlx"}
        assert len({row["status"] for row in mine.values()} - {"unknown"}) <= 1
        assert all(row["seconds"] >= 0 for row in mine.values())


def test_how_often_the_time_left_was_right_is_in_a_table() -> None:
    judge = runpy.run_path(str(RESULTS.parent / "time_left.py"))
    told = (RESULTS / "time-left.jsonl").read_text().splitlines()
    table = judge["table"]([json.loads(line) for line in told])
    assert table == (RESULTS / "time-left.md").read_text().rstrip("\n")


def test_a_figure_of_the_time_left_counts_for_one_point_only() -> None:
    judge = runpy.run_path(str(RESULTS.parent / "time_left.py"))
    told = {"seconds": 100.0, "clock": 100.0, "told": [(11.0, 11.0, 90.0, 5.0)]}
    points = [point for point in judge["POINTS"] if judge["judged"](told, point)]
    assert points == [0.1]


def test_how_long_many_workers_take_is_in_a_table() -> None:
    measured = json.loads((RESULTS / "scale.json").read_text())
    table = (RESULTS / "scale.md").read_text()
    rows = {row[1]: row for line in table.splitlines() if len(row := line.split("|")) > 6}
    for name in measured:
        row = next(row for title, row in rows.items() if title.strip() == name)
        assert all(0 < float(row[column]) <= 1 for column in (5, 6))


def test_the_heptominoes_fill_their_rectangles() -> None:
    puzzle = exactile.load(ROOT / "benchmarks" / "heptominoes.toml")
    (solution,) = read_solutions(RESULTS / "heptominoes.jsonl", puzzle)
    assert list(faults_of_each(puzzle, [solution])) == [[]]


@pytest.mark.parametrize(("name", "page"), [("auto-rules", "backends"), ("instances", "instances")])
def test_the_pages_have_the_scores_of_the_library(name: str, page: str) -> None:
    result = (RESULTS / f"{name}.md").read_text("utf-8")
    tables = [each for each in result.split("\n\n") if each.startswith("|")]
    assert tables[0].rstrip() in (ROOT / "docs" / f"{page}.md").read_text("utf-8")
