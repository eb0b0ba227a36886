"""Tasks that search: they find or count solutions, estimate a search, or show it node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np

from exactile.backends.base import Prefix
from exactile.backends.exploration import Exploration
from exactile.clock import CLOCK
from exactile.counting import count as count_solutions
from exactile.counting.estimate import estimate as estimate_search
from exactile.errors import PuzzleError
from exactile.model.model import Ints, Longs, Model
from exactile.render.board import Numbered, in_numbers
from exactile.search import Search
from exactile.search.case import Case
from exactile.serve.tasks.puzzles import PuzzleAsked, SearchAsked, Tell, news

PACE = 0.2
"""Least number of seconds between two events about the progress of a search."""

AT_ONCE = 0.05
"""Seconds for which solutions are collected before they are reported together."""


class Searched(SearchAsked, frozen=True, kw_only=True):
    """A request for a search; the options are those of `exactile.search.search.Search`."""

    time_limit: float = 600.0
    seed: int = 0
    limit: int | None = None
    up_to: Literal["rotation", "symmetry"] | None = None
    use_symmetry: bool = True


def paced(tell: Tell) -> Callable[[Search], None]:
    """Return a callback that reports the progress of a search at most once in `PACE` seconds."""
    last = 0.0

    def watch(search: Search) -> None:
        nonlocal last
        if CLOCK.now() - last >= PACE:
            last = CLOCK.now()
            tell("progress", news(search))

    return watch


def solve(asked: Searched, tell: Tell) -> None:
    """Report solutions as they are found, then a `SolutionList` that does not repeat them."""
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
    """Report the `Count` of the solutions of a puzzle."""
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
    """Report an `Estimate` of the numbers of solutions and nodes, made in at most 10 seconds."""
    seconds = min(asked.time_limit, 10.0)
    answer = estimate_search(
        asked.case, dives=3000, seed=asked.seed, time_limit=seconds, measure=0.5, states=500
    )
    tell("answer", answer)


MOST_NODES = 100_000_000
"""Largest number of nodes before the watched node; each request visits these nodes again."""

MOST_RIVALS = 12
"""Largest number of open items in a `Position`."""


class Watched(PuzzleAsked, frozen=True, kw_only=True):
    """A request to watch a search: the node at which to begin, and how far to continue."""

    after: int = 0  # nodes after which to begin
    # Stop at once, at the next solution, or at the next node as deep as `depth`
    until: Literal["node", "solution", "depth"] = "node"
    depth: int = 0


class Rival(msgspec.Struct, frozen=True):
    """An open item, and how many options it has to spare: those beyond the number that it needs.

    Only options that are still possible count.
    """

    item: str
    spare: int


class Candidate(msgspec.Struct, frozen=True):
    """An option into which a node branches, with its state: tried, chosen, or to come.

    `placement`: None if the option stands for leaving out a piece.
    """

    placement: Numbered | None
    state: Literal["tried", "chosen", "to come"]


class Level(msgspec.Struct, frozen=True):
    """A node on the path to the current one: the item on which it branches, and its options."""

    item: str
    candidates: list[Candidate]


class Position(msgspec.Struct, frozen=True):
    """A node of a search, with the path that leads to it."""

    nodes: int  # nodes visited before this one
    done: float  # the fraction of the tree that is finished
    placed: list[Numbered]  # the placements of this node
    levels: list[Level]  # the path to it from the root, and the node itself
    rivals: list[Rival]  # open items at this node, the fewest options to spare first
    solution: bool  # whether it is a solution
    found: int  # number of solutions before it
    ended: bool  # whether the search is finished: then there is no node here


def watch(asked: Watched, tell: Tell) -> None:
    """Report the `Position` that a search reaches from the requested node; see `Watched.until`.

    Raise PuzzleError if the node is not among the first `MOST_NODES`.
    """
    if not 0 <= asked.after <= MOST_NODES:
        raise PuzzleError(f"A search is watched up to {MOST_NODES:,} nodes.")
    case = asked.case
    exploration = _searched(case, asked.after)
    if asked.until == "depth":
        _to_depth(exploration, asked.depth)
    elif asked.until == "solution":
        exploration = _searched(case, _before_solution(exploration))
    tell("position", position(case, exploration))


def _searched(case: Case, nodes: int) -> Exploration:
    """Return a search that has been run for a number of nodes."""
    exploration = Exploration(case.asked, endgame=False)
    if nodes:
        exploration.run(nodes=nodes, keep=False)
    return exploration


def _to_depth(exploration: Exploration, depth: int) -> None:
    """Continue a search until its next node is as deep as `depth`.

    It stops earlier at the end of the tree, and after `MOST_NODES` nodes in all.
    """
    while exploration.prefixes and exploration.nodes < MOST_NODES:
        exploration.run(nodes=1, keep=False)
        if exploration.prefixes and len(_chosen(exploration.prefixes[0].path)) == depth:
            return


def _before_solution(exploration: Exploration) -> int:
    """Return the number of nodes that a search visits, from the root, before its next solution.

    If the search is at a solution now, this solution does not count. Return the number of nodes
    visited if no further solution is found. The call advances `exploration`.
    """
    if _is_solution(exploration):
        exploration.run(nodes=1, keep=False)
    seen = exploration.count
    exploration.run(limit=1, nodes=MOST_NODES)
    return exploration.nodes - (exploration.count > seen)


def _is_solution(exploration: Exploration) -> bool:
    """Return whether the next node of a search is a solution."""
    if not exploration.prefixes:
        return False
    return bool(len(_alone(exploration, exploration.prefixes[0]).run(nodes=1)))


def _alone(exploration: Exploration, prefix: Prefix) -> Exploration:
    """Return a new search of the part of the tree below a prefix."""
    return Exploration(exploration.model, endgame=False, prefixes=[prefix])


def position(case: Case, exploration: Exploration) -> Position:
    """Return the `Position` of a search at its next node."""
    ahead = exploration.prefixes
    path = ahead[0].path if ahead else ()
    ways = [path[: k + 1] for k in range(-1, len(path)) if k < 0 or path[k] >= 0]
    levels = [level for way in ways if (level := _level(case, exploration, way, path)) is not None]
    return Position(
        nodes=exploration.nodes,
        done=exploration.done,
        placed=[p for o in _chosen(path) if (p := _placement(case, o)) is not None],
        levels=levels,
        rivals=rivals(case.asked, path)[:MOST_RIVALS],
        solution=_is_solution(exploration),
        found=exploration.count,
        ended=not ahead,
    )


def _level(
    case: Case, exploration: Exploration, way: tuple[int, ...], path: tuple[int, ...]
) -> Level | None:
    """Return a node on the path as a `Level`, None if it has no branches.

    `way`: the choices that lead to the node. `path`: the choices that lead to the current node.
    """
    below = _alone(exploration, Prefix(way, 1.0))
    below.run(nodes=1)
    branches = [
        _chosen(p.path)[-1] for p in below.prefixes if len(_chosen(p.path)) > len(_chosen(way))
    ]
    if not branches:
        return None
    taken = _chosen(path)[len(_chosen(way)) :][:1]
    at = branches.index(taken[0]) if taken and taken[0] in branches else -1
    states: list[Literal["tried", "chosen", "to come"]] = [
        "to come" if i > at else "chosen" if i == at else "tried" for i in range(len(branches))
    ]
    candidates = [Candidate(_placement(case, o), s) for o, s in zip(branches, states, strict=True)]
    return Level(_item(case.asked, way, branches), candidates)


def _chosen(path: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(o for o in path if o >= 0)


def _placement(case: Case, option: int) -> Numbered | None:
    found = case.decoder.placement(option)
    return None if found is None else in_numbers(case.puzzle, (found,))[0]


def _item(model: Model, way: tuple[int, ...], branches: list[int]) -> str:
    """Return the name of the item on which a node branches.

    `way`: the choices that lead to the node. `branches`: the options into which the node branches.
    The item has the fewest options to spare among the open items that all these options contain.
    """
    common = set(model.option(branches[0]).tolist()).intersection(
        *(model.option(o).tolist() for o in branches)
    )
    spare = _spare(model, way)
    open_ = [i for i in common if spare[i] >= 0]
    item: int = min(open_ or common, key=lambda i: (int(spare[i]), i))
    return model.meaning.labels[item]


def rivals(model: Model, path: tuple[int, ...]) -> list[Rival]:
    """Return the open items after some choices, those with the fewest options to spare first.

    The search branches on the first item. The list is computed without the search.
    """
    spare = _spare(model, path)
    order = sorted(np.flatnonzero(spare > MET).tolist(), key=lambda i: (int(spare[i]), i))
    return [Rival(model.meaning.labels[i], int(spare[i])) for i in order]


MET = -(2**40)
"""Marks an item that needs no more options."""


def _spare(model: Model, path: tuple[int, ...]) -> Longs:
    """For each item, return how many options it has to spare; `MET` if it needs no more options.

    The result is the number of live options minus the number still needed; if it is negative, the
    item can no longer be covered. An option is live if no choice so far decides or excludes it and
    none of its items has the upper bound 0. `path`: the choices so far, with excluded options as
    ``~o``.
    """
    live = np.ones(model.options, dtype=bool)
    used = np.zeros(model.items, dtype=np.int64)
    live[_owners(model, np.flatnonzero(model.upper == 0))] = False
    for step in path:
        live[step if step >= 0 else ~step] = False
        if step < 0:
            continue
        own = model.option_of == step
        for item, color in zip(
            model.members[own].tolist(), model.colors[own].tolist(), strict=True
        ):
            there = model.members == item
            if color:
                live[model.option_of[there & (model.colors != color)]] = False
                continue
            used[item] += 1
            if used[item] == model.upper[item]:
                live[model.option_of[there]] = False
    left = np.bincount(model.members[live[model.option_of]], minlength=model.items)
    return np.where(used < model.lower, left - (model.lower - used), MET)


def _owners(model: Model, items: Longs | Ints) -> Ints:
    return np.asarray(model.option_of[np.isin(model.members, items)])
