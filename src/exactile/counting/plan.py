"""Plans: the methods of counting that are tried one after another, with their budgets.

The plans for puzzles, for models without a puzzle and for the ledger are all in this module.
Budgets are numbers of nodes, states and entries, so that a plan does the same on every machine;
only the row of `LEDGER` is chosen by seconds. To add a method, add its name to `METHODS`, steps to
the plans that are to try it, and cases to `puzzle_plan` and to `exactile.counting.verbs.made`.
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
"""A memo is tried only if the numbers of uses of all pieces fit in this many bits of a state."""

COVER_MEMO_DENSITY = 8
"""A memo is tried on a model without a puzzle only if it has at most this many options per item."""

COVER_GROWTH = 8
"""Factor by which the limits of nodes and states grow from each attempt of a method to the next."""

COVER_QUICK_STATES = 4096
"""Limit of states of the first memo for a model. It decides the items in the order of their
numbers, because choosing an order takes longer than expanding this many states."""

COVER_SECOND_START = 10
"""Nodes of the second attempt of listing, as a multiple of those of the first."""

FRONT_NODES_A_NODE = 1e-3
"""Nodes that a frontier's automaton may have for each node that the search is expected to need.

The total is never less than a minimum: see `_size`."""

FRONT_NODES = 20_000_000
"""Largest number of nodes of a frontier's automaton."""

LEDGER_MEMO_PIECES = 24
"""Largest number of pieces of a puzzle with many solutions for which a memo is tried."""

LEDGER_MEMO_UNITS = 100
"""Largest number of units of a puzzle with many solutions for which a memo is tried."""


METHODS = ("auto", "list", "memo", "frontier")
"""Methods of counting: as the plan decides (``auto``), one by one, by a memo, or by a frontier."""


class FrontierBudget(NamedTuple):
    """Limits of a frontier: number of entries of all its lists, and nodes of its automaton."""

    entries: float = float("inf")
    nodes: int = FRONT_NODES


class LedgerRow(NamedTuple):
    """Attempts to settle a puzzle for the ledger without listing its solutions."""

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
"""The attempts by budget: the last row whose `budget` is at most that of the puzzle applies."""


class Step(NamedTuple):
    """An attempt to count solutions: the method and its limits."""

    method: str  # "list", "memo" or "frontier"
    budget: int | None = None  # total nodes of the search, or states of the memo; None: no limit
    expected: int | None = None  # the memo is skipped if more states are expected
    as_given: bool = False  # whether the memo takes the model as it is, items as numbered
    size: FrontierBudget | None = None  # limits of the frontier for all solutions
    kept_size: FrontierBudget | None = None  # limits for symmetric solutions, if they differ
    overtaken: bool = False  # whether a memo or a frontier may take over: see `Overtaking`


def counts_unlisted(backend: str | Backend) -> bool:
    """Return whether methods other than listing may take the place of a backend in counts.

    They may replace only the default backend: any other backend was chosen to list the solutions.

    Examples
    --------
    >>> counts_unlisted("dlx"), counts_unlisted("sat")
    (True, False)
    """
    return backend == DEFAULT_BACKEND


def puzzle_plan(
    case: Case, method: str = "auto", *, limits: Limits | None = None, use_reasons: bool = True
) -> tuple[Step, ...]:
    """Return the steps for counting the solutions of a puzzle, in the order in which to try them.

    Method ``"auto"`` lists, perhaps after a memo. No memo is tried if the search will end at once:
    because a limit is reached before the model is made or, with `use_reasons`, because the puzzle
    is obviously unsolvable. For any other method, the plan is a single step of this method. By
    default, there are no limits. Raise PuzzleError if the method is unknown.

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

    A frontier is tried once. Memos are tried if `pays` returns True: repeatedly, with more and more
    states. The limit of states is proportional to the number of nodes visited so far or, if that is
    larger, to the estimated number of nodes left. The estimate is poor at first.
    """

    def __init__(self, case: Case) -> None:
        self._waiting = True  # for the frontier to be tried
        self._states = 0 if pays(case.model) else None  # of the last memo; None if none is tried
        self._mark = (0, 0.0)
        self._nodes_a_part = 0.0

    def step(self, nodes: int, done: float) -> Step | None:
        """Return the attempt to make now, or None to continue the search.

        `nodes`: nodes of the search so far. `done`: fraction of the search that is done.
        """
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

        Equal fractions of the tree are assumed to take equal numbers of nodes: as many as on
        average so far, or, if that is more, as many as while the number of nodes last doubled. The
        first few nodes may have completed a large fraction.
        """
        if nodes >= 2 * self._mark[0]:
            self._nodes_a_part = _ratio(nodes - self._mark[0], done - self._mark[1])
            self._mark = nodes, done
        return (1 - done) * max(_ratio(nodes, done), self._nodes_a_part)


def _size(left: float, least: int) -> FrontierBudget:
    """Return limits within which a frontier should take less time than a search of `left` nodes.

    `least`: least limit of the automaton's nodes.
    """
    return FrontierBudget(
        min(TUNING.frontier_entries, TUNING.frontier_entries_a_node * left),
        int(min(FRONT_NODES, max(least, FRONT_NODES_A_NODE * left))),
    )


def _ratio(nodes: int, done: float) -> float:
    return nodes / done if done > 0 else float("inf")


def sample_plan(case: Case) -> tuple[str, str]:
    """Return two methods to draw solutions; the second is tried if the first needs too much memory.

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
    """Yield the steps for counting the solutions of a model without a puzzle.

    Listing and memo take turns, with growing budgets, so that the method that fails adds little to
    the cost of the one that succeeds. Listing continues where it stopped; each memo begins anew.
    The only step for a model with too many options is to list its solutions.

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
    """Return the row of `LEDGER` for a budget in seconds.

    Examples
    --------
    >>> ledger_row(0.5).states, ledger_row(60).states, ledger_row(60).race
    (0, 20000000, False)
    """
    return max(row for row in LEDGER if row.budget <= budget)


def memo_may_settle(case: Case, at_least: int) -> bool:
    """Return whether a memo is tried for the ledger.

    A memo is tried if `pays` returns True, or if the puzzle is small and has many solutions, but
    never if the puzzle has an omission. `at_least`: number of solutions that are known to exist.
    """
    puzzle = case.puzzle
    if puzzle.omission is not None:  # the memo does not distinguish omitted pieces
        return False
    few = len(puzzle.pieces) <= LEDGER_MEMO_PIECES and len(puzzle.region) <= LEDGER_MEMO_UNITS
    return (few and at_least >= TUNING.ledger_memo_solutions) or pays(case.model)


def pays(model: Model) -> bool:
    """Return whether counting by a memo is worth a try, mostly because pieces have many copies.

    Some piece must be allowed several uses, and the model must not be too large. A state contains
    the number of uses of each piece: twelve pieces, each used once, can lead to 2**12 states where
    one piece with many copies leads to a single state. So the numbers must fit in `AUTO_MEMO_BITS`
    bits.

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
