"""The verbs: solutions, their number, the size of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from exactile.clock import CLOCK
from exactile.counting import count as count_solutions
from exactile.counting.estimate import estimate as estimate_search
from exactile.render.board import in_numbers
from exactile.search import Search
from exactile.serve.tasks.asked import SearchAsked, Tell, news

PACE = 0.2
"""Least seconds between two events about a search."""

AT_ONCE = 0.05
"""Solutions found within this number of seconds are reported together."""


class Searched(SearchAsked, frozen=True, kw_only=True):
    """A puzzle to be searched; see `exactile.search.search.Search`."""

    time_limit: float = 600.0
    seed: int = 0
    limit: int | None = None
    up_to: Literal["rotation", "symmetry"] | None = None
    use_symmetry: bool = True


def paced(tell: Tell) -> Callable[[Search], None]:
    """Return a watch that reports the progress of a search at intervals."""
    last = 0.0

    def watch(search: Search) -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", news(search))

    return watch


def solve(asked: Searched, tell: Tell) -> None:
    """Report solutions as they are found, finally a `SolutionList` without them."""
    case = asked.case
    watch = paced(tell)
    found: list[object] = []
    last = CLOCK.now()

    def flush() -> None:
        nonlocal last
        if found:
            tell("solutions", found)
            found.clear()
        last = CLOCK.now()

    def heartbeat(search: Search) -> None:
        flush()
        watch(search)

    with Search(
        case,
        backend=asked.backend,
        limit=asked.limit,
        up_to=asked.up_to,
        time_limit=asked.time_limit,
        seed=asked.seed,
        use_symmetry=asked.use_symmetry,
        watch=heartbeat,
    ) as search:
        for solution in search:
            found.append(in_numbers(case.puzzle, solution))
            if CLOCK.now() - last >= AT_ONCE:
                flush()
        flush()
        tell("progress", news(search))
        tell("answer", search.answer((), asked.up_to))


def count(asked: Searched, tell: Tell) -> None:
    """Report a `Count`."""
    tell(
        "answer",
        count_solutions(
            asked.case,
            backend=asked.backend,
            time_limit=asked.time_limit,
            use_symmetry=asked.use_symmetry,
            watch=paced(tell),
        ),
    )


def estimate(asked: Searched, tell: Tell) -> None:
    """Report an `Estimate` made quickly, with few states."""
    seconds = min(asked.time_limit, 10.0)
    answer = estimate_search(
        asked.case, dives=3000, seed=asked.seed, time_limit=seconds, measure=0.5, states=500
    )
    tell("answer", answer)
