"""Solutions drawn from the states that an estimate meets are nearly uniform."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import fmean

import numpy as np
import pytest

import exactile
from exactile.counting import method
from exactile.counting.memo import Memo
from exactile.counting.sampled import SampledFrontier, Switches
from exactile.counting.sampling import draw, draw_about, sample
from exactile.errors import CountingError, PuzzleError
from exactile.puzzle import Puzzle
from exactile.search.case import Case
from exactile.search.limits import Limits
from support.clock import late
from support.colored_puzzles import tetrasticks
from support.few import examples
from support.random_models import brute_force, random_model
from support.small import dominoes

NO_POTENTIAL = Switches(potential=False)


@pytest.mark.parametrize(
    ("make", "solutions", "states"),
    [
        (lambda: dominoes(4, 4), 36, 3),
        (lambda: exactile.load("tetrahexes-4x7"), 18, 20),
        (lambda: exactile.load("shader-hexagon"), 108, 8),
    ],
)
def test_no_set_of_solutions_is_further_from_its_share_than_is_said(
    make: Callable[[], Puzzle], solutions: int, states: int
) -> None:
    puzzle = make()
    model = exactile.lower(puzzle)
    drawn: Counter[tuple[int, ...]] = Counter()
    errors, said, seeds = [], [], examples(1000)
    for seed in range(seeds):
        frontier = SampledFrontier(model, puzzle, seed=seed, traced=True)
        estimate = frontier.estimate(states=states, runs=8)
        assert not estimate.exact
        mean = fmean(map(float, frontier.stage.values))
        errors.append(abs(1 - mean / solutions))
        said.append(frontier.bias or 1.0)  # 1 where it is not known
        drawn.update(tuple(row) for row in frontier.draw(1, Random(seed)).tolist())
    assert len(drawn) <= solutions
    shares = np.zeros(solutions)
    shares[: len(drawn)] = [number / seeds for number in drawn.values()]
    far = np.abs(shares - 1 / solutions).sum() / 2
    # Draws by lot differ from their chances, too: of a set of half the solutions by this much.
    lot = 1.3 * np.sqrt(solutions / (2 * np.pi * seeds))
    assert far < fmean(errors) / 2 + lot
    assert fmean(errors) / 2 < fmean(said)


@pytest.mark.parametrize("current", [2, 40])
def test_weights_are_those_of_all_solutions(current: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of an option in what is drawn, times the estimate, is the option's frequency.

    Also if levels are thinned before they are complete, so that later ways to a state meet weights
    that were raised.
    """
    monkeypatch.setattr("exactile.counting.sampled.CURRENT", current)
    puzzle = dominoes(6, 6)
    memo = Memo(keep=True)
    memo.count(puzzle)
    model, found = memo.model, []
    for seed in range(examples(800)):
        frontier = SampledFrontier(model, puzzle, seed=seed, traced=True)
        frontier.estimate(states=6, runs=4)
        shares = (
            np.bincount(frontier.draw(300, Random(seed)).ravel(), minlength=model.options) / 300
        )
        found.append(shares * fmean(map(float, frontier.stage.values)))
    means, spreads = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(means - memo.frequencies().astype(float)) < 4.5 * spreads).all()


def test_where_all_states_fit_all_solutions_are_equally_likely() -> None:
    puzzle = dominoes(4, 4)
    frontier = SampledFrontier(exactile.lower(puzzle), puzzle, traced=True)
    assert frontier.estimate().exact
    found = Counter(tuple(row) for row in frontier.draw(3600, Random(3)).tolist())
    assert len(found) == 36
    # The sum of 35 squares of normal numbers, which is beyond 66.6 once in a thousand seeds.
    assert sum((number - 100) ** 2 / 100 for number in found.values()) < 66.6


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("name", ["pentominoes-5x12", "soma-cube"])
def test_to_keep_the_ways_changes_no_estimate(name: str, merge: bool) -> None:
    puzzle = exactile.load(name)
    switches = replace(NO_POTENTIAL, merge=merge)
    plain, traced = (
        SampledFrontier(exactile.lower(puzzle), puzzle, switches=switches, traced=traced)
        for traced in (False, True)
    )
    answers = [frontier.estimate(states=100) for frontier in (plain, traced)]
    assert answers[0] == answers[1]
    assert plain.stage.values == traced.stage.values


