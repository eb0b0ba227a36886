"""The simulated race of `auto`: times that can be computed by hand."""

from __future__ import annotations

import runpy
from math import inf
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "auto_rules.py"
AUTO_RULES = runpy.run_path(str(SCRIPT))
RULE = AUTO_RULES["Rule"](
    copies=4, head_start=0.5, different=40, rest=1.5, alike=("sat:glucose42",), others=("cpsat",)
)
NEVER = dict.fromkeys(("dlx", "linear", "first", "cpsat", "sat", "sat:glucose42"), inf)


@pytest.mark.parametrize(
    ("copies", "alone", "seconds"),
    [
        (1, {"dlx": 0.05}, 0.05),
        (1, {"dlx": 1.0}, 2.05),  # 0.25 alone, a third until `memo` gives up, then half
        (1, {"first": 1.0}, 2.55),
        (1, {"linear": 0.1}, 0.65),  # a quarter, from 0.25 on
        (1, {"cpsat": 1.0}, 23.0),  # joins after 20 seconds, with a third
        (1, {"sat": 1.0}, 120.0),  # does not join
        (9, {"sat:glucose42": 1.0}, 4.0),  # a third while `dlx` rests for 1.5 seconds
        (9, {"dlx": 1.0}, 2.0 + 4 * (1 - 0.25 - 0.25 / 3)),
        (9, {"memo": 1.0}, 2.0 + 4 * (1 - 1.75 / 3)),
        (9, {"memo": 7.0, "dlx": 10.0}, 2.0 + 4 * (6 - 1.75 / 3) + 3 * 4.25),  # `memo` gives up
        (9, {"dlx": 30.0}, 120.0),
    ],
)
def test_backends_share_a_processor(
    monkeypatch: pytest.MonkeyPatch, copies: int, alone: dict[str, float], seconds: float
) -> None:
    monkeypatch.setitem(AUTO_RULES["simulated"].__globals__, "BRIEF", 6.0)
    found = AUTO_RULES["simulated"](RULE, copies, NEVER | alone, 60.0)
    assert found == pytest.approx(seconds)
