"""xcover: dancing cells, compiled by numba."""

# requires: xcover==0.2.6

from typing import Any

from instance import Instance, main
from xcover import covers


def warm_up() -> None:
    """Compile: the first call is slow."""
    assert len(list(covers([[0, 1], [0], [1]]))) == 2


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
    found = covers(options, primary=primary, secondary=secondary, colored=colored)
    return sum(1 for _ in found)


main(prepare, count, warm_up=warm_up, colors=True)
