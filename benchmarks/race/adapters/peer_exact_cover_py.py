"""exact-cover-py: dancing links, compiled by numba, on a dense matrix."""

# requires: exact-cover-py==0.1.2

from typing import Any

import numpy as np
from exact_cover_py import exact_covers
from instance import CannotError, Instance, main


def warm_up() -> None:
    """Compile: the first call is slow."""
    assert sum(1 for _ in exact_covers(np.array([[1, 1], [1, 0], [0, 1]], dtype=bool))) == 2


def prepare(given: Instance) -> Any:
    """Return the matrix, if its links can be numbered with 16 bits."""
    matrix = given.matrix()
    if int(matrix.sum()) + sum(matrix.shape) + 2 >= 2**15:
        raise CannotError("more than 32,767 links")
    return matrix


def count(matrix: Any) -> int:
    """Count all solutions."""
    return sum(1 for _ in exact_covers(matrix))


main(prepare, count, warm_up=warm_up)
