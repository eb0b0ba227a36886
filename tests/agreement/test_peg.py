"""Peg solitaire: searches, models and brute force agree, with every speed-up on and off."""

from __future__ import annotations

import pytest

from exactile.classics.peg import Finder, PegProblem, count, load_board, shortest
from exactile.classics.peg.check import verify
from exactile.classics.peg.problem import jump_model, move_model
from exactile.classics.peg.reasons import excluded_by_parity, pagoda
from exactile.classics.peg.verbs import Play, PlaySettings
from exactile.counting.listing import Alternating
from exactile.search.cover import CoverSearch
from support.few import few
from support.peg_rules import by_moves, random_problem, sequences


@pytest.mark.parametrize("seed", few(range(10), 2))
def test_random_boards(seed: int) -> None:
    problem = random_problem(seed)
    known = list(sequences(problem))
    moves = by_moves(problem)
    for use_symmetry in (True, False):
        counted = count(problem, by_moves=True, use_symmetry=use_symmetry)
        assert counted.by_moves == tuple(moves[k] for k in range(max(problem.length, 0) + 1))
        assert count(problem, use_symmetry=use_symmetry).sequences == len(known)
        finder = Finder(problem, use_symmetry=use_symmetry, restarts=use_symmetry)
        assert sorted(finder) == sorted(known)
        assert finder.status.final
        for both_ends in (True, False):
            answer = shortest(problem, both_ends=both_ends, use_symmetry=use_symmetry)
            fewest = min(moves, default=None)
            assert answer.moves == fewest
            best = sorted(s for s in known if len(s) == fewest)
            assert sorted(answer.solutions()) == best
            assert answer.count() == len(best)


@pytest.mark.parametrize("seed", few(range(10), 2))
def test_models_of_random_boards(seed: int) -> None:
    problem = random_problem(seed)
    if problem.length < 1 or (len(problem.goals) > 1 and problem.goals[0].bit_count() > 1):
        return
    moves = by_moves(problem)
    assert Alternating().count(jump_model(problem).model) == moves.total()
    for number in range(1, problem.length + 1):
        assert Alternating().count(move_model(problem, number).model) == moves[number]


@pytest.mark.parametrize("seed", few(range(10), 2))
def test_arguments_exclude_nothing_that_can_be_reached(seed: int) -> None:
    """A certificate is verified as it is made; here the goals are played for."""
    problem = random_problem(seed)
    for certificate in excluded_by_parity(problem):
        verify(problem.board, problem.start, certificate)
        out = PegProblem(problem.board, problem.start, certificate.goals)
        assert next(sequences(out), None) is None


@pytest.mark.parametrize("backend", ["dlx", "cpsat", "sat", "reference"])
def test_backends_list_the_sequences_of_the_ten_hole_board(backend: str) -> None:
    problem = PegProblem.vacancy(load_board("triangle-4"), 2)
    made = jump_model(problem)
    search = CoverSearch(made.model, backend=backend)
    found = [made.solution(row) for rows in search.batches() for row in rows.tolist()]
    assert len(found) == 14
    assert set(found) == set(sequences(problem))


@pytest.mark.parametrize("backend", [pytest.param("cpsat", marks=pytest.mark.slow), "sat"])
def test_backends_find_the_fewest_moves_and_refute_fewer(backend: str) -> None:
    problem = PegProblem.vacancy(load_board("triangle-4"), 2)
    outcome = Play(problem, PlaySettings(backend, fewest=True)).run()
    native = Play(problem, PlaySettings(fewest=True)).run()
    assert (outcome.moves, native.moves) == (5, 5)
    assert set(outcome.solutions) == set(native.solutions)
    assert len(native.solutions) == 2


def test_a_pagoda_function_exists_where_the_search_finds_nothing() -> None:
    board = load_board("diamond-4")
    problem = PegProblem.vacancy(board, 13, end=13)
    found = pagoda(problem, problem.goals[0])
    assert found is not None
    assert count(problem).sequences == 0
    possible = PegProblem.vacancy(load_board("triangle-4"), 2, end=3)
    assert pagoda(possible, possible.goals[0]) is None
    assert count(possible).sequences
