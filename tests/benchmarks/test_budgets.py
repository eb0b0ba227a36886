"""The native kernels need as many nodes and updates as `benchmarks/budgets.toml` says."""

from __future__ import annotations

import tomllib

import pytest

from exactile.backends.exploration import KERNELS
from support import budgets

HINT = "if that is meant, run `make budgets` and say why in the commit"


@pytest.mark.parametrize("name", [*budgets.PUZZLES, *budgets.COVERS])
def test_counters_are_as_written(name: str) -> None:
    for kernel in KERNELS:
        assert budgets.measured(name, kernel) == budgets.stored()[name][kernel], HINT


def test_the_file_has_every_problem_and_kernel_and_no_other() -> None:
    stored = budgets.stored()
    assert list(stored) == [*budgets.PUZZLES, *budgets.COVERS, *budgets.SLOW]
    for by_kernel in stored.values():
        assert list(by_kernel) == list(KERNELS)
        assert len({budget["solutions"] for budget in by_kernel.values()}) == 1


def test_what_is_written_is_read() -> None:
    stored = budgets.stored()
    assert tomllib.loads(budgets.text(stored)) == stored
    assert budgets.text(stored) == budgets.FILE.read_text("utf-8")
