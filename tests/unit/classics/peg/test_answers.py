"""The checker, certificates, reasons, models and pictures of peg solitaire."""

from __future__ import annotations

import re

import numpy as np
import pytest

from exactile.classics.drawings import after, draw_solution
from exactile.classics.peg import Board, Finder, PegLimits, PegProblem, fault, load_board, shortest
from exactile.classics.peg.check import Certificate, require, verify
from exactile.classics.peg.problem import alike, jump_model, problems
from exactile.classics.peg.reasons import even_sets, excluded_by_pagodas
from exactile.classics.peg.verbs import Play, PlaySettings
from exactile.errors import CertificateError, CheckFailedError, ModelError
from exactile.tuning import TUNING

BOARD = load_board("triangle-4")
START = BOARD.full ^ 0b10


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        (((6, 1), (0, 5)), "move 2, from 1 to 6: the jump ends on a peg"),
        (((6, 2),), "not two steps in a straight line"),
        (((6,),), "move 1 is not a jump"),
        (((1, 6),), r"there is no peg to jump\."),
        (((9, 2),), "the jump ends on a peg"),
        (((6, 1), (1, 6)), "move 2 goes on with the peg of move 1"),
        (((6, 10),), "no such hole"),
        (((6, 1),), "not where they should be"),
    ],
)
def test_faults(solution: tuple[tuple[int, ...], ...], message: str) -> None:
    goals = PegProblem.vacancy(BOARD, 2).goals
    wrong = fault(BOARD, START, goals, solution)
    assert wrong is not None
    with pytest.raises(CheckFailedError, match=message):
        require(BOARD, START, goals, solution)


def test_every_kind_of_answer_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PegProblem.vacancy(BOARD, 2)
    monkeypatch.setattr("exactile.classics.peg.check.fault", lambda *_: "it is ugly")
    for answers in (
        iter(Finder(problem)),
        shortest(problem).solutions(),
        iter(Play(problem, PlaySettings("dlx"))),
    ):
        with pytest.raises(CheckFailedError, match="it is ugly"):
            next(answers)


@pytest.mark.parametrize(
    ("certificate", "message"),
    [
        (Certificate("parity", (1, 0, 0), (1,)), "10 holes, and 3 weights"),
        (Certificate("parity", (1,) * 10, (1,)), "changes the weight by -1"),
        (Certificate("parity", (2,) * 10, (1,)), "weights are 0 or 1"),
        (Certificate("parity", (0,) * 10, (1,)), "prove nothing: start 0, goal 0"),
        (Certificate("pagoda", (0,) * 9 + (1,), (1,)), "changes the weight by 1"),
        (Certificate("pagoda", (1,) * 10, (1,)), "prove nothing: start 9, goal 1"),
    ],
)
def test_damaged_certificates(certificate: Certificate, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        verify(BOARD, START, certificate)


@pytest.mark.parametrize("name", ["english", "european", "triangle-4", "hexagon-3", "square-2"])
def test_even_sets(name: str) -> None:
    """Independent, even, and as many as there can be, by another way to the rank."""
    board = load_board(name)
    sets = even_sets(board)
    lines = {(1 << a) | (1 << b) | (1 << c) for a, b, c in board.jumps.tolist()}
    assert all((line & s).bit_count() % 2 == 0 for line in lines for s in sets)
    spans = [{0}]
    for members in (lines, set(sets)):
        reached: list[int] = []
        for vector in sorted(members):
            for pivot in reached:
                vector = min(vector, vector ^ pivot)
            if vector:
                reached.append(vector)
        spans.append(set(reached))
    assert len(spans[1]) + len(spans[2]) == board.size
    assert len(spans[2]) == len(sets)


def test_pagoda_functions_come_after_some_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "peg_patience", 100)
    problem = PegProblem.vacancy(load_board("diamond-4"), 13)
    outcome = Play(problem).run()
    assert outcome.status.value == "unsolvable"
    assert {reason.kind for reason in outcome.reasons} == {"parity", "pagoda"}
    assert sorted(g for reason in outcome.reasons for g in reason.goals) == sorted(problem.goals)
    for reason in outcome.reasons:
        assert reason.certificate is not None
        verify(problem.board, problem.start, reason.certificate)
    searched = Play(problem, PlaySettings(use_reasons=False)).run()
    assert [reason.kind for reason in searched.reasons] == ["search"]


def test_images_of_reasons_hold() -> None:
    board = load_board("diamond-4")
    every = problems(board)
    first, symmetry = alike(every)[23]
    assert first == 1
    outcome = Play(every[first], PlaySettings(pagoda=True)).run().moved(every[23], symmetry)
    assert len(outcome.reasons) > 1
    for reason in outcome.reasons:
        assert reason.certificate is not None
        verify(board, every[23].start, reason.certificate)


def test_no_pagodas_without_time() -> None:
    limits = PegLimits()
    limits.cancel()
    assert excluded_by_pagodas(PegProblem.vacancy(BOARD, 1), limits) == []


def test_too_many_pegs_at_the_end() -> None:
    problem = PegProblem(BOARD, 0b11, (0b111,))
    outcome = Play(problem).run()
    assert [reason.kind for reason in outcome.reasons] == ["pegs"]
    assert outcome.reasons[0].text(BOARD, problem.start).startswith("Each jump takes a peg away")
    already = Play(PegProblem(BOARD, 0b11, (0b11,))).run()
    assert already.solutions == ((),)
    assert Play(PegProblem(BOARD, 0b11, (0b11,)), PlaySettings("dlx")).run().solutions == ((),)


def test_what_no_model_is_made_of() -> None:
    with pytest.raises(ModelError, match="no jump to be made"):
        jump_model(PegProblem(BOARD, 0b11, (0b11,)))
    with pytest.raises(ModelError, match="one goal, or single pegs"):
        jump_model(PegProblem(BOARD, 0b111, (0b11, 0b101)))


def test_a_picture_has_a_frame_for_each_position() -> None:
    problem = PegProblem.vacancy(BOARD, 2)
    solution = next(shortest(problem).solutions())
    picture = draw_solution(BOARD, problem.start, solution)
    assert picture.count("<g>") == 6
    assert picture.count("<circle") == 60
    assert picture == draw_solution(BOARD, problem.start, solution)
    position = problem.start
    for move in solution:
        position = after(BOARD, position, move)
    assert position == 1 << solution[-1][-1]


def test_a_board_of_one_row() -> None:
    board = Board.of("row", "square", [(x, 0) for x in range(4)])
    problem = PegProblem(board, 0b0011, (0b0100,))
    assert list(Finder(problem)) == [((0, 2),)]
    assert np.array_equal(board.jumps, [[0, 1, 2], [1, 2, 3], [2, 1, 0], [3, 2, 1]])


@pytest.mark.parametrize("name", ["triangle-5", "english"])
def test_pictures_have_the_numbers_that_captions_use(name: str) -> None:
    board = load_board(name)
    begin, middle, end = (int(hole) for hole in board.jumps[0])
    start = (1 << begin) | (1 << middle)
    picture = draw_solution(board, start, ((begin, end),))
    assert f">1.  {begin + 1}-{end + 1}</text>" in picture
    for frame in picture.split("<g>\n<title>")[1:]:
        numbers = re.findall(r">(\d+)</text>", frame)
        assert numbers == [str(hole + 1) for hole in range(board.size)]
