"""xcover, building a decision diagram of all solutions and remembering subproblems."""

# requires: xcover==0.2.6

from collections.abc import Iterable
from typing import Any

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


def prepare(given: Instance) -> Any:
    """Return the call's arguments; where there are colors, it wants strings."""
    primary, secondary = range(given.primary), range(given.primary, given.items)
    if given.colors is None:
        return given.options, list(primary), list(secondary), False
    options = [
        [f"{i}:{c}" if c else str(i) for i, c in zip(option, paint, strict=True)]
        for option, paint in zip(given.options, given.colors, strict=True)
    ]
    return options, [str(i) for i in primary], [str(i) for i in secondary], True


def count(given: Any) -> int:
    """Count all solutions."""
    options, primary, secondary, colored = given
    return total(
        covers_zdd(
            options, primary=primary, secondary=secondary, colored=colored, use_memo_cache=True
        )
    )


main(prepare, count, warm_up=warm_up, colors=True)
