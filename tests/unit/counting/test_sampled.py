"""Sampled frontiers: unbiased whatever is switched on, the same for any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, cast

import pytest
from numpy.random import SeedSequence

import exactile
from exactile.answers import Sampled
from exactile.counting.estimate import estimate
from exactile.counting.intervals import Interval, interval, student
from exactile.counting.memo import Memo
from exactile.counting.sampled import SampledFrontier, Switches
from exactile.errors import CountingError, Interrupted, PuzzleError, UnfinishedError
from exactile.model import Model
from exactile.model.condense import CountProblem
from exactile.puzzle import Puzzle
from exactile.search.limits import Limits
from support.clock import late
from support.colored_puzzles import tetrasticks
from support.ctrl_c import interrupted
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import box_puzzle, dominoes

PLAIN = Switches(
    merge=False, prune=False, balance=False, endings=False, orders=False, potential=False
)

SWITCHES = {
    "all on": Switches(),
    "all off": PLAIN,
    "merge": replace(PLAIN, merge=True),
    "prune": replace(PLAIN, prune=True),
    "balance": replace(PLAIN, balance=True),
    "endings": replace(PLAIN, endings=True),
    "orders": replace(PLAIN, orders=True),
    "potential": replace(PLAIN, potential=True),
    "no potential": Switches(potential=False),
}


@pytest.fixture(autouse=True)
def few_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    """List so few endings that small puzzles leave something to be estimated."""
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_ENDINGS", 50)
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_NODES", 100_000)


def runs_of(
    subject: Puzzle | Model, states: int, runs: int, switches: Switches, seed: int = 1
) -> list[Fraction] | None:
    """Return what some runs find; None if all states fit."""
    puzzle = subject if isinstance(subject, Puzzle) else None
    model = exactile.lower(subject) if isinstance(subject, Puzzle) else subject
    frontier = SampledFrontier(model, puzzle, seed=seed, switches=switches)
    answer = frontier.estimate(states=states, runs=runs)
    return None if answer.exact else frontier.stage.values


def assert_unbiased(values: list[Fraction], truth: int) -> None:
    mean, error = fmean(values), stdev(map(float, values)) / sqrt(len(values))
    assert abs(mean - truth) <= 3.5 * error, (mean, error, truth)


@pytest.mark.parametrize("switches", SWITCHES.values(), ids=SWITCHES)
@pytest.mark.parametrize(
    ("name", "truth", "states"),
    [("pentominoes-5x12", 4040, 150), ("soma-cube", 11_520, 60), ("tetrahexes-4x7", 18, 15)],
)
def test_the_mean_is_the_truth(name: str, truth: int, states: int, switches: Switches) -> None:
    values = runs_of(exactile.load(name), states, 150, switches)
    assert values is not None
    assert_unbiased(values, truth)


def test_random_models_with_every_kind_of_item() -> None:
    """Bounds, pieces, secondary items, colors: all that states remember; a level keeps two."""
    thinned = 0
    for seed in range(examples(400)):
        model = random_model(seed)
        truth = len(brute_force(model))
        problem = replace(CountProblem.of_model(model), pieces=model.items // (1 + seed % 3))
        switches = list(SWITCHES.values())[seed % len(SWITCHES)]
        frontier = SampledFrontier(problem, seed=seed, switches=switches)
        answer = frontier.estimate(states=2, runs=200)
        if answer.exact:
            assert answer.number == truth, seed
        else:
            thinned += 1
            values = frontier.stage.values
            spread = stdev(map(float, values)) / sqrt(len(values))
            assert abs(fmean(values) - truth) <= max(4.5 * spread, 1e-9), seed
    assert thinned >= examples(80)


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (lambda: dominoes(8, 8), 12_988_816),
        (lambda: dominoes(3, 3), 0),
        (lambda: box_puzzle("tetrominoes", 4, 5), 0),
        (lambda: dominoes(2, 90), 4_660_046_610_375_530_309),
    ],
)
def test_where_all_states_fit_it_is_exact(make: Callable[[], Puzzle], truth: int) -> None:
    puzzle = make()
    answer = SampledFrontier(exactile.lower(puzzle), puzzle).estimate()
    assert (answer.number, answer.low, answer.high, answer.exact) == (truth, truth, truth, True)
    assert answer.words == f"{truth:,}, exactly"


@pytest.mark.parametrize(
    ("make", "truth", "states"),
    [
        pytest.param(
            lambda: dominoes(20, 20),
            1_269_984_011_256_235_834_242_602_753_102_293_934_298_576_249_856,
            60,
            id="copies",
        ),
        pytest.param(
            lambda: exactile.load("y-pentominoes-15x24"), 1_106_191_482, 1000, id="one piece"
        ),
        pytest.param(lambda: exactile.load("soma-cube"), 11_520, 400, id="three dimensions"),
        pytest.param(lambda: tetrasticks("H"), 576, 6000, id="crossings"),
        pytest.param(lambda: exactile.load("shader-hexagon"), 108, 8, id="pieces left out"),
    ],
)
def test_the_interval_holds_the_truth(make: Callable[[], Puzzle], truth: int, states: int) -> None:
    puzzle = make()
    answer = SampledFrontier(exactile.lower(puzzle), puzzle, seed=2).estimate(states=states, runs=8)
    assert not answer.exact
    assert answer.number is not None
    assert answer.low is not None
    assert answer.high is not None
    assert answer.low <= truth <= answer.high
    assert answer.low < answer.number < answer.high


def test_symmetric_solutions_are_counted_alike() -> None:
    """An option of such a model uses an item several times."""
    from exactile.model.invariant import invariant
    from exactile.model.orbits import Action

    puzzle = dominoes(8, 8)
    model = exactile.lower(puzzle)
    problem = invariant(model, Action(model, exactile.symmetries(puzzle)), 1)
    truth = Memo().count(problem)
    assert truth == 5280
    frontier = SampledFrontier(problem, puzzle)
    assert frontier.estimate(states=1000).number == truth
    frontier = SampledFrontier(problem, puzzle, switches=Switches(endings=False, potential=False))
    frontier.estimate(states=20, runs=200)
    assert_unbiased(frontier.stage.values, truth)


def test_a_seed_gives_the_same_answer_with_any_number_of_threads() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    answers = [
        estimate(puzzle, dives=1, seed=seed, states=200, runs=6, workers=workers)
        for seed, workers in ((3, 1), (3, 3), (4, 1))
    ]
    assert answers[0] == answers[1]
    assert answers[0].solutions != answers[2].solutions


def test_balanced_states_reach_the_end_where_others_die() -> None:
    """Awkward pieces must not be left for the end, where there is no place for them."""
    puzzle = exactile.load("polysticks-1234-octagon-1")
    switches = Switches(potential=False, orders=False)
    without = runs_of(puzzle, 1000, 4, replace(switches, balance=False))
    assert without is not None
    assert not any(without)
    values = runs_of(puzzle, 1000, 4, switches)
    assert values is not None
    assert all(values)


def test_a_piece_that_fits_late_only_is_not_preferred_before() -> None:
    """A factor that grows as long as a piece has no place favors its first place far too much.

    Ninety pieces, each of which fits in eleven cells of a strip only: the number is the permanent
    of a matrix with a narrow band.
    """
    cells, reach = 90, 5
    options = [
        [piece, cells + cell]
        for piece in range(cells)
        for cell in range(max(0, piece - reach), min(cells, piece + reach + 1))
    ]
    whole = Model.of_options(options, lower=[1] * 2 * cells, upper=[1] * 2 * cells)
    problem = replace(CountProblem.of_model(whole), pieces=cells)
    truth = Memo().count(whole)
    assert truth is not None
    frontier = SampledFrontier(problem, switches=Switches(potential=False, orders=False))
    assert not frontier.estimate(states=100, runs=32).exact
    assert_unbiased(frontier.stage.values, truth)


@pytest.mark.parametrize("switches", [Switches(), Switches(potential=False)])
def test_levels_may_be_thinned_before_they_are_complete(
    switches: Switches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactile.counting.sampled.CURRENT", 2)
    monkeypatch.setattr("exactile.counting.sampled.ENDINGS", 1)
    values = runs_of(exactile.load("soma-cube"), 60, 200, switches)
    assert values is not None
    assert_unbiased(values, 11_520)


def test_it_goes_on_until_the_interval_is_as_wanted() -> None:
    puzzle = exactile.load("soma-cube")
    answer = estimate(puzzle, dives=1, to=0.05).solutions
    assert answer.half_width is not None
    assert answer.half_width <= 0.05


def test_with_a_given_number_of_states_it_makes_more_runs() -> None:
    puzzle = exactile.load("soma-cube")
    few = estimate(puzzle, dives=1, states=50).solutions
    more = estimate(puzzle, dives=1, states=50, to=0.1).solutions
    assert few.states == more.states == 50
    assert few.half_width is not None
    assert more.half_width is not None
    assert few.half_width > 0.1 >= more.half_width
    assert few.runs < more.runs


def test_too_few_lived() -> None:
    puzzle = exactile.load("pentominoes-3x20")
    answer = SampledFrontier(exactile.lower(puzzle), puzzle, switches=PLAIN).estimate(
        states=3, runs=4
    )
    assert (answer.number, answer.low, answer.high, answer.error) == (None, None, None, None)
    assert 0 < answer.reached < 1
    assert answer.half_width is None
    assert answer.words.startswith("no estimate: 0 of 4 runs came to the end, the best one ")


def test_more_memory_does_not_help_beyond_the_largest_number_of_states() -> None:
    puzzle = exactile.load("soma-cube")
    frontier = SampledFrontier(exactile.lower(puzzle), puzzle)
    with pytest.raises(CountingError, match="at most 4,000,000 states, not 4,000,001: keep fewer"):
        frontier.estimate(Limits(memory_limit=2**50), states=4_000_001)


def test_full_memory_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 200)
    puzzle = exactile.load("soma-cube")
    known = SampledFrontier(exactile.lower(puzzle), puzzle).estimate(states=200)
    begun, room = SampledFrontier._begun, 200

    class Full:
        reached = 0

        def advance(self, seconds: float) -> bool:
            raise MemoryError

    def filled(self: SampledFrontier, entropy: SeedSequence, states: int) -> Any:
        # The first runs of a stage end before one fills the memory.
        late = states > room and cast("list[int]", entropy.entropy)[-1] >= 8
        return Full() if late else begun(self, entropy, states)

    monkeypatch.setattr(SampledFrontier, "_begun", filled)
    assert SampledFrontier(exactile.lower(puzzle), puzzle).estimate(to=1e-9) == known
    room = 0
    with pytest.raises(CountingError, match="not enough memory for these runs: keep fewer states"):
        SampledFrontier(exactile.lower(puzzle), puzzle).estimate(to=1e-9)


def test_ctrl_c_gives_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 200)
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_NODES_PER_STATE", 10**5)
    puzzle = exactile.load("soma-cube")

    def answer() -> Sampled:
        with pytest.raises(Interrupted) as caught:
            estimate(puzzle, dives=1, to=1e-9)
        found: Sampled = caught.value.answer.solutions
        return found

    known = interrupted(answer, 1, SampledFrontier, "_wanted")
    assert known == SampledFrontier(exactile.lower(puzzle), puzzle).estimate(states=200)
    nothing = interrupted(answer, 1, SampledFrontier, "_guided")
    assert (nothing.number, nothing.runs, nothing.lived) == (None, 0, 0)
    assert nothing.words.startswith("no estimate")


def test_a_time_limit_gives_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load("soma-cube")
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 200)
    late(monkeypatch, 1, SampledFrontier, "_wanted")
    known = SampledFrontier(exactile.lower(puzzle), puzzle).estimate(Limits(1e6), to=1e-9)
    assert (known.runs, known.states) == (16, 200)


@pytest.mark.parametrize(
    ("method", "potential"), [("_guided", True), ("_run", True), ("_use", False), ("_run", False)]
)
def test_a_time_limit_anywhere(
    monkeypatch: pytest.MonkeyPatch, method: str, potential: bool
) -> None:
    late(monkeypatch, 1, SampledFrontier, method)
    puzzle = exactile.load("pentominoes-6x10")
    frontier = SampledFrontier(
        exactile.lower(puzzle), puzzle, switches=Switches(potential=potential)
    )
    answer = frontier.estimate(Limits(1e6))
    assert answer.number is None


def test_time_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as memory and a number of runs allow it."""
    monkeypatch.setattr("exactile.counting.sampled.MOST_STATES", 300)
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 100)
    monkeypatch.setattr("exactile.counting.sampled.MOST_RUNS", 40)
    puzzle = exactile.load("pentominoes-5x12")
    answer = SampledFrontier(exactile.lower(puzzle), puzzle).estimate(Limits(1e6))
    assert (answer.states, answer.runs) == (300, 40)
    answer = SampledFrontier(exactile.lower(puzzle), puzzle).estimate(Limits(1e6), states=100)
    assert (answer.states, answer.runs) == (100, 16)


