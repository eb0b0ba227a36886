"""Grades: a program that knows the rules alone can repeat every step."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import exactile
from exactile.answers import Grade
from exactile.errors import Interrupted, PuzzleError
from exactile.puzzle import Puzzle
from exactile.search.limits import Limits
from exactile.surveys.design import grading
from exactile.surveys.design.challenges import challenge_puzzles
from support.ctrl_c import interrupted
from support.replayed import replay


def graded(name: str, number: int = 3, **options: Any) -> list[tuple[Puzzle, Grade]]:
    puzzle = exactile.load(name)
    found = challenge_puzzles(puzzle, exactile.design_challenges(puzzle, number, **options))
    return [(each, exactile.grade(each)) for each in found]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tetrahexes-4x7", {}),
        ("soma-cube", {}),
        ("hexiamonds-ring-2", {"open_pieces": 7}),
        ("dominoes-4x4", {}),
        ("pentominoes-6x10", {"open_pieces": 6}),
        ("tetrominoes-5x4-tube", {}),
        ("tetrasticks-5x5-without-h", {"open_pieces": 6}),
    ],
)
def test_every_step_is_replayed(name: str, options: dict[str, Any]) -> None:
    for puzzle, grade in graded(name, **options):
        replay(puzzle, grade)
        assert grade.choices == sum(step.kind == "assume" for step in grade.steps)
        assert grade.placed == len(grade.solution) - len(puzzle.fixed)


def test_levels_and_choices() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    for level in (1, 4, 6):
        found = exactile.design_challenges(puzzle, level=level, seed=level)
        (challenge,) = found.challenges
        stated = exactile.challenge_puzzle(puzzle, challenge)
        grade = exactile.grade(stated)
        assert (challenge.level, challenge.word) == (level, grade.word)
        assert (grade.choices > 5) == (level == 6)
    given_up = exactile.grade(stated, most_choices=1)
    assert (given_up.level, given_up.steps, given_up.stopped) == (6, (), "choices")


def test_the_easiest_come_first() -> None:
    found = exactile.design_challenges(exactile.load("soma-cube"), 5, graded=True)
    levels = [challenge.level or 0 for challenge in found.challenges]
    assert levels == sorted(levels)
    assert min(levels) > 0


def test_open_cells_that_are_given() -> None:
    puzzle = exactile.make_puzzle(
        *("pentominoes:L, pentominoes:P, T4, I3",),
        box=(5, 4),
        open=[{"units": "0..4,3", "exactly": 2}, {"units": "0..4,0", "exactly": 1}],
    )
    found = exactile.design_challenges(puzzle, 3, given="both", open_pieces=3, graded=True)
    for stated in challenge_puzzles(puzzle, found):
        replay(stated, exactile.grade(stated))


def test_steps_depend_on_each_use_of_a_piece_that_is_used_up() -> None:
    pieces: list[dict[str, Any]] = [
        {"cells": {"S": "0,0 0..1,1 1,2"}, "freedom": "one-sided", "ranges": "0..1"},
        {"cells": {"W": "0,0 0..1,1 1..2,2", "I": "0..1,0"}, "ranges": {"W": "1..1", "I": "0..2"}},
    ]
    puzzle = exactile.make_puzzle(
        pieces, lattice="square", box=(5, 3), optional="1,2 3,0..2 4,0", name="twice"
    )
    replay(puzzle, exactile.grade(puzzle))


def test_hints_of_a_piece_that_is_used_twice() -> None:
    cells = "0..1,0 3..4,0"
    grade = exactile.grade(exactile.make_puzzle("2xI2", units=cells, optional=cells))
    assert next(grading.hints(grade)) == "1. I2 on 0..1,0: it has no place to spare."


def test_given_pieces_decide_which_cells_stay_open() -> None:
    puzzle = exactile.make_puzzle(
        *("2xI2",),
        box=(5, 1),
        open=[{"units": "0..1,0", "exactly": 1}],
        fixed=[{"piece": "I2", "units": "1..2,0"}],
    )
    grade = exactile.grade(puzzle)
    assert (grade.level, grade.placed) == (1, 1)


def test_a_puzzle_that_begins_with_a_choice() -> None:
    pieces: list[dict[str, Any]] = [
        {"cells": {"S": "0,0 0..1,1 1..2,2"}, "freedom": "fixed", "ranges": "0..3"},
        {"cells": {"O": "0..1,0..1"}, "ranges": "1..2"},
        {"cells": {"I": "0..3,0", "Dot": "0,0"}, "ranges": {"I": "0..3", "Dot": "0..2"}},
    ]
    puzzle = exactile.make_puzzle(
        pieces, lattice="square", units="0,0..3 1,0 1,2..3 2..3,0..3", name="choices"
    )
    grade = exactile.grade(puzzle)
    assert grade.steps[0].kind == "assume"
    replay(puzzle, grade)


def test_a_damaged_step_is_refused() -> None:
    ((puzzle, grade),) = graded("soma-cube", 1)
    steps = [step for step in grade.steps if step.kind == "place"]
    with pytest.raises(AssertionError):
        replay(puzzle, replace(grade, steps=tuple(reversed(steps))))


def test_limits_ctrl_c_and_what_cannot_be_graded() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    with pytest.raises(PuzzleError, match="several solutions"):
        exactile.grade(puzzle)
    with pytest.raises(PuzzleError, match="no solution"):
        exactile.grade(exactile.load("tetrominoes-5x4"))
    with pytest.raises(PuzzleError, match="Shared limits replace"):
        exactile.grade(puzzle, limits=Limits(), time_limit=1.0)
    rules = exactile.make_puzzle("I3, V3, L4", box=(4, 3), open=[{"units": "0..3,0", "exactly": 2}])
    with pytest.raises(PuzzleError, match="a choice of open cells"):
        exactile.grade(rules)
    (challenge,) = exactile.design_challenges(puzzle, level=6).challenges
    stated = exactile.challenge_puzzle(puzzle, challenge)
    limits = Limits()
    answer = exactile.grade(stated, limits=limits, watch=lambda words: limits.cancel())
    assert (answer.level, answer.stopped) == (None, "cancelled")

    def pressed() -> Grade:
        with pytest.raises(Interrupted) as caught:
            exactile.grade(stated)
        found: Grade = caught.value.answer
        return found

    assert interrupted(pressed, 1).stopped == "interrupted"


def test_a_limit_or_ctrl_c_while_needless_steps_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    (challenge,) = exactile.design_challenges(puzzle, open_pieces=4).challenges
    stated = exactile.challenge_puzzle(puzzle, challenge)

    def pressed() -> Grade:
        with pytest.raises(Interrupted) as caught:
            exactile.grade(stated)
        found: Grade = caught.value.answer
        return found

    answer = interrupted(pressed, 1, grading._Solving, "needed")
    assert (answer.stopped, answer.level) == ("interrupted", None)
    limits, needed = Limits(), grading._Solving.needed

    def late(solving: grading._Solving) -> list[grading._Step]:
        limits.cancel()
        return needed(solving)

    monkeypatch.setattr(grading._Solving, "needed", late)
    answer = exactile.grade(stated, limits=limits)
    assert (answer.stopped, answer.level, answer.steps) == ("cancelled", None, ())


def test_a_unit_that_must_stay_open_does_not_count_for_omitted_pieces() -> None:
    pieces: list[dict[str, Any]] = [{"orders": [3], "choose_omitted": ["I3", "V3"]}]
    opened = [{"units": "0,0", "exactly": 1}]
    puzzle = exactile.make_puzzle(pieces, lattice="square", units="0,0 0..2,1", open=opened)
    assert exactile.count(puzzle).raw == 1
    assert exactile.grade(puzzle).choices == 0


def test_numbers_of_uses_that_do_not_follow_from_the_area_are_refused() -> None:
    pieces: list[dict[str, Any]] = [
        {"orders": [2], "ranges": "0..2"},
        {"orders": [4], "only": ["O4", "I4"], "choose_omitted": ["O4", "I4"]},
    ]
    puzzle = exactile.make_puzzle(pieces, lattice="square", box=(2, 2))
    assert exactile.count(puzzle).raw == 1
    with pytest.raises(PuzzleError, match="a choice of omitted pieces"):
        exactile.grade(puzzle)
