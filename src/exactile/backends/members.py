"""The searches that the backend ``first`` runs as a portfolio, and the schedule of their attempts.

Each search is a *member* of the portfolio. It makes attempts: calls of native code that depend only
on their arguments. Each member has a share of the work. The next attempt is made by the member that
has done the least work in proportion to its share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from threading import Lock
from typing import NamedTuple

import numpy as np

from exactile._native import Ground
from exactile.backends.exploration import Exploration
from exactile.model.decoder import fault
from exactile.model.invariant import Quotient, quotients
from exactile.model.model import Ints, Mask, Model
from exactile.model.sweeps import Floats, Sweeps

PORTFOLIO_OPTIONS = 100_000
"""Number of options above which a model is large: no restarts, and little exhaustive search."""

BEAM_OPTIONS = 1.2e7
"""Largest product of the number of options and the width (number of states) of the first beam.

The width is at least 6, even if the product is then larger."""


MANY_COPIES = 4.0
"""A puzzle has many copies of few pieces if a piece is used more often than this, on average."""


def placed(model: Model, piece: Mask) -> float:
    """Return the approximate number of options in a solution.

    `piece`: a mask of the items that are pieces.
    """
    length = max(len(model.members) / max(model.options, 1), 1.0)
    units = ((model.lower == 1) & ~piece).sum() / length
    return max(float(model.lower[piece].sum()), float(units), 1.0)


def copies(model: Model) -> float:
    """Return the approximate number of uses of a piece in a solution, as a mean over all pieces.

    It is infinite if there are no pieces.

    Examples
    --------
    >>> copies(Model.of_options([[0, 1], [0, 2]], lower=[1] * 3, upper=[1] * 3))
    inf
    """
    pieces = model.meaning.pieces
    return placed(model, model.meaning.is_piece) / pieces if pieces else float("inf")


class Ways:
    """What all searches share: the model, orders of its units, and the native module's `Ground`.

    `places`: see `exactile.backends.base.Request`.
    """

    def __init__(self, model: Model, places: Floats | None) -> None:
        self.model = model
        self.places = places
        self.sweeps = Sweeps(model, places)
        self.ground = Ground(
            model.lower,
            model.upper,
            model.first,
            model.members,
            model.colors,
            self.sweeps.piece.astype(np.uint8),
            *self.sweeps.neighbors,
        )
        self.is_large = model.options > PORTFOLIO_OPTIONS
        self.placed = placed(model, self.sweeps.piece)
        self.size = len(self.sweeps.units) / self.placed  # mean number of units of an option

    def units(self, rng: np.random.Generator, kind: str | None = None) -> Ints:
        """Return the units in a random order; `kind`: see `Sweeps.draw`."""
        return self.sweeps.draw(rng, kind).astype(np.int32)

    def items(self, rng: np.random.Generator) -> Ints:
        """Return all items: the units in the order of a random sweep, then the rest at random."""
        units = self.units(rng)
        rest = np.setdiff1d(np.arange(self.model.items, dtype=np.int32), units)
        return np.concatenate([units, rng.permutation(rest)])


def affordable(model: Model) -> float:
    """Return the width (number of states) of a beam search that takes a few seconds at most."""
    return float(np.clip(BEAM_OPTIONS / max(model.options, 1), 6, 100))


PORTFOLIO_HEAD_START = 5e7
"""Work of the exhaustive search that is not counted toward its share; see `Attempt.work`."""

PORTFOLIO_SLICE = 20_000
"""Number of nodes of one attempt of the exhaustive search."""

RESTART_NEAR = 8
"""In some restarts, items with 2 to this number of branches count as equal, in random order."""

RESTART_NODES = 50_000
"""Number of nodes of the first attempt of `Restarts`."""

RESTART_GROWTH = 1.1
"""Factor by which the number of nodes grows from each attempt of `Restarts` to the next."""

RESTART_WORK = 5e8
"""Work without a solution that halves the share of a member of class `Restarts`."""

BEAM_WORK = 5e9
"""Work without a solution that halves the share of `Beams` or of `Symmetric`."""

BEAM_WIDTH = 40
"""Width of the first beam search: largest number of states that it keeps at a time."""

BEAM_GROWTH = 1.25
"""Factor by which the width grows from each beam search to the next."""

BEAM_WIDEST = 1000
"""Largest width of a beam search."""

BEAM_ENDGAME_NODES = 20_000
"""Largest number of nodes of the exact search from each state at the end of a beam search."""

BEAM_LEFT = 20
"""Number of pieces that are left when the first beam search ends and exact searches follow.

