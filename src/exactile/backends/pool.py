"""Cube and conquer: solvers in processes of their own take cubes from a queue.

A process that dies costs at most its cube, which a fresh one tries once more. Run as a module, this
file is such a process. After the `Task` it is sent cubes one by one; it answers each with
``("solution", options, stats)`` and ``("stats", stats)``, and with ``("closed", stats)`` at its
end; or with ``("failed", text, fatal)``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Protocol

import numpy as np

from exactile.backends.base import HEARTBEAT, Batch, no_solutions
from exactile.backends.child import Child, Task, connect
from exactile.backends.cubes import Cube, Part, orbit
from exactile.errors import BackendCrashedError, BackendError, ExactileError
from exactile.model.orbits import Assignments

TRIES = 2
"""So many processes may die of a cube before it is given up."""

HOPELESS = 3
"""With so many cubes given up and none closed, the others are not tried any more."""

Stats = Mapping[str, int]


class Listener(Protocol):
    """What a solver in a process calls."""

    def solution(self, options: list[int], stats: Stats) -> None:
        """Hand over one solution of the cube."""
        ...

    def sign_of_life(self, stats: Stats) -> None:
        """Hand over counters, now and then."""
        ...


def search_cubes(module: str, task: Task, cubes: list[Part], workers: int) -> Generator[Batch]:
    """Search cubes by ``module.start(task)`` in `workers` processes and yield what they find.

    ``start`` returns a function that searches one `Cube`, tells a `Listener` what it finds and
    returns its counters. With `Request.images`, the images of each solution are yielded with it.

    Raises
    ------
    BackendCrashedError
        If processes died of some cubes, after all others are searched.
    BackendError
        If a process says that it cannot do this.
    """
    pool = _Pool(module, task, cubes)
    try:
        while True:
            pool.employ(workers)
            if not pool.busy:
                break
            yield from pool.listen()
    finally:
        pool.close()
    if pool.lost:
        error = next(iter(pool.lost.values()))
        raise BackendCrashedError(
            f"{error} {len(pool.lost)} of {len(cubes)} parts of the search are lost, each tried "
            f"{TRIES} times; {pool.closed} were searched."
        )
    yield Batch(no_solutions(), pool.stats(), 1.0)


class _Worker:
    """A process, and the cube it is at."""

    def __init__(self, module: str, task: Task) -> None:
        self.child = Child("exactile.backends.pool", module, task)
        self.cube = -1
        self.stats: Stats = {}


class _Pool:
    """Cubes that wait, and processes at work.

    A process leaves out the images of all cubes before the one it is at, so it can only go on with
    a later cube. A cube that is tried again goes to a fresh process.
    """

    def __init__(self, module: str, task: Task, cubes: list[Part]) -> None:
        self._module = module
        self._task = task
        self._cubes = cubes
        self._images = task.request.images
        self._waiting = list(range(len(cubes)))
        self._known: dict[int, list[list[int]]] = {}
        self._tries = [0] * len(cubes)
        self._workers: list[_Worker] = []
        self._former: dict[str, int] = {"solves": 0}
        self._seen: set[bytes] = set()
        self._done = 0.0
        self.closed = 0
        self.lost: dict[int, BackendCrashedError] = {}

    @property
    def busy(self) -> bool:
        """Whether anything is still at work."""
        return bool(self._workers)

    def stats(self) -> dict[str, int]:
        """Return the sums of all counters."""
        total = dict(self._former)
        for worker in self._workers:
            _add(total, worker.stats)
        return total

    def employ(self, workers: int) -> None:
        """Start processes for the cubes that wait, and give each its first one."""
        if len(self.lost) >= HOPELESS and not self.closed:
            self._waiting.clear()
        while self._waiting and len(self._workers) < workers:
            worker = _Worker(self._module, self._task)
            self._workers.append(worker)
            self._send(worker)

    def listen(self) -> Generator[Batch]:
        """Wait for a heartbeat at most and yield what came, if only an empty batch."""
        by_connection = {w.child.connection: w for w in self._workers}
        ready = wait(list(by_connection), HEARTBEAT)
        for connection in ready:
            if isinstance(connection, Connection):
                worker = by_connection[connection]
                try:
                    kind, *content = connection.recv()
                except (EOFError, ConnectionError):
                    self._bury(worker, worker.child.crashed())
                    continue
                rows = self._take(worker, kind, content)
                if rows is not None:
                    yield Batch(rows, self.stats(), self._done)
        yield Batch(no_solutions(), self.stats(), self._done)

    def _take(self, worker: _Worker, kind: str, content: list[object]) -> Assignments | None:
        """Deal with a message; return the solutions that it brings."""
        if kind == "failed":
            text, fatal = content
            if fatal:
                raise BackendError(f"{self._task.solver}: {text}")
            self._bury(worker, worker.child.crashed(str(text)))
            return None
        worker.stats = content[-1]  # type: ignore[assignment]
        if kind == "closed":
            self.closed += 1
            self._done = min(1.0, self._done + self._cubes[worker.cube].weight)
            self._send(worker)
        elif kind == "solution":
            options: list[int] = content[0]  # type: ignore[assignment]
            return self._solutions(worker, options)
        return None

    def _solutions(self, worker: _Worker, options: list[int]) -> Assignments:
        """Return a solution with its images."""
        rows = orbit(self._images, options)
        if (key := rows[0].tobytes()) in self._seen:
            raise BackendCrashedError(
                f"{self._task.solver} returned a solution twice, against the clause that forbids "
                "it."
            )
        self._seen.add(key)
        self._known.setdefault(worker.cube, []).append(options)
        return rows.astype(np.int32)

    def _send(self, worker: _Worker) -> None:
        """Give a process the first cube that waits and that it can take; else let it go."""
        index = next((i for i in self._waiting if i > worker.cube), None)
        if index is None:
            self._dismiss(worker)
            return
        self._waiting.remove(index)
        before = [part.closes for part in self._cubes[max(worker.cube, 0) : index]]
        worker.cube = index
        cube = Cube(index, self._cubes[index].path, before, self._known.get(index, []))
        try:
            worker.child.connection.send(cube)
        except ConnectionError:
            self._bury(worker, worker.child.crashed())

    def _bury(self, worker: _Worker, error: BackendCrashedError) -> None:
        """Note that a process died; its cube waits again or is given up."""
        self._tries[worker.cube] += 1
        if self._tries[worker.cube] < TRIES:
            self._waiting = sorted([*self._waiting, worker.cube])
        else:
            self.lost[worker.cube] = error
        self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        worker.child.close()
        _add(self._former, worker.stats)
        self._workers.remove(worker)

    def close(self) -> None:
        """Kill all processes."""
        for worker in list(self._workers):
            self._dismiss(worker)


def _add(total: dict[str, int], stats: Stats) -> None:
    for key, value in stats.items():
        total[key] = total.get(key, 0) + value


class _Speaker:
    """The listener in the process: it tells the parent."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def solution(self, options: list[int], stats: Stats) -> None:
        self._connection.send(("solution", options, stats))

    def sign_of_life(self, stats: Stats) -> None:
        self._connection.send(("stats", stats))


def main(module: str, descriptor: int) -> None:
    """Be the process: read a task, then cubes; search each."""
    connection, task = connect(descriptor)
    speaker = _Speaker(connection)
    try:
        search: Callable[[Cube, Listener], Stats] = import_module(module).start(task)
        while True:
            connection.send(("closed", search(connection.recv(), speaker)))
    except (EOFError, ConnectionError):
        return  # the parent is gone: nobody listens
    except MemoryError:
        connection.send(("failed", "out of memory", False))
    except ExactileError as error:
        connection.send(("failed", str(error), True))
    except Exception as error:  # whatever it is, the parent must hear of it
        connection.send(("failed", f"{type(error).__name__}: {error}", True))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
