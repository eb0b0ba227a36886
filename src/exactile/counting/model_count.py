"""The number of solutions of a model that belongs to no puzzle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactile.answers import Count, Stats, Status
from exactile.backends import Backend
from exactile.backends.base import cores
from exactile.backends.exploration import Exploration
from exactile.clock import CLOCK
from exactile.counting.counter import AnyCounter
from exactile.counting.counting import Counter
from exactile.counting.plan import Step, counts_unlisted, model_plan
from exactile.errors import CountingError, Interrupted
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.cover import CoverSearch
from exactile.search.limits import INTERRUPTED, Limits


class ModelCounting(AnyCounter):
    """Counts the solutions of a model by search and memo, as `exactile.counting.plan` says.

    Parameters
    ----------
    model
        The model.
    limits
        When to stop.
    use_memo
        False only searches; the number is the same.
    workers
        Threads of the search; as many as there are processors if left out. The number does not
        depend on them.
    watch
        Called with the counting at every heartbeat of the search.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> ModelCounting(model).run().raw
    2
    """

    doing: str | None = None
    model: Model

    def __init__(
        self,
        model: Model,
        *,
        limits: Limits | None = None,
        use_memo: bool = True,
        workers: int | None = None,
        watch: Callable[[ModelCounting], None] | None = None,
    ) -> None:
        super().__init__(model, None, keep=False)
        self.limits = limits or Limits()
        self._steps = model_plan(model) if use_memo else iter([Step("search")])
        self._now = next(self._steps)
        self._watch = watch
        self._search = Exploration(model, workers=workers or cores())
        self._memo: Counter | None = None  # of the present step, or of the last one that had any
        self._begun = False  # whether it is of the present step

    @property
    def found(self) -> int:
        """Number of solutions that the search has come upon."""
        return self._search.count

    @property
    def done(self) -> float:
        """The part of the search that lies behind."""
        return self._search.done

    @property
    def method(self) -> str:
        """The counter: the name of a backend, or ``"memo"``."""
        return "memo" if self._now.method == "memo" else DEFAULT_BACKEND

    @property
    def stats(self) -> dict[str, Any]:
        """Nodes and updates of the search, and the states of the last memo, if there was one."""
        states = {} if self._memo is None else {"states": self._memo.stats["states"]}
        return {"nodes": self._search.nodes, "updates": self._search.updates, **states}

    @property
    def effort(self) -> int:
        return super().effort + self._search.nodes

    @property
    def patience(self) -> float:
        return self._search.patience

    def run(self, name: str = "the model") -> Count:
        """Count; Ctrl-C and the limits end it early.

        Parameters
        ----------
        name
            What is counted, for the answer.
        """
        begun = CLOCK.now()
        self.limits.begin()
        self.obey(self.limits)
        stopped = None
        try:
            if not self.wait(self.limits.left):
                stopped = self.limits.reached()
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        number = self.raw if self.known else None
        known = Status.COMPLETE if number else Status.UNSOLVABLE
        partly = Status.SOLVABLE if self.found else Status.UNKNOWN
        return Count(
            puzzle=name,
            backend=self.method if number is not None else DEFAULT_BACKEND,
            status=partly if number is None else known,
            raw=number,
            found=self.found if number is None else number,
            stopped=stopped,
            done=self.done if number is None else 1.0,
            stats=Stats(
                items=self.model.items,
                options=self.model.options,
                **self.stats,
                build_seconds=0.0,
                seconds=round(CLOCK.now() - begun, 6),
            ),
        )

    def _step(self, seconds: float) -> None:
        """Work on the present step of the plan."""
        if self._now.method == "memo":
            self._by_memo(seconds)
        else:
            self._by_search(seconds)

    def _next(self) -> None:
        self._now, self._begun = next(self._steps), False

    def _by_search(self, seconds: float) -> None:
        """Search on, to the budget at most."""
        search, budget = self._search, self._now.budget
        nodes = None if budget is None else budget - search.nodes
        if not search.exhausted and (nodes is None or nodes > 0):
            search.run(seconds=seconds, nodes=nodes, keep=False)
            if self._watch is not None:
                self._watch(self)
        if search.exhausted:
            self._raw = search.count
        elif budget is not None and search.nodes >= budget:
            self._next()

    def _by_memo(self, seconds: float) -> None:
        """Count on by a memo, if the budget may suffice for it."""
        step = self._now
        assert step.budget is not None
        try:
            if self._memo is None or not self._begun:
                memo = Counter(self.model, keep=False, most_states=step.budget)
                if step.expected is not None and memo.states_expected > step.expected:
                    self._next()
                    return
                self._memo, self._begun = memo, True
            if self._memo.wait(seconds):
                self._raw = self._memo.raw
        except CountingError:
            self._next()


def count_model(
    model: Model,
    name: str = "the model",
    *,
    backend: str | Backend = DEFAULT_BACKEND,
    limit: int | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    watch: Callable[[Any], None] | None = None,
) -> Count:
    """Count the solutions of a model; none is listed unless another backend or a limit is given.

    Parameters
    ----------
    model
        The model.
    name
        What is counted, for the answer.
    backend, limit, time_limit, seed, workers
        See `exactile.search.cover.CoverSearch`.
    watch
        Called at every heartbeat with the present counter.

    Raises
    ------
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> [count_model(model, backend=name).raw for name in ("dlx", "reference")]
    [2, 2]
    """
    limits = Limits(time_limit, limit)
    if counts_unlisted(backend) and limit is None:
        answer = ModelCounting(model, limits=limits, workers=workers, watch=watch).run(name)
    else:
        search = CoverSearch(
            model, backend=backend, limits=limits, seed=seed, workers=workers, watch=watch
        )
        answer = search.counted().count(name)
    if answer.stopped == INTERRUPTED:
        raise Interrupted(answer)
    return answer
