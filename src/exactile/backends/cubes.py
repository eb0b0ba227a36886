"""Cubes: parts of a search, each given by a few options that are chosen or excluded.

A SAT solver gets these choices as assumptions, one cube after the other.

Cubes need not be disjoint. With symmetries, they need not even contain all solutions, as long as
every solution has an image in one of them. The search of a cube must leave out the images of all
earlier cubes. Then each orbit of solutions is found in exactly one cube: the first that contains
one of its solutions. This holds for any cubes, even if a solution is itself symmetric.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from exactile.backends.base import Batch, Prefix, Request, no_solutions
from exactile.backends.child import Found, failed, repeated
from exactile.backends.exploration import Exploration
from exactile.errors import BackendCrashedError, ModelError
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.tuning import TUNING
from exactile.work import Death, Pool, Service

Path = tuple[int, ...]


@dataclass(frozen=True)
class Cube:
    """A cube as it is sent to a solver's process, with the cubes and solutions to be left out."""

    index: int  # its place among all cubes
    path: Path  # o where option o is taken, ~o where it is not
    # `Part.closes` of the cubes from the previous cube of the process up to this one
    before: list[Path] = field(default_factory=list)
    known: list[list[int]] = field(default_factory=list)  # solutions found before a process died


class Part(NamedTuple):
    """A cube in the result of `make_cubes`."""

    path: Path  # o where option o is taken, ~o where it is not
    weight: float  # its part of the search, as if all branches were alike
    closes: Path  # shortest beginning of its path below which all is searched after this cube


