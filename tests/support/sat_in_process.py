"""What the SAT backend does in its processes, done in this one: fast enough for many models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exactile.backends import Request
from exactile.backends.child import Found
from exactile.backends.cubes import Cube, make_cubes, orbit
from exactile.backends.sat import CubeSearch
from exactile.model import Model
from exactile.model.model import Ints


class Collector:
    """Collects solutions with their images; none may come twice."""

    def __init__(self, images: Ints | None) -> None:
        self.images = images
        self.found: list[frozenset[int]] = []
        self.reported = 0
        self.signs = 0

    def __call__(self, news: Found) -> None:
        if news.options is None:
            self.signs += 1
        else:
            self.reported += 1
            self.found += [frozenset(row) for row in orbit(self.images, news.options).tolist()]


def sat_solutions(
    model: Model,
    solver: str = "cadical195",
    request: Request | None = None,
    parts: int = 8,
    processes: int = 1,
) -> set[frozenset[int]]:
    """Return all solutions; cubes are dealt to so many solvers in turn."""
    request = request or Request()
    cubes = make_cubes(model, request, parts)
    collector = Collector(request.images)
    for process in range(processes):
        search = CubeSearch(model, request, solver).start()
        last = 0
        for index in range(process, len(cubes), processes):
            before = [part.closes for part in cubes[last:index]]
            search(Cube(index, cubes[index].path, before), collector)
            last = index
    assert len(collector.found) == len(set(collector.found))
    return set(collector.found)


def with_identity(model: Model, *images: list[int]) -> Request:
    """Return a request for all solutions with symmetries; the identity is added."""
    rows = [list(range(model.options)), *images]
    return replace(Request(), images=np.array(rows, dtype=np.int32))
