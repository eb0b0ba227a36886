"""Hitting sets: the fewest elements with one in each of some sets. Sets are bits of integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random


def bits(number: int) -> Iterator[int]:
    """Yield the powers of two in a number.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while number:
        low = number & -number
        yield low
        number ^= low


def minimal(sets: Iterable[int]) -> list[int]:
    """Return the sets that contain no other, the smallest first.

    >>> minimal([0b111, 0b10, 0b110, 0b101])
    [2, 5]
    """
    kept: list[int] = []
    for each in sorted(set(sets), key=int.bit_count):
        if not any(each & other == other for other in kept):
            kept.append(each)
    return kept


def hitting_set(
    sets: list[int],
    most: int,
    random: Random | None = None,
    pulse: Callable[[], None] = lambda: None,
) -> int | None:
    """Return a set of at most `most` elements that hits all sets; None if there is none.

    With `random`, a random one. `pulse` is called at each step; an exception that it raises ends
    the search.

    >>> hitting_set([0b011, 0b110, 0b101], 2).bit_count(), hitting_set([0b011, 0b100], 1)
    (2, None)
    """
    pulse()
    if not sets:
        return 0
    if most <= 0 or not all(sets) or disjoint(sets) > most:
        return None
    smallest = min(sets, key=int.bit_count)
    elements = list(bits(smallest))
    if random is not None:
        random.shuffle(elements)
    else:
        times = Counter(each for s in sets for each in bits(s & smallest))
        elements.sort(key=lambda each: -times[each])
    for element in elements:
        left = [s for s in sets if not s & element]
        rest = hitting_set(left, most - 1, random, pulse)
        if rest is not None:
            return rest | element
        sets = [s & ~element for s in sets]  # from here on without this element
        if not all(sets):
            return None
    return None


def disjoint(sets: Iterable[int]) -> int:
    """Return the size of a collection of disjoint sets: each needs an element of its own.

    >>> disjoint([0b011, 0b110, 0b1000])
    2
    """
    taken = number = 0
    for each in sorted(sets, key=int.bit_count):
        if not each & taken:
            taken |= each
            number += 1
    return number


def hitting_sets(sets: list[int], size: int) -> Iterator[int]:
    """Yield all sets of `size` elements that hit all sets and have no redundant element.

    >>> sorted(hitting_sets([0b011, 0b110], 1)), sorted(hitting_sets([0b011, 0b110], 2))
    ([2], [5])
    """
    for each in _hitting(sets, size, 0):
        if all(any(s & each == e for s in sets) for e in bits(each)):
            yield each


def _hitting(sets: list[int], size: int, without: int) -> Iterator[int]:
    """Yield all sets of `size` elements that hit all sets, without some elements."""
    if not sets:
        if size == 0:
            yield 0
        return
    if size <= 0 or disjoint(sets) > size:
        return
    smallest = min(sets, key=lambda s: (s & ~without).bit_count())
    for element in bits(smallest & ~without):
        for rest in _hitting([s for s in sets if not s & element], size - 1, without):
            yield rest | element
        without |= element
