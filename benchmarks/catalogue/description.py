"""The lines of a region table, and how hard they are to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from exactile.geometry.lattice import Point

LINE = 5
"""What a line costs beside its characters."""


@dataclass(frozen=True)
class Description:
    """A region table: the entries of its base, parts, and whether the border belongs to it."""

    kind: str
    base: tuple[str, ...]
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    border: bool = True

    @property
    def entries(self) -> list[str]:
        """What the table holds."""
        entries = list(self.base)
        for key, parts in (("plus", self.plus), ("minus", self.minus)):
            if len(parts) == 1:
                entries.append(f"{key} = [{{ {parts[0]} }}]")
            elif parts:
                entries.append("\n".join([f"{key} = [", *(f"  {{ {p} }}," for p in parts), "]"]))
        return [*entries, *([] if self.border else ["border = false"])]

    def unmoved(self) -> Description:
        """Leave out the shift of the base."""
        return replace(self, base=tuple(e for e in self.base if not e.startswith("shift = ")))

    def lines(self) -> list[str]:
        """Return the lines as they stand in a puzzle file."""
        return "\n".join(f"region.{entry}" for entry in self.entries).split("\n")

    @property
    def parts(self) -> int:
        """How many parts are added and taken away, at most four."""
        return min(4, len(self.plus) + len(self.minus))

    @property
    def cost(self) -> int:
        """How hard the lines are to read: units count twice, for nobody sees what they are."""
        lines = self.lines()
        text = "".join(lines)
        units = sum(len(found) for found in re.findall('units = "(.*?)"', text))
        return len(text) + units + LINE * len(lines)


def shift(start: Sequence[int], goal: Sequence[int]) -> list[str]:
    """Return the entry that moves cells to their place, none if they are there."""
    steps = [g - s for s, g in zip(start, goal, strict=True)]
    return [f"shift = {steps}"] if any(steps) else []


def words(units: Iterable[Point], axes: int) -> str:
    """Return units as words, with runs along so many axes: a type is none.

    Examples
    --------
    >>> words([(0, 0), (1, 0), (0, 1), (1, 1), (3, 1)], 2)
    '0..1,0..1 3,1'
    """
    blocks = [tuple((c, c) for c in unit) for unit in units]
    for axis in range(axes):
        blocks = merged(blocks, axis)
    blocks.sort(key=lambda block: [first for first, _ in reversed(block)])
    return " ".join(
        ",".join(f"{first}..{last}" if last > first else str(first) for first, last in block)
        for block in blocks
    )


Block = tuple[tuple[int, int], ...]
"""First and last of each coordinate."""


def merged(blocks: list[Block], axis: int) -> list[Block]:
    """Join blocks that touch along an axis and are equal otherwise."""
    joined: dict[Block, list[tuple[int, int]]] = {}
    for block in sorted(blocks, key=lambda block: block[axis]):
        runs = joined.setdefault((*block[:axis], *block[axis + 1 :]), [])
        first, last = block[axis]
        if runs and runs[-1][1] == first - 1:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((first, last))
    return [(*key[:axis], run, *key[axis:]) for key, runs in joined.items() for run in runs]
