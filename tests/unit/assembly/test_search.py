"""Searches for solutions that come apart: limits, counts, interruptions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.answers import Status
from exactile.assembly.disassemble import TOO_MANY, Disassembler
from exactile.assembly.search import AssemblySearch, orbit_sizes
from exactile.errors import Interrupted, PuzzleError
from exactile.puzzle import Region
from exactile.search.case import Case
from exactile.search.limits import Limits
from support.burr import burr
from support.clock import late
from support.ctrl_c import interrupted


@pytest.fixture
def puzzle(tmp_path: Path) -> exactile.Puzzle:
    return exactile.load(str(burr(tmp_path)))


def test_a_solution_limit_counts_what_comes_apart(puzzle: exactile.Puzzle) -> None:
    with AssemblySearch(puzzle, limits=Limits(limit=2)) as search:
        found = list(search)
    assert len(found) == 2
    assert (search.status, search.stopped) == (Status.SOLVABLE, "solution limit")
    assert [exactile.take_apart(puzzle, each).outcome for each in found] == ["apart"] * 2


def test_the_same_image_of_each_solution_is_taken_apart() -> None:
    puzzle = exactile.load("soma-cube")
    found = {
        frozenset(AssemblySearch(puzzle, use_symmetry=symmetric)) for symmetric in (True, False)
    }
    assert [len(each) for each in found] == [240]
    with AssemblySearch(puzzle) as search:
        assert sum(int(search.multiples(rows).sum()) for rows in search.batches()) == 11_520
    piece = puzzle.piece("L")  # the first with all 24 orientations
    own = {tuple(np.subtract(unit, min(piece.units))) for unit in piece.units}
    for solution in found.pop():
        [units] = [placed.units for placed in solution if placed.piece == "L"]
        assert {tuple(np.subtract(unit, min(units))) for unit in units} == own


def test_every_solution_has_the_outcome_of_its_orbit(puzzle: exactile.Puzzle) -> None:
    """All 360 solutions, one by one, agree with the counts from one of each orbit."""
    with exactile.Search(puzzle) as search:
        answers = [exactile.take_apart(puzzle, solution) for solution in search]
    firsts = sorted(a.level.split(".")[0] for a in answers if a.outcome == "apart")
    counted = exactile.count_assemblable(puzzle)
    expected = [t.level.split(".")[0] for t in counted.levels for _ in range(t.raw)]
    assert (len(answers), firsts) == (360, sorted(expected))


def test_sequences_have_the_levels_that_are_counted(puzzle: exactile.Puzzle) -> None:
    with AssemblySearch(puzzle) as search:
        answers = [exactile.take_apart(puzzle, solution) for solution in search]
        counted = {tally.level: (tally.moves, tally.symmetry) for tally in search.levels}
    moves = {answer.level: answer.moves for answer in answers}
    times = Counter(answer.level for answer in answers)
    assert counted == {level: (moves[level], times[level]) for level in moves}


def test_by_lines_no_level_is_greater(puzzle: exactile.Puzzle) -> None:
    with AssemblySearch(puzzle) as search:
        for solution in search:
            answer = exactile.take_apart(puzzle, solution)
            assert answer.moves_by_lines is not None
            assert answer.moves is not None
            assert answer.moves_by_lines <= answer.moves
    lines = exactile.count_assemblable(puzzle, lines=True)
    assert lines.raw == 60


def test_too_many_states_are_no_verdict(puzzle: exactile.Puzzle) -> None:
    answer = exactile.count_assemblable(puzzle, states=3)
    assert (answer.raw, answer.stopped) == (None, TOO_MANY)
    assert answer.unknown > 0
    with AssemblySearch(puzzle, states=3) as search:
        for _ in search:
            pass
    assert not search.status.final
    with exactile.Search(puzzle) as plain:
        outcomes = {exactile.take_apart(puzzle, each, states=3).outcome for each in plain}
    assert "unknown" in outcomes


def test_a_time_limit_leaves_what_is_known(
    puzzle: exactile.Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    late(monkeypatch, lambda search, _: search.found > 0)
    with AssemblySearch(puzzle, limits=Limits(time_limit=1000)) as search:
        search.counted()
    answer = search.count()
    assert answer.raw is None
    assert answer.status in (Status.SOLVABLE, Status.UNKNOWN)


def test_ctrl_c_keeps_the_numbers(puzzle: exactile.Puzzle) -> None:
    def call() -> Any:
        with pytest.raises(Interrupted) as caught:
            exactile.count_assemblable(puzzle)
        return caught.value.answer

    assert interrupted(call, 1).stopped == "interrupted"


def test_orbits_have_their_sizes(puzzle: exactile.Puzzle) -> None:
    soma = Case(exactile.load("tetrahexes-4x7"))
    with exactile.Search(soma, up_to="symmetry") as search:
        sizes = np.concatenate([orbit_sizes(soma.action, rows) for rows in search.batches()])
    assert sizes.sum(axis=0).tolist() == [18, 9, 9]


def test_more_than_64_pieces_are_refused() -> None:
    puzzle = exactile.make_puzzle("66xmonomino", box=(11, 6))
    with pytest.raises(PuzzleError, match="64 pieces"):
        exactile.take_apart(puzzle, exactile.solve_one(puzzle) or ())


def test_more_than_64_groups_are_refused() -> None:
    """Equal ones count once: a group is a set."""
    soma = exactile.load("soma-cube")
    solution = exactile.solve_one(soma) or ()
    pairs = (*combinations(soma.piece_index, 2), *combinations(soma.piece_index, 3))
    groups = (*pairs, *combinations(soma.piece_index, 4))
    assert exactile.take_apart(replace(soma, together=pairs * 2), solution).outcome == "apart"
    with pytest.raises(PuzzleError, match="91 groups of pieces that may stay together"):
        exactile.take_apart(replace(soma, together=groups), solution)


def test_pieces_far_away_are_refused() -> None:
    soma = exactile.load("soma-cube")
    far = Region(soma.lattice, soma.region.units + 3_000_000)
    puzzle = replace(soma, region=far, known=())
    with pytest.raises(PuzzleError, match="lie too far from the origin"):
        exactile.take_apart(puzzle, exactile.solve_one(puzzle) or ())


@pytest.mark.parametrize(("length", "outcome"), [(9000, "apart"), (30_000, "unknown")])
def test_moves_too_long_for_a_state_are_no_verdict(length: int, outcome: str) -> None:
    """A cell leaves a pocket, and then the end that is far away."""
    pocket = [(0, 0), (0, 1), (0, -1), (1, 1), (1, -1), (length, 0)]
    solution = (exactile.Placement("ends", tuple(pocket)), exactile.Placement("dot", ((1, 0),)))
    square = exactile.get_lattice("square")
    pieces = tuple(
        exactile.Piece(p.piece, square, p.units, exactile.Freedom.FIXED) for p in solution
    )
    board = exactile.Puzzle("far", Region(square, [*pocket, (1, 0)]), pieces)
    answer = exactile.take_apart(board, solution)
    assert answer.outcome == outcome
    assert answer.stopped == (None if outcome == "apart" else TOO_MANY)


def test_ctrl_c_at_the_end_is_no_wrong_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Disassembler) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Disassembler, "separations", interrupt)
    soma = exactile.load("soma-cube")
    with pytest.raises(Interrupted) as stop:
        exactile.take_apart(soma, exactile.solve_one(soma) or ())
    assert (stop.value.answer.outcome, stop.value.answer.stopped) == ("unknown", "interrupted")


def test_overlapping_placements_are_refused(puzzle: exactile.Puzzle) -> None:
    solution = exactile.solve_one(puzzle) or ()
    with pytest.raises(PuzzleError, match="do not overlap"):
        exactile.take_apart(puzzle, (*solution, solution[0]))


def test_groups_stay_together(puzzle: exactile.Puzzle) -> None:
    with AssemblySearch(puzzle, limits=Limits(limit=1)) as search:
        (solution,) = search
    full = exactile.take_apart(puzzle, solution)
    last = full.separations[-1]
    names = tuple(solution[k].piece for k in last.pieces)
    grouped = exactile.take_apart(replace(puzzle, together=(names,)), solution)
    assert len(grouped.separations) == len(full.separations) - 1
    everything = tuple(piece.name for piece in puzzle.pieces)
    whole = exactile.take_apart(replace(puzzle, together=(everything,)), solution)
    assert (whole.separations, whole.level, whole.moves) == ((), "0", 0)


def test_a_single_piece_has_level_0() -> None:
    dominoes = exactile.load("dominoes-4x4")
    puzzle = replace(
        dominoes,
        region=Region(
            dominoes.lattice, np.array([(x, 0) for x in range(4)]), np.ones(4, dtype=bool)
        ),
        pieces=(replace(dominoes.pieces[0], lower=0, upper=2),),
    )
    answer = exactile.count_assemblable(puzzle)
    assert {tally.level: tally.raw for tally in answer.levels} == {"0": 4, "1": 1}


def test_work_in_slices_gives_the_same(puzzle: exactile.Puzzle) -> None:
    """A search that is cut into slices of no time at all goes on where it was."""
    with exactile.Search(puzzle, up_to="symmetry") as search:
        solutions = list(search)
    for solution in solutions[:6]:
        disassembler = Disassembler(puzzle)
        disassembler.learn(solution)
        row = np.arange(len(solution))[None, :]
        whole = disassembler.run(row, 60)
        sliced, slices = disassembler.run(row, 1e-9), 1
        while not len(sliced.outcomes):
            sliced, slices = disassembler.run(row, 2e-5), slices + 1
        assert sliced.outcomes.tolist() == whole.outcomes.tolist()
        assert sliced.numbers.tolist() == whole.numbers.tolist()
        assert slices > 1


def test_more_pieces_than_one_word_holds() -> None:
    drawing = [
        "###########",
        "#abcdefghz.",
        "#########z#",
        "#########.#",
        "###########",
    ]
    found: dict[str, list[tuple[int, int]]] = {}
    for y, line in enumerate(drawing):
        for x, name in enumerate(line):
            found.setdefault(name, []).append((x, y))
    del found["."]
    lattice = exactile.get_lattice("square")
    solution = tuple(exactile.Placement(name, tuple(sorted(c))) for name, c in found.items())
    units = np.array([unit for placement in solution for unit in placement.units])
    pieces = tuple(
        exactile.Piece(p.piece, lattice, p.units, exactile.Freedom.FIXED) for p in solution
    )
    puzzle = exactile.Puzzle("corridor", exactile.Region(lattice, units), pieces)
    answer = exactile.take_apart(puzzle, solution)
    names = [placement.piece for placement in answer.solution]
    # The bolt z goes down by a step, then one piece after the other leaves, and z never does.
    assert [len(s.moves) for s in answer.separations] == [2, *[1] * 7]
    assert [len(s.pieces) for s in answer.separations] == list(range(10, 2, -1))
    assert {names[k] for k in answer.locked} == {"#", "z"}
