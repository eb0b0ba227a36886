"""Results of comparisons: tables that other programs read, scores, and a page with all names."""

from __future__ import annotations

import csv
from html import escape
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from exactile.answers import ComparedRun, ComparisonAnswer, Stats
from exactile.render.comparison_page import comparison_page, plots
from exactile.render.comparison_text import Scores, comparison_text
from exactile.surveys.compare.writing import as_csv, write_comparison

PUZZLES = ("a-puzzle-with-a-name-that-nobody-would-shorten-of-course", "p<q", "r")
BACKENDS = ("dlx", "cpsat+linearization_level=2+seed=3", "external:solver --a {seed}")
SECONDS = {"dlx": (1.0, 9.0, None), BACKENDS[1]: (2.0, 3.0, None), BACKENDS[2]: (4.0, None, 5.0)}


def made(**changes: object) -> ComparisonAnswer:
    runs = tuple(
        ComparedRun(
            puzzle=puzzle,
            backend=backend,
            family="polyhexes" if k else "polycubes",
            end="time limit" if seconds is None else "finished",
            seconds=seconds,
            seed=3 if "seed" in backend else None,
            number=None if seconds is None else 8,
            stats=Stats(nodes=7) if backend == "dlx" else Stats(conflicts=5),
            parameters={"linearization_level": "2"} if "level" in backend else {},
            message='it, too, has "quotes"\nand lines',
        )
        for k, puzzle in enumerate(PUZZLES)
        for backend, seconds in ((b, SECONDS[b][k]) for b in BACKENDS)
    )
    fields = {
        "format": 2,
        "task": "all",
        "time_limit": 10.0,
        "memory_limit": None,
        "seed": 0,
        "threads": 1,
        "use_symmetry": True,
        "repeats": 1,
        "puzzles": PUZZLES,
        "backends": BACKENDS,
        "finished": True,
        "disagreements": (),
        "runs": runs,
    }
    return ComparisonAnswer(**(fields | changes))  # type: ignore[arg-type]


def test_scores_by_hand() -> None:
    """PAR2 is (1 + 9 + 20) / 3 and so on; without the third, the last puzzle has no answer."""
    ranking = Scores(made()).ranking
    assert [(s.backend, s.solved, s.par2, s.fastest, s.alone) for s in ranking] == [
        (BACKENDS[1], 2, 25 / 3, 1, 0),
        (BACKENDS[2], 2, 29 / 3, 1, 1),
        ("dlx", 2, 10.0, 1, 0),
        ("virtual best", 3, 3.0, 0, 0),
    ]
    assert [s.margin for s in ranking] == pytest.approx([2.0, 5.0, 1 / 3, 0])
    by_family = Scores(made()).families
    assert by_family == {"polycubes": [PUZZLES[0]], "polyhexes": list(PUZZLES[1:])}
    assert Scores(made()).best(by_family["polyhexes"]).par2 == 4.0


def test_an_interrupted_comparison_is_scored_on_what_all_have_run() -> None:
    """The last backend did not run the last puzzle, and another one is not installed."""
    gone = ComparedRun(puzzle="r", backend="gone", family="polyhexes", end="missing")
    runs = (*made().runs[:-1], gone)
    answer = made(runs=runs, backends=(*BACKENDS, "gone"), finished=False)
    scores = Scores(answer)
    assert scores.puzzles == list(PUZZLES[:2])
    assert [(s.backend, s.solved, s.puzzles, s.par2) for s in scores.ranking] == [
        (BACKENDS[1], 2, 2, 2.5),
        ("dlx", 2, 2, 5.0),
        (BACKENDS[2], 1, 2, 12.0),
        ("gone", 0, 0, None),
        ("virtual best", 2, 2, 2.0),
    ]
    assert "2 of 3 puzzles: those that all solvers ran." in comparison_text(answer, None)
    drawn = plots(scores)["scatter"]
    for name, marks in zip((*PUZZLES, "gone"), (2, 2, 0, 0), strict=True):
        assert drawn.count(f"<title>{escape(name)}</title>") == marks
    nothing_shared = (gone, runs[0], runs[-2])
    scores = Scores(made(runs=nothing_shared, backends=("gone", *BACKENDS)))
    assert (scores.puzzles, scores.ranking[0].par2) == ([], None)
    assert "<circle" not in plots(scores)["scatter"]
    assert Scores(made(runs=())).ranking[0].par2 is None


