"""Published counts of peg solitaire."""

from __future__ import annotations

import pytest

from exactile.classics.peg import PegLimits, PegProblem, count, load_board, shortest
from exactile.classics.peg.problem import problems, written
from exactile.classics.peg.reasons import excluded_by_parity

TEN_HOLES = """
0010000000 1011111111 7-2 1-4 9-7-2 6-1-4-6 A-3
0010000000 1011111111 7-2 1-4 9-7-2 6-4-1-6 A-3
0100000000 1101111111 A-3 1-6 8-A-3 4-6-1-4 7-2
0100000000 1101111111 A-3 1-6 8-A-3 4-1-6-4 7-2
0000000100 1110111111 1-4 7-2 6-1-4 9-7-2-9 A-8
0000000100 1110111111 1-4 7-2 6-1-4 9-2-7-9 A-8
0000000010 1111101111 1-6 A-3 4-1-6 8-3-A-8 7-9
0000000010 1111101111 1-6 A-3 4-1-6 8-A-3-8 7-9
0001000000 1111111011 A-8 7-9 3-A-8 2-9-7-2 1-4
0001000000 1111111011 A-8 7-9 3-A-8 2-7-9-2 1-4
0000010000 1111111101 7-9 A-8 2-7-9 3-A-8-3 1-6
0000010000 1111111101 7-9 A-8 2-7-9 3-8-A-3 1-6
"""
"""The twelve solutions of five moves by A. Aravena (2020): the end, the start, the moves."""

FIFTEEN_HOLES = {1: (29760, 10), 2: (14880, 10), 4: (85258, 9), 5: (1550, 11)}
"""Sequences that leave one peg, and the fewest moves, by the empty hole."""


def bits(position: int) -> str:
    return "".join(str(position >> h & 1) for h in range(10))


def test_ten_holes_all_sequences() -> None:
    counts = [count(p, by_moves=True) for p in problems(load_board("triangle-4"))]
    assert [c.sequences for c in counts] == [0, 14, 14, 14, 0, 14, 0, 14, 14, 0]
    totals = [sum(c.by_moves[k] for c in counts if c.by_moves) for k in range(9)]
    assert totals == [0, 0, 0, 0, 0, 12, 24, 30, 18]


def test_ten_holes_the_twelve_shortest() -> None:
    found = []
    for problem in problems(load_board("triangle-4")):
        for solution in shortest(problem).solutions():
            end = 1 << solution[-1][-1]
            text = written(solution).replace("10", "A")
            found.append(f"{bits(end)} {bits(problem.start)} {text}")
    assert sorted(found) == sorted(TEN_HOLES.split("\n")[1:-1])


@pytest.mark.parametrize("hole", FIFTEEN_HOLES)
def test_fifteen_holes(hole: int) -> None:
    problem = PegProblem.vacancy(load_board("triangle-5"), hole)
    sequences, fewest = FIFTEEN_HOLES[hole]
    counted = count(problem, by_moves=True)
    assert counted.sequences == sequences
    answer = shortest(problem)
    assert answer.moves == fewest
    assert counted.by_moves is not None
    assert answer.count() == counted.by_moves[fewest] > 0
    assert not any(counted.by_moves[:fewest])


def test_fifteen_holes_all_starts() -> None:
    every = problems(load_board("triangle-5"))
    assert sum(count(problem).sequences or 0 for problem in every) == 438_984


def test_twenty_one_holes() -> None:
    """Our own figures: the sum is also that over all pairs of an empty hole and a last peg."""
    every = problems(load_board("triangle-6"))
    counts = {hole: count(every[hole - 1]).sequences or 0 for hole in (1, 2, 4, 5, 8)}
    alike = {1: 3, 2: 6, 4: 6, 5: 3, 8: 3}
    assert sum(alike[hole] * counts[hole] for hole in alike) == 2_194_477_729_800
    fewest = {hole: shortest(every[hole - 1]).moves for hole in alike}
    assert fewest == {1: 10, 2: 9, 4: 9, 5: 10, 8: 9}


def test_a_last_peg_from_the_inner_hole_can_only_be_in_hole_13() -> None:
    """Of the holes that parity allows, 1, 5, 7, 10 and 13."""
    board = load_board("triangle-5")
    numbers = [count(PegProblem.vacancy(board, 5, end)).sequences for end in range(1, 16)]
    assert [end for end, number in enumerate(numbers, start=1) if number] == [13]
    assert numbers[12] == 1550


def test_the_european_board_with_an_empty_middle_is_impossible() -> None:
    problem = PegProblem.vacancy(load_board("european"), 19)
    excluded = [goal for c in excluded_by_parity(problem) for goal in c.goals]
    assert sorted(excluded) == sorted(problem.goals)


def test_parity_leaves_five_ends_on_the_english_board() -> None:
    """From the middle: the middle and the middles of the four arms' ends."""
    problem = PegProblem.vacancy(load_board("english"), 17)
    excluded = {goal for c in excluded_by_parity(problem) for goal in c.goals}
    left = [goal.bit_length() for goal in problem.goals if goal not in excluded]
    assert left == [2, 14, 17, 20, 32]


@pytest.mark.slow
def test_the_english_board_from_middle_to_middle_takes_18_moves() -> None:
    """E. Bergholt found such a solution in 1912; J. D. Beasley proved in 1964 that none is shorter.

    The levels from both ends are complete and have nothing in common up to 17 moves.
    """
    answer = shortest(PegProblem.vacancy(load_board("english"), 17, 17))
    assert answer.moves == 18
    assert answer.stats["levels_from_start"] == [
        *(1, 1, 2, 9, 47, 263, 1452, 7772, 38150, 164297, 585567, 1641177)
    ]
    assert answer.stats["levels_from_goals"] == [1, 1, 16, 979, 14115, 126902, 632451, 1954152]
    assert answer.count() == len(set(answer.solutions())) == 7488


@pytest.mark.slow
def test_all_sequences_of_the_english_board_from_middle_to_middle() -> None:
    answer = count(PegProblem.vacancy(load_board("english"), 17, 17), limits=PegLimits(3600))
    assert answer.sequences == 40_861_647_040_079_968
    assert answer.positions == 23_475_688
