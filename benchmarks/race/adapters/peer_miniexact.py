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
    if given.colors is None:
        for option in given.options:
            solver.add([number[i] for i in option])
        return solver
    palette = [0] + [solver.color(f"c{k}") for k in range(1, 1 + max(map(max, given.colors)))]
    for option, colors in zip(given.options, given.colors, strict=True):
        for item, color in zip(option, colors, strict=True):
            solver.add(*([number[item], palette[color]] if color else [number[item]]))
        solver.add(0)
    return solver


def count(solver: Any) -> int:
    """Count all solutions."""
    found = 0
    while solver.solve() == 10:
        found += 1
    return found


main(prepare, count, colors=True)
