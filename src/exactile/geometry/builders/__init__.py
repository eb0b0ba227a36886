"""Region builders: functions from sizes to customary coordinates, one module for each lattice.

Every builder starts at the coordinates 0, so that a region begins where a drawing of it would.
"""

from __future__ import annotations

from math import prod

from exactile.errors import RegionError

Cells = list[tuple[int, ...]]

MAX_UNITS = 1_000_000
"""Largest number of units of a region: more are probably a typing error, and of no use."""


def require_sizes(*sizes: int) -> None:
    """Refuse sizes that are not positive or that make a region of more than `MAX_UNITS` cells.

    Examples
    --------
    >>> require_sizes(3, 0)
    Traceback (most recent call last):
        ...
    exactile.errors.RegionError: A size of 0 makes an empty region: sizes start at 1.
    """
    for size in sizes:
        if size < 1:
            raise RegionError(f"A size of {size} makes an empty region: sizes start at 1.")
    if prod(sizes) > MAX_UNITS:
        raise RegionError(
            f"A region of {' x '.join(map(str, sizes))} = {prod(sizes):,} places is too large: "
            f"the limit is {MAX_UNITS:,} units."
        )


def require(condition: bool, message: str) -> None:
    """Refuse sizes that do not fit together."""
    if not condition:
        raise RegionError(message)
