"""Playing: can what is on the board still be finished, what fits, what must move, a challenge."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec

from exactile.answers import Status
from exactile.errors import PuzzleError
from exactile.puzzle import Placement, Puzzle
from exactile.render.board import in_numbers
from exactile.serve.tasks.asked import SearchAsked, Tell
from exactile.solve import Search
from exactile.solve.case import Case

WAYS_SECONDS = 0.3
"""Ways to finish are counted where that takes no longer."""

MOST_WAYS = 1000
"""They are counted up to here."""

CHALLENGE_SECONDS = 1.0
"""For each question whether a challenge has one solution only."""


class Played(SearchAsked, frozen=True, kw_only=True):
    """A puzzle with placements on its board."""

    time_limit: float = 60.0
    seed: int = 0


def finish(asked: Played, tell: Tell) -> None:
    """Tell whether it can be finished (None if not known in time), then in how many ways."""
    case = asked.case
    with _search(case, asked, limit=1) as search:
        solution = next(search, None)
    tell("finish", {"possible": _verdict(search.status), "reason": search.reason})
    if solution is None:
        return
    with _search(case, asked, limit=MOST_WAYS, seconds=WAYS_SECONDS) as search:
        ways = sum(1 for _ in search)
    if search.status.final or ways >= MOST_WAYS:
        tell("ways", {"ways": ways, "more": not search.status.final})


def hint(asked: Played, tell: Tell) -> None:
    """Tell a piece that fits, or, if there is none, the piece that must move."""
    case = asked.case
    with _search(case, asked, limit=1) as search:
        solution = next(search, None)
    if solution is not None:
        there = set(case.puzzle.fixed)
        left = tuple(p for p in solution if p not in there)
        tell("hint", {"fits": in_numbers(case.puzzle, left[:1]), "moves": []})
        return
    if search.status is not Status.UNSOLVABLE:
        tell("hint", {"fits": [], "moves": []})
        return
    for number in reversed(range(len(asked.placed))):
        rest = (*asked.placed[:number], *asked.placed[number + 1 :])
        other = msgspec.structs.replace(asked, placed=rest).case
        with _search(other, asked, limit=1, seconds=CHALLENGE_SECONDS) as search:
            if next(search, None) is not None:
                tell("hint", {"fits": [], "moves": [asked.placed[number]]})
                return
    tell("hint", {"fits": [], "moves": list(asked.placed)})


def challenge(asked: Played, tell: Tell) -> None:
    """Tell placements with which there is one solution only, chosen by the seed."""
    case = asked.case
    with Search(
        case, backend="first", limit=1, seed=asked.seed, time_limit=asked.time_limit
    ) as search:
        solution = next(search, None)
    if solution is None:
        raise PuzzleError(search.reason or "No solution was found in time to make a challenge of.")
    puzzle = case.puzzle
    order = [p for p in solution if p not in set(puzzle.fixed)]
    Random(asked.seed).shuffle(order)  # noqa: S311
    kept = list(order)
    for placement in order:
        fewer = [p for p in kept if p is not placement]
        if _unique(puzzle, fewer):
            kept = fewer
    tell("challenge", {"placed": in_numbers(puzzle, tuple(kept))})


def _unique(puzzle: Puzzle, placed: list[Placement]) -> bool:
    """Return whether there is one solution with these placements, as far as that shows soon."""
    case = Case(replace(puzzle, fixed=(*puzzle.fixed, *placed)))
    with Search(case, limit=2, time_limit=CHALLENGE_SECONDS, use_symmetry=False) as search:
        return sum(1 for _ in search) == 1 and search.status is Status.COMPLETE


def _search(case: Case, asked: Played, *, limit: int, seconds: float | None = None) -> Search:
    return Search(
        case,
        backend=asked.backend,
        limit=limit,
        time_limit=seconds or asked.time_limit,
        use_symmetry=False,
    )


def _verdict(status: Status) -> bool | None:
    return None if status is Status.UNKNOWN else status is not Status.UNSOLVABLE