def test_repeats_count_by_their_median() -> None:
    run = ComparedRun(puzzle="r", backend="dlx", end="finished", seconds=1.0)
    late = ComparedRun(puzzle="r", backend="dlx", end="time limit", repeat=2)
    third = ComparedRun(puzzle="r", backend="dlx", end="finished", seconds=5.0, repeat=3)
    told = {"puzzles": ("r",), "backends": ("dlx",), "repeats": 3}
    assert Scores(made(**told, runs=(run, late, third))).times == {"dlx": [5.0]}
    assert Scores(made(**told, runs=(run, late, late))).times == {"dlx": [None]}
    assert "<h1>1 solver on 1 puzzle, task all</h1>" in comparison_page(made(**told, runs=(run,)))


def test_a_row_for_each_run() -> None:
    table = list(csv.DictReader(StringIO(as_csv(made().runs))))
    assert len(table) == 9
    assert [row["puzzle"] for row in table[::3]] == list(PUZZLES)
    assert {row["stats_nodes"] for row in table if row["backend"] == "dlx"} == {"7"}
    assert {row["stats_nodes"] for row in table if row["backend"] != "dlx"} == {""}
    assert table[1]["parameters"] == '{"linearization_level": "2"}'
    assert table[0]["message"] == 'it, too, has "quotes"\nand lines'


def test_pandas_reads_both(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    write_comparison(made(), tmp_path)
    tables = [pandas.read_csv(tmp_path / "runs.csv")]
    if (tmp_path / "runs.parquet").exists():
        tables.append(pandas.read_parquet(tmp_path / "runs.parquet"))
    for table in tables:
        times = table.pivot_table(index="puzzle", columns="backend", values="seconds")
        assert times.loc["p<q", "dlx"] == 9.0
        assert table["seed"].count() == 6


def test_arrow_reads_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_comparison(made(), tmp_path / "x.parquet")
    table = parquet.read_table(tmp_path / "x.parquet")
    assert table.num_rows == 9
    assert table["seconds"].to_pylist()[:3] == [1.0, 2.0, 4.0]
    assert table["stats_nodes"].to_pylist()[:3] == [7, None, None]


def test_disagreements_come_first_and_names_are_whole() -> None:
    answer = made(disagreements=("p<q: dlx found 8 solutions and sat 3",))
    page, text = comparison_page(answer), comparison_text(answer, width=None)
    root = ET.fromstring(
        page.removeprefix("<!doctype html>")
        .replace("<wbr>", "")
        .replace('<meta charset="utf-8">', "")
    )
    heads = [e.text for e in root.iter("h2")]
    assert heads[0] == "Disagreements"
    assert heads[1:] == ["Scores", "Families", "Cactus plot", "Scatter plots", "Times", "Remarks"]
    assert text.startswith("DISAGREEMENT: p<q: dlx found 8")
    cells = {"".join(e.itertext()) for e in root.iter() if e.tag in ("td", "th")}
    assert {*PUZZLES, *BACKENDS, "polyhexes, 2 puzzles", "polycubes, 1 puzzle"} <= cells
    for name in PUZZLES:
        assert f"| {name}" in text
    for name in BACKENDS:
        assert name in text
    assert "Seeds: 3, where solvers take one." in page
    meaning = "PAR2 in seconds, and in parentheses the number of puzzles solved."
    assert meaning in page
    assert meaning in " ".join(text.split())
    alone = structs.replace(
        answer, runs=tuple(structs.replace(run, family="one") for run in answer.runs)
    )
    assert "Families" not in comparison_text(alone)
