"""The committed comparisons: they say what the documentation says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exactile

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
