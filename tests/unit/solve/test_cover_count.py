"""Counting the solutions of a model by whatever is done first."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactile.files.models.exact_cover import read_exact_cover
from exactile.solve.counting import Counter
from exactile.solve.cover_count import count_cover
from exactile.tuning import TUNING
from support.cover_files import dominoes, langford, queens
from support.random_models import brute_force, random_model


@pytest.mark.parametrize("use_memo", [False, True])
@pytest.mark.parametrize("head_start", [0.0, 1.0])
def test_the_number_is_right_whoever_finds_it(
    monkeypatch: pytest.MonkeyPatch, head_start: float, use_memo: bool
) -> None:
    """Without a head start the memo does it, with a long one the search."""
    monkeypatch.setattr(TUNING, "cover_head_start", head_start)
    for seed in range(200):
        model = random_model(seed)
        assert count_cover(model, use_memo=use_memo) == len(brute_force(model)), seed


@pytest.mark.parametrize(
    ("text", "number"), [(dominoes(8, 8), 12_988_816), (queens(10), 724), (langford(8), 300)]
)
def test_what_is_best_is_taken(tmp_path: Path, text: str, number: int) -> None:
    file = tmp_path / "cover.xcc"
    file.write_text(text, "utf-8")
    assert count_cover(read_exact_cover(file).model) == number


def test_a_memo_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "cover_head_start", 0.0)
    monkeypatch.setattr(TUNING, "cover_memo_states", 3)
    for seed in range(200):
        model = random_model(seed)
        assert count_cover(model) == len(brute_force(model)), seed


def test_what_is_expected_is_rarely_exceeded() -> None:
    counters = [Counter(random_model(seed)) for seed in range(200)]
    for counter in counters:
        counter.wait()
    exceeded = [c for c in counters if c.stats["states"] > c.states_expected + c.stats["layers"]]
    assert len(exceeded) < 10
