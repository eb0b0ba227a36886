"""pyxcc: dancing cells in Rust."""

# requires: pyxcc==0.1.1

import pyxcc
from instance import Instance, main


def prepare(given: Instance) -> pyxcc.Problem:
    """Name everything; the package wants strings."""
    name = [str(i) for i in range(given.items)]
    colors = given.colors or [[0] * len(option) for option in given.options]
    options = [
        pyxcc.Option(
            str(k),
            [name[i] for i in option if i < given.primary],
            [
                (name[i], f"c{c}" if c else "")
                for i, c in zip(option, paint, strict=True)
                if i >= given.primary
            ],
        )
        for k, (option, paint) in enumerate(zip(given.options, colors, strict=True))
    ]
    return pyxcc.Problem(name[: given.primary], name[given.primary :], options)


def count(problem: pyxcc.Problem) -> int:
    """Count all solutions; it has no other way than to keep them."""
    return int(pyxcc.solve(problem, True).count())


main(prepare, count, colors=True)
