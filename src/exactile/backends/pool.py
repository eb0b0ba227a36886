"""Cube and conquer: solvers in processes of their own take cubes, one after the other."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from exactile.backends.base import Batch, no_solutions
from exactile.backends.child import Found, failed, repeated
from exactile.backends.cubes import Cube, Part, orbit
from exactile.errors import BackendCrashedError
from exactile.model.model import Ints
from exactile.model.orbits import Assignments
from exactile.work import TRIES, Death, Pool, Service

HOPELESS_CUBES = 3
"""Cubes given up, while none is closed, before all are given up."""


def search_cubes(
    name: str,
    service: Service[Cube, Found],
    cubes: list[Part],
    workers: int,
    images: Ints | None = None,
) -> Generator[Batch]:
    """Search cubes in a number of processes and yield what they find.

    - `name`: the solver, for messages.
    - `service`: searches one cube after the other and reports what it finds, and its counters now
      and then and at the end of each cube.
    - `cubes`: what is searched.
    - `workers`: number of processes.
    - `images`: the images of each solution are yielded with it; see `Request.images`.

    Raise BackendCrashedError if processes died of some cubes, after all others are searched,
    BackendError if a process reports that it cannot do this, or reports a solution twice.
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
            f"{TRIES} times; {state.closed} were searched."
        )
    yield Batch(no_solutions(), state.stats(), 1.0)


class _State:
    """What is known of a search by cubes.

    A process leaves out the images of all cubes before the one it is at, so it can only go on with
    a later cube.
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
        """Return the message to a process that had another cube before, -1 if none."""
        before = [part.closes for part in self._cubes[max(last, 0) : index]]
        return Cube(index, self._cubes[index].path, before, self._known.get(index, []))

    def take(self, index: int, process: int, found: Found) -> Assignments:
        """Note the counters of a process; return the solution that it has found with its images."""
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
        """Note that a cube is searched."""
        self.closed += 1
        self._done = min(1.0, self._done + self._cubes[index].weight)

    def lose(self, index: int, death: Death) -> None:
        """Note that a cube is given up; raise if the solver says that it cannot do this."""
        if not death.again:
            raise failed(self._name, death)
        self.lost[index] = death

    def stats(self) -> dict[str, int]:
        """Return the sums of all counters."""
        total = {"solves": 0}
        for stats in self._stats.values():
            for key, value in stats.items():
                total[key] = total.get(key, 0) + value
        return total

    def batch(self, rows: Assignments | None = None) -> Batch:
        """Return solutions with all counters by now."""
        return Batch(no_solutions() if rows is None else rows, self.stats(), self._done)
