"""Counting the solutions of a model by whatever is done first."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactile
from exactile.counting import plan
from exactile.counting.listing import Alternating, count_model
from exactile.counting.memo import Memo
from exactile.errors import CountingError, PuzzleError
from exactile.files.models.formats import read_model
from exactile.model import Model
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.cover_files import dominoes, langford, queens
from support.few import examples
from support.random_models import brute_force, random_model


@pytest.mark.parametrize("use_memo", [False, True])
@pytest.mark.parametrize("head_start", [0, 1_000_000])
def test_the_number_is_right_whoever_finds_it(
    monkeypatch: pytest.MonkeyPatch, head_start: int, use_memo: bool
) -> None:
    """Without a head start the memo does it, with a long one the search."""
    monkeypatch.setattr(TUNING, "cover_head_start", head_start)
    for seed in range(examples(200)):
        model = random_model(seed)
        answer = count_model(model, method=Alternating(use_memo=use_memo))
        assert answer.raw == len(brute_force(model)), seed
        assert answer.status.final


@pytest.mark.parametrize(
    ("text", "number", "method"),
    [(dominoes(8, 8), 12_988_816, "memo"), (queens(10), 724, "list"), (langford(8), 300, "memo")],
)
def test_what_is_best_is_taken(tmp_path: Path, text: str, number: int, method: str) -> None:
    file = tmp_path / "cover.xcc"
    file.write_text(text, "utf-8")
    answer = count_model(read_model(file).model)
    assert (answer.raw, answer.method) == (number, method)


def test_memos_that_grow_too_large_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """All steps are taken: small budgets, and the search in the end."""
    monkeypatch.setattr(TUNING, "cover_head_start", 0)
    monkeypatch.setattr(TUNING, "cover_memo_states", 1)
    monkeypatch.setattr(TUNING, "cover_first_round", 2)
    monkeypatch.setattr(TUNING, "cover_nodes_a_state", 1)
    monkeypatch.setattr(TUNING, "cover_last_states", 9)
    monkeypatch.setattr(plan, "COVER_QUICK_STATES", 1)
    for seed in range(examples(200)):
        model = random_model(seed)
        assert Alternating().count(model) == len(brute_force(model)), seed


def test_the_states_of_a_memo_are_a_setting() -> None:
    model = random_model(0)
    with (
        TUNING.changed(memo_states=1),
        pytest.raises(CountingError, match="more than 1 state here"),
    ):
        Memo().count(exactile.load("dominoes-6x6"))
    with TUNING.changed(memo_states=1):
        assert Memo(most_states=None).count(model) == len(brute_force(model))


def test_few_states_need_no_chosen_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def chosen(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("exactile.counting.memo.ranks", chosen)
    file = tmp_path / "cover.xcc"
    file.write_text(dominoes(6, 6), "utf-8")
    answer = count_model(read_model(file).model)
    assert (answer.raw, answer.method, answer.stats["states"]) == (6728, "memo", 248)


def test_limits_are_kept() -> None:
    model = exactile.lower(exactile.load("one-sided-pentominoes-6x15"))
    limits = Limits()
    method = Alternating()
    answer = count_model(model, method=method, limits=limits, watch=lambda _: limits.cancel())
    assert (answer.raw, answer.stopped, answer.done) == (None, "cancelled", method.done)
    assert answer.found == method.found


def test_what_is_expected_is_rarely_exceeded() -> None:
    memos = [Memo() for _ in range(examples(200))]
    for seed, memo in enumerate(memos):
        memo.count(random_model(seed))
    exceeded = [c for c in memos if c.stats["states"] > c.states_expected + c.stats["layers"]]
    assert len(exceeded) < 10


def test_answers_do_not_depend_on_workers() -> None:
    """Nor do the nodes: everybody visits others."""
    case = Case(exactile.load("soma-cube"))
    counts = [exactile.count(case, workers=workers) for workers in (1, 3, None)]
    assert {(c.raw, c.rotation, c.symmetry) for c in counts} == {(11520, 480, 240)}
    assert len({c.stats["nodes"] for c in counts}) == 1
    methods = [Alternating(use_memo=False, workers=w) for w in (1, 3, None)]
    models = [count_model(case.model, method=method) for method in methods]
    assert {m.raw for m in models} == {11520}
    assert len({m.stats["nodes"] for m in models}) == 1


def test_plans_of_models() -> None:
    small = Model.of_options([[0], [0]], lower=[1], upper=[1])
    steps = list(plan.model_plan(small))
    assert steps[-1] == plan.Step("list")
    budgets = [s.budget for s in steps if s.method == "list" and s.budget is not None]
    assert budgets == sorted(budgets)
    dense = Model.of_options([[0]] * 9, lower=[1], upper=[1])
    assert list(plan.model_plan(dense)) == [plan.Step("list")]


def test_plans_of_puzzles() -> None:
    case = Case(exactile.load("dominoes-6x6"))
    assert [s.method for s in plan.puzzle_plan(case)] == ["memo", "list"]
    assert [s.method for s in plan.puzzle_plan(case, "list")] == ["list"]
    assert [s.method for s in plan.puzzle_plan(case, "memo")] == ["memo"]
    with pytest.raises(PuzzleError, match="no method 'guess'"):
        plan.puzzle_plan(case, "guess")
