"""Counting by listing all solutions with the native search, alone or alternating with a memo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from exactile.answers import Count, Stats, Status
from exactile.answers.base import passed_on
from exactile.backends import Backend
from exactile.backends.base import cores
from exactile.backends.exploration import Exploration
from exactile.backends.registry import with_method
from exactile.clock import CLOCK
from exactile.counting.memo import Memo
from exactile.counting.method import Method
from exactile.counting.plan import Step, counts_unlisted, model_plan
from exactile.errors import CountingError
from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.cover import CoverSearch
from exactile.search.limits import INTERRUPTED, Limits


class Listing(Method):
    """Counts solutions as the native search finds them, without keeping them.

    `workers`: number of threads, by default one for each processor.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> Listing().count(model)
    2
    """

    name = "list"
    budget: int | None = None  # limit of nodes; if it is increased, a count continues

    def __init__(self, *, workers: int | None = None) -> None:
        super().__init__()
        self._workers = workers or cores()
        self._search: Exploration | None = None

    def _begin(self) -> Iterator[None]:
        model = self.model.plain() if isinstance(self.model, CountProblem) else self.model
        self._search = Exploration(model, workers=self._workers)
        self.found, self.done = 0, 0.0
        return iter(())

    @property
    def stats(self) -> dict[str, Any]:
        """Nodes and updates of the search."""
        search = self._search
        return {} if search is None else {"nodes": search.nodes, "updates": search.updates}

    @property
    def effort(self) -> int:
        return 0 if self._search is None else self._search.nodes

    @property
    def patience(self) -> float:
        return super().patience if self._search is None else self._search.patience

    def _step(self, seconds: float) -> None:
        search, nodes = self._search, None
        assert search is not None
        if self.budget is not None:
            nodes = self.budget - search.nodes
        if not search.exhausted and (nodes is None or nodes > 0):
            search.run(seconds=seconds, nodes=nodes, keep=False)
        self.found, self.done = search.count, search.done
        if search.exhausted:
            self._raw = self.found
        elif self.budget is not None and search.nodes >= self.budget:
            raise CountingError(f"Listing needs more than {self.budget:,} nodes here.")


class Alternating(Method):
    """Counts the solutions of a model by listing and by a memo in turn.

    The budgets are those of `exactile.counting.plan.model_plan`. `use_memo`: False for listing
    only. `workers`: number of threads for listing, by default one for each processor.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> method = Alternating()
    >>> method.count(model), method.name
    (2, 'list')
    """

    def __init__(self, *, use_memo: bool = True, workers: int | None = None) -> None:
        super().__init__()
        self._use_memo = use_memo
        self._listing = Listing(workers=workers)
        self._memo: Memo | None = None  # the latest
        self._now: Method = self._listing

    def _begin(self) -> Iterator[None]:
        if isinstance(self.model, CountProblem):
            self.model = self.model.plain()
        self._steps = model_plan(self.model) if self._use_memo else iter([Step("list")])
        self._memo = None
        self._next()
        self._listing.prepare(self.model)
        return iter(())

    def _next(self) -> None:
        step = next(self._steps)
        if step.method == "list":
            self._now, self._listing.budget = self._listing, step.budget
        else:
            order = np.arange(self.model.items) if step.as_given else None
            self._now = self._memo = Memo(
                most_states=step.budget,
                most_expected=step.expected,
                condense=not step.as_given,
                order=order,
            )

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the method that counts now, or found the number: ``list`` or ``memo``."""
        return self._now.name

    @property
    def stats(self) -> dict[str, Any]:
        """Nodes and updates of the search, and the states of the last memo, if there was one."""
        memo = {} if self._memo is None else self._memo.stats
        states = {"states": memo["states"]} if memo.get("states") else {}
        return {**self._listing.stats, **states}

    @property
    def effort(self) -> int:
        return self._listing.effort + (0 if self._memo is None else self._memo.effort)

    @property
    def patience(self) -> float:
        return self._now.patience

    def _step(self, seconds: float) -> None:
        listing = self._listing
        try:
            if self._now is listing:  # it was prepared, and has no other limit than the budget
                listing._step(seconds)
                self._raw = listing._raw
            else:
                self._raw = self._now.count(self.model, self.limits.within(seconds))
        except CountingError:
            self._next()
        self.found, self.done = listing.found, listing.done


def count_model(
    model: Model,
    name: str = "the model",
    *,
    backend: str | Backend = DEFAULT_BACKEND,
    method: Method | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    workers: int | None = None,
    watch: Callable[[Any], None] | None = None,
) -> Count:
    """Count the solutions of a model; `name` becomes the field `puzzle` of the answer.

    With the default backend, `method` counts the solutions, by default `Alternating`. Any other
    backend lists them, and so does the default one if `limits` has a number of solutions; `seed` is
    for these searches. The backend ``"dlx+method=memo"`` stands for the method `Memo`,
    ``"dlx+method=list"`` for `Listing`. `workers`: number of threads for listing; None for the
    default of the method or backend. `watch` is called at every heartbeat with the search or the
    method.

    Raise Interrupted, with the answer so far, after Ctrl-C; CountingError if the method needs more
    states or memory than are allowed, or if the backend names a method other than those two;
    BackendError if there is no such backend, or if it fails; PuzzleError if `seed` or `workers` is
    out of range and a search lists the solutions.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> [count_model(model, backend=name).raw for name in ("dlx", "reference")]
    [2, 2]
    """
    limits = limits or Limits()
    if isinstance(backend, str):
        backend, named = with_method(backend, "auto")
        if named != "auto":
            method = _method(named, workers)
    if counts_unlisted(backend) and limits.number is None:
        answer = _unlisted(model, name, method or Alternating(workers=workers), limits, watch)
    else:
        search = CoverSearch(
            model, backend=backend, limits=limits, seed=seed, workers=workers, watch=watch
        )
        answer = search.counted().count(name)
    return passed_on(answer)


def _method(name: str, workers: int | None) -> Method:
    if name == "list":
        return Listing(workers=workers)
    if name == "memo":
        return Memo()
    raise CountingError(f"A model is not counted by '{name}': write +method=list or +method=memo.")


def _unlisted(
    model: Model,
    name: str,
    method: Method,
    limits: Limits,
    watch: Callable[[Any], None] | None,
) -> Count:
    begun = CLOCK.now()
    number, stopped = None, None
    try:
        number = method.count(model, limits, watch)
        stopped = limits.reached() if number is None else None
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    return Count(
        puzzle=name,
        backend=DEFAULT_BACKEND if method.name == "list" else None,
        method=method.name,
        status=Status.of(number, method.found),
        raw=number,
        found=method.found if number is None else number,
        stopped=stopped,
        done=method.done if number is None else 1.0,
        stats=Stats(
            items=model.items,
            options=model.options,
            **method.stats,
            build_seconds=0.0,
            check_seconds=0.0,
            seconds=round(CLOCK.now() - begun, 6),
        ),
    )
