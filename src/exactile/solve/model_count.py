"""The number of solutions of a model that belongs to no puzzle; none of them is listed."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from exactile.answers import Count, Status
from exactile.backends.base import cores
from exactile.backends.exploration import Exploration
from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND
from exactile.solve.counting import Counter
from exactile.solve.limits import INTERRUPTED, Limits
from exactile.solve.plan import Step, model_plan
from exactile.solve.slices import drive


class ModelCounting:
    """Counts the solutions of a model by search and memo, as `exactile.solve.plan` says.

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

    def __init__(
        self,
        model: Model,
        *,
        limits: Limits | None = None,
        use_memo: bool = True,
        workers: int | None = None,
        watch: Callable[[ModelCounting], None] | None = None,
    ) -> None:
        self._model = model
        self._limits = limits or Limits()
        self._steps = model_plan(model) if use_memo else iter([Step("search")])
        self._watch = watch
        self.doing: str | None = None
        self._search = Exploration(model, workers=workers or cores())
        self._counter: Counter | None = None

    @property
    def found(self) -> int:
        """Number of solutions that the search has come upon."""
        return self._search.count

    @property
    def done(self) -> float:
        """The part of the search that lies behind."""
        return self._search.done

    def run(self, name: str = "the model") -> Count:
        """Count; Ctrl-C and the limits end it early.

        Parameters
        ----------
        name
            What is counted, for the answer.
        """
        begun = time.monotonic()
        self._limits.begin()
        number, method, stopped = None, DEFAULT_BACKEND, None
        try:
            for step in self._steps:
                method = "memo" if step.method == "memo" else DEFAULT_BACKEND
                number = self._by_memo(step) if step.method == "memo" else self._by_search(step)
                stopped = None if number is not None else self._limits.reached()
                if number is not None or stopped is not None:
                    break
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        known = Status.COMPLETE if number else Status.UNSOLVABLE
        partly = Status.SOLVABLE if self.found else Status.UNKNOWN
        return Count(
            puzzle=name,
            backend=method if number is not None else DEFAULT_BACKEND,
            status=partly if number is None else known,
            raw=number,
            found=self.found if number is None else number,
            stopped=stopped,
            done=self.done if number is None else 1.0,
            stats={
                "items": self._model.items,
                "options": self._model.options,
                "nodes": self._search.nodes,
                "updates": self._search.updates,
                **({"states": self._counter.stats["states"]} if self._counter else {}),
                "build_seconds": 0.0,
                "seconds": round(time.monotonic() - begun, 6),
            },
        )

    def _by_search(self, step: Step) -> int | None:
        """Search on to the budget; return the number if all is searched."""
        search = self._search

        def run(seconds: float) -> bool:
            nodes = None if step.budget is None else step.budget - search.nodes
            if search.exhausted or (nodes is not None and nodes <= 0):
                return True
            search.run(seconds=seconds, nodes=nodes, keep=False)
            if self._watch is not None:
                self._watch(self)
            return False

        drive(run, self._limits, lambda: search.patience)
        return search.count if search.exhausted else None

    def _by_memo(self, step: Step) -> int | None:
        """Return the number if the budget suffices for it."""
        assert step.budget is not None
        with suppress(CountingError):
            counter = Counter(self._model, keep=False, most_states=step.budget)
            if step.expected is None or counter.states_expected <= step.expected:
                self._counter = counter
                return counter.raw if counter.wait(self._limits.left) else None
        return None
