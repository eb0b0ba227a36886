"""Pictures of the documentation are those that their commands draw today."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Cli

DOCS = Path(__file__).parents[2] / "docs"

PEGS = ("peg", "triangle-5", "--start", "1", "--shortest", "-o")
GAME = ("subsets", "shader-*", "-o")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("peg-triangle-5.svg", PEGS),
        pytest.param("shader-game.svg", GAME, marks=pytest.mark.slow),
    ],
)
def test_a_picture_is_drawn_as_today(
    cli: Cli, tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    file = tmp_path / name
    assert cli(*words, str(file))[0] == 0
    assert file.read_text("utf-8") == (DOCS / name).read_text("utf-8")
