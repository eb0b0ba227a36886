"""Checks refutations of tilings and coronas: lemmas about tiles that cannot lie together.

A refutation consists of lines, each a lemma: ``tiles: steps``. The tiles are written as
``prototile,turn,x,y,coronas``: the prototile turned by the motion of this number, moved by (x, y)
periods, with at least this number of complete coronas around it. A lemma says that the patch in
question has no tiles that lie like this, however they are moved. The steps, separated by blanks,
are a tree in preorder:

``x,y`` or ``x,y,type``
    A unit that must be covered. For each copy over it that overlaps no tile, in the order of their
    sorted units, a step follows that refutes the tiles with this one added.
``ox,y``
    The same, where the unit must be covered because the tiles enclose it (if no holes are allowed).
``#lemma,turn,x,y``
    An earlier lemma refutes the tiles: all of its tiles are there, turned and moved like this.
``x``
    A tile is in none of the coronas around the first tile, nor can it come to be in one.

What is looked for is a tiling of the plane, where all units must be covered; or a tile with a
number of complete coronas, perhaps without holes, where the units that touch a tile with at least
one corona must be covered. A tile next to one with k + 1 coronas has at least k itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from exactile.certificate.copies import Copies, Copy, Covered, cross
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point

NUMBERS = re.compile(r"-?[0-9]{1,9}(,-?[0-9]{1,9})*")

MOST_DEPTH = 600
"""More tiles in a branch are refused: no search has as many."""


class Sought(Enum):
    """What is looked for."""

    TILING = "tiling"
    CORONAS = "coronas"
    SOLID = "coronas without holes"


@dataclass
class Lemma:
    """Tiles that cannot lie together: copies, each with a number of coronas."""

    tiles: list[tuple[Copy, int]]


@dataclass
class _Tile:
    placed: Covered
    coronas: int
    raised: list[tuple[int, int]] = field(default_factory=list)


class TilingRefutation:
    """A refutation that holds.

    Parameters
    ----------
    copies
        All copies of the prototiles.
    sought
        What is looked for.
    text
        The refutation.

    Attributes
    ----------
    claim
        The tiles of the last lemma.
    steps
        Number of steps.

    Raises
    ------
    CertificateError
        If it does not hold; the message names the line.

    Examples
    --------
    >>> from exactile.geometry import get_lattice
    >>> square = get_lattice("square")
    >>> ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    >>> copies = Copies(square, square.group[:1].tolist(), [ring])
    >>> TilingRefutation(copies, Sought.TILING, "0,0,0,0,0: 1,1").steps
    1
    """

    def __init__(self, copies: Copies, sought: Sought, text: str) -> None:
        self._copies = copies
        self._sought = sought
        self._lemmas: list[Lemma] = []
        self._several = len(copies.lattice.origins) > 1
        self._width = copies.lattice.dimension
        self.steps = 0
        lines = text.splitlines()
        if not lines:
            raise CertificateError("The refutation is empty.")
        for number, line in enumerate(lines, 1):
            try:
                self._lemmas.append(self._checked(line))
            except CertificateError as error:
                raise CertificateError(f"The refutation, line {number}: {error}") from None
        self.claim = self._lemmas[-1].tiles

    def _checked(self, line: str) -> Lemma:
        head, colon, steps = line.partition(":")
        if not colon:
            raise CertificateError("there is no colon behind the tiles.")
        lemma = Lemma([self._tile(word) for word in head.split()])
        self._given = lemma.tiles
        self._owner: dict[Point, int] = {}
        self._rays: dict[Point, list[frozenset[int]]] = {}
        self._tiles: list[_Tile] = []
        for copy, coronas in lemma.tiles:
            placed = self._copies.placed(self._copies.units(copy))
            if not self._is_free(placed):
                raise CertificateError("the tiles overlap.")
            self._put(placed, coronas)
        self._steps = iter(steps.split())
        self._refute()
        for step in self._steps:
            raise CertificateError(f"there is a step too many: {step!r}.")
        return lemma

    def _tile(self, word: str) -> tuple[Copy, int]:
        prototile, turn, *by, coronas = self._numbers(word, self._width + 3)
        if coronas < 0 or (coronas > 0 and self._sought is Sought.TILING):
            raise CertificateError(f"a tile cannot have {coronas} coronas.")
        return Copy(prototile, turn, tuple(by)), coronas

    def _numbers(self, word: str, count: int) -> list[int]:
        if not NUMBERS.fullmatch(word) or word.count(",") != count - 1:
            raise CertificateError(f"{word!r} is no list of {count} numbers.")
        return [int(number) for number in word.split(",")]

    def _unit(self, word: str) -> Point:
        *place, kind = self._numbers(word, self._width + self._several) + [0] * (not self._several)
        if not 0 <= kind < len(self._copies.lattice.origins):
            raise CertificateError(f"there is no unit {word}.")
        return (*place, kind)

    def _refute(self) -> None:
        """Read the steps that refute the tiles that are there."""
        step = next(self._steps, None)
        if step is None:
            raise CertificateError("it ends too early.")
        self.steps += 1
        if step.startswith("#"):
            self._use(step)
        elif step == "x":
            self._require_outside()
        else:
            unit = self._unit(step.removeprefix("o"))
            if unit in self._owner:
                raise CertificateError(f"unit {step} is covered.")
            if not (self._is_hole(unit) if step.startswith("o") else self._is_required(unit)):
                raise CertificateError(f"nothing says that unit {step} must be covered.")
            for placed in self._copies.over(unit):
                if self._is_free(placed):
                    self._put(placed, 0)
                    self._refute()
                    self._remove()

    def _use(self, step: str) -> None:
        number, turn, *by = self._numbers(step[1:], self._width + 2)
        if not 0 <= number < len(self._lemmas) or not 0 <= turn < len(self._copies.motions):
            raise CertificateError(f"there is no lemma or motion for {step}.")
        for copy, coronas in self._lemmas[number].tiles:
            units = self._copies.image(copy, turn, tuple(by))
            owners = {self._owner.get(unit, -1) for unit in units}
            tile = self._tiles[owners.pop()] if len(owners) == 1 and -1 not in owners else None
            if tile is None or tile.placed.units != units or tile.coronas < coronas:
                raise CertificateError(f"the tiles of the lemma of {step} are not there.")

    # --- what must be

    def _is_required(self, unit: Point) -> bool:
        if self._sought is Sought.TILING:
            return True
        owners = (self._owner.get(u) for u in self._copies.touching(unit))
        return any(o is not None and self._tiles[o].coronas > 0 for o in owners)

    def _is_hole(self, unit: Point) -> bool:
        """Return whether what is uncovered around a unit is enclosed."""
        if self._sought is not Sought.SOLID:
            return False
        low = [min(u[i] for u in self._owner) - 1 for i in range(self._width)]
        high = [max(u[i] for u in self._owner) + 1 for i in range(self._width)]
        reached, waiting = {unit}, [unit]
        for each in waiting:
            if any(not low[i] <= each[i] <= high[i] for i in range(self._width)):
                return False
            fresh = {u for u in self._copies.joined(each) if u not in self._owner} - reached
            reached |= fresh
            waiting.extend(fresh)
        return True

    def _require_outside(self) -> None:
        """Raise unless a tile is in none of the coronas around the first one, whatever is added.

        With a single corona, that is a tile that does not touch the first. With more, no tile can
        be added that touches one with a corona around it if all units are covered that must be.
        """
        if self._sought is not Sought.SOLID or not self._given:
            raise CertificateError("tiles outside of the coronas refute nothing here.")
        most = self._given[0][1]
        inner = [i for i, tile in enumerate(self._tiles) if tile.coronas > 0]
        touched = {self._owner.get(u) for i in inner for u in self._around(self._tiles[i])}
        if most > 1 and None in touched:
            raise CertificateError("there are units that must still be covered.")
        if any(tile.coronas > most for tile in self._tiles):
            raise CertificateError("the first tile is not the middle.")
        if most < 1 or set(range(1, len(self._tiles))) <= touched:
            raise CertificateError("there is no tile outside of the coronas.")

    def _around(self, tile: _Tile) -> set[Point]:
        """Return the units that touch a tile."""
        units = tile.placed.units
        return {near for unit in units for near in self._copies.touching(unit)} - units

    # --- tiles that are there

    def _is_free(self, placed: Covered) -> bool:
        if not self._owner.keys().isdisjoint(placed.units):
            return False
        return not any(
            cross(rays, other)
            for vertex, rays in placed.rays
            for other in self._rays.get(vertex, ())
        )

    def _put(self, placed: Covered, coronas: int) -> None:
        if len(self._tiles) >= MOST_DEPTH:
            raise CertificateError("it goes too deep.")
        number, tile = len(self._tiles), _Tile(placed, -1)
        self._tiles.append(tile)
        self._owner.update(dict.fromkeys(placed.units, number))
        for vertex, rays in placed.rays:
            self._rays.setdefault(vertex, []).append(rays)
        near = {self._owner[u] for u in self._around(tile) if u in self._owner}
        self._raise(number, max([coronas, *(self._tiles[n].coronas - 1 for n in near)]), tile)

    def _raise(self, number: int, coronas: int, cause: _Tile) -> None:
        """Note the number of coronas of a tile; its neighbors have one less."""
        tile = self._tiles[number]
        cause.raised.append((number, tile.coronas))
        tile.coronas = coronas
        if coronas > 1:
            for unit in self._around(tile):
                near = self._owner.get(unit)
                if near is not None and self._tiles[near].coronas < coronas - 1:
                    self._raise(near, coronas - 1, cause)

    def _remove(self) -> None:
        tile = self._tiles[-1]
        for number, coronas in reversed(tile.raised):
            self._tiles[number].coronas = coronas
        self._tiles.pop()
        for unit in tile.placed.units:
            del self._owner[unit]
        for vertex, _ in tile.placed.rays:
            self._rays[vertex].pop()
