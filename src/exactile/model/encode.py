"""A model as a formula in conjunctive normal form, in one of several encodings.

Option o is variable o + 1; auxiliary variables follow. In every encoding the options determine the
auxiliary variables. The formula therefore has as many satisfying assignments as the model has
solutions, and a program that counts satisfying assignments counts the solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

import numpy as np

from exactile.errors import ModelError
from exactile.model.condense import everywhere, implied
from exactile.model.model import Ints, Longs, Mask, Model
from exactile.tuning import TUNING


class Paints(NamedTuple):
    """The options of one colored item, by the color that they give it.

    `plain` has the options that contain the item without a color. In clauses each color becomes a
    new variable, which is true if an option with this color is chosen. At most one of the plain
    options and these variables may be true.
    """

    plain: list[int]
    by_color: dict[int, list[int]]


def paints(model: Model) -> dict[int, Paints]:
    """Return the options of every colored item.

    Examples
    --------
    >>> model = Model.of_options([[0], [0], [0]], [0], [1], colors=[{0: 2}, {}, {0: 2}])
    >>> paints(model)
    {0: Paints(plain=[1], by_color={2: [0, 2]})}
    """
    colored = np.unique(model.members[model.colors > 0]).tolist()
    result = {item: Paints([], {}) for item in colored}
    here = np.isin(model.members, colored)
    columns = (model.members[here], model.colors[here], model.option_of[here])
    for item, color, option in zip(*(c.tolist() for c in columns), strict=True):
        plain, by_color = result[item]
        (by_color.setdefault(color, []) if color else plain).append(option)
    return result


PAIR_CLAUSES = 2_000_000
"""The default encoding is ``"pairwise"`` if it needs at most this number of clauses for pairs."""


ENCODINGS = ("pairwise", "seqcounter", "bitwise", "commander", "product", "native")
"""Ways to say in clauses that at most one of some literals is true.

- pairwise: a clause for each pair of literals; no auxiliary variables.
- seqcounter: variables for the number of true literals among the first i, for each i.
- bitwise: variables for the index of the true literal in binary.
- commander: groups of four literals, with a variable for each group.
- product: literals in a grid, with a variable for each row and each column of it.
- native: no clauses; left to a solver that supports such constraints.
"""

MULTIPLYING = ("sortnetwrk", "cardnetwrk", "totalizer")
"""Encodings of PySAT that are refused. The options do not determine their auxiliary variables, so
that one solution has many satisfying assignments: the 6728 tilings of 6x6 by dominoes become about
10**23 with a totalizer."""


@dataclass(frozen=True, eq=False)
class Formula:
    """The clauses of a formula and, in encoding "native", its "at most" constraints.

    `variables`: number of variables; they are counted from 1. `literals`: the clauses one after the
    other, each ended by 0. `at_most`: for each "at most" constraint, its literals and the
    largest number of them that may be true.
    """

    variables: int
    literals: Ints
    at_most: tuple[tuple[Ints, int], ...] = ()

    @property
    def size(self) -> int:
        """Number of clauses."""
        return int(np.count_nonzero(self.literals == 0))

    @property
    def refuted(self) -> bool:
        """Whether there is an empty clause, so that the formula is unsatisfiable."""
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
    """Return the number of pairs of options that share an item of upper bound 1.

    A pair that shares several such items counts once for each of them.
    """
    uses = model.uses.astype(np.int64)
    uses[model.upper != 1] = 0
    return int((uses * (uses - 1) // 2).sum())


def default_encoding(model: Model, *, native: bool = False) -> str:
    """Return the name of the default encoding for a model.

    It is ``"pairwise"`` up to `PAIR_CLAUSES` clauses: solvers were twice as fast with it as with
    any other encoding. For larger models it is ``"native"``, which takes the least memory, if
    `native` says that the solver supports it, else ``"product"``.

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

    Encodings differ in how they state "at most one". A sequential counter encodes bounds above 1,
    except that ``"native"`` leaves them to the solver. Bounds that exclude nothing are left out.
    Each color of an item is an auxiliary variable: "the item has this color". Raise ModelError if
    the encoding does not exist, if it gives one solution many satisfying assignments, as those in
    `MULTIPLYING` do, or if the formula is too large.

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
    idle = _idle(model)
    for item in range(model.items):
        low, high = int(model.lower[item]), int(model.upper[item])
        here = colored.get(item)
        if here is None:
            here = (model.options_with(item) + 1).astype(np.int32)
        if idle[item] and len(here):
            continue
        _bound(target, here, low, high)
    return Formula(target.top, target.flat(), tuple(target.at_most))


def _idle(model: Model) -> Mask:
    """Return a mask of the items that all options contain and whose bounds other items imply.

    These items need no clauses. `implied` is called with and without the items that force or forbid
    all of their options, since either call can find items that the other one misses.
    """
    every = everywhere(model)
    fixing = (model.upper == 0) | (model.lower >= model.uses)
    return implied(model, every) | (implied(model, every | fixing) & every)


