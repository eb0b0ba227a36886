"""Published counts of the polyforms that tile the plane, and of the Heesch numbers of the others.

By Joseph Myers (OEIS A054359 to A054361, A070765 to A070768, A071332, A071334 and A075198 to
A075224) and Craig Kaplan (arXiv 2105.09438).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.survey import survey
from exactile.surveys.tiling.verbs import tile
from support.tilings import is_tiling

SQUARES, HEXAGONS, TRIANGLES = "square", "hexagon", "triangle"

COUNTS = {
    # tilers; by translates; by half turns; isohedrally; non-tilers, and those of them with holes
    (SQUARES, 1): (1, 1, 1, 1, 0, 0),
    (SQUARES, 2): (1, 1, 1, 1, 0, 0),
    (SQUARES, 3): (2, 2, 2, 2, 0, 0),
    (SQUARES, 4): (5, 5, 5, 5, 0, 0),
    (SQUARES, 5): (12, 9, 12, 12, 0, 0),
    (SQUARES, 6): (35, 24, 35, 35, 0, 0),
    (SQUARES, 7): (104, 41, 101, 104, 4, 1),
    (SQUARES, 8): (343, 121, 320, 342, 26, 6),
    (HEXAGONS, 1): (1, 1, 1, 1, 0, 0),
    (HEXAGONS, 2): (1, 1, 1, 1, 0, 0),
    (HEXAGONS, 3): (3, 3, 3, 3, 0, 0),
    (HEXAGONS, 4): (7, 6, 7, 7, 0, 0),
    (HEXAGONS, 5): (22, 12, 21, 22, 0, 0),
    (HEXAGONS, 6): (77, 36, 75, 76, 5, 1),
    (TRIANGLES, 1): (1, 0, 1, 1, 0, 0),
    (TRIANGLES, 2): (1, 1, 1, 1, 0, 0),
    (TRIANGLES, 3): (1, 0, 1, 1, 0, 0),
    (TRIANGLES, 4): (3, 2, 3, 3, 0, 0),
    (TRIANGLES, 5): (4, 0, 4, 4, 0, 0),
    (TRIANGLES, 6): (12, 8, 12, 12, 0, 0),
    (TRIANGLES, 7): (23, 0, 21, 23, 1, 0),
    (TRIANGLES, 8): (66, 24, 56, 66, 0, 0),
    (TRIANGLES, 9): (139, 0, 111, 133, 21, 1),
}

HEESCH = {
    (SQUARES, 7): ({"0": 1, "1": 2}, {"1": 3}),
    (SQUARES, 8): ({"0": 6, "1": 14}, {"1": 19, "2": 1}),
    (HEXAGONS, 6): ({"1": 3, "2": 1}, {"1": 3, "2": 1}),
    (TRIANGLES, 7): ({"1": 1}, {"1": 1}),
    (TRIANGLES, 9): ({"0": 11, "1": 9}, {"0": 7, "1": 13}),
    (SQUARES, 9): ({"0": 75, "1": 122, "2": 1}, {"0": 36, "1": 157, "2": 5}),
    (SQUARES, 10): ({"0": 747, "1": 642, "2": 1}, {"0": 355, "1": 1020, "2": 15}),
    (HEXAGONS, 7): ({"0": 5, "1": 25, "2": 6, "3": 1}, {"0": 4, "1": 19, "2": 12, "3": 2}),
}


SLOW = {
    (SQUARES, 9): (1050, 213, 960, 1041, 235, 37),
    (SQUARES, 10): (3070, 522, 2701, 3026, 1585, 195),
    (HEXAGONS, 7): (294, 60, 256, 290, 39, 2),
}
"""The same, for larger orders."""


@pytest.mark.parametrize(
    ("lattice", "order"),
    [*COUNTS, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)],
)
def test_published_counts(lattice: str, order: int) -> None:
    answer = survey(Census(lattice, order, "free"))
    assert (answer.done, answer.open, answer.stopped) == (answer.forms, 0, None)
    assert (COUNTS | SLOW)[lattice, order] == (
        answer.tiles,
        answer.translation,
        answer.half_turn,
        answer.isohedral,
        answer.does_not_tile,
        answer.holed_non_tilers,
    )
    assert answer.anisohedral == answer.tiles - answer.isohedral
    assert (answer.solid, answer.holed) == HEESCH.get((lattice, order), ({}, {}))


@pytest.mark.parametrize(
    ("lattice", "orders", "counts"),
    [
        # The first by Joseph Myers, A057786; those of octagons and squares by their numbers.
        ("kites", range(1, 7), [1, 2, 4, 10, 27, 85]),
        ("octasquares", range(2, 5), [1 + 1, 3 + 2 + 2, 8 + 8 + 1 + 5]),
    ],
)
def test_every_form_is_asked_about(lattice: str, orders: range, counts: list[int]) -> None:
    answers = [survey(Census(lattice, order, "free")) for order in orders]
    assert [answer.forms for answer in answers] == counts
    assert [answer.tiles + answer.does_not_tile for answer in answers] == counts


def test_the_least_periods_of_octominoes() -> None:
    answer = survey(Census(SQUARES, 8, "free"))
    assert answer.least_copies == {"1": 121, "2": 213, "4": 9}


@pytest.mark.parametrize(
    ("order", "crossing", "tilers"), [(4, True, 13), (4, False, 16), (5, True, 38), (5, False, 53)]
)
def test_polysticks(order: int, crossing: bool, tilers: int) -> None:
    answer = survey(Census("square-edges", order, "free", crossing=crossing))
    assert (answer.forms, answer.tiles) == ({4: 16, 5: 55}[order], tilers)


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_octasquares_that_others_left_undecided(step: int) -> None:
    lines = Path(__file__).with_name("octasquares_5_5.txt").read_text("utf-8").splitlines()
    shapes = [
        [tuple(map(int, unit.split(","))) for unit in line.split()]
        for line in lines
        if not line.startswith("#")
    ]
    assert len(shapes) == 49
    answers = [tile(units, lattice="octasquares", least=True) for units in shapes[::step]]
    assert all(is_tiling(answer) for answer in answers)
    assert not any(answer.isohedral for answer in answers)
    assert {answer.least_copies for answer in answers} <= {2, 4, 8, 12}


HEESCH_SAT = {
    # By heesch-sat (github.com/isohedral/heesch-sat, 2026), without holes in the shapes: those that
    # tile isohedrally; Heesch numbers of the others; undecided ones, which all tile
    ("kites", 5): (0, {"0": 12, "1": 14}, {"0": 10, "1": 16}, 1),
    ("kites", 6): (70, {"0": 12, "1": 1}, {"0": 10, "1": 3}, 1),
    ("octasquares", 5): (0, {"0": 65, "1": 25}, {"0": 54, "1": 32, "2": 4}, 0),
    ("trihexagons", 5): (0, {"0": 15, "1": 13, "2": 1}, {"0": 12, "1": 13, "2": 4}, 0),
    ("half-cairo", 6): (0, {"0": 89, "1": 1}, {"0": 89, "1": 1}, 11),
    ("bevelhexagons", 4): (0, {"0": 44, "1": 5}, {"0": 44, "1": 5}, 0),
}


@pytest.mark.parametrize(("lattice", "order"), HEESCH_SAT)
def test_heesch_numbers_agree_with_another_program(lattice: str, order: int) -> None:
    answer = survey(Census(lattice, order, "free"))
    found = (answer.isohedral, answer.solid, answer.holed, answer.anisohedral)
    assert found == HEESCH_SAT[lattice, order]
    assert answer.open == 0
