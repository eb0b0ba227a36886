"""Data of lattices that do not fit together are refused, and the message names the field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from exactile import plugins
from exactile.errors import GeometryError, NotFoundError
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.consistency import require_consistent
from exactile.geometry.isometry import generate_group
from exactile.puzzle.pieces.generate import generate
from exactile.render.svg_plane import sides

EDGES = get_lattice("square-edges")


def test_installed_lattices_are_consistent() -> None:
    for name in lattice_names():
        require_consistent(get_lattice(name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"origins": EDGES.origins[:1]}, "neighbors has 2 entries for 1 origin:"),
        ({"neighbors": EDGES.neighbors[:1]}, "neighbors has 1 entry for 2 origins"),
        ({"faces": EDGES.faces[:1]}, "faces has 1 entry for 2 origins"),
        ({"origins": ()}, "origins has no point"),
        ({"origins": ((1, 0), (1,))}, r"origins has .*: give points of 2 coordinates"),
        ({"neighbors": (((1, 0, 0),), ())}, r"neighbors has \(\(1, 0, 0\),\): give points"),
        ({"neighbors": ((1, 0), ())}, r"neighbors has \(1, 0\): give points"),
        ({"generators": (((0, -1, 0), (1, 0, 0), (0, 0, 1)),)}, "give 2 x 2 matrices"),
        ({"generators": (5,)}, "generators has 5: give 2 x 2 matrices"),
        ({"embedding": ((1, 0),)}, "embedding has .*: give a row for each of 2 coordinates"),
        ({"neighbors": (((0, 1),), EDGES.neighbors[1])}, r"\(0, 1\), where no unit is"),
        ({"neighbors": (EDGES.neighbors[0], ())}, r"but type 1 lacks the neighbor \(1, 1\)"),
        ({"generators": (((1, 1), (0, 1)),)}, "changes lengths of the embedding"),
        ({"faces": ((), EDGES.faces[1])}, "faces has no polygon for type 0"),
        ({"faces": (((0, 0), (1, 0)), EDGES.faces[1])}, r"faces has \(0, 0\) for type 0: give"),
        ({"faces": EDGES.faces[:1] * 2}, "maps type 0 to type 1, but not its faces"),
        ({"art": replace(EDGES.art, columns=(4, 2))}, "art.columns has .*: give 3 numbers"),
        ({"art": replace(EDGES.art, dots=((0, 0),))}, "art.dots has 1 entry for 2 origins"),
        ({"period": 4, "origins": ((1, 0), (0, 3))}, "where no unit is"),
        ({"origins": ((1, 0), (1, 1)), "neighbors": ((), ())}, "to a place without one"),
        ({"neighbors": (((2, 0), (-2, 0)), ())}, "to type 1, but not its neighbors"),
    ],
)
def test_faults_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(GeometryError, match=f"The lattice square-edges: .*{message}"):
        require_consistent(replace(EDGES, **change))


def test_cells_without_a_neighbor_across_each_side_can_be_counted_but_not_drawn() -> None:
    hexagon = get_lattice("hexagon")
    (steps,) = hexagon.neighbors
    fewer = tuple(s for s in steps if s not in ((1, -1), (-1, 1)))
    lattice = replace(hexagon, neighbors=(fewer,), generators=(((0, 1), (1, 0)),))
    require_consistent(lattice)
    assert len(generate(lattice, 2)) == 1
    with pytest.raises(GeometryError, match=r"side from \(.*\) is not a side of a neighbor"):
        sides(lattice)


def test_corners_of_faces_may_be_rounded() -> None:
    hexagon = get_lattice("hexagon")
    rounded = tuple(
        tuple(tuple((round(x, 4), round(y, 4)) for x, y in p) for p in own) for own in hexagon.faces
    )
    require_consistent(replace(hexagon, faces=rounded))


def test_a_lattice_is_checked_when_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    half = replace(EDGES, name="half", neighbors=(EDGES.neighbors[0], ()))
    monkeypatch.setattr(plugins, "_loaders", lambda group: {"half": lambda: half})
    with pytest.raises(GeometryError, match="The lattice half: type 0 has the neighbor"):
        get_lattice("half")


def gone() -> Any:
    raise ImportError("No module named 'gone'")


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (gone, "'odd' cannot be loaded: No module named 'gone'"),
        (lambda: 5, "'odd' is not a Lattice: 5"),
        (lambda: replace(EDGES, name="even"), "'odd' has the name 'even': give both the same"),
    ],
)
def test_an_entry_point_of_something_else_is_refused(
    load: Callable[[], Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_loaders", lambda group: {"odd": load})
    with pytest.raises(NotFoundError, match=message):
        get_lattice("odd")


def test_an_embedding_may_be_rounded() -> None:
    lattice = get_lattice("triangle")
    rounded = tuple(tuple(round(x, 4) for x in row) for row in lattice.embedding)
    assert rounded != lattice.embedding
    require_consistent(replace(lattice, embedding=rounded))


def test_a_group_without_end_is_refused() -> None:
    with pytest.raises(GeometryError, match="more than 48 matrices"):
        generate_group(np.array([[[1, 1], [0, 1]]]))
