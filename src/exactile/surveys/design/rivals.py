"""Clues that leave only one solution, found as hitting sets.

The difference of a solution from another one is the set of clues that hold in the first but not in
the second. A set of clues leaves only one solution if it contains a clue from each difference of
this solution from the others: it *hits* all differences. If it hits the differences from all known
solutions, a search looks for another solution.

Sets are integers: bit k is set if the set contains element k.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from random import Random

import numpy as np

from exactile.model.orbits import Assignments
from exactile.search.cover import stacked
from exactile.search.limits import Limits
from exactile.surveys.design.clues import Clues, GivenUpError, Language


def bits(number: int) -> Iterator[int]:
    """Yield the powers of two whose sum is a number, the smallest first.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while number:
        low = number & -number
        yield low
        number ^= low


def minimal(sets: Iterable[int]) -> list[int]:
    """Return the sets that contain none of the other sets, without duplicates, smallest first.

    Sets are bit masks.

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

    A set hits another one if they have a common element. Sets are bit masks. With `random`,
    elements are tried in random order. `pulse` is called at each step; an exception that it raises
    ends the search.

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
    """Return a lower bound for the size of a hitting set.

    It is the number of disjoint sets in a greedy choice: each needs an element of its own. Sets are
    bit masks.

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
    """Yield all sets of `size` elements that hit each of `sets` and have no redundant element.

    A set hits another one if they have a common element. Sets are bit masks.

    >>> sorted(hitting_sets([0b011, 0b110], 1)), sorted(hitting_sets([0b011, 0b110], 2))
    ([2], [5])
    """
    for each in _hitting(sets, size, 0):
        if all(any(s & each == e for s in sets) for e in bits(each)):
            yield each


def _hitting(sets: list[int], size: int, without: int) -> Iterator[int]:
    """Yield sets of `size` elements that hit each of `sets` and have no element of `without`.

    All such sets without redundant elements are yielded, and perhaps some with redundant ones.
    """
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


NODES_EACH = 2_000_000
"""Number of nodes after which a search for another solution is given up."""

MOST_KNOWN = 20_000
"""Number of known solutions after which no more are kept for comparison."""

HITTING_STEPS = 20_000
"""Number of steps after which `Rivals.at_most` gives up its search."""


class KnownSolutions:
    """The solutions of a puzzle that are known so far.

    `most`: number of solutions after which no more are kept. The attribute `complete` states
    whether the kept solutions are all that the puzzle has.
    """

    def __init__(self, language: Language, limits: Limits, most: int = MOST_KNOWN) -> None:
        self.language, self.limits, self.most = language, limits, most
        self.complete = False
        self.solutions: dict[Clues, None] = {}
        self._arrays: list[np.ndarray] = []

    def add(self, solutions: Iterable[Clues]) -> None:
        """Keep new solutions, unless `most` are already kept or all are known."""
        new = [s for s in solutions if s not in self.solutions]
        if self.complete or not new or len(self.solutions) >= self.most:
            return
        self.solutions.update(dict.fromkeys(new))
        width = max(map(len, new))
        padded = [s + (-1,) * (width - len(s)) for s in new]
        self._arrays.append(np.array(padded, dtype=np.int32))

    def differences(self, solution: Clues) -> dict[int, Clues]:
        """Return the minimal differences of `solution` from known solutions.

        A difference is the set of the clues of `solution` that do not hold in the known solution,
        as a bit mask: bit k stands for ``solution[k]``. The value of each difference in the result
        is a known solution that has it.
        """
        size = self.language.size
        place = np.full(size + 1, len(solution))
        place[list(solution)] = np.arange(len(solution))
        found: dict[int, Clues] = {}
        for rows in self._joined():
            agree = np.zeros((len(rows), len(solution) + 1), dtype=bool)
            agree[np.arange(len(rows))[:, None], place[rows]] = True
            packed = np.packbits(~agree[:, :-1], axis=1, bitorder="little")
            kinds, first = np.unique(packed, axis=0, return_index=True)
            for kind, row in zip(kinds, first.tolist(), strict=True):
                mask = int.from_bytes(kind.tobytes(), "little")
                mask &= (1 << len(solution)) - 1  # the bits that fill the last byte are set, too
                found.setdefault(mask, tuple(c for c in rows[row].tolist() if c >= 0))
        found.pop(0, None)  # the solution itself
        return {mask: found[mask] for mask in minimal(found)}

    def rows(self, given: str) -> Assignments:
        """Return, for each known solution, a row of its clues of the kind `given`, padded with -1.

        For the kinds, see `exactile.design_challenges`.
        """
        own = [[c for c in s if self.says(c, given)] for s in self.solutions]
        return stacked(own)

    def says(self, clue: int, given: str) -> bool:
        """Return whether a clue is of the kind `given`: see `exactile.design_challenges`."""
        if given == "colors":
            return self.language.color(clue) is not None
        return given == "both" or self.language.is_piece(clue) == (given == "pieces")

    def _joined(self) -> list[np.ndarray]:
        """Return the known solutions as arrays, one for each length of a row."""
        by_width: dict[int, list[np.ndarray]] = {}
        for rows in self._arrays:
            by_width.setdefault(rows.shape[1], []).append(rows)
        self._arrays = [np.concatenate(arrays) for arrays in by_width.values()]
        return self._arrays


