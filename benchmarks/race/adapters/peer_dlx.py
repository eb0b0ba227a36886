"""dlx: dancing links in plain Python."""

# requires: dlx==1.0.4

import sys

from dlx import DLX
from instance import Instance, main


def prepare(given: Instance) -> DLX:
    """Hand over the options."""
    items = [
        (str(i), DLX.PRIMARY if i < given.primary else DLX.SECONDARY) for i in range(given.items)
    ]
    return DLX(items, given.options)


def count(solver: DLX) -> int:
    """Count all solutions."""
    return sum(1 for _ in solver.solve())


sys.setrecursionlimit(100_000)  # it calls itself once for each option of a solution
main(prepare, count)
