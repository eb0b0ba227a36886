"""miniexact: dancing links in C."""

# requires: miniexact==1.6.1

from typing import Any

from instance import Instance, main
from miniexact import miniexacts_c, miniexacts_x


def prepare(given: Instance) -> Any:
    """Hand over the options."""
    solver = miniexacts_c() if given.items > given.primary else miniexacts_x()
    number = [
        solver.primary(str(i)) if i < given.primary else solver.secondary(str(i))
        for i in range(given.items)
    ]
    for option in given.options:
        solver.add([number[i] for i in option])
    return solver


def count(solver: Any) -> int:
    """Count all solutions."""
    found = 0
    while solver.solve() == 10:
        found += 1
    return found


main(prepare, count)
