"""The number of solutions of a model: by searching, or by a memo where that is small."""

from __future__ import annotations

from contextlib import suppress

from exactile.backends.exploration import Exploration
from exactile.errors import CountingError
from exactile.model.model import Model
from exactile.solve.counting import Counter
from exactile.tuning import TUNING


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
    most = min(TUNING.auto_memo_options, TUNING.cover_memo_density * model.items)
    if use_memo and model.options <= most:
        exploration.run(seconds=TUNING.cover_head_start * model.items, keep=False)
        if not exploration.exhausted:
            with suppress(CountingError):
                counter = Counter(model, keep=False, most_states=4 * TUNING.cover_memo_states)
                if counter.states_expected <= TUNING.cover_memo_states:
                    return counter.raw
    exploration.run(keep=False)
    return exploration.count
