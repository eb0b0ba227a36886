"""The formula of a certificate, made from the model; `exactile.certificate.formula` defines it.

The two share no code, only the number of pairs from which on ladders are written. That they agree
on a puzzle says that its model is right, and that proofs of the one are proofs of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactile.certificate.formula import MOST_CROSSINGS, MOST_PAIRS, MOST_VARIABLES
from exactile.certificate.reading import paced
from exactile.errors import CertificateError
from exactile.model.decoder import Decoder
from exactile.model.model import Ints, ItemKind, Longs, Model
from exactile.puzzle.puzzle import Placement, Puzzle

AT_ONCE = 1_000_000
"""Approximate number of literals, or pairs of them, made at a time."""

Pulse = Callable[[], None]
"""Called again and again; what it raises ends the work."""


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
        In order: literals, a 0 behind each clause. An empty clause is an array of its own.
    """

    variable: Ints
    variables: int
    clauses: list[Ints]

    @property
    def size(self) -> int:
        """Number of clauses."""
        return sum(len(part) - int(np.count_nonzero(part)) for part in self.clauses)

    def lines(self) -> Iterator[str]:
        """Yield the clauses as DIMACS has them, many in one text."""
        for part in self.clauses:
            yield from dimacs(part)


def flat(clauses: Iterable[Iterable[int]]) -> Ints:
    """Return clauses, none of them empty, as `ModelFormula` has them."""
    return np.array([x for clause in clauses for x in (*clause, 0)], dtype=np.int32)


def dimacs(clauses: Ints) -> Iterator[str]:
    """Yield the text of clauses, a line each, many in one text."""
    ends = np.flatnonzero(clauses == 0) + 1
    begin = 0
    for end in [*ends[CLAUSES_AT_ONCE - 1 : -1 : CLAUSES_AT_ONCE].tolist(), len(clauses)]:
        if end > begin:
            text = " ".join(map(str, clauses[begin:end].tolist()))
            yield text.replace(" 0 ", " 0\n") + "\n"
        begin = end


CLAUSES_AT_ONCE = 10_000


def canonical_order(model: Model) -> Longs:
    """Return the options by piece, then by units; those that leave a piece out come last."""
    table = _unit_table(model)
    placed = (table >= 0).any(axis=1)
    return np.lexsort((*table.T[::-1], model.piece_of, ~placed))


def _unit_table(model: Model) -> Longs:
    """Return the units of each option, padded with -1."""
    units, starts = model.covered(np.arange(model.options))
    counts = np.diff(starts)
    table = np.full((model.options, int(counts.max(initial=0))), -1, dtype=np.int64)
    owner = np.repeat(np.arange(model.options), counts)
    table[owner, np.arange(len(owner)) - starts[owner]] = units
    return table


def model_formula(puzzle: Puzzle, model: Model, pulse: Pulse = lambda: None) -> ModelFormula:
    """Return the formula of a puzzle's model.

    Parameters
    ----------
    puzzle, model
        The puzzle and its model.
    pulse
        Called again and again meanwhile; what it raises ends it.

    Raises
    ------
    CertificateError
        If it is too large for a certificate.
    """
    return _Writer(puzzle, model, pulse).formula()


def names(puzzle: Puzzle, model: Model, pulse: Pulse = lambda: None) -> list[Placement]:
    """Return what each variable says; a placement without units leaves its piece out."""
    decoder = Decoder(puzzle, model)
    return [
        decoder.placement(o) or Placement(puzzle.pieces[int(model.piece_of[o])].name, ())
        for o in paced(canonical_order(model).tolist(), pulse)
    ]


