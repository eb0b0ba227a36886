"""`exactile design` as a user meets it."""

from __future__ import annotations

import pytest

from exactile.cli.main import run


def test_attempts_are_not_called_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    """The two solutions of two dominoes on a square are drawn many times."""
    board = ["--pieces", "2xdomino", "--box", "2x2"]
    assert run(["design", "challenges", *board, "-n", "2", "--seed", "1"]) == 3
    assert "1 challenge, each counted again by memo (201 attempts gave no more)" in (
        capsys.readouterr().err
    )
