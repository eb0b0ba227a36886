"""Published numbers of solutions that nobody could list, and some that one can."""

from __future__ import annotations

import pytest

import exactile
from exactile.counting.memo import Memo
from exactile.counting.orbits import OrbitCount
from support.small import box_puzzle, dominoes

DOMINOES_3_BY = {2: 3, 4: 11, 6: 41, 8: 153, 10: 571, 12: 2131, 14: 7953}
"""OEIS A001835."""

DOMINOES_SQUARE = {2: 2, 4: 36, 6: 6728, 8: 12988816, 10: 258584046368, 12: 53060477521960000}
"""OEIS A004003."""


@pytest.mark.parametrize(("length", "number"), DOMINOES_3_BY.items())
def test_dominoes_three_wide(length: int, number: int) -> None:
    assert Memo().count(dominoes(length, 3)) == Memo().count(dominoes(3, length)) == number


@pytest.mark.parametrize(("size", "number"), DOMINOES_SQUARE.items())
def test_dominoes_square(size: int, number: int) -> None:
    assert Memo().count(dominoes(size, size)) == number


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("dominoes-4x4", 9),
        ("dominoes-6x6", 930),
        ("dominoes-8x8", 1629189),
        ("dominoes-16x16", None),
        ("polyominoes-123-8x8", None),
    ],
)
def test_catalogue(name: str, classes: int | None) -> None:
    """Raw numbers as in the catalogue; those of classes were found by listing, up to 6 by 6."""
    puzzle = exactile.load(name)
    answer = exactile.count(puzzle)
    assert answer.method == "memo"
    assert [answer.raw] == [k.count for k in puzzle.known if k.up_to == "raw"]
    if classes is not None:
        assert answer.symmetry == classes


def test_sixteen_is_easy() -> None:
    """The 16 by 16 board needs half a million states, whatever the machine."""
    memo = Memo()
    assert memo.count(exactile.load("dominoes-16x16")) == 2444888770250892795802079170816
    assert memo.stats["states"] < 600_000


def test_dominoes_are_as_often_upright_as_flat() -> None:
    """On a square; every cell is covered once; and the corner by each domino in half of them."""
    memo = Memo(keep=True)
    number = memo.count(exactile.load("dominoes-16x16"))
    frequencies = memo.frequencies()
    assert frequencies.sum() == 128 * memo.raw
    assert isinstance(memo.model, exactile.Model)
    corner = memo.model.options_with(1)
    assert number == memo.raw
    assert frequencies[corner].tolist() == [memo.raw // 2] * 2


@pytest.mark.parametrize(
    ("sizes", "raw", "symmetry"), [((20, 3), 8, 2), ((15, 4), 1472, 368), ((12, 5), 4040, 1010)]
)
def test_pentominoes(sizes: tuple[int, int], raw: int, symmetry: int) -> None:
    answer = OrbitCount(box_puzzle("pentominoes", *sizes), Memo(most_states=None)).run()
    assert (answer.raw, answer.symmetry) == (raw, symmetry)


@pytest.mark.slow
def test_pentominoes_6x10() -> None:
    answer = OrbitCount(box_puzzle("pentominoes", 10, 6), Memo(most_states=None)).run()
    assert (answer.raw, answer.rotation, answer.symmetry) == (9356, 4678, 2339)
