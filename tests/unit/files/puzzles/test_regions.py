"""Regions of puzzle files: bases, more and less, shifts, optional units, wraps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exactile.errors import PuzzleError
from exactile.files.puzzles.regions import read_region
from exactile.files.sources import Place
from exactile.geometry import get_lattice
from exactile.puzzle import Region


def region(lattice: str, **table: Any) -> Region:
    return read_region(table, get_lattice(lattice), Place("my.toml", "region"))


def test_all_ways_to_write_one_region() -> None:
    ways = [
        region("square", box=[3, 2]),
        region("square", units="0..2,0..1"),
        region("square", units=[[x, y] for x in range(3) for y in range(2)]),
        region("square", drawing="###\n###\n"),
        region("square", box=[2, 2], plus=[{"box": [1, 2], "shift": [2, 0]}]),
        region("square", box=[3, 3], minus=[{"units": "0..2,2"}]),
    ]
    assert {tuple(way.coordinates) for way in ways} == {tuple(ways[0].coordinates)}


def test_a_shift_moves_the_base_alone() -> None:
    found = region("square", box=[1, 1], shift=[3, 4], plus=[{"units": "0,0"}])
    assert found.coordinates == [(0, 0), (3, 4)]


def test_optional_units() -> None:
    found = region("square", drawing="#+", optional="0,0 5,5")
    assert found.coordinates == [(0, 0), (1, 0), (5, 5)]
    assert found.optional.tolist() == [True, True, True]
    assert region("square", box=[2, 1]).optional.tolist() == [False, False]


def test_edges_are_described_by_cells() -> None:
    found = region("square-edges", box=[2, 1])
    assert len(found) == 7
    ring = region("square-edges", box=[3, 3], minus=[{"units": "1,1,0"}])
    assert len(ring) == 23
    assert (1, 1, 0) not in ring.coordinates


def test_cells_taken_away_keep_the_edges_of_their_neighbours() -> None:
    ring = region("square-edges", box=[3, 3], minus=[{"units": "9,9,0"}], plus=[{"units": "9,9,0"}])
    assert len(ring) == 24
    holed = region("square-edges", box=[3, 3], minus=[{"box": [1, 1], "shift": [1, 1]}])
    assert len(holed) == 24
    assert len(region("square-edges", drawing="##\n#.")) == 10


def test_optional_cells_leave_borders_of_others_required() -> None:
    found = region("square-edges", drawing="#+")
    assert len(found) == 7
    assert int(found.optional.sum()) == 3


def test_parts_may_have_parts() -> None:
    inner = {"box": [2, 2], "minus": [{"units": "0,0,0"}]}
    found = region("square-edges", units="8,8,0", plus=[inner])
    assert len(found) == 12


def test_shifts_of_edges_count_cells() -> None:
    near, far = region("hexagon-edges", hexagon=1), region("hexagon-edges", hexagon=1, shift=[2, 3])
    assert [(x + 2, y + 3, t) for x, y, t in near.coordinates] == far.coordinates
    assert len(near) == 6


def test_tori_of_edges_have_each_edge_once() -> None:
    torus = region("square-edges", box=[5, 2], wrap=[[5, 0], [0, 2]])
    assert len(torus) == 20
    tube = region("square-edges", box=[5, 2], wrap=[[5, 0]])
    assert len(tube) == 25


@pytest.mark.parametrize(
    "lattice",
    ["square", "kites", "quarter-squares", "octasquares", "square-edges", "triangle-edges"],
)
def test_a_region_larger_than_its_torus_is_refused(lattice: str) -> None:
    assert len(region(lattice, box=[2, 2], wrap=[[2, 0], [0, 2]]))
    for vector in ([1, 0], [1, 1]):
        with pytest.raises(PuzzleError, match=r"[Tt]he wrap identifies"):
            region(lattice, box=[2, 2], wrap=[vector])


def test_a_box_of_faces() -> None:
    assert len(region("cube-faces", box=[2, 1, 1])) == 11
    assert len(region("cube-edges", box=[1, 1, 1])) == 12


def coordinates(lattice: str, **table: Any) -> set[tuple[int, ...]]:
    return set(region(lattice, **table).coordinates)


def test_turns_move_back_to_the_origin_and_close_after_a_full_one() -> None:
    assert coordinates("square", box=[3, 1], turn=1) == {(0, 0), (0, 1), (0, 2)}
    assert coordinates("square", trapezoid=[3, 2], turn=2, shift=[1, 1]) == {
        (x + 1, y + 1) for x, y in [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    }
    assert coordinates("cube", box=[3, 2, 1], turn=1) == coordinates("cube", box=[2, 3, 1])
    assert coordinates("triangle", triangle=1, turn=1) == {(0, 0, 1)}
    sticks = {"units": "0,0,0", "turn": 1}
    assert coordinates("square-edges", **sticks) == {(0, 0, 1)}
    flags = region("hexagon", drawing="#...+", turn=3)
    assert flags.coordinates == [(0, 1), (2, 0)]
    assert flags.optional.tolist() == [True, False]


def test_parts_of_cells_turn_with_their_cells() -> None:
    for name in ("kites", "quarter-squares", "sixth-triangles"):
        plain, turned = region(name, box=[2, 1]), region(name, box=[2, 1], turn=1)
        assert len(plain) == len(turned) != 0
        assert plain.coordinates != turned.coordinates
    assert coordinates("kites", box=[2, 1], turn=1) == coordinates("kites", box=[1, 2])


def test_a_turned_part() -> None:
    whole = coordinates("triangle", triangle=2, plus=[{"triangle": 2, "turn": 3, "shift": [0, 0]}])
    assert whole == coordinates("triangle", box=[2, 2])


def test_without_a_border_only_units_between_cells_stay() -> None:
    bordered = coordinates("square-edges", box=[4, 3])
    inner = coordinates("square-edges", box=[4, 3], border=False)
    assert len(bordered) - len(inner) == 2 * (4 + 3)
    assert len(inner) == 4 * 2 + 3 * 3
    assert len(coordinates("triangle-edges", hexagon=1, border=False)) == 6
    assert len(coordinates("hexagon-edges", hexagon=2, border=False)) == 12
    assert len(coordinates("cube-faces", box=[2, 2, 2], border=False)) == 12
    assert len(coordinates("cube-edges", box=[2, 2, 2], border=False)) == 6


def test_a_border_is_that_of_the_whole_and_units_count_apart() -> None:
    ring = coordinates(
        "square-edges", box=[3, 3], minus=[{"box": [1, 1], "shift": [1, 1]}], border=False
    )
    assert len(ring) == 8
    more = coordinates("square-edges", box=[2, 1], plus=[{"units": "5,5,0"}], border=False)
    assert more == {(1, 0, 1), (5, 5, 0)}
    part = coordinates("square-edges", box=[2, 2], minus=[{"box": [2, 2], "border": False}])
    assert len(part) == 8
    torus = region("square-edges", box=[3, 3], wrap=[[3, 0], [0, 3]], border=False)
    assert len(torus) == 18


@pytest.mark.parametrize("border", [True, False])
@pytest.mark.parametrize("unit", ["0,1,1", "5,1,1"])
def test_an_edge_of_a_torus_is_removed_or_optional_under_each_of_its_names(
    unit: str, *, border: bool
) -> None:
    torus = {"box": [5, 2], "wrap": [[5, 0], [0, 2]], "border": border}
    assert len(region("square-edges", **torus, minus=[{"units": unit}])) == 19
    loose = region("square-edges", **torus, optional=unit)
    assert len(loose) == 20
    assert loose.coordinates[loose.optional.argmax()] == (0, 1, 1)
    assert loose.optional.sum() == 1


def test_optional_cells_of_a_torus_stay_in_their_places() -> None:
    torus = region("square", box=[5, 2], wrap=[[5, 0], [0, 2]], optional="5,0 9,1")
    assert torus.places[torus.optional].tolist() == [[0, 0], [4, 1]]


def test_edges_of_a_twisted_torus_lie_in_its_box() -> None:
    for border in True, False:
        torus = region("square-edges", box=[4, 3], wrap=[[4, 0], [1, 3]], border=border)
        assert len(torus) == 24
        corners = [(x // 2, y // 2) for x, y in torus.places.tolist()]
        assert {x for x, _ in corners} <= set(range(5))
        assert {y for _, y in corners} <= set(range(4))


def test_regions_made_of_others() -> None:
    flat = {"box": [3, 3], "minus": [{"units": "1,1"}]}
    assert coordinates("cube", prism={**flat, "height": 2}) == coordinates(
        "cube", ring_wall=[3, 3, 2]
    )
    steps = coordinates("cube", prism_x={"drawing": ".#\n##", "length": 2}, shift=[1, 0, 0])
    assert steps == {(x, *yz) for x in (1, 2) for yz in [(0, 0), (1, 0), (1, 1)]}
    assert len(region("cube-faces", pyramid={"box": [3, 3], "height": 2})) == 42 + 5
    assert len(region("triangle-edges", hexgrid={"box": [1, 1], "side": 1})) == 12


@pytest.mark.parametrize(
    ("lattice", "table", "message"),
    [
        ("cube", {"prism": [3, 2]}, "region.prism: a prism takes a region of the square lattice"),
        ("cube", {"prism": {"box": [3, 2]}}, r"write prism = { box = \[4, 3\], height = 2 }"),
        ("cube", {"prism": {"box": [3, 2], "height": 0}}, "sizes start at 1"),
        ("cube", {"prism": {"box": [3, 2], "height": "2"}}, "region.prism.height: expected an int"),
        ("cube", {"prism": {"bax": [3, 2], "height": 2}}, "region.prism: unknown key 'bax'"),
        ("cube", {"prism": {"drawing": "#+", "height": 2}}, "has no optional cells"),
        ("square", {"prism": {"box": [3, 2], "height": 2}}, "unknown key 'prism'"),
        (
            "square",
            {"box": [3, 2], "border": False},
            "region.border: the square lattice has no borders",
        ),
        ("kites", {"box": [3, 2], "border": False}, "the kites lattice has no borders"),
        ("square-edges", {"drawing": "#+", "border": False}, "has no optional cells"),
        (
            "square-edges",
            {"box": [710, 710], "border": False},
            "my.toml: region: a region of abo",
        ),
        ("square-edges", {"box": [1, 1], "border": False}, "The region is empty"),
        ("square", {"box": [3, 2], "turn": 7}, "region.turn"),
        ("hexagon", {"butterfly": [3, 4]}, "region.butterfly: The two halves"),
        ("hexagon", {"chevron": 3}, r"write chevron = \[base, side\]"),
    ],
)
def test_what_is_wrong_is_one_clear_error(
    lattice: str, table: dict[str, Any], message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        region(lattice, **table)


def test_a_region_of_a_million_units_is_read_as_it_stands() -> None:
    found = region(
        "square",
        box=[1000, 1000],
        minus=[{"box": [10, 10], "shift": [5, 5]}, {"units": "0,0"}],
        plus=[{"units": "1000,7 1001,7"}],
        optional="0..99,50..59",
    )
    assert (len(found), int(found.optional.sum())) == (1_000_000 - 101 + 2, 1000)
    assert found.index(np.array([[0, 0], [5, 5], [15, 5], [1001, 7]])).tolist()[:2] == [-1, -1]
    assert found.places[-1].tolist() == [1001, 7]
    assert len(region("square-edges", box=[400, 600])) == 2 * 400 * 600 + 1000


def test_a_turned_and_moved_part_keeps_its_optional_cells() -> None:
    found = region("square", drawing="##+", turn=1, shift=[2, 1])
    assert found.coordinates == [(2, 1), (2, 2), (2, 3)]
    assert found.optional.tolist() == [False, False, True]