def _colors(model: Model, target: ClauseWriter) -> dict[int, Ints]:
    """Add a variable for each color of an item; return the literals of each colored item.

    The literals are the item's options without a color and the new variables. The item's bounds
    apply to them.
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
    """Require that at least `low` and at most `high` of the literals `here` are true."""
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


CHUNK = 1_000_000
"""Approximate number of literals converted to text at a time."""


def header(formula: Formula, *, more: int = 0) -> str:
    """Return the first line of a DIMACS file with a formula and `more` further clauses."""
    return f"p cnf {formula.variables} {formula.size + more}\n"


def clause_lines(literals: Ints, prefix: str = "") -> Iterator[str]:
    r"""Yield clauses as text, one on each line, in parts of about `CHUNK` literals.

    `literals`: the clauses one after the other, each ended by 0. `prefix`: the beginning of each
    line.

    Examples
    --------
    >>> "".join(clause_lines(np.array([1, -20, 0, 0, 3, 0], dtype=np.int32)))
    '1 -20 0\n0\n3 0\n'
    >>> "".join(clause_lines(np.array([1, 0, 2, 0], dtype=np.int32), "h "))
    'h 1 0\nh 2 0\n'
    """
    ends = np.flatnonzero(literals == 0) + 1
    start = 0
    while start < len(literals):
        after = int(np.searchsorted(ends, start + CHUNK))
        end = int(ends[min(after, len(ends) - 1)])
        words = ["0\n" if x == 0 else str(x) for x in literals[start:end].tolist()]
        lines = " ".join(words).replace("\n ", "\n")
        yield prefix + lines[:-1].replace("\n", f"\n{prefix}") + "\n" if prefix else lines
        start = end


TRUE = 2**31 - 1
"""Stands for a literal that is true; its negative for a literal that is false."""

FEW = 4
"""Up to this number of literals, all encodings except "native" state "at most one" by pairs. Also
the number of literals in a group of the encoding "commander"."""


class ClauseWriter:
    """A formula under construction, with clauses in flat arrays.

    `variables`: number of given variables; auxiliary variables follow. The given variables always
    determine the auxiliary ones. `encoding`: how "at most one" is encoded, see
    `exactile.model.encode.ENCODINGS`. `most`: largest number of literals, and of variables; methods
    raise ModelError if the formula gets larger.

    Examples
    --------
    >>> clauses = ClauseWriter(3, "pairwise", 100)
    >>> clauses.at_most_one(np.array([1, 2, 3]))
    >>> clauses.flat().tolist()
    [-1, -2, 0, -1, -3, 0, -2, -3, 0]
    """

    def __init__(self, variables: int, encoding: str, most: int) -> None:
        self.top = variables  # the last variable
        self.encoding = encoding
        self.at_most: list[tuple[Ints, int]] = []  # cardinality constraints for the solver
        self._most = most
        self._size = 0
        self._parts: list[Ints] = []
        self._pairs: list[Longs] = []

    def flat(self) -> Ints:
        """Return the literals of all clauses, each clause ended by 0.

        Clauses that the pairwise encoding made several times are kept once.
        """
        if self._pairs:
            codes = np.unique(np.concatenate(self._pairs))
            self._pairs = []
            self._block([-(codes >> 32), -(codes & TRUE)])
        if not self._parts:
            return np.zeros(0, dtype=np.int32)
        return np.concatenate(self._parts)

    def add(self, clauses: Iterable[Ints | list[int]]) -> None:
        """Add clauses one by one."""
        for clause in clauses:
            self._append(np.append(np.asarray(clause, dtype=np.int32), np.int32(0)))

    def any_of(self, literals: Ints) -> int:
        """Return a new variable that is true if and only if at least one of the literals is."""
        return int(self._any_of_each(literals[None])[0])

    def leave(self, literals: Ints, low: int, high: int) -> None:
        """Require that at least `low` and at most `high` of the literals are true.

        No clauses are added: the bounds become "at most" constraints for the solver.
        """
        if high < len(literals):
            self.at_most.append((literals, high))
        if low:
            self.at_most.append((-literals, len(literals) - low))

    def at_most_one(self, literals: Ints) -> None:
        """Require that at most one of the literals, all of them positive, is true."""
        n = len(literals)
        if n <= FEW or self.encoding in ("pairwise", "native"):
            self._pairwise(literals[None])
        elif self.encoding == "seqcounter":
            self.counter(literals, 0, 1)
        elif self.encoding == "bitwise":
            self._bitwise(literals)
        elif self.encoding == "commander":
            groups = _grid(literals, FEW)
            self._pairwise(groups)
            self.at_most_one(self._any_of_each(groups))
        else:  # product
            grid = _grid(literals, isqrt(n - 1) + 1)
            self.at_most_one(self._any_of_each(grid))
            self.at_most_one(self._any_of_each(grid.T))

    def _any_of_each(self, groups: Ints) -> Ints:
        """Return, for each row of literals, a new variable: true exactly if any of them is."""
        new = self._new(len(groups))
        self._block([-groups, new[:, None]])
        self._block([*groups.T, -new])
        return new

    def _pairwise(self, groups: Ints) -> None:
        """Require that at most one literal of each row is true, by a clause for each pair."""
        first, second = np.triu_indices(groups.shape[1], 1)
        if self._size + 3 * len(groups) * len(first) > self._most:
            raise self._too_large()
        ordered = np.sort(groups, axis=1).astype(np.int64)  # padding comes first
        used = ordered[:, first] > 0
        self._pairs.append(ordered[:, first][used] << 32 | ordered[:, second][used])

    def _bitwise(self, literals: Ints) -> None:
        """Require that at most one literal is true, by variables for the bits of its index.

        If no literal is true, all these variables are false.
        """
        numbers = np.arange(len(literals))
        for bit, new in enumerate(self._new((len(literals) - 1).bit_length()).tolist()):
            here = (numbers >> bit & 1).astype(bool)
            self._block([-literals, np.where(here, new, -new)])
            self.add([np.append(literals[here], np.int32(-new))])

    def counter(self, literals: Ints, low: int, high: int) -> None:
        """Require that at least `low` and at most `high` of the literals are true.

        For each i and j there is a variable that means "at least j of the first i literals are
        true". Variables that cannot matter for the bounds are left out.
        """
        n = len(literals)
        top = high if high < n else low
        base = low or high + 1
        if self._size + 11 * n * min(top, n - base + 1) > self._most:
            raise self._too_large()
        i, j = np.indices((n + 1, top + 2))
        least = np.full((n + 1, top + 2), -TRUE, dtype=np.int32)
        least[:, 0] = TRUE
        needed = (j >= np.maximum(1, base - (n - i))) & (j <= np.minimum(i, top))
        needed[1, 1] = False
        least[needed] = self._new(int(needed.sum()))
        least[1, 1] = literals[0]
        row, column = np.nonzero(needed)
        here, before = least[row, column], least[row - 1, column]
        fewer, literal = least[row - 1, column - 1], literals[row - 1]
        self._block([-before, here])
        self._block([-literal, -fewer, here])
        self._block([-here, before, literal])
        self._block([-here, fewer])
        if high < n:
            self._block([-literals[1:], -least[1:n, high]])
        if low:
            self._block([least[n : n + 1, low]])

    def _new(self, number: int) -> Ints:
        self.top += number
        if self.top >= min(TRUE, self._most):
            raise self._too_large()
        return np.arange(self.top - number + 1, self.top + 1, dtype=np.int32)

    def _block(self, columns: list[Ints | np.int32]) -> None:
        """Add clauses of equal length, without false literals; drop clauses with a true literal.

        `columns`: the first literals of all clauses, then their second ones, and so on. Only `TRUE`
        and its negative are known to be true or false.
        """
        rows = np.stack(np.broadcast_arrays(*columns, np.int32(0)), axis=-1).astype(np.int32)
        rows = rows[(rows != TRUE).all(axis=-1)]
        self._append(rows[rows != -TRUE])

    def _append(self, part: Ints) -> None:
        self._size += len(part)
        if self._size > self._most:
            raise self._too_large()
        self._parts.append(part)

    def _too_large(self) -> ModelError:
        return ModelError(
            f"The formula would have more than {self._most:,} literals: take another encoding or "
            "another backend."
        )


def _grid(literals: Ints, width: int) -> Ints:
    """Return literals in rows of length `width`, padded with false literals."""
    grid = np.full(-(-len(literals) // width) * width, -TRUE, dtype=np.int32)
    grid[: len(literals)] = literals
    return grid.reshape(-1, width)


COUNTER_CELLS = 4_000_000
"""Largest product of the number of literals and `most` that `thresholds` accepts."""


def thresholds(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return literals for "at least 1", ..., "at least `most`", and the clauses that define them.

    If the k-th result is true, at least k of the given literals are true; if it is false, nothing
    follows. If `most` is above 1, there are at most as many results as given literals. New
    variables are numbered from `top` + 1. Raise ModelError if `most` is not 1 and the number of
    literals times `most` exceeds `COUNTER_CELLS`.

    Examples
    --------
    >>> thresholds([1, 2], 1, top=2)
    ([3], [[-3, 1, 2]])
    >>> outputs, clauses = thresholds([1, 2], 2, top=2)
    >>> outputs, clauses
    ([4, 5], [[-3, 1], [-4, 3, 2], [-5, 2], [-5, 3]])
    """
    if most == 1:
        return [top + 1], [[-top - 1, *literals]]
    if len(literals) * most > COUNTER_CELLS:
        raise ModelError(
            f"{len(literals):,} placements of a piece that is to be used {most:,} times are too "
            "many to be counted in clauses: make the puzzle smaller."
        )
    before: list[int] = []
    clauses: list[list[int]] = []
    for number, literal in enumerate(literals, start=1):
        now = [top + k for k in range(1, min(number, most) + 1)]
        top = now[-1]
        for k, output in enumerate(now):
            already = before[k : k + 1]  # as many without this literal; none if there are fewer
            clauses.append([-output, *already, literal])
            if k:
                clauses.append([-output, *already, before[k - 1]])
        before = now
    return before, clauses
