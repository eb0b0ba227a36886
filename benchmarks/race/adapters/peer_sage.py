"""SageMath's dancing links in C++, as packaged by passagemath."""

# requires: passagemath-combinat==10.8.13

from typing import Any

from instance import Instance, main
from sage.combinat.matrices.dancing_links import dlx_solver


def prepare(given: Instance) -> Any:
    """Hand over the options."""
    return dlx_solver(given.with_singletons())


def count(solver: Any) -> int:
    """Count all solutions."""
    return int(solver.number_of_solutions(ncpus=1))


main(prepare, count)
