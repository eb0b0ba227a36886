"""xcover, building a decision diagram of all solutions and remembering subproblems."""

# requires: xcover==0.2.6

from collections.abc import Iterable

from instance import Instance, main
from xcover import covers_zdd


def warm_up() -> None:
    """Compile: the first call is slow."""
    assert total(covers_zdd([[0, 1], [0], [1]], use_memo_cache=True)) == 2


def total(diagram: Iterable[tuple[int, int, int, int]]) -> int:
    """Count the sets in a diagram; each node comes after its children, the root last."""
    number = {0: 0, 1: 1}
    root = 0
    for root, _, low, high in diagram:
        number[int(root)] = number[int(low)] + number[int(high)]
    return number[int(root)]


def count(given: Instance) -> int:
    """Count all solutions."""
    primary, secondary = range(given.primary), range(given.primary, given.items)
    return total(
        covers_zdd(
            given.options, primary=list(primary), secondary=list(secondary), use_memo_cache=True
        )
    )


main(lambda given: given, count, warm_up=warm_up)
