"""A model as a formula in conjunctive normal form, in one of several encodings.

Option o is variable o + 1; auxiliary variables follow. In every encoding the options determine the
auxiliary variables, so the formula has exactly as many models as the model has solutions, and a
program that counts the models of the formula counts the solutions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from exactile.errors import ModelError
from exactile.model.clauses import ClauseWriter
from exactile.model.colors import paints
from exactile.model.implied import everywhere, implied
from exactile.model.model import Ints, Model
from exactile.tuning import TUNING

PAIR_CLAUSES = 2_000_000
"""Pairs of rivals up to which a formula has a clause for each."""


ENCODINGS = ("pairwise", "seqcounter", "bitwise", "commander", "product", "native")
"""How "at most one of these" is written.

pairwise: a clause for each pair; no auxiliary variables. seqcounter: the number of true ones among
the first i, for each i. bitwise: the number of the one chosen, in binary. commander: groups of
four, with a variable for each group. product: a grid, with a variable for each of its rows and
columns. native: left to a solver that supports such constraints.
"""

MULTIPLYING = ("sortnetwrk", "cardnetwrk", "totalizer")
"""Encodings of PySAT that are refused: their auxiliary variables are free, so that one solution
has many models. The 6728 tilings of 6x6 by dominoes become some 10**23 with a totalizer."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula in conjunctive normal form."""

    variables: int  # number of variables; they are counted from 1
    literals: Ints  # the clauses one after the other, each ended by 0
    # Constraints beside the clauses: at most a given number of these literals is true. Empty unless
    # the encoding is "native".
    at_most: tuple[tuple[Ints, int], ...] = ()

    @property
    def size(self) -> int:
        """Number of clauses."""
        return int(np.count_nonzero(self.literals == 0))

    @property
    def refuted(self) -> bool:
        """Whether there is an empty clause."""
        ends = np.flatnonzero(self.literals == 0)
        return bool((np.diff(ends, prepend=-1) == 1).any())

    def clauses(self) -> list[list[int]]:
        """Return the clauses as lists.

        Examples
        --------
        >>> Formula(2, np.array([1, 2, 0, -1, -2, 0], dtype=np.int32)).clauses()
        [[1, 2], [-1, -2]]
        """
        flat = self.literals.tolist()
        ends = [-1, *np.flatnonzero(self.literals == 0).tolist()]
        return [flat[a + 1 : b] for a, b in pairwise(ends)]


def pairs(model: Model) -> int:
    """Return how many pairs of options share an item that may be used only once, item by item."""
    uses = np.bincount(model.members, minlength=model.items).astype(np.int64)
    uses[model.upper != 1] = 0
    return int((uses * (uses - 1) // 2).sum())


def default_encoding(model: Model, *, native: bool = False) -> str:
    """Return the default encoding: the fastest one as long as the formula is small.

    Pairwise clauses put nothing between a choice and its consequences, and solvers were twice as
    fast with them as with any other encoding. Beyond `PAIR_CLAUSES` a solver's own
    constraints take the least memory, then ``"product"``.

    Examples
    --------
    >>> default_encoding(Model.of_options([[0], [0]], lower=[1], upper=[1]))
    'pairwise'
    """
    if pairs(model) <= PAIR_CLAUSES:
        return "pairwise"
    return "native" if native else "product"


def clauses(model: Model) -> list[list[int]]:
    """Return the clauses of a model in the default encoding.

    Examples
    --------
    >>> clauses(Model.of_options([[0], [0], [1]], lower=[1, 0], upper=[1, 1]))
    [[1, 2], [-1, -2]]
    """
    return encode(model, default_encoding(model)).clauses()


def encode(model: Model, encoding: str = "pairwise") -> Formula:
    """Return the formula of a model in one of `ENCODINGS`.

    Bounds other than one are written with a sequential counter; bounds that exclude nothing are
    left out. A color of an item is an auxiliary variable: "the item has this color". Raise
    ModelError if there is no such encoding, or it is one of `MULTIPLYING`, or the formula is too
    large.

    Examples
    --------
    >>> encode(Model.of_options([[0], [0], [1]], lower=[1, 0], upper=[1, 1])).clauses()
    [[1, 2], [-1, -2]]
    """
    if encoding in MULTIPLYING:
        raise ModelError(
            f"The encoding '{encoding}' is refused: its auxiliary variables are not determined by "
            f"the options, so that one solution has many models. Take {', '.join(ENCODINGS)}."
        )
    if encoding not in ENCODINGS:
        raise ModelError(f"There is no encoding '{encoding}': take {', '.join(ENCODINGS)}.")
    if encoding == "pairwise" and 3 * pairs(model) > TUNING.formula_literals:
        raise ModelError(
            f"Pair by pair, {pairs(model):,} clauses are too many: take another encoding, such as "
            "'product'."
        )
    target = ClauseWriter(model.options, encoding, TUNING.formula_literals)
    colored = _colors(model, target)
    idle = implied(model, everywhere(model))
    for item in range(model.items):
        low, high = int(model.lower[item]), int(model.upper[item])
        here = colored.get(item)
        if here is None:
            here = (model.options_with(item) + 1).astype(np.int32)
        if idle[item] and len(here):
            continue
        _bound(target, here, low, high)
    return Formula(target.top, target.flat(), tuple(target.at_most))


def _colors(model: Model, target: ClauseWriter) -> dict[int, Ints]:
    """Add a variable for each color of an item: whether the item has it.

    Return the literals of every colored item of which at most one holds.
    """
    result = {}
    for item, (plain, by_color) in paints(model).items():
        here = [o + 1 for o in plain]
        for options in by_color.values():
            own = (np.array(options) + 1).astype(np.int32)
            here.append(target.any_of(own))
        result[item] = np.array(here, dtype=np.int32)
    return result


def _bound(target: ClauseWriter, here: Ints, low: int, high: int) -> None:
    """Say that at least `low` and at most `high` of the literals are true."""
    if low > len(here):
        target.add([[]])
        return
    if low == len(here) or high == 0:
        target.add((here if high else -here)[:, None])
        return
    if low == 1:
        target.add([here])
        low = 0
    if high >= len(here) and low == 0:
        return
    if target.encoding == "native" and len(here) > 2:
        target.leave(here, low, high)
    elif (low, high) == (0, 1):
        target.at_most_one(here)
    else:
        target.counter(here, low, high)
