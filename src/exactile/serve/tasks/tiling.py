"""Whether a shape tiles the plane, and pictures that show it."""

from __future__ import annotations

import msgspec

from exactile.answers import TilingAnswer
from exactile.clock import CLOCK
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Point
from exactile.puzzle.pieces.piece import Piece, as_freedom, customary_freedom
from exactile.render.tilings import draw_tiling
from exactile.serve.tasks.asked import Tell
from exactile.serve.tasks.searching import PACE
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.surveys.tiling.verbs import tile as decide


class TileAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prototile."""

    lattice: str
    units: tuple[Point, ...]  # points of the lattice
    name: str = "tile"
    freedom: str | None = None  # as real pieces if left out
    crossing: bool = True  # whether copies must not cross at vertices
    disc: bool = False  # whether to find units around it that cannot all be covered
    time_limit: float = 30.0  # seconds for all of it


class TilingPicture(msgspec.Struct, frozen=True):
    """A picture of a tiling, or of units that cannot all be covered."""

    # What tiles of one color have in common, "orientation", "class", "copy" or "corona"; or "disc"
    # for units that cannot all be covered
    shows: str
    svg: str


def tile(asked: TileAsked, tell: Tell) -> None:
    """Report pictures, each a `TilingPicture`, and finally a `TilingAnswer`."""
    lattice = get_lattice(asked.lattice)
    freedom = customary_freedom(lattice) if asked.freedom is None else as_freedom(asked.freedom)
    piece = Piece(asked.name, lattice, asked.units, freedom)
    begun = last = CLOCK.now()

    def watch() -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", {"doing": "searching", "seconds": last - begun})

    answer = decide(
        piece,
        crossing=asked.crossing,
        least=True,
        heesch=Prototiles((piece,), asked.crossing).has_heesch_numbers,
        time_limit=asked.time_limit,
        disc=asked.disc,
        watch=watch,
    )
    for shows in _shown(answer):
        color = None if shows == "disc" else shows
        tell("picture", TilingPicture(shows, draw_tiling(answer, color=color)))
    tell("answer", answer)


def _shown(answer: TilingAnswer) -> list[str]:
    if answer.tiling is None:
        return ["corona", *["disc"] * (answer.uncoverable is not None)]
    shown = ["orientation"]
    if len(answer.tiling.copies) > 1:
        shown += [*["class"] * (answer.tiling.orbits > 1), "copy"]
    return shown
