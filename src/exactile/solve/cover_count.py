"""The number of solutions of a model, by searching or by a memo, whichever is done first."""

from __future__ import annotations

import time

from exactile.backends.base import HEARTBEAT
from exactile.backends.exploration import Exploration
from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.solve.counting import Counter

HEAD_START = 0.002
"""Seconds of searching before a memo is thought of."""

SHARE = 0.25
"""The memo gets at most so much time for a second of searching: where it is of no use, little is
lost, and where it is of use, it is often done before."""

MOST_STATES = 10_000_000
MOST_OPTIONS = 50_000
"""The memo is not tried for larger models: finding an order for it takes too long."""


def count_cover(model: Model, *, use_memo: bool = True, workers: int = 1) -> int:
    """Count the solutions of a model without keeping or listing them.

    Searching and counting with a memo take turns; both are exact. It can be interrupted at any
    time, and then says nothing.

    Parameters
    ----------
    model
        The model.
    use_memo
        False only searches.
    workers
        Threads of the search.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    >>> count_cover(model)
    2
    """
    exploration = Exploration(model, workers=workers)
    counter = None
    use_memo = use_memo and model.options <= MOST_OPTIONS
    searched = counted = 0.0
    while not exploration.exhausted:
        begun = time.perf_counter()
        if use_memo and searched >= HEAD_START and counted <= SHARE * searched:
            try:
                counter = counter or Counter(model, keep=False, most_states=MOST_STATES)
                if counter.wait(SHARE * searched):
                    return counter.raw
            except CountingError:  # too many states
                use_memo = False
            counted += time.perf_counter() - begun
        else:
            exploration.run(seconds=min(HEARTBEAT, HEAD_START + searched), keep=False)
            searched += time.perf_counter() - begun
    return exploration.count
