"""Figures of W. J. Hansen's paper on the 6x10 pentomino rectangle, and of other puzzles."""

from __future__ import annotations

import pytest

import exactile
from exactile.surveys.classes import Kind, Report, Solutions, classify, pairs_sharing


def report_on(name: str) -> Report:
    solutions = Solutions.of_search(exactile.Search(exactile.load(name)))
    return classify(solutions)


@pytest.fixture(scope="module")
def six_by_ten() -> Report:
    return report_on("pentominoes-6x10")


def test_classes_of_6x10(six_by_ten: Report) -> None:
    assert len(six_by_ten.solutions) == 2339
    assert list(six_by_ten.by_kind.values()) == [1089, 965, 911]
    assert list(six_by_ten.edges.values()) == [1936, 232, 91]
    assert sum(six_by_ten.sizes.values()) == 911
    assert [six_by_ten.sizes[size] for size in (1, 2, 3, 50)] == [421, 245, 66, 1]
    assert max(six_by_ten.sizes) == 50


def test_pairs_of_6x10_that_share_two_placements(six_by_ten: Report) -> None:
    assert pairs_sharing(six_by_ten.solutions, 2) == 636_587


def test_silhouettes_of_6x10(six_by_ten: Report) -> None:
    """The paper's numbers depend on the order in which it met orientations; see docs."""
    silhouettes = six_by_ten.silhouettes
    assert silhouettes is not None
    of = {kind: [dict(s.pieces) for s in silhouettes if s.kind == kind] for kind in Kind}
    assert of[Kind.PAIR] == [{"FN": 81}, {"LP": 10}]
    blocks = [sum(s.values()) for s in of[Kind.BLOCK]]
    assert blocks[:9] == [112, 103, 81, 81, 76, 76, 68, 56, 52]
    for pieces in ({"FX": 112}, {"FT": 103}, {"TV": 68}, {"LU": 52}):
        assert pieces in of[Kind.BLOCK]
    for names in ("PV FP NP", "PT NZ", "PW LP", "PUV FPU PUY LNV LTY", "PY LW"):
        assert set(names.split()) in [set(s) for s in of[Kind.BLOCK]]
    exchanged = [sum(s.values()) for s in of[Kind.EXCHANGE]]
    assert exchanged[1:7] == [42, 36, 29, 26, 22, 21]
    assert (len(of[Kind.BLOCK]), len(of[Kind.EXCHANGE])) == (134, 66)
    assert sum(len(s) for kind in (Kind.BLOCK, Kind.EXCHANGE) for s in of[kind]) == 316


@pytest.mark.parametrize(
    ("name", "solutions", "by_kind", "edges"),
    [
        ("pentominoes-3x20", 2, [1, 1, 1], [1, 0, 0]),
        ("pentominoes-4x15", 368, [111, 102, 92], [567, 29, 15]),
        ("soma-cube", 240, [59, 57, 18], [331, 2, 117]),
        pytest.param(
            "pentominoes-5x12", 1010, [347, 320, 291], [1007, 57, 62], marks=pytest.mark.slow
        ),
        pytest.param(
            "solid-pentominoes-3x4x5",
            3940,
            [2663, 2624, 2609],
            [2269, 78, 20],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "hexiamonds-tenyo", 4968, [1868, 1628, 1592], [6193, 703, 62], marks=pytest.mark.slow
        ),
        pytest.param(
            "polyiamonds-12345-trapezoid-1",
            98807,
            [220, 38, 9],
            [379954, 112408, 33132],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_classes_of_other_puzzles(
    name: str, solutions: int, by_kind: list[int], edges: list[int]
) -> None:
    report = report_on(name)
    assert len(report.solutions) == solutions
    assert list(report.by_kind.values()) == by_kind
    assert list(report.edges.values()) == edges
