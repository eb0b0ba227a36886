"""dxz: dancing links with a decision diagram, on a dense matrix."""

# requires: dxz==0.0.6

import dxz
from instance import CannotError, Instance, main


def prepare(given: Instance) -> tuple[int, int, list[int]]:
    """Return the matrix as one list."""
    matrix = given.matrix()
    if matrix.size > 200_000_000:
        raise CannotError("dense matrix as a list of more than 200,000,000 numbers")
    return (*matrix.shape, matrix.ravel().astype(int).tolist())


def count(problem: tuple[int, int, list[int]]) -> int:
    """Count all solutions."""
    return int(dxz.dxz_count(*problem))


main(prepare, count)
