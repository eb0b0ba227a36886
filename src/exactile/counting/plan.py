"""Plans of counting: the methods that are tried one after the other, with their budgets.

All decisions are here, for puzzles, models, grids, the ledger and portfolios. Budgets are numbers
of nodes and states, so that a plan does the same on every machine. A new method is a name in
`METHODS`, and a step in the plans that try it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from exactile.backends import Backend
from exactile.errors import PuzzleError
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING

AUTO_MEMO_BITS = 10.0
"""A memo is tried only if the numbers of uses of pieces take at most this many bits."""

COVER_MEMO_DENSITY = 8
"""A memo is tried on a model without a puzzle only if it has at most this many options per item."""

COVER_GROWTH = 8
"""Factor by which the limits of nodes and states grow from turn to turn."""

COVER_QUICK_STATES = 4096
"""Limit of states of a memo that takes the items as numbered: choosing an order takes longer."""

COVER_SECOND_START = 10
"""Nodes before an order is chosen for a memo, as a multiple of `Tuning.cover_head_start`."""

FRONT_NODES_A_NODE = 1e-3
"""Largest number of nodes of the automaton per node left to search; there is a minimum, too."""

FRONT_NODES = 20_000_000
"""Nodes beyond which the automaton of a frontier is given up."""

LEDGER_MEMO_PIECES = 24
"""Largest number of pieces of a puzzle with many solutions for which a memo is tried."""

LEDGER_MEMO_UNITS = 100
"""Largest number of units of such a puzzle."""


METHODS = ("auto", "list", "memo", "frontier")
"""How solutions are counted: as the plan decides, one by one, by a memo, or by a frontier."""


class FrontierBudget(NamedTuple):
    """Limits of a frontier: number of entries of all its lists, and nodes of its automaton."""

    entries: float = float("inf")
    nodes: int = FRONT_NODES


class LedgerRow(NamedTuple):
    """Attempts of the ledger to settle a puzzle other than by listing its solutions."""

    budget: float = 0.0  # least budget of the puzzle, in seconds of processor time
    frontier: FrontierBudget = FrontierBudget(0.0, 0)
    states: int = 0  # states of a memo; 0 for no memo
    race: bool = False  # whether other backends search for a solution, too


LEDGER = (
    LedgerRow(),
    LedgerRow(1.0, FrontierBudget(2e8, 1_000_000)),
    LedgerRow(4.0, FrontierBudget(2e8, 1_000_000), 20_000_000),
    LedgerRow(16.0, FrontierBudget(1e9, 3_000_000), 20_000_000),
    LedgerRow(64.0, FrontierBudget(5e9, 10_000_000), 100_000_000),
    LedgerRow(200.0, FrontierBudget(5e9, 10_000_000), 100_000_000, race=True),
    LedgerRow(256.0, FrontierBudget(2e10, 20_000_000), 1_000_000_000, race=True),
)
"""The attempts of the ledger, by budget."""


class Step(NamedTuple):
    """An attempt to count."""

    method: str  # "list", "memo" or "frontier"
    budget: int | None = None  # total nodes of the search, or states of the memo; None: no limit
    expected: int | None = None  # the memo is skipped if more states are expected
    as_given: bool = False  # whether the memo takes the model as it is, items as numbered
    size: FrontierBudget | None = None  # limits of the frontier for all solutions
    kept_size: FrontierBudget | None = None  # limits for symmetric solutions, if they differ
    overtaken: bool = False  # whether a memo or a frontier may take over: see `Overtaking`


def counts_unlisted(backend: str | Backend) -> bool:
    """Return whether a backend lets models be counted without listing: the default one does.

    Examples
    --------
    >>> counts_unlisted("dlx"), counts_unlisted("sat")
    (True, False)
    """
    return backend == DEFAULT_BACKEND


def puzzle_plan(
    case: Case, method: str = "auto", *, limits: Limits | None = None, use_reasons: bool = True
) -> tuple[Step, ...]:
    """Return the plan for a puzzle.

    If a limit is reached before the model is made, the plan is to list. With `use_reasons`, the
    plan is also to list if the puzzle is obviously unsolvable, because its search ends at once.

    Examples
    --------
    >>> import exactile
    >>> puzzle_plan(Case(exactile.load("dominoes-6x6")))[0].method
    'memo'
    >>> [step] = puzzle_plan(Case(exactile.load("soma-cube")))
    >>> step.method, step.overtaken
    ('list', True)
    """
    if method not in METHODS:
        raise PuzzleError(f"There is no method '{method}' to count: use {', '.join(METHODS)}.")
    if method == "memo":
        return (Step("memo"),)
    if method == "frontier":
        return (Step("frontier"),)
    if method == "list":
        return (Step("list"),)
    listing = Step("list", overtaken=True)
    if any(piece.upper > 1 for piece in case.puzzle.pieces):
        with suppress(TimeoutError):
            case.prepare(limits or Limits(), *["reason"] * use_reasons)
            if pays(case.model) and not (use_reasons and case.reason):
                return Step("memo", TUNING.auto_memo_states), listing
    return (listing,)


class Overtaking:
    """Decides when a memo or a frontier takes over from a search that lists solutions.

    A frontier is tried once. Memos are tried repeatedly: their number of states grows with the
    nodes visited and the nodes that seem to be left, which are hard to predict at first.
    """

    def __init__(self, case: Case) -> None:
        self._waiting = True  # for the frontier to be tried
        self._states = 0 if pays(case.model) else None  # of the last memo; None if none is tried
        self._mark = (0, 0.0)
        self._nodes_a_part = 0.0

    def step(self, nodes: int, done: float) -> Step | None:
        """Return the next attempt, or None; `nodes` and `done` are the progress of the search."""
        if (self._states is None and not self._waiting) or nodes < TUNING.frontier_head_start:
            return None
        left = self._left(nodes, done)
        if left < TUNING.frontier_worth:
            return None
        if self._states is not None:
            most = min(TUNING.memo_last_states, max(left, nodes) / TUNING.cover_nodes_a_state)
            if most >= COVER_GROWTH * self._states:
                self._states = int(most)
                return Step("memo", self._states)
        if self._waiting:
            self._waiting = False
            least = TUNING.frontier_first_nodes
            return Step("frontier", size=_size(left, least), kept_size=_size(left, 4 * least))
        return None

    def _left(self, nodes: int, done: float) -> float:
        """Return the estimated number of nodes that are left.

        The rest of the tree is expected to be as dense as the part done so far, or as the second
        half of its nodes if these are denser: the first few nodes may have done a large part.
        """
        if nodes >= 2 * self._mark[0]:
            self._nodes_a_part = _ratio(nodes - self._mark[0], done - self._mark[1])
            self._mark = nodes, done
        return (1 - done) * max(_ratio(nodes, done), self._nodes_a_part)


def _size(left: float, least: int) -> FrontierBudget:
    """Return limits with which a frontier costs less than the nodes that are left."""
    return FrontierBudget(
        min(TUNING.frontier_entries, TUNING.frontier_entries_a_node * left),
        int(min(FRONT_NODES, max(least, FRONT_NODES_A_NODE * left))),
    )


def _ratio(nodes: int, done: float) -> float:
    return nodes / done if done > 0 else float("inf")


def sample_plan(case: Case) -> tuple[str, str]:
    """Return the methods that draw solutions; the second one if the memory is too small.

    Examples
    --------
    >>> import exactile
    >>> sample_plan(Case(exactile.load("dominoes-6x6")))
    ('memo', 'frontier')
    >>> sample_plan(Case(exactile.load("pentominoes-6x10")))
    ('frontier', 'memo')
    """
    return ("memo", "frontier") if pays(case.model) else ("frontier", "memo")


def model_plan(model: Model) -> Iterator[Step]:
    """Yield the steps for a model; each continues where the last one of its method stopped.

    Listing and memo take turns, with growing budgets: the one that does not finish costs little
    more than the other.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> [step.method for step in model_plan(model)][:4]
    ['list', 'memo', 'list', 'memo']
    """
    if model.options <= min(TUNING.auto_memo_options, COVER_MEMO_DENSITY * model.items):
        yield Step("list", TUNING.cover_head_start * model.options)
        yield Step("memo", COVER_QUICK_STATES, as_given=True)
        yield Step("list", COVER_SECOND_START * TUNING.cover_head_start * model.options)
        yield Step("memo", 4 * TUNING.cover_memo_states, TUNING.cover_memo_states)
        nodes = TUNING.cover_first_round
        while nodes < COVER_GROWTH * TUNING.cover_nodes_a_state * TUNING.cover_last_states:
            yield Step("list", nodes)
            yield Step("memo", min(nodes // TUNING.cover_nodes_a_state, TUNING.cover_last_states))
            nodes *= COVER_GROWTH
    yield Step("list")


def ledger_row(budget: float) -> LedgerRow:
    """Return the row of the ledger for a budget in seconds.

    Examples
    --------
    >>> ledger_row(0.5).states, ledger_row(60).states, ledger_row(60).race
    (0, 20000000, False)
    """
    return max(row for row in LEDGER if row.budget <= budget)


def memo_may_settle(case: Case, at_least: int) -> bool:
    """Return whether the ledger tries a memo: if it pays, or a small puzzle has many solutions."""
    puzzle = case.puzzle
    if puzzle.omission is not None:  # the memo does not distinguish omitted pieces
        return False
    few = len(puzzle.pieces) <= LEDGER_MEMO_PIECES and len(puzzle.region) <= LEDGER_MEMO_UNITS
    return (few and at_least >= TUNING.ledger_memo_solutions) or pays(case.model)


def pays(model: Model) -> bool:
    """Return whether counting by a memo is worth a try, mostly because pieces have many copies.

    Some piece must be used several times, and the model must be of medium size. A state contains
    the numbers of pieces used, unless they follow from the rest: with twelve pieces, each used
    once, there are up to 2**12 states for each state with one piece in many copies. So these
    numbers must fit in `AUTO_MEMO_BITS` bits.

    Examples
    --------
    >>> import exactile
    >>> [pays(exactile.lower(exactile.load(n))) for n in ("dominoes-6x6", "pentominoes-6x10")]
    [True, False]
    """
    if (
        model.options > TUNING.auto_memo_options
        or not (model.upper[model.meaning.is_piece] > 1).any()
    ):
        return False
    problem = CountProblem.of_model(model).without_idle_items()
    uses = problem.upper[: problem.pieces].astype(float) + 1
    return bool(np.log2(uses).sum() <= AUTO_MEMO_BITS)
