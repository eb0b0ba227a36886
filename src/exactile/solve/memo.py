"""A puzzle's counts by a memo, raw and up to symmetry, and when that pays."""

from __future__ import annotations

import numpy as np

from exactile.model.condense import CountProblem
from exactile.model.model import Model
from exactile.puzzle.puzzle import Puzzle
from exactile.solve.case import Case
from exactile.solve.counting import Counter
from exactile.solve.limits import Limits
from exactile.solve.unlisted import UnlistedCounting
from exactile.tuning import TUNING


class MemoCounting(UnlistedCounting):
    """Counts a puzzle without listing its solutions.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    limits
        When to stop.
    most_states
        The budget of each counter.

    Examples
    --------
    >>> import exactile
    >>> answer = MemoCounting(exactile.load("dominoes-6x6")).run()
    >>> answer.raw, answer.rotation, answer.symmetry
    (6728, 1712, 930)
    """

    def __init__(
        self,
        puzzle: Puzzle | Case,
        limits: Limits | None = None,
        most_states: int = TUNING.memo_states,
    ) -> None:
        case = Case.of(puzzle)

        def counter(subject: Model | CountProblem) -> Counter:
            return Counter(subject, keep=False, most_states=most_states, puzzle=case.puzzle)

        super().__init__(case, counter, limits)


def pays(model: Model) -> bool:
    """Return whether counting without listing is worth a try: whether pieces are in free supply.

    Some piece must be used several times, and the model be of middling size. What is used of the
    pieces belongs to the state unless it follows from the rest: twelve pieces, each of them used
    once, mean up to 2**12 states where one piece in many copies means one. So all that has to
    be remembered of them must fit in `TUNING.auto_memo_bits` bits.

    Examples
    --------
    >>> import exactile
    >>> [pays(exactile.lower(exactile.load(n))) for n in ("dominoes-6x6", "pentominoes-6x10")]
    [True, False]
    """
    several = (model.upper[model.meaning.is_piece] > 1).any()
    if model.options > TUNING.auto_memo_options or not several:
        return False
    problem = CountProblem.of_model(model).without_idle_items()
    uses = problem.upper[: problem.pieces].astype(float) + 1
    return bool(np.log2(uses).sum() <= TUNING.auto_memo_bits)