@pytest.mark.parametrize(
    ("make", "states"),
    [
        pytest.param(lambda: dominoes(20, 20), 60, id="copies"),
        pytest.param(lambda: exactile.load("polyominoes-45-5x16"), 500, id="many"),
        pytest.param(lambda: tetrasticks("H"), 6000, id="crossings"),
        pytest.param(lambda: exactile.load("shader-hexagon"), 8, id="pieces left out"),
    ],
)
def test_what_is_drawn_is_checked(make: Callable[[], Puzzle], states: int) -> None:
    drawn = sample(make(), 5, about=True, states=states, seed=2)
    assert len(drawn.solutions) == 5
    assert drawn.method == "sampled frontier"
    assert drawn.bias is not None
    assert 0 <= drawn.bias < 0.2


def test_random_models_with_every_kind_of_item() -> None:
    met = 0
    for seed in range(examples(200)):
        model = random_model(seed)
        solutions = {tuple(sorted(each)) for each in brute_force(model)}
        frontier = SampledFrontier(model, seed=seed, traced=True)
        frontier.estimate(states=2, runs=8)
        try:
            rows = frontier.draw(20, Random(seed))
        except CountingError:
            continue
        found = {tuple(o for o in row if o >= 0) for row in rows.tolist()}
        assert found <= solutions, seed
        met += 1
    assert met >= examples(60)


def test_a_seed_gives_the_same_solutions_with_any_number_of_threads() -> None:
    puzzle = exactile.load("polyominoes-45-5x16")
    one, two = (sample(puzzle, 4, about=True, states=300, workers=w, seed=5) for w in (1, 2))
    assert one.solutions == two.solutions
    assert one.solutions != sample(puzzle, 4, about=True, states=300, seed=6).solutions


def test_where_nothing_is_met_it_says_so() -> None:
    with pytest.raises(CountingError, match=r"none of 16 runs came to the end\. Keep more"):
        sample(exactile.load("heptiamonds-hexagon-12"), about=True, states=20)
    with pytest.raises(PuzzleError, match="`states` needs `about=True`"):
        sample(dominoes(4, 4), states=20)
    none = sample(dominoes(3, 3), 2, about=True)
    assert (none.raw, none.solutions, none.bias) == (0, (), 0.0)


def test_one_seed_does_not_go_on_as_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.sampling.SAMPLES_AT_ONCE", 10)
    puzzle = dominoes(4, 4)
    first, tenth = (sample(puzzle, 13, about=True, seed=seed).solutions for seed in (0, 10))
    assert first[10:] != tenth[:3]


def test_a_time_limit_is_for_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load("pentominoes-5x12")
    with monkeypatch.context() as patch:
        late(patch, 20, SampledFrontier, "_begun")  # at most twelve of these are pilot runs
        drawn = draw_about(puzzle, 3, 1, Limits(time_limit=60), states=300)
        assert drawn.estimate is not None
        assert (drawn.estimate.runs < 16, len(drawn.answer.solutions)) == (True, 3)
    for event in (Case.prepare, SampledFrontier._orders):
        with monkeypatch.context() as patch:
            owner = Case if event is Case.prepare else SampledFrontier
            late(patch, 1, owner, event.__name__)
            answer = draw_about(puzzle, 3, 1, Limits(time_limit=60)).answer
            assert (answer.stopped, answer.solutions, answer.bias) == ("time limit", (), None)


def test_a_limit_that_comes_before_the_first_draw_is_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        method, "HEARTBEAT", 0.0
    )  # or everything is ready before the limit is checked
    limits = Limits()
    drawn = draw(dominoes(8, 8), 3, 0, limits)
    limits.cancel()
    assert list(drawn.solutions) == []
    assert (drawn.raw, drawn.stopped) == (12988816, "cancelled")
    again = draw(dominoes(8, 8), 3, 0, limits)
    assert (list(again.solutions), again.stopped) == ([], "cancelled")
