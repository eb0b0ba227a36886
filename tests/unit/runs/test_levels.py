"""Runs that take solutions apart: the same numbers by level, however they are cut and resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import exactile
from exactile.answers import AssemblyCount
from exactile.assembly.disassemble import Disassembler
from exactile.assembly.search import AssemblySearch
from exactile.runs.executor import RunPart, RunWork
from exactile.runs.found import found_solutions
from exactile.runs.levels import Apart
from exactile.runs.part import Searcher
from exactile.runs.run import StoredRun
from exactile.runs.status import join_stores
from exactile.runs.store import Store
from exactile.runs.store.join import take_share
from exactile.search.limits import Limits
from support.burr import burr
from support.latch import latch_file


@pytest.fixture
def puzzle(tmp_path: Path) -> exactile.Puzzle:
    return exactile.load(burr(tmp_path))


def levels(answer: object) -> dict[str, tuple[int, int, int, int]]:
    assert isinstance(answer, AssemblyCount)
    return {t.level: (t.moves, t.raw, t.rotation, t.symmetry) for t in answer.levels}


def same(answer: object, puzzle: exactile.Puzzle) -> None:
    """Require the numbers of a search without a store."""
    assert isinstance(answer, AssemblyCount)
    expected = exactile.count_assemblable(puzzle)
    assert levels(answer) == levels(expected)
    assert answer.raw is not None
    for name in ("status", "raw", "rotation", "symmetry", "unknown"):
        assert getattr(answer, name) == getattr(expected, name)
    for name in ("assemblies", "assemblies_rotation", "assemblies_symmetry"):
        assert getattr(answer, name) == getattr(expected, name)


@pytest.mark.parametrize("symmetric", [True, False])
def test_numbers_do_not_depend_on_the_cuts(
    tmp_path: Path, puzzle: exactile.Puzzle, symmetric: bool
) -> None:
    with Store(tmp_path / "a.store", write=True) as store:
        run = StoredRun.begin(store, puzzle, "count", apart="translations", use_symmetry=symmetric)
        run.cut(7)
        assert run.record.parts >= 7
        stopped = run.go_on(limits=Limits(1e-9))
        assert isinstance(stopped, AssemblyCount)
        assert stopped.raw is None
        same(StoredRun(store, run.number).go_on(), puzzle)
        assert store.run(run.number).answer is not None


def test_shares_join(tmp_path: Path, puzzle: exactile.Puzzle) -> None:
    paths = [tmp_path / f"{k}.store" for k in range(3)]
    with Store(paths[0], write=True) as whole:
        StoredRun.begin(whole, puzzle, "count", apart="translations").cut(8)
        for number in (1, 2):
            with Store(paths[number], write=True) as own:
                take_share(whole, 1, own, number, 2)
                StoredRun(own, 1).go_on()
    join_stores(paths[0], paths[1:])
    with Store(paths[0]) as store:
        same(StoredRun(store, 1).answer(), puzzle)


def test_solutions_that_come_apart_are_kept_once(tmp_path: Path, puzzle: exactile.Puzzle) -> None:
    with Store(tmp_path / "a.store", write=True) as store:
        run = StoredRun.begin(store, puzzle, "solve", apart="translations")
        run.go_on(on="processes", workers=2)
        found = [*found_solutions(run)]
        assert [*found_solutions(run, up_to="symmetry")] == found
        assert set(found) == set(AssemblySearch(puzzle))
        one = StoredRun.begin(store, puzzle, "solve", apart="translations", most=1)
        assert one.go_on().stopped == "solution limit"
        assert [*found_solutions(one)]
    taken = [exactile.take_apart(puzzle, solution).level for solution in found]
    assert sorted(taken) == ["2", "3", "4.3.2", "7", "7"]


@pytest.mark.parametrize(("apart", "raw"), [("translations", 0), ("rotations", 1)])
def test_moves_are_those_of_the_run(tmp_path: Path, apart: Apart, raw: int) -> None:
    puzzle = exactile.load(latch_file(tmp_path))
    with Store(tmp_path / "a.store", write=True) as store:
        answer = StoredRun.begin(store, puzzle, "count", apart=apart).go_on()
    assert isinstance(answer, AssemblyCount)
    assert (answer.raw, answer.symmetry, answer.assemblies) == (raw, raw, 1)


def test_a_part_that_is_stopped_counts_nothing(
    monkeypatch: pytest.MonkeyPatch, puzzle: exactile.Puzzle
) -> None:
    one_by_one = Disassembler.run
    monkeypatch.setattr(Disassembler, "run", lambda self, rows, s: one_by_one(self, rows[:1], s))
    searcher = Searcher(RunWork.of(puzzle, apart="translations"))
    part = RunPart(1, searcher.case.starts, 60.0)
    stops = iter([False] * 3)
    result = searcher.search(part, lambda: next(stops, True))
    assert (result.left, result.shares, result.found) == (part.prefixes, {}, 0)
    whole = searcher.search(part)
    assert sum(s.kept for s in whole.shares.values()) == 30 * searcher.case.action.order


def test_groups_that_stay_together_belong_to_the_run(
    tmp_path: Path, puzzle: exactile.Puzzle
) -> None:
    """Puzzles that differ only in them are equal, and a store keeps what is equal once."""
    tied = replace(puzzle, together=(tuple(piece.name for piece in puzzle.pieces),))
    assert tied == puzzle
    with Store(tmp_path / "a.store", write=True) as store:
        for number, asked in enumerate((puzzle, tied, puzzle, tied)):
            run = StoredRun.same(store, asked, "count", apart="translations")
            assert run.number == number % 2 + 1
            same(run.go_on(), asked)
        assert levels(StoredRun(store, 2).answer()).keys() == {"0"}
        assert StoredRun(store, 2).case.puzzle.together == tied.together


def test_an_answer_has_the_name_of_the_puzzle_that_was_asked_for(tmp_path: Path) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    with Store(tmp_path / "a.store", write=True) as store:
        for asked in (puzzle, replace(puzzle, name="mine")):
            run = StoredRun.same(store, asked, "count")
            assert (run.number, run.go_on().puzzle) == (1, asked.name)