If this is more than half of all pieces, the beam search ends when half are left."""

REPAIR_LEFT = 8
"""A beam search that prepares a repair ends when this number of pieces is left."""

REPAIR_PATIENCE = 6_000
"""Number of moves without success after which a repair is given up."""

REPAIR_GROWTH = 3
"""Factor by which `REPAIR_PATIENCE` grows for the second repair, again for the fourth, and so on.

The first, third, fifth, ... repairs all have the patience `REPAIR_PATIENCE`."""

REPAIR_ALIKE = 4.0
"""Repairs are tried only if a piece is used at most this many times on average."""

SYMMETRIC_ALIKE = 2.0
"""Symmetric solutions are sought only if a piece is used at least this many times on average."""


ANY = 2**30
"""Replaces `RESTART_NEAR` in restarts along sweeps: items with several branches count as equal."""

WALK = (11.0, 10.0, 5_000, True, 0.02, 0.01)
"""Values of the fields of the C++ structure `Walk`: see ``src/native/repair.hpp``."""

MOVES = 1_000_000
"""Largest number of moves of a repair."""

STRAIGHT = ("axis", "axis", "axis", "second axis", "direction", "inwards")
"""Kinds of sweeps for the beam search before a repair; the other kinds have wide frontiers."""


class Attempt(NamedTuple):
    """The result of a member's attempt: a solution, a proof that there is none, or neither."""

    solution: Ints | None  # options
    exhausted: bool  # whether there is no solution
    counters: dict[str, int]  # such as nodes; those that end with "work" add up to its work

    @property
    def work(self) -> float:
        """The work of the attempt, which measures its time independently of the machine."""
        return 1.0 + sum(n for name, n in self.counters.items() if name.endswith("work"))


class Member:
    """A way to search for a solution, such as beam search, with its share of all work."""

    head_start = 0.0  # work before its share counts
    lasting = inf  # work in vain that halves its share; twice as much leaves a third, and so on
    alone = False  # whether it makes one attempt at a time
    over = False  # whether it has nothing left to attempt

    def __init__(self, name: str, share: float, ways: Ways) -> None:
        self.name, self.share, self.ways = name, share, ways

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        """Choose the next attempt at random, and return a function that makes it.

        The function may be called in any thread.
        """
        raise NotImplementedError

    def learn(self, attempt: Attempt) -> None:
        """Adapt later attempts to the result of an attempt."""

    def due(self, spent: float) -> float:
        """Return a value that grows with the work `spent`; the member with the least is next."""
        return spent / self.share * (1 + max(spent, 0.0) / self.lasting)

    def stop(self) -> None:
        """Stop the present attempt if the native module's `Ground.stop` does not stop it."""


def _attempt(answer: tuple[Ints, bool, dict[str, int]]) -> Attempt:
    solution, exhausted, counters = answer
    return Attempt(solution if len(solution) else None, exhausted, counters)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**62))


class Restarts(Member):
    """Depth-first searches that are cut off; each has a new order and is longer than the last.

    `near`: items with 2 to `near` branches count as equal, so that the order decides.
    `until`: `near` has no effect once at most this fraction of the items is open.
    """

    lasting = RESTART_WORK

    def __init__(self, name: str, share: float, ways: Ways, *, near: int, until: float) -> None:
        super().__init__(name, share, ways)
        self._how = (near, int(until * ways.model.items))
        self._nodes = float(RESTART_NODES)

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        order, nodes, seed = self.ways.items(rng), int(self._nodes), _seed(rng)
        self._nodes *= RESTART_GROWTH
        return lambda: _attempt(self.ways.ground.restart(order, *self._how, nodes, seed))


