from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from random import Random
from statistics import stdev

import pytest

import exactile
from exactile.backends.exploration import KERNELS, Exploration
from exactile.counting.estimate import Dive, dive, estimate, nodes_per_second, tree_of
from exactile.errors import Interrupted, PuzzleError, UnfinishedError
from exactile.geometry import get_lattice
from exactile.model import Model
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.sets import piece_set
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import dominoes


def scripted(script: list[tuple[int, int]], made: list[tuple[int, int]], n: int) -> int:
    choice = script[len(made)][0] if len(made) < len(script) else 0
    made.append((choice, n))
    return choice


def every_dive(run: Callable[[Callable[[int], int]], Dive]) -> Iterator[tuple[Fraction, Dive]]:
    """Return all dives with their chances: every sequence of choices, each tried once."""
    script: list[tuple[int, int]] = []  # (choice, number of branches) of the last dive
    while True:
        made: list[tuple[int, int]] = []
        result = run(partial(scripted, script, made))
        chance = Fraction(1)
        for _, n in made:
            chance /= n
        yield chance, result
        while made and made[-1][0] + 1 == made[-1][1]:
            made.pop()
        if not made:
            return
        made[-1] = (made[-1][0] + 1, made[-1][1])
        script = made


def expectation(subject: Puzzle | Model, kernel: str, *, use_symmetry: bool) -> list[Fraction]:
    """Return the expected numbers of nodes and solutions, and the sum of all chances."""
    model, starts = tree_of(subject, use_symmetry=use_symmetry)
    exploration = Exploration(model, kernel=kernel, endgame=False)
    total = [Fraction(0)] * 3
    for chance, result in every_dive(lambda choose: dive(exploration, starts, choose)):
        for k, value in enumerate((result.nodes, result.solutions, 1)):
            total[k] += chance * value
    return total


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_expectation_over_all_dives_is_exact(kernel: str) -> None:
    for seed in range(examples(60)):
        model = random_model(seed, most_options=9)
        exploration = Exploration(model)
        exploration.run(keep=False)
        expected = [exploration.nodes, len(brute_force(model)), 1]
        assert expectation(model, kernel, use_symmetry=False) == expected, seed


def test_with_symmetry_it_is_the_tree_that_a_search_visits() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    assert len(tree_of(puzzle)[1]) > 1
    with Search(puzzle) as search:
        search.wait()
    assert expectation(puzzle, "bits", use_symmetry=True) == [search.stats["nodes"], 18, 1]
    nodes, solutions, one = expectation(puzzle, "bits", use_symmetry=False)
    assert nodes > search.stats["nodes"]
    assert [solutions, one] == [18, 1]


def test_a_seed_gives_the_same_estimate() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    first = estimate(puzzle, dives=50, seed=7)
    assert first == estimate(puzzle, dives=50, seed=7)
    assert first != estimate(puzzle, dives=50, seed=8)


def test_many_dives_come_near_to_the_truth() -> None:
    """3,631,923 nodes; by chance alone, five standard errors are practically never exceeded."""
    answer = estimate(exactile.load("pentominoes-6x10"), dives=4000, seed=1, use_symmetry=False)
    assert answer.nodes_error is not None
    assert abs(answer.nodes - 3_631_923) < 5 * answer.nodes_error
    assert answer.deepest <= 13


def test_the_error_is_that_of_the_mean() -> None:
    puzzle = exactile.load("soma-cube")
    model, starts = tree_of(puzzle)
    exploration = Exploration(model)
    random = Random(3)
    seen = [dive(exploration, starts, random.randrange).nodes for _ in range(40)]
    answer = estimate(puzzle, dives=40, seed=3)
    assert answer.nodes == sum(seen) // 40
    assert answer.nodes_error == int(stdev(seen) / 40**0.5)
    assert estimate(puzzle, dives=1).nodes_error is None


def test_numbers_beyond_all_floats() -> None:
    """600 items of ten options each: 10**600 solutions."""
    options = [[item] for item in range(600) for _ in range(10)]
    model = Model.of_options(options, [1] * 600, [1] * 600)
    answer = estimate(model, dives=2)
    assert (answer.solutions.number, answer.solutions.exact) == (10**600, True)
    assert answer.deepest == 601
    assert answer.nodes == sum(10**k for k in range(601))


def test_limits() -> None:
    puzzle = dominoes(4, 4)
    case = Case(puzzle)
    with pytest.raises(UnfinishedError, match="No dive came to an end"):
        estimate(case, time_limit=1e-9)
    case.prepare(Limits(), "symmetries", "action", "branches")
    assert estimate(case, dives=10**9, time_limit=1e-9, measure=1e9).dives == 1
    with pytest.raises(UnfinishedError, match="No dive came to an end"):
        estimate(dominoes(2, 1200), time_limit=1e-9)
    for wrong in ({"dives": 0}, {"time_limit": -1.0}, {"time_limit": float("nan")}):
        with pytest.raises(PuzzleError, match="must be"):
            estimate(puzzle, **wrong)
    with pytest.raises(PuzzleError, match="A half width of"):
        estimate(puzzle, to=0.0)
    with pytest.raises(PuzzleError, match="A measuring time of"):
        estimate(puzzle, measure=-1.0)
    assert nodes_per_second(puzzle, 0.01) > 0


def test_measuring_the_speed_leaves_time_for_the_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def measured(_: object, seconds: float, **__: object) -> float:
        asked.append(seconds)
        return 1.0

    monkeypatch.setattr("exactile.counting.estimate.nodes_per_second", measured)
    for time_limit in (1000.0, None):
        answer = estimate(dominoes(4, 4), dives=5, measure=900.0, time_limit=time_limit)
        assert answer.solutions.number == 36
    assert 0 < asked[0] <= 200
    assert asked[1] == 900


def test_a_puzzle_whose_best_piece_fits_nowhere() -> None:
    """No branch at all, not even one of each orbit."""
    square = get_lattice("square")
    cells = [(0, 0), (2, 0), (3, 0), (-2, 0), (-3, 0)]
    domino = piece_set("domino", square).piece("I2", 1, 1)
    puzzle = Puzzle("apart", Region(square, square.points(cells)), (domino,))
    assert estimate(puzzle, dives=3).nodes >= 1


def test_ctrl_c_while_the_speed_is_measured_keeps_the_dives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object, **__: object) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr("exactile.counting.estimate.nodes_per_second", interrupt)
    with pytest.raises(Interrupted) as caught:
        estimate(dominoes(4, 4), dives=5, measure=1.0)
    answer = caught.value.answer
    assert (answer.dives, answer.nodes_per_second, answer.solutions.number) == (5, None, None)
