"""The formula of a certificate, made from the model; `exactile.certificate.formula` defines it.

The two share no code, only the number of pairs from which on ladders are written. That they agree
on a puzzle says that its model is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactile.certificate.formula import MOST_PAIRS
from exactile.model.decoder import Decoder
from exactile.model.meaning import ItemKind
from exactile.model.model import Ints, Longs, Model
from exactile.puzzle.puzzle import Placement, Puzzle

Table = Longs | list[tuple[int, ...]]
"""Some clauses; in an array all have the same length, one a row."""


@dataclass(frozen=True, eq=False)
class ModelFormula:
    """The variables and clauses of a model.

    Attributes
    ----------
    variable
        The variable of each option.
    variables
        How many there are, those of counters included.
    clauses
        In order.
    """

    variable: Ints
    variables: int
    clauses: list[Table]

    @property
    def size(self) -> int:
        """Number of clauses."""
        return sum(len(table) for table in self.clauses)

    def lines(self) -> Iterator[str]:
        """Yield the clauses as DIMACS has them, many in one text."""
        for table in self.clauses:
            yield from dimacs(table)


def dimacs(table: Table) -> Iterator[str]:
    """Yield the text of clauses, a line each, many in one text."""
    if isinstance(table, list):
        yield "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in table)
        return
    pattern = " ".join(["%d"] * table.shape[1] + ["0"]) + "\n"
    for start in range(0, len(table), 10_000):
        part = table[start : start + 10_000]
        yield pattern * len(part) % tuple(part.ravel().tolist())


def canonical_order(model: Model) -> Longs:
    """Return the options by piece, then by units; those that leave a piece out come last."""
    units, starts = model.covered(np.arange(model.options))
    counts = np.diff(starts)
    table = np.full((model.options, int(counts.max(initial=0))), -1, dtype=np.int64)
    owner = np.repeat(np.arange(model.options), counts)
    table[owner, np.arange(len(owner)) - starts[owner]] = units
    return np.lexsort((*table.T[::-1], model.piece_of, counts == 0))


def model_formula(puzzle: Puzzle, model: Model) -> ModelFormula:
    """Return the formula of a puzzle's model.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("mutilated-chessboard-6x6")
    >>> formula = model_formula(puzzle, exactile.lower(puzzle))
    >>> formula.variables, formula.size
    (56, 172)
    """
    return _Writer(puzzle, model).formula()


def names(puzzle: Puzzle, model: Model) -> list[Placement]:
    """Return what each variable says; a placement without units leaves its piece out."""
    decoder = Decoder(puzzle, model)
    return [
        decoder.placement(o) or Placement(puzzle.pieces[int(model.piece_of[o])].name, ())
        for o in canonical_order(model).tolist()
    ]


class _Writer:
    """Collects the clauses of a model in the order of the definition."""

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self._puzzle = puzzle
        self._model = model
        order = canonical_order(model)
        self._variable = np.empty(model.options, dtype=np.int32)
        self._variable[order] = np.arange(1, model.options + 1, dtype=np.int32)
        self._top = model.options
        self._clauses: list[tuple[int, ...]] = []
        self._tables: list[Table] = []

    def formula(self) -> ModelFormula:
        model = self._model
        meaning = model.meaning
        demanded = (model.lower > 0) & (meaning.is_unit | (meaning.kinds > ItemKind.OMISSION))
        for item in np.flatnonzero(demanded).tolist():  # units, then fixed placements
            self._clause(*self._with(item).tolist())
        if not self._number_follows():
            for item in meaning.of_kind(ItemKind.PIECE).tolist():
                self._used(item)
        if meaning.omission is not None:
            self._used(meaning.omission)
        self._exclusions()
        return ModelFormula(self._variable, self._top, [self._clauses, *self._tables])

    def _with(self, item: int) -> Longs:
        """Return the variables of the options with an item, in increasing order."""
        return np.sort(self._variable[self._model.options_with(item)]).astype(np.int64)

    def _clause(self, *literals: int) -> None:
        self._clauses.append(literals)

    def _number_follows(self) -> bool:
        model = self._model
        meaning = model.meaning
        if meaning.pieces > 1 or (model.lower[meaning.is_unit] == 0).any():
            return False
        order = self._puzzle.pieces[0].order
        return bool(model.lower[0] * order <= meaning.units <= model.upper[0] * order)

    def _used(self, item: int) -> None:
        lower, upper = int(self._model.lower[item]), int(self._model.upper[item])
        literals = self._with(item)
        if lower > len(literals):
            self._clause()
        elif upper == 0:
            for x in literals.tolist():
                self._clause(-x)
        elif upper == 1:
            if lower:
                self._clause(*literals.tolist())
        elif lower > 0 or upper < len(literals):
            self._count(literals.tolist(), lower, upper)

    def _count(self, literals: list[int], lower: int, upper: int) -> None:
        """Number and relate the counters of the first i literals."""
        n = len(literals)
        top = upper + 1 if upper < n else lower
        widths = [min(i, top) for i in range(1, n + 1)]
        start = self._top + 1  # the first counter of the first i literals
        self._top += sum(widths)
        for i, x in enumerate(literals):
            earlier = widths[i - 1] if i else 0
            for j in range(widths[i]):
                now, same, less = start + j, start - earlier + j, start - earlier + j - 1
                self._clause(-now, same, x) if j < earlier else self._clause(-now, x)
                if j < earlier:
                    self._clause(-same, now)
                if j:
                    self._clause(-now, less)
                    self._clause(-x, -less, now)
                else:
                    self._clause(-x, now)
            start += widths[i]
        last = start - widths[-1]
        if lower:
            self._clause(last + lower - 1)
        if upper < n:
            self._clause(-(last + upper))

    def _exclusions(self) -> None:
        """Say what excludes what: by pairs, or by ladders where these would be too many."""
        model, meaning = self._model, self._model.meaning
        once = model.upper == 1
        pieces, units = (
            np.flatnonzero(once & meaning.is_piece),
            np.flatnonzero(once & meaning.is_unit),
        )
        left_out = np.flatnonzero(once & (meaning.kinds == ItemKind.OMISSION)).tolist()
        groups = [*pieces.tolist(), *left_out, *units.tolist()]
        sizes = np.bincount(model.members, minlength=model.items)
        crossings = np.flatnonzero(meaning.is_rule).tolist()
        if (sizes[groups] * (sizes[groups] - 1) // 2).sum() <= MOST_PAIRS:
            rest = [i for i in crossings if model.upper[i] == 1 and i not in groups]
            self._add_pairs(self._pairs([*groups, *rest]))
            return
        for item in groups:
            self._ladder(self._with(item).tolist())
        own = [i for i in crossings if model.lower[i] == 0 and model.upper[i] == 1]
        if own:
            self._add_pairs(np.setdiff1d(self._pairs(own), self._pairs(units.tolist())))

    def _pairs(self, items: list[int]) -> Longs:
        """Return the codes of all pairs of variables that share one of the items, sorted."""
        codes = [np.empty(0, dtype=np.int64)]
        for item in items:
            variables = self._with(item)
            first, second = np.triu_indices(len(variables), 1)
            codes.append(variables[first] << 32 | variables[second])
        return np.unique(np.concatenate(codes))

    def _add_pairs(self, codes: Longs) -> None:
        if len(codes):
            self._tables.append(-np.stack([codes >> 32, codes & 0xFFFFFFFF], axis=1))

    def _ladder(self, literals: list[int]) -> None:
        first = self._top + 1
        self._top += max(len(literals) - 1, 0)
        for k in range(len(literals) - 1):
            self._clause(-literals[k], first + k)
            if k + 2 < len(literals):
                self._clause(-(first + k), first + k + 1)
            self._clause(-(first + k), -literals[k + 1])
