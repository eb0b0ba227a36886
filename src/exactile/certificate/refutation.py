"""Checks refutations of tilings and coronas: lists of lemmas on tiles that cannot lie together.

A refutation shows that some object does not exist. The object is a tiling, in which all units must
be covered; or a tile with a given number of complete coronas, perhaps without holes. (The first
corona is the ring of all tiles that touch the tile, the second the ring around the first, and so
on.) In the second case, the units that touch a tile with at least one corona must be covered, and a
tile next to one with k + 1 coronas has at least k itself.

Each line of a refutation is a lemma, ``tiles: steps``. A tile is written as
``prototile,turn,x,y,coronas``: the prototile turned by motion number `turn`, moved by (x, y)
periods, with at least `coronas` complete coronas around it. A lemma states that the object cannot
contain these tiles, nor their images under a common motion. The steps of its proof, separated by
blanks, are a tree in preorder:

``x,y`` or ``x,y,type``
    A unit that must be covered. For each copy of a prototile over it that neither overlaps nor
    crosses a tile, a step follows that refutes the tiles with this copy added. The copies are
    sorted by their units.
``ox,y``
    The same for a unit that must be covered because the tiles enclose it and holes are forbidden.
``#lemma,turn,x,y``
    The tiles contain all tiles of an earlier lemma (by number, from 0), turned by motion `turn` and
    moved by (x, y).
``x``
    Only if holes are forbidden. The object consists of a middle tile and its coronas. The first
    tile is the middle: it has the same number of coronas as the tile of the last lemma, the claim.
    But some tile is in none of its coronas, and adding tiles cannot change that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from exactile.certificate.copies import STEP, Copies, coordinates, cross
from exactile.errors import CertificateError

NUMBERS = re.compile(r"-?[0-9]{1,9}(,-?[0-9]{1,9})*")

MOST_DEPTH = 600
"""Largest number of tiles that may lie together at a step; refutations by searches need fewer."""

MOST_ENCLOSED = 10
"""Covered units cannot enclose more units than this times the square of their number."""


class Sought(Enum):
    """The kinds of objects whose existence a refutation can exclude."""

    TILING = "tiling"
    CORONAS = "coronas"
    SOLID = "coronas without holes"


Crowned = tuple[int, int]
"""A copy, encoded as in `Copies`, and the least number of complete coronas around it."""


@dataclass
class _Tile:
    copy: int
    coronas: int = 0
    raised: list[tuple[int, int]] = field(default_factory=list)


class TilingRefutation:
    """Checks a refutation; raises CertificateError, which names the line, if it does not hold.

    - `copies`: all copies of the prototiles.
    - `sought`: the kind of object that does not exist.
    - `text`: the lines of the refutation; see `exactile.certificate.refutation`.

    Afterwards, the attribute `lemmas` has the tiles of each lemma; the last lemma is the claim.
    `steps` is the number of steps of all lemmas together.

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
        self.lemmas: list[list[Crowned]] = []
        self._images: dict[tuple[int, int], list[Crowned]] = {}
        self._middles: dict[int, int] = {}  # coronas of first tiles of `x`, and the line of each
        self._several = len(copies.lattice.origins) > 1
        self._width = copies.lattice.dimension
        self.steps = 0
        lines = text.splitlines()
        if not lines:
            raise CertificateError("The refutation is empty.")
        for number, line in enumerate(lines, 1):
            try:
                self.lemmas.append(self._checked(line))
            except CertificateError as error:
                raise CertificateError(f"The refutation, line {number}: {error}") from None
        claimed = max((coronas for _, coronas in self.lemmas[-1]), default=0)
        for most, number in self._middles.items():
            if most != claimed:
                raise CertificateError(
                    f"The refutation, line {number}: the first tile has {most} "
                    f"corona{'s' * (most != 1)}, that of the last line {claimed}: others can be "
                    "outside of its coronas."
                )

    def _checked(self, line: str) -> list[Crowned]:
        head, colon, steps = line.partition(":")
        if not colon:
            raise CertificateError("there is no colon after the tiles.")
        self._lemma = [self._tile(word) for word in head.split()]
        self._tiles: list[_Tile] = []
        self._owner: dict[int, int] = {}
        self._rays: dict[int, list[frozenset[int]]] = {}
        self._at: dict[int, _Tile] = {}
        for copy, coronas in self._lemma:
            if not self._owner.keys().isdisjoint(self._copies.units(copy)) or self._crosses(copy):
                raise CertificateError("the tiles overlap.")
            self._put(copy, coronas)
        self._words = iter(steps.split())
        self._refute()
        for step in self._words:
            raise CertificateError(f"there is one step too many: {step!r}.")
        return self._lemma

    def _tile(self, word: str) -> Crowned:
        prototile, turn, *by, coronas = self._numbers(word, self._width + 3)
        if coronas < 0 or (coronas > 0 and self._sought is Sought.TILING):
            raise CertificateError(f"a tile cannot have {coronas} coronas.")
        return self._copies.copy(prototile, turn, by), coronas

    def _numbers(self, word: str, count: int) -> list[int]:
        if not NUMBERS.fullmatch(word) or word.count(",") != count - 1:
            raise CertificateError(f"{word!r} is not a list of {count} numbers.")
        return [int(number) for number in word.split(",")]

    def _unit(self, word: str) -> int:
        *place, kind = self._numbers(word, self._width + self._several) + [0] * (not self._several)
        if not 0 <= kind < len(self._copies.lattice.origins):
            raise CertificateError(f"there is no unit {word}.")
        return self._copies.place(place) + kind

    def _refute(self) -> None:
        """Read and check the next step, and the steps below it, against the tiles placed so far.

        Raise CertificateError if a step is wrong or missing.
        """
        step = next(self._words, None)
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
            for copy in self._possible(unit):
                self._put(copy, 0)
                self._refute()
                self._remove()

    def _use(self, step: str) -> None:
        number, turn, *by = self._numbers(step[1:], self._width + 2)
        if not 0 <= number < len(self.lemmas) or not 0 <= turn < len(self._copies.matrices):
            raise CertificateError(f"there is no lemma or motion for {step}.")
        if (number, turn) not in self._images:
            self._images[number, turn] = [
                (self._copies.image(copy, turn), coronas) for copy, coronas in self.lemmas[number]
            ]
        place = self._copies.place(by)
        for copy, coronas in self._images[number, turn]:
            tile = self._at.get(copy + place)
            if tile is None or tile.coronas < coronas:
                raise CertificateError(f"the tiles of the lemma of {step} are not there.")

    # --- units that must be covered

    def _is_required(self, unit: int) -> bool:
        if self._sought is Sought.TILING:
            return True
        owners = (self._owner.get(u) for u in self._copies.touching(unit))
        return any(o is not None and self._tiles[o].coronas > 0 for o in owners)

    def _is_hole(self, unit: int) -> bool:
        """Return whether the tiles enclose an uncovered unit, which then lies in a hole.

        Return False if holes are not forbidden.
        """
        if self._sought is not Sought.SOLID or not self._tiles:
            return False
        axes = list(zip(*(coordinates(u, self._width)[0] for u in self._owner), strict=True))
        low, high = [min(axis) for axis in axes], [max(axis) for axis in axes]
        # The covered units cannot enclose more than this.
        most = MOST_ENCLOSED * len(self._owner) ** 2
        reached, waiting = {unit}, [unit]
        for each in waiting:
            place, _ = coordinates(each, self._width)
            inside = all(a <= c <= b for a, c, b in zip(low, place, high, strict=True))
            if not inside or len(reached) > most:
                return False
            fresh = {u for u in self._copies.joined(each) if u not in self._owner} - reached
            reached |= fresh
            waiting.extend(fresh)
        return True

    def _require_outside(self) -> None:
        """Raise CertificateError unless the step ``x`` holds.

        Some tile must be in none of the coronas around the first tile, even if tiles are added.
        With a single corona, this is a tile that does not touch the first one. With several
        coronas, all units that touch a tile with a corona must be covered, so that no added tile
        can touch such a tile.
        """
        if self._sought is not Sought.SOLID or not self._lemma:
            raise CertificateError("tiles outside of the coronas refute nothing here.")
        most = self._lemma[0][1]
        inner = [tile.copy for tile in self._tiles if tile.coronas > 0]
        touched = {self._owner.get(u) for copy in inner for u in self._copies.around(copy)}
        if most > 1 and None in touched:
            raise CertificateError("there are units that must still be covered.")
        if any(tile.coronas > most for tile in self._tiles):
            raise CertificateError("the first tile is not the middle.")
        if most < 1 or set(range(1, len(self._tiles))) <= touched:
            raise CertificateError("there is no tile outside of the coronas.")
        self._middles.setdefault(most, len(self.lemmas) + 1)

    # --- tiles

    def _possible(self, unit: int) -> Iterator[int]:
        """Yield the copies over a unit that neither overlap nor cross a tile."""
        kind = unit % STEP
        place = unit - kind
        clashes = self._copies.clashes(kind)
        clashing = 0
        for covered in self._owner:
            clashing |= clashes.get(covered - place, 0)
        over = self._copies.over(kind)
        free = (1 << len(over)) - 1 & ~clashing
        while free:
            copy = place + over[(free & -free).bit_length() - 1]
            if not self._crosses(copy):
                yield copy
            free &= free - 1

    def _crosses(self, copy: int) -> bool:
        return any(
            cross(rays, other)
            for vertex, rays in self._copies.rays(copy)
            for other in self._rays.get(vertex, ())
        )

    def _put(self, copy: int, coronas: int) -> None:
        if len(self._tiles) >= MOST_DEPTH:
            raise CertificateError("it goes too deep.")
        number, tile = len(self._tiles), _Tile(copy)
        self._tiles.append(tile)
        self._at[copy] = tile
        self._owner.update(dict.fromkeys(self._copies.units(copy), number))
        for vertex, rays in self._copies.rays(copy):
            self._rays.setdefault(vertex, []).append(rays)
        if self._sought is not Sought.TILING:
            near = {self._owner[u] for u in self._copies.around(copy) if u in self._owner}
            self._raise(number, max([coronas, *(self._tiles[n].coronas - 1 for n in near)]), tile)

    def _raise(self, first: int, coronas: int, cause: _Tile) -> None:
        """Record that a tile has at least `coronas` coronas, its neighbors one less, and so on.

        `first`: the index of the tile. `cause`: the tile that was added; removing it undoes this.
        """
        waiting = [(first, coronas)]  # there may be too many for recursion
        for number, most in waiting:
            tile = self._tiles[number]
            if tile.coronas >= most:
                continue
            cause.raised.append((number, tile.coronas))
            tile.coronas = most
            if most > 1:
                near = {self._owner.get(unit) for unit in self._copies.around(tile.copy)}
                waiting += [(number, most - 1) for number in near if number is not None]

    def _remove(self) -> None:
        tile = self._tiles[-1]
        for number, coronas in reversed(tile.raised):
            self._tiles[number].coronas = coronas
        self._tiles.pop()
        del self._at[tile.copy]
        for unit in self._copies.units(tile.copy):
            del self._owner[unit]
        for vertex, _ in self._copies.rays(tile.copy):
            self._rays[vertex].pop()
