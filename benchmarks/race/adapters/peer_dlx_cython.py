"""dlx-cython: dancing links in Cython on a dense matrix."""

# requires: dlx-cython==0.1.6

from dlxsolver import DLXSolver
from instance import Instance, main


def prepare(given: Instance) -> DLXSolver:
    """Hand over the matrix."""
    return DLXSolver(given.matrix())


def count(solver: DLXSolver) -> int:
    """Count all solutions; it has no other way than to keep them."""
    return len(solver.solve(find_all=True))


main(prepare, count)