class Rivals:
    """Finds clues that leave only a given solution, by its differences from other solutions.

    Sets of the solution's clues are integers: bit k stands for ``solution[k]``. `given`: the kind
    of the clues to be found; see `KnownSolutions.says`.

    Examples
    --------
    >>> import exactile
    >>> from exactile.search.case import Case
    >>> language = Language(Case(exactile.load("tetrahexes-4x7")))
    >>> pool = KnownSolutions(language, Limits())
    >>> rivals = Rivals(pool, language.some(1)[0])
    >>> fewest = rivals.fewest()
    >>> fewest.bit_count(), rivals.other(fewest) is None
    (1, True)
    """

    def __init__(self, pool: KnownSolutions, solution: Clues, given: str = "pieces") -> None:
        self.pool, self.language = pool, pool.language
        self.solution = solution
        self.number = {clue: 1 << k for k, clue in enumerate(solution)}
        self.all = sum(b for c, b in self.number.items() if pool.says(c, given))
        self.pieces = sum(b for c, b in self.number.items() if self.language.is_piece(c))
        known = pool.differences(solution)
        self.differences = {mask & self.all: known[mask] for mask in known}

    def clues(self, mask: int) -> Clues:
        """Return the clues of the solution whose bits are set in `mask`."""
        return tuple(clue for clue, bit in self.number.items() if mask & bit)

    def other(self, mask: int) -> int | None:
        """Find another solution in which the clues `mask` hold; return the difference from it.

        The difference is the set of the clues of the kind `given` that do not hold in the other
        solution. The result is None if there is no such solution. Solutions that a search finds are
        added to the pool. Raise TimeoutError if a limit is reached before the result is known, and
        GivenUpError if the search takes too many nodes.
        """
        for difference in self.differences:
            if not mask & difference:
                return difference
        if self.pool.complete:
            return None
        found = self.language.some(2, self.clues(mask), self.pool.limits, NODES_EACH)
        rivals = [solution for solution in found if solution != self.solution]
        self.pool.add(rivals)
        for rival in rivals:
            difference = self.all & ~sum(self.number.get(clue, 0) for clue in rival)
            self.differences[difference] = rival
            return difference
        return None

    def without_needless(self, mask: int, groups: Sequence[int], open_pieces: int | None) -> int:
        """Drop groups of clues that are not needed to leave one solution; return the kept clues.

        `mask`: the clues to begin with. Groups are tried in the given order. A group is also kept
        if, without it, more than `open_pieces` pieces would be left to place (None for no limit),
        or if it takes too many nodes to decide whether the group is needed. Raise TimeoutError if a
        limit is reached.
        """
        for group in groups:
            rest = mask & ~group
            if open_pieces is not None and (self.pieces & ~rest).bit_count() > open_pieces:
                continue
            with suppress(GivenUpError):
                if self.other(rest) is None:
                    mask = rest
        return mask

    def fewest(self) -> int | None:
        """Return a smallest set of clues that leaves one solution, as bits.

        The result is None if even all clues together leave several. Raise TimeoutError and
        GivenUpError as `other` does.
        """
        size = 0
        while size <= self.all.bit_count():
            chosen = self._hit(size, 0, None, self.pool.limits.require)
            if chosen is not None:
                return chosen
            size += 1
        return None

    def at_most(self, size: int, held: int, random: Random) -> int | None:
        """Return `held` and at most `size` random clues that together leave one solution, as bits.

        The result is None if there are none. Raise TimeoutError if a limit is reached, and
        GivenUpError if this takes too many steps or nodes.
        """
        steps = count()

        def pulse() -> None:
            self.pool.limits.require()
            if next(steps) > HITTING_STEPS:
                raise GivenUpError

        return self._hit(size, held, random, pulse)

    def _hit(
        self, size: int, held: int, random: Random | None, pulse: Callable[[], None]
    ) -> int | None:
        """Return `held` and at most `size` clues that together leave one solution, or None.

        Other solutions that are found on the way are taken into account. `random`, `pulse`: see
        `hitting_set`.
        """
        while True:
            left = minimal(d for d in self.differences if not d & held)
            chosen = hitting_set(left, size, random, pulse)
            if chosen is None or self.other(chosen | held) is None:
                return None if chosen is None else chosen | held

    def witnesses(self, mask: int) -> dict[int, Clues] | None:
        """Return, for each clue in `mask`, another solution in which the other clues hold.

        The result is None if one of the clues has no such solution, or if finding it takes too many
        nodes. Raise TimeoutError if a limit is reached.
        """
        found = {}
        for bit in bits(mask):
            try:
                difference = self.other(mask & ~bit)
            except GivenUpError:
                return None
            if difference is None:
                return None
            clue = next(c for c, b in self.number.items() if b == bit)
            found[clue] = self.differences[difference]
        return found


