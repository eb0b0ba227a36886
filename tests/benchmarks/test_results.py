"""The committed comparisons: they say what the documentation says of them."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.files.solutions.reader import read_solutions
from exactile.puzzle.check import faults_of_each

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
FACTOR = 100


def runs(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the runs of a comparison by puzzle and backend."""
    document = json.loads((RESULTS / f"{name}.json").read_text())
    assert document["finished"]
    assert document["disagreements"] == []
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for run in document["runs"]:
        found.setdefault(run["puzzle"], {})[run["backend"]] = run
    return found


def test_six_first_solutions_for_which_dlx_takes_a_hundred_times_the_time() -> None:
    """Measured, not extrapolated: it was stopped later than that, or finished later."""
    lattices = set()
    hits = []
    for puzzle, mine in runs("first").items():
        late = mine["dlx"]["seconds"]
        best = min(r["seconds"] for name, r in mine.items() if r["found"] and name != "dlx")
        if late >= FACTOR * best:
            hits.append(puzzle)
            lattices.add(exactile.load(puzzle).lattice.name)
    assert len(hits) >= 6, hits
    assert len(lattices) >= 3


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


def test_auto_takes_no_more_than_a_second_more_than_the_best_where_pieces_are_copies() -> None:
    """In processor time, of which other work on the machine takes none."""
    page = (ROOT / "docs" / "backends.md").read_text()
    for puzzle, mine in runs("first").items():
        others = [r["cpu_seconds"] for name, r in mine.items() if r["found"] and name != "auto"]
        assert mine["auto"]["found"]
        assert mine["auto"]["cpu_seconds"] <= min(others) + 1
        assert f"| {puzzle} | {min(others):.2f} |" in page


def test_nor_a_second_by_the_clock() -> None:
    table = (RESULTS / "first-copies.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    medians = {row[1]: (float(row[3]), float(row[5])) for row in rows if "`" in "".join(row[1:2])}
    assert len(medians) == 14
    for best_other, auto in medians.values():
        assert auto <= best_other + 1


def test_at_least_125_of_149_open_puzzles_are_solved_with_each_seed() -> None:
    rows = [json.loads(x) for x in (RESULTS / "first-now.jsonl").read_text("utf-8").splitlines()]
    for seed in (1, 2, 3):
        mine = {row["puzzle"]: row for row in rows if row["seed"] == seed}
        assert len(mine) == 149
        assert {(row["budget"], row["workers"]) for row in mine.values()} == {(60.0, 2)}
        assert sum(row["status"] == "solvable" for row in mine.values()) >= 125


def answered(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the last rows of `benchmarks/answered.py` by puzzle and backend."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for line in (RESULTS / f"{name}.jsonl").read_text().splitlines():
        row = json.loads(line)
        found.setdefault(row["puzzle"], {})[row["backend"]] = row
    return found


def test_one_solution_is_found_of_every_puzzle_that_has_one() -> None:
    rows = answered("answered")
    assert len(rows) == 979
    slow = [name for name, mine in rows.items() if mine["auto"]["seconds"] > 2]
    assert len(slow) == 5
    assert {mine["auto"]["status"] for mine in rows.values()} == {"solvable"}
    assert all(rows[name]["dlx"]["status"] == "unknown" for name in slow)
    assert all(rows[name]["dlx"]["seconds"] > 1 for name in slow)


def test_none_is_proven_at_most_twice_as_late() -> None:
    rows = answered("answered-none")
    settled = {n: mine for n, mine in rows.items() if mine["dlx"]["status"] == "unsolvable"}
    assert len(settled) == 190
    for mine in settled.values():
        assert mine["auto"]["status"] == "unsolvable"
        assert mine["auto"]["seconds"] / 2 <= 2 * mine["dlx"]["seconds"] + 0.5


def test_the_page_of_long_runs_has_how_often_the_time_left_was_right() -> None:
    judge = runpy.run_path(str(RESULTS.parent / "time_left.py"))
    told = (RESULTS / "time-left.jsonl").read_text().splitlines()
    table = judge["table"]([json.loads(line) for line in told])
    assert table == (RESULTS / "time-left.md").read_text().rstrip("\n")
    assert "By processor time: within the range 30 times of 30." in table
    page = " ".join((ROOT / "docs" / "long-runs.md").read_text().split())
    assert "which showed 30 such figures from 1 to 4 % of the way on, it always did" in page


def test_a_figure_of_the_time_left_counts_for_one_point_only() -> None:
    judge = runpy.run_path(str(RESULTS.parent / "time_left.py"))
    told = {"seconds": 100.0, "clock": 100.0, "told": [(11.0, 11.0, 90.0, 5.0)]}
    points = [point for point in judge["POINTS"] if judge["judged"](told, point)]
    assert points == [0.1]


def test_the_page_of_long_runs_has_how_long_many_workers_take() -> None:
    measured = json.loads((RESULTS / "scale.json").read_text())
    minutes = []
    for line in (RESULTS / "scale.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if known := measured.get(cells[1] if cells[1:] else ""):
            for workers, share in ((1_000, cells[5]), (10_000, cells[6])):
                minutes.append(round(known["nodes"] / 1e6 / workers / float(share) / 60))
    assert minutes == [26, 9, 23, 9, 53, 14, 4, 4]
    page = " ".join((ROOT / "docs" / "long-runs.md").read_text().split())
    assert "25 to 50 minutes, for 85 % if it takes four. Ten thousand would need four to 14" in page


def test_the_heptominoes_fill_their_rectangles() -> None:
    puzzle = exactile.load(ROOT / "benchmarks" / "heptominoes.toml")
    (solution,) = read_solutions(RESULTS / "heptominoes.jsonl", puzzle)
    assert list(faults_of_each(puzzle, [solution])) == [[]]
