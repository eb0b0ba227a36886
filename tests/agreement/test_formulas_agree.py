"""The formula from the model is that from the puzzle, clause by clause, though made apart."""

import pytest
from hypothesis import given, settings

import exactile
from exactile.certificate import formula as certificate_formula
from exactile.certificate.formula import Clauses
from exactile.puzzle import Puzzle
from support import model_formulas
from support.few import examples, few
from support.model_formulas import model_formula, names
from support.random_puzzles import puzzles, random_puzzle

CATALOGUE = [
    "mutilated-chessboard",
    "pentominoes-8x8-center-hole",
    "soma-cube",
    "tetrasticks-5x5",
    "tetrominoes-5x4-tube",
    "pentominoes-torus-5x5",
    "dominoids-two-cubes",
    "tritrigs-heart-2",
    "y-pentominoes-15x15",
]


def assert_same(puzzle: Puzzle) -> int:
    model = exactile.lower(puzzle)
    ours = model_formula(puzzle, model)
    theirs = Clauses(puzzle)
    lines = "".join(" ".join(map(str, (*c, 0))) + "\n" for c in theirs.clauses())
    assert names(puzzle, model) == theirs.placements
    assert "".join(ours.lines()) == lines
    assert ours.variables == theirs.variables
    assert ours.size == lines.count("\n")
    return ours.size


@pytest.mark.parametrize("name", CATALOGUE)
def test_of_the_catalogue(name: str) -> None:
    assert assert_same(exactile.load(name))


@settings(max_examples=examples(100))
@given(puzzle=puzzles())
def test_of_random_puzzles(puzzle: Puzzle) -> None:
    assert_same(puzzle)


@pytest.mark.parametrize("seed", few(range(100), 4))
def test_with_ladders(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (certificate_formula, model_formulas):
        monkeypatch.setattr(module, "MOST_PAIRS", 10)
    assert_same(random_puzzle(seed))