class Beams(Member):
    """Beam searches that fill the units in the order of a sweep, each wider than the last.

    A beam search ends before all units are filled. Then exact searches try to complete its last
    states; they should take about as long as the beam search itself.
    """

    lasting = BEAM_WORK

    def __init__(self, name: str, share: float, ways: Ways) -> None:
        super().__init__(name, share, ways)
        self._width = min(float(BEAM_WIDTH), affordable(ways.model))
        self._left = min(BEAM_LEFT, ways.placed / 2)

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        order, seed = self.ways.units(rng), _seed(rng)
        how = int(self._width), self._left * self.ways.size, BEAM_ENDGAME_NODES
        self._width = min(BEAM_WIDEST, self._width * BEAM_GROWTH)
        return lambda: _attempt(self.ways.ground.beam(order, *how, seed))

    def learn(self, attempt: Attempt) -> None:
        """Let the next beam search end earlier if the exact searches were easy, later if not."""
        counters = attempt.counters
        if not counters["endgames"]:
            return
        ratio = counters["endgame_work"] / max(counters["beam_work"], 1)
        hard = counters["cut_short"] > counters["endgames"] / 3
        step = 2.0 if ratio < 0.1 else 1.0 if ratio < 0.4 else -1.0 if ratio > 2.5 or hard else 0.0
        self._left = float(np.clip(self._left + step, 1, self.ways.placed))


class Repairs(Member):
    """Local searches that begin with a tiling in which some pieces are used too often.

    A beam search finds the tiling. Then moves replace a few placements at a time, until no piece is
    used too often. A repair learns which pieces are hard to place, so a long one is better than
    several short ones. Therefore the second, fourth, ... repairs have more and more patience (moves
    without success), up to `MOVES`: see `REPAIR_GROWTH`.
    """

    def __init__(self, name: str, share: float, ways: Ways) -> None:
        super().__init__(name, share, ways)
        self._turn = 0
        self._width = int(affordable(ways.model))

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        kind = str(rng.choice(STRAIGHT))
        order, seed = self.ways.units(rng, kind), _seed(rng)
        times = (self._turn + 1) // 2 if self._turn % 2 else 0
        self._turn += 1
        patience = int(min(REPAIR_PATIENCE * REPAIR_GROWTH ** min(times, 99), MOVES))
        how = order, self._width, REPAIR_LEFT * self.ways.size, *WALK, MOVES, patience, seed
        return lambda: _attempt(self.ways.ground.repair(*how))


class Exhaustive(Member):
    """An exhaustive search by the native engine, which can also show that there is no solution.

    `late`: whether it has no head start.
    """

    alone = True

    def __init__(self, name: str, share: float, ways: Ways, *, late: bool = False) -> None:
        super().__init__(name, share, ways)
        self.head_start = 0.0 if late else PORTFOLIO_HEAD_START
        self._exploration: Exploration | None = None
        self._stopped = False

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        return self._search

    def _search(self) -> Attempt:
        if self._exploration is None:
            self._exploration = Exploration(self.ways.model)
        exploration = self._exploration
        if self._stopped:
            exploration.cancel()
        nodes, updates = exploration.nodes, exploration.updates
        rows = exploration.run(limit=1, nodes=PORTFOLIO_SLICE)
        nodes, updates = exploration.nodes - nodes, exploration.updates - updates
        if exploration.kernel == "bits":
            work = updates + 8 * nodes
        else:
            work = 5 * updates + self.ways.model.items * nodes // 8
        counters = {"nodes": nodes, "search_work": work}
        if len(rows):
            return Attempt(rows[0][rows[0] >= 0], False, counters)
        return Attempt(None, exploration.exhausted, counters)

    def stop(self) -> None:
        self._stopped = True
        if self._exploration is not None:
            self._exploration.cancel()


class Symmetric(Member):
    """Searches for solutions that a rotation or reflection maps to themselves.

    See `exactile.model.invariant.quotients`.
    """

    lasting = BEAM_WORK

    def __init__(self, name: str, share: float, ways: Ways) -> None:
        super().__init__(name, share, ways)
        self._lock = Lock()
        self._quotients: list[tuple[Quotient, Ways, Schedule]] | None = None
        self._turn = 0
        self._stopped = False

    def draw(self, rng: np.random.Generator) -> Callable[[], Attempt]:
        with self._lock:
            if self._quotients is None:
                self._quotients = list(self._begin(rng))
            if not self._quotients:
                self.over = True
                return lambda: Attempt(None, False, {"nodes": 0})
            self._turn += 1
            found = self._quotients[self._turn % len(self._quotients)]
            member, attempt = found[2].next()
        return lambda: self._try(found, member, attempt)

    def _begin(self, rng: np.random.Generator) -> Iterator[tuple[Quotient, Ways, Schedule]]:
        if self.ways.places is None:
            return
        for quotient in quotients(self.ways.model, self.ways.places):
            ways = Ways(quotient.model, quotient.places)
            yield quotient, ways, Schedule(searches_of(ways), _seed(rng))

    def _try(
        self,
        found: tuple[Quotient, Ways, Schedule],
        member: Member,
        attempt: Callable[[], Attempt],
    ) -> Attempt:
        quotient, ways, schedule = found
        if self._stopped:
            ways.ground.stop()
        result = attempt()
        with self._lock:
            schedule.report(member, result)
            over = result.exhausted or result.solution is not None
            if over and self._quotients and found in self._quotients:
                self._quotients.remove(found)
        solution = None if result.solution is None else quotient.lift(result.solution)
        if solution is not None and fault(self.ways.model, solution[None, :]) is not None:
            solution = None
        return Attempt(solution, False, result.counters)

    def stop(self) -> None:
        self._stopped = True
        for _, ways, schedule in list(self._quotients or ()):
            ways.ground.stop()
            schedule.stop()


