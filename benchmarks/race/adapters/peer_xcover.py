"""xcover: dancing cells, compiled by numba."""

# requires: xcover==0.2.6

from instance import Instance, main
from xcover import covers


def warm_up() -> None:
    """Compile: the first call is slow."""
    assert len(list(covers([[0, 1], [0], [1]]))) == 2


def count(given: Instance) -> int:
    """Count all solutions."""
    primary, secondary = range(given.primary), range(given.primary, given.items)
    found = covers(given.options, primary=list(primary), secondary=list(secondary))
    return sum(1 for _ in found)


main(lambda given: given, count, warm_up=warm_up)
