"""The number of solutions of a model: by searching, or by a memo where that is small."""

from __future__ import annotations

from contextlib import suppress

from exactile.backends.exploration import Exploration
from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.solve.counting import Counter

HEAD_START = 3e-5
"""Seconds of searching for each item before a memo is thought of: it takes about as long to find a
good order of the items for it."""

MOST_OPTIONS = 50_000
"""That takes too long for larger models."""

MOST_DENSE = 8
"""Nor for models with more options an item: there are too many ways to cover a part of them."""

MOST_STATES = 2**20
"""The memo is used where no more states than these are expected: then it takes well below a
second. At four times as many it is given up."""


def count_cover(model: Model, *, use_memo: bool = True, workers: int = 1) -> int:
    """Count the solutions of a model without keeping or listing them.

    What is not counted soon by a search, and has little to be remembered
    (`Counter.states_expected`), is counted by a memo; all else by the search. Both are exact.

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
    if use_memo and model.options <= min(MOST_OPTIONS, MOST_DENSE * model.items):
        exploration.run(seconds=HEAD_START * model.items, keep=False)
        if not exploration.exhausted:
            with suppress(CountingError):
                counter = Counter(model, keep=False, most_states=4 * MOST_STATES)
                if counter.states_expected <= MOST_STATES:
                    return counter.raw
    exploration.run(keep=False)
    return exploration.count