def searches_of(ways: Ways) -> list[Member]:
    """Return the members that suit a model, except `Symmetric`, which searches smaller models."""
    ground = ways.sweeps
    repairs = Repairs("repair", 0.4, ways)
    beams = Beams("beams", 0.4, ways)
    near = Restarts("near-minimal restarts", 0.2, ways, near=RESTART_NEAR, until=0)
    members: list[Member] = [
        Exhaustive("exhaustive search", 0.2, ways),
        near,
        Restarts("restarts", 0.1, ways, near=1, until=0),
        Restarts("sweeps", 0.1, ways, near=ANY, until=0.5),
    ]
    if len(ground.units):
        members.append(beams)
        if ground.piece.any() and ways.placed <= REPAIR_ALIKE * ground.piece.sum():
            members.append(repairs)
        if ways.is_large:
            members = [*members[:3:-1], Exhaustive("exhaustive search", 0.02, ways, late=True)]
    return members


def members_of(ways: Ways, choice: str | None = None) -> list[Member]:
    """Return the members that suit a model.

    `choice`: one of `CHOICES`, to return only members of its classes; None for all. If none of them
    suits the model, all members that suit it are returned.
    """
    members = searches_of(ways)
    if SYMMETRIC_ALIKE <= copies(ways.model) < float("inf") and not ways.is_large:
        members.insert(1, Symmetric("symmetric solutions", 0.3, ways))
    wanted = CHOICES[choice] if choice else (Member,)
    return [member for member in members if isinstance(member, wanted)] or members


CHOICES: dict[str, tuple[type[Member], ...]] = {
    "chance": (Restarts, Beams, Repairs, Symmetric),
    "restarts": (Restarts,),
    "beams": (Beams,),
    "repair": (Repairs,),
}
"""Parts of the portfolio, by name: the classes of their members.

``chance`` has all classes except the exhaustive search."""


class Schedule:
    """Chooses the member for each attempt: the one with the least work, relative to its share.

    With several threads, members with fewer attempts in progress come first.

    Examples
    --------
    >>> from exactile.model.model import Model
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> schedule = Schedule(members_of(Ways(model, None)), seed=0)
    >>> member, attempt = schedule.next()
    >>> member.name, attempt().solution.tolist()
    ('exhaustive search', [0])
    """

    def __init__(self, members: list[Member], seed: int) -> None:
        self._members = members
        self._rng = np.random.default_rng(seed)
        self._spent = [-member.head_start for member in members]
        self._busy = [0] * len(members)

    def next(self) -> tuple[Member, Callable[[], Attempt]]:
        """Return a member, and a function that makes its next attempt."""
        members = self._members
        free = [
            k
            for k, member in enumerate(members)
            if not (member.over or (member.alone and self._busy[k]))
        ]
        k = min(free, key=lambda k: (self._busy[k], members[k].due(self._spent[k])))
        self._busy[k] += 1
        return self._members[k], self._members[k].draw(self._rng)

    def report(self, member: Member, attempt: Attempt) -> None:
        """Record the work of an attempt, and pass its result to the member."""
        k = self._members.index(member)
        self._busy[k] -= 1
        self._spent[k] += attempt.work
        member.learn(attempt)

    def stop(self) -> None:
        """Stop the present attempts that the native module's `Ground.stop` does not stop."""
        for member in self._members:
            member.stop()