def test_wrong_numbers_are_refused() -> None:
    puzzle = dominoes(4, 4)
    for wrong in ({"states": 0}, {"runs": 3}, {"to": 0.0}, {"workers": 0}, {"memory_limit": 0}):
        with pytest.raises(PuzzleError):
            estimate(puzzle, **wrong)
    with pytest.raises(UnfinishedError):
        estimate(puzzle, time_limit=1e-12)


def test_states_that_memory_does_not_allow_are_refused() -> None:
    puzzle = exactile.load("pentominoes-6x10")
    with pytest.raises(CountingError, match="more memory"):
        estimate(puzzle, dives=1, states=10**6, memory_limit=10**6)


def test_intervals() -> None:
    assert student(7) == pytest.approx(2.365, abs=0.01)
    assert interval([Fraction(1)] * 3) is None
    assert interval([Fraction(0)] * 15 + [Fraction(1)]) is None
    even = interval([Fraction(7)] * 4)
    assert even == Interval(Fraction(7), Fraction(0), Fraction(7), Fraction(7))
    assert even is not None
    assert even.half_width == 0


def test_intervals_hold_for_skewed_runs() -> None:
    """Numbers whose logarithms are normal, and a third zeros: 95 of 100, but for chance."""
    random = Random(5)
    held = tried = 0
    for _ in range(examples(1500)):
        sigma = random.choice([0.2, 0.5, 0.9])
        alive = random.choice([1.0, 0.7])
        values = [
            Fraction(random.lognormvariate(-(sigma**2) / 2, sigma) / alive)
            if random.random() < alive
            else Fraction(0)
            for _ in range(16)
        ]
        if (found := interval(values)) is not None:
            tried += 1
            held += found.low <= 1 <= found.high
    assert tried > examples(1000)
    assert held / tried > 0.93


@pytest.mark.parametrize(
    ("number", "half", "wanted"),
    [
        (1_208_312, 2_400, ("1,208,300", "1,205,900", "1,210,700")),
        (1_208_312, 400_000, ("1,210,000", "808,000", "1,610,000")),
        (987, 4, ("987", "983", "991")),
        (7_622_345 * 10**12, 10**16, ("7.622e18", "7.612e18", "7.632e18")),
    ],
)
def test_an_interval_has_the_digits_that_tell_its_ends_apart(
    number: int, half: int, wanted: tuple[str, str, str]
) -> None:
    found = Sampled(
        number=number,
        error=None,
        low=number - half,
        high=number + half,
        exact=False,
        states=1,
        runs=4,
        lived=4,
        reached=1.0,
        order="",
        seed=0,
    )
    assert found.rounded == wanted
    assert found.words == "about {}, from {} to {}".format(*wanted)