def symmetric_groups(rivals: Rivals, random: Random) -> Iterator[list[int]]:
    """For each symmetry, in random order, yield the groups of clues to keep or drop together.

    A group is a bit mask. If only whole groups are kept, the part of the region that is left to be
    filled has the symmetry. Groups with clues that are not of the kind to be given are left out. A
    symmetry is skipped if all clues are one group, if the yielded groups leave several solutions,
    or if a fixed placement of the puzzle lies opposite a clue.
    """
    import networkx as nx

    language = rivals.language
    units = len(language.puzzle.region)
    owner = np.full(units, -1)  # the number of the clue on each unit
    for number, clue in enumerate(rivals.solution):
        covered = (
            language.model.covered([clue])[0]
            if language.is_piece(clue)
            else np.array(language.open_units([clue]))
        )
        owner[covered] = number
    symmetries = language.case.symmetries[1:]
    for place in random.sample(range(len(symmetries)), len(symmetries)):
        image = owner[symmetries[place].units]
        if (((owner < 0) | (image < 0)) & (owner != image)).any():
            continue  # a placement of the puzzle lies opposite to a clue
        known = owner >= 0
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(len(rivals.solution)))
        graph.add_edges_from(zip(owner[known].tolist(), image[known].tolist(), strict=True))
        parts = nx.connected_components(graph)
        groups = sorted(sum(1 << number for number in part) for part in parts)
        own = [group for group in groups if not group & ~rivals.all]
        if len(groups) > 1 and rivals.other(sum(own)) is None:
            yield own