class _Writer:
    """Collects the clauses of a model in the order of the definition."""

    def __init__(self, puzzle: Puzzle, model: Model, pulse: Pulse) -> None:
        self._puzzle = puzzle
        self._model = model
        self._pulse = pulse
        order = canonical_order(model)
        self._variable = np.empty(model.options, dtype=np.int32)
        self._variable[order] = np.arange(1, model.options + 1, dtype=np.int32)
        self._top = model.options
        self._parts: list[Ints] = []

    def formula(self) -> ModelFormula:
        model = self._model
        meaning = model.meaning
        demanded = (model.lower > 0) & (meaning.is_unit | (meaning.kinds > ItemKind.OMISSION))
        for item in np.flatnonzero(demanded).tolist():  # units, then fixed placements
            self._clause(self._with(item))
        if not self._number_follows():
            for item in meaning.of_kind(ItemKind.PIECE).tolist():
                self._used(item)
        if meaning.omission is not None:
            self._used(meaning.omission)
        self._exclusions()
        return ModelFormula(self._variable, self._top, self._parts)

    def _with(self, item: int) -> Longs:
        """Return the variables of the options with an item, in increasing order."""
        return np.sort(self._variable[self._model.options_with(item)]).astype(np.int64)

    def _clause(self, literals: Longs) -> None:
        self._pulse()
        self._parts.append(np.append(literals, 0).astype(np.int32))

    def _table(self, table: Longs) -> None:
        """Add clauses, many a row: with a 0 behind each; what is `_GAP` is not there."""
        self._pulse()
        self._parts.append(table[table != _GAP].astype(np.int32))

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
            self._clause(literals[:0])
        elif upper == 0:
            self._table(_rows(-literals))
        elif upper == 1:
            if lower:
                self._clause(literals)
        elif lower > 0 or upper < len(literals):
            self._count(literals, lower, upper)

    def _count(self, literals: Longs, lower: int, upper: int) -> None:
        """Number and relate the counters of the first i literals."""
        n = len(literals)
        top = upper + 1 if upper < n else lower
        if n * top > MOST_VARIABLES:
            raise CertificateError(
                f"The puzzle {self._puzzle.name} is too large for a certificate: to count {n:,} "
                f"placements up to {top:,} takes too many variables."
            )
        widths = np.minimum(np.arange(1, n + 1), top)
        first = self._top + 1 + np.cumsum(widths) - widths  # the first counter of i literals
        self._top += int(widths.sum())
        at_once = max(1, AT_ONCE // (14 * top))
        for begin in range(0, n, at_once):
            rows = np.arange(begin, min(begin + at_once, n))
            i = np.repeat(rows, widths[rows])
            j = np.arange(len(i)) - np.repeat(np.cumsum(widths[rows]) - widths[rows], widths[rows])
            now, x = first[i] + j, literals[i]
            less = np.where(i > 0, first[i - 1], 0) + j - 1
            same = np.where((i > 0) & (j < widths[i - 1]), less + 1, _GAP)
            less = np.where(j > 0, less, _GAP)
            whole, zero = (same != _GAP), np.zeros_like(now)
            inner = less != _GAP
            self._table(
                np.column_stack(
                    [
                        *(-now, same, x, zero),
                        *_if(whole, -same, now, zero),
                        *_if(inner, -now, less, zero),
                        *(-x, np.where(inner, -less, _GAP), now, zero),
                    ]
                )
            )
        last = int(first[-1])
        if lower:
            self._clause(np.array([last + lower - 1]))
        if upper < n:
            self._clause(np.array([-(last + upper)]))

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
        crossings = np.flatnonzero(meaning.is_rule & once).tolist()
        if (sizes[groups] * (sizes[groups] - 1) // 2).sum() <= MOST_PAIRS:
            rest = [i for i in crossings if i not in groups]
            self._add_pairs([*groups, *rest], MOST_PAIRS + MOST_CROSSINGS)
            return
        for item in groups:
            self._ladder(self._with(item))
        own = [i for i in crossings if model.lower[i] == 0]
        self._add_pairs(own, MOST_CROSSINGS, apart=True)

    def _add_pairs(self, items: list[int], most: int, *, apart: bool = False) -> None:
        """Exclude each two variables that share one of the items; only such without common units.

        In order of the first variable, then of the second, some at a time: many pairs share several
        items.
        """
        variables = [self._with(item) for item in items]
        flat_variables = np.concatenate([*variables, np.zeros(0, dtype=np.int64)])
        sizes = np.array([len(v) for v in variables], dtype=np.int64)
        later = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(flat_variables)) - 1
        order = np.argsort(flat_variables, kind="stable")
        sums = np.cumsum(later[order])
        new = np.flatnonzero(np.diff(flat_variables[order], prepend=-1))  # no variable is divided
        before = sums[new] - later[order[new]]
        cuts = new[np.searchsorted(before, np.arange(AT_ONCE, before[-1:].sum(), AT_ONCE))]
        total = 0
        for places in np.split(order, np.unique(cuts)):
            self._pulse()
            firsts = np.repeat(places, later[places])
            steps = np.arange(len(firsts)) - np.repeat(
                np.cumsum(later[places]) - later[places], later[places]
            )
            codes = flat_variables[firsts] << 32 | flat_variables[firsts + 1 + steps]
            codes = np.unique(codes)
            total += len(codes)
            if total > most:
                raise CertificateError(
                    f"The puzzle {self._puzzle.name} is too large for a certificate: too many "
                    "placements exclude each other."
                )
            pairs = np.stack([codes >> 32, codes & 0xFFFFFFFF], axis=1)
            if apart:
                pairs = pairs[~self._overlap(pairs)]
            self._table(_rows(*-pairs.T))

    def _overlap(self, pairs: Longs) -> npt.NDArray[np.bool_]:
        """Return which pairs of variables have a unit in common."""
        first, second = self._units[pairs.T]
        return np.asarray(
            (first[:, :, None] == np.where(second < 0, -2, second)[:, None]).any((1, 2))
        )

    @cached_property
    def _units(self) -> Longs:
        """The units of each variable, padded with -1."""
        table = _unit_table(self._model)
        result = np.full((len(table) + 1, table.shape[1]), -1)
        result[self._variable] = table
        return result

    def _ladder(self, literals: Longs) -> None:
        first = self._top + 1
        number = max(len(literals) - 1, 0)
        self._top += number
        step = first + np.arange(number)
        zero = np.zeros_like(step)
        following = np.arange(number) < number - 1
        self._table(
            np.column_stack(
                [
                    *(-literals[:-1], step, zero),
                    *_if(following, -step, step + 1, zero),
                    *(-step, -literals[1:], zero),
                ]
            )
        )


_GAP = np.iinfo(np.int64).min


def _if(there: npt.NDArray[np.bool_], *columns: Longs) -> Iterator[Longs]:
    """Yield columns of clauses that some rows do not have."""
    return (np.where(there, column, _GAP) for column in columns)


def _rows(*columns: Longs) -> Longs:
    """Return clauses of equal length, a row each."""
    return np.column_stack([*columns, np.zeros_like(columns[0])])
