"""Regions of puzzle files: bases, more and less, shifts, optional units, wraps."""

from __future__ import annotations

from typing import Any

from exactile.files.place import Place
from exactile.files.regions import read_region
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


def test_a_box_of_faces() -> None:
    assert len(region("cube-faces", box=[2, 1, 1])) == 11
    assert len(region("cube-edges", box=[1, 1, 1])) == 12