def make_cubes(model: Model, request: Request, parts: int) -> list[Part]:
    """Return about `parts` cubes, which together contain at least one solution of each orbit.

    With symmetries, the first choice is an option of a certain item: if possible, an item that all
    symmetries map to itself, so that its options form few orbits. The native engine divides the
    search further. Each solution that it finds meanwhile becomes a cube as well, of weight 0 unless
    all cubes are such solutions. All weights add up to 1. Without solutions, there may be no cubes.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [1], [0], [0]], lower=[1, 1], upper=[1, 1])
    >>> for part in make_cubes(model, Request(), 2):
    ...     print(part)
    Part(path=(0,), weight=0.5, closes=(0,))
    Part(path=(1,), weight=0.5, closes=())
    """
    start = list(request.prefixes)
    first = None if request.images is None else _first_options(model, request.images)
    if first is not None:
        start = [(*path, o) for path in start for o in first]
    whole = [Prefix(path, 1 / len(start)) for path in start]
    if parts <= len(whole) or not model.options:
        return [Part(path, weight, path) for path, weight in whole]
    found: list[Path] = []
    cut: list[tuple[Path, float, int]] = []
    for prefix in whole:
        exploration = Exploration(model, prefixes=[prefix])
        try:
            opened = exploration.split(parts // len(whole))
        except ModelError:  # the prefix contradicts itself, which a solver detects at once
            opened = [prefix]
        else:
            exploration.prefixes = []
            found += [tuple(o for o in row if o >= 0) for row in exploration.run().tolist()]
        cut += [(p.path, p.weight, len(prefix.path)) for p in opened]
    alone = 0.0 if cut else 1 / max(len(found), 1)
    return [Part(path, alone, path) for path in found] + _parts(cut)


def _parts(cut: list[tuple[Path, float, int]]) -> list[Part]:
    """Return parts from triples (path, weight, length).

    `length`: length of the prefix from which this path was split. The weights of the parts are
    scaled, so that they add up to 1.
    """
    last = {path[:k]: n for n, (path, _, least) in enumerate(cut) for k in range(least, len(path))}
    total = sum(weight for _, weight, _ in cut)
    result = []
    for n, (path, weight, least) in enumerate(cut):
        whole = (k for k in range(least, len(path)) if last[path[:k]] == n)
        result.append(Part(path, weight / total, path[: next(whole, len(path))]))
    return result


def _first_options(model: Model, images: Ints) -> list[int] | None:
    """Choose an item that is used exactly once; return one option of each orbit of its options.

    Return None if there is no such item. `images`: see `Request`.
    """
    once = np.flatnonzero((model.lower == 1) & (model.upper == 1)).tolist()
    by_size = sorted(once, key=lambda i: len(model.options_with(i)))
    for item in [i for i in by_size if _is_kept(model, images, i)] or by_size[:1]:
        chosen: list[int] = []
        seen: set[int] = set()
        for option in model.options_with(item).tolist():
            if option not in seen:
                chosen.append(option)
                seen.update(images[:, option].tolist())
        return chosen
    return None


def _is_kept(model: Model, images: Ints, item: int) -> bool:
    options = model.options_with(item)
    inside = np.zeros(model.options, dtype=bool)
    inside[options] = True
    return bool(inside[images[:, options]].all())


def orbit(images: Ints | None, path: Path | list[int]) -> Longs:
    """Return the images of a path or solution under symmetries, one in each row.

    An excluded option o is written ~o, that is, -o - 1. Each image is sorted in increasing order,
    and listed once. `images`: see `Request`; if None, only the path itself is returned.

    Examples
    --------
    >>> orbit(np.array([[0, 1, 2], [0, 2, 1]]), [0, ~1]).tolist()
    [[-3, 0], [-2, 0]]
    """
    moves = np.array([path], dtype=np.int64).reshape(1, len(path))
    if images is None or not len(path):
        return np.sort(moves, axis=1)
    positive = moves[0] >= 0
    moved = images[:, np.where(positive, moves[0], ~moves[0])].astype(np.int64)
    return np.unique(np.sort(np.where(positive, moved, ~moved), axis=1), axis=0)


HOPELESS_CUBES = 3
"""Number of lost cubes after which the search ends if no cube was searched to its end."""


def search_cubes(
    name: str,
    service: Service[Cube, Found],
    cubes: list[Part],
    workers: int,
    images: Ints | None = None,
) -> Generator[Batch]:
    """Search cubes in several processes, and yield the solutions, each with its images.

    `service` searches a cube in a process. It reports solutions, and its counters at intervals and
    at the end of the cube. `workers`: number of processes. `images`: see `Request`. A cube is lost
    if its processes die; the other cubes are still searched, unless `HOPELESS_CUBES` ends the
    search. Raise BackendError if the solver reports an error, BackendCrashedError if it reports a
    solution twice or, at the end, if cubes are lost.
    """
    state = _State(name, cubes, images)
    with Pool(service, len(cubes), state.cube, workers) as pool:
        for event in pool:
            if event is None:
                yield state.batch()
            elif event.death is not None:
                state.lose(event.part, event.death)
                if len(state.lost) >= HOPELESS_CUBES and not state.closed:
                    pool.give_up()
            elif event.message is None:
                state.close(event.part)
                yield state.batch()
            else:
                yield state.batch(state.take(event.part, event.process, event.message))
    if state.lost:
        error = failed(name, next(iter(state.lost.values())))
        raise BackendCrashedError(
            f"{error} {len(state.lost)} of {len(cubes)} parts of the search are lost, each tried "
            f"{TUNING.process_tries} times; {state.closed} were searched."
        )
    yield Batch(no_solutions(), state.stats(), 1.0)


class _State:
    """The state of a search by cubes.

    A process excludes all cubes before its present one, and their images, for good. So it can only
    go on with later cubes.
    """

    def __init__(self, name: str, cubes: list[Part], images: Ints | None) -> None:
        self._name = name
        self._cubes = cubes
        self._images = images
        self._known: dict[int, list[list[int]]] = {}
        self._seen: set[bytes] = set()
        self._stats: dict[int, dict[str, int]] = {}
        self._done = 0.0
        self.closed = 0
        self.lost: dict[int, Death] = {}

    def cube(self, index: int, last: int) -> Cube:
        """Return cube number `index` for a process.

        `last`: number of the previous cube of this process; -1 if it had none.
        """
        before = [part.closes for part in self._cubes[max(last, 0) : index]]
        return Cube(index, self._cubes[index].path, before, self._known.get(index, []))

    def take(self, index: int, process: int, found: Found) -> Assignments:
        """Record a message from a process that searches cube number `index`.

        Return the solution in the message and its images, one in each row; no rows if there is no
        solution in the message. Raise BackendCrashedError if the solution or an image of it was
        reported before.
        """
        self._stats[process] = found.stats
        if found.options is None:
            return no_solutions()
        rows = orbit(self._images, found.options)
        if (key := rows[0].tobytes()) in self._seen:
            raise repeated(self._name)
        self._seen.add(key)
        self._known.setdefault(index, []).append(found.options)
        return rows.astype(np.int32)

    def close(self, index: int) -> None:
        """Record that a cube is searched to its end."""
        self.closed += 1
        self._done = min(1.0, self._done + self._cubes[index].weight)

    def lose(self, index: int, death: Death) -> None:
        """Record that a cube is lost; raise BackendError if the solver reported an error."""
        if not death.again:
            raise failed(self._name, death)
        self.lost[index] = death

    def stats(self) -> dict[str, int]:
        """Return the counters, added up over all processes."""
        total = {"solves": 0}
        for stats in self._stats.values():
            for key, value in stats.items():
                total[key] = total.get(key, 0) + value
        return total

    def batch(self, rows: Assignments | None = None) -> Batch:
        """Return a batch with the present counters and progress, and with solutions, if any.

        `rows`: the solutions, one in each row; None for none.
        """
        return Batch(no_solutions() if rows is None else rows, self.stats(), self._done)
