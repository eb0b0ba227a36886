"""What is derived from a puzzle is derived once, whatever a command does with it."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from inspect import unwrap
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import exactile
from exactile.cli.main import run
from exactile.model.lower import lower
from exactile.model.orbits import Action, branches
from exactile.puzzle.symmetry import symmetries
from exactile.search.case import Case, obvious_reason

FUNCTIONS = [*map(unwrap, (lower, symmetries)), branches, obvious_reason]

DERIVED = {f.__code__: f.__qualname__ for f in FUNCTIONS}
DERIVED[Action.__init__.__code__] = "Action"

COMMANDS = [
    ["count", "soma-cube"],
    ["count", "soma-cube", "--method", "list"],
    ["count", "dominoes-6x6"],
    ["count", "shader-hexagon", "--by-pieces"],
    ["solve", "tetrahexes-4x7", "--all"],
    ["solve", "tetrahexes-4x7", "--all", "--up-to", "symmetry"],
    ["solve", "shader-hexagon", "--all", "--up-to", "pieces"],
    ["prove", "tetrominoes-5x4"],
    ["prove", "tetrominoes-5x4", "--backend", "dlx"],
    ["show", "soma-cube"],
    ["estimate", "soma-cube", "--dives", "10"],
    ["sample", "dominoes-6x6"],
    ["explain", "tetrominoes-5x4"],
    ["pack", "tetrominoes-5x4", "--workers", "1"],
    ["classes", "tetrahexes-4x7"],
    ["export", "soma-cube"],
]


def calls(words: list[str]) -> Counter[str]:
    """Return how often a command derives what is derived from puzzles."""
    seen: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code in DERIVED:
            seen[DERIVED[frame.f_code]] += 1

    sys.setprofile(count)
    try:
        run(words)
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_derives_everything_once(words: list[str]) -> None:
    found = calls(words)
    assert found["lower"] == 1
    assert max(found.values()) == 1, found


def test_a_certificate_is_made_of_one_case(tmp_path: Path) -> None:
    words = ["count", "soma-square-wall", "--certificate", str(tmp_path / "certificate")]
    assert calls(words)["lower"] == 1


def test_a_case_is_pickled_as_its_puzzle() -> None:
    case = Case(exactile.load("soma-cube"))
    assert case.model.options == 688
    again = pickle.loads(pickle.dumps(case))
    assert "model" not in vars(again)
    assert again.digest == case.digest
    assert Case.of(case) is case


def test_verbs_take_cases() -> None:
    case = Case(exactile.load("tetrominoes-5x4"))
    assert exactile.prove(case).status is exactile.Status.UNSOLVABLE
    assert exactile.solve_one(case) is None
    assert exactile.count(case).raw == 0
    with pytest.raises(exactile.ExactileError, match="no option 'limit'"):
        exactile.count(case, limit=3)  # type: ignore[call-arg]
