"""What the adapters share: reading an instance, the clock, the memory, the line they print.

An adapter turns an instance into what its package wants (`prepare`) and counts all solutions
(`count`). Reading the file is not measured; both steps are, apart from each other.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

MOST_CELLS = 2_000_000_000
"""A dense matrix of more cells is not tried: it takes as many bytes at least."""

AGAIN = 0.05
"""Seconds within which an instance is prepared and counted again and again."""


class CannotError(Exception):
    """The package cannot take the instance."""


@dataclass
class Instance:
    """Items are numbered from 0, primary ones first; an option is a list of them.

    `colors`, if any item has one, is like `options`, with the color's number or 0 for none.
    """

    items: int
    primary: int
    options: list[list[int]]
    colors: list[list[int]] | None = None

    def with_singletons(self) -> list[list[int]]:
        """Return the options and one of its own for each secondary item.

        If all items are primary then, the number of solutions is the same: what no option covers is
        covered by its own.
        """
        return self.options + [[i] for i in range(self.primary, self.items)]

    def matrix(self) -> Any:
        """Return options and singletons as a matrix of truth values."""
        import numpy as np

        options = self.with_singletons()
        if len(options) * self.items > MOST_CELLS:
            raise CannotError(f"dense matrix of {len(options) * self.items / 1e9:.0f} GB")
        result = np.zeros((len(options), self.items), dtype=bool)
        result[
            np.repeat(np.arange(len(options)), [len(o) for o in options]),
            [i for o in options for i in o],
        ] = True
        return result


def read(path: str) -> Instance:
    """Read a file in Knuth's format, without bounds."""
    lines = [
        line
        for line in Path(path).read_text("utf-8").splitlines()
        if line and not line.startswith("|")
    ]
    head = lines[0].split()
    primary = head.index("|") if "|" in head else len(head)
    number = {name: k for k, name in enumerate(n for n in head if n != "|")}
    if any("|" in name for name in number):
        raise CannotError("bounds")
    if not any(":" in line for line in lines):
        options = [[number[name] for name in line.split()] for line in lines[1:]]
        return Instance(len(number), primary, options)
    palette: dict[str, int] = {"": 0}
    parts = [[word.partition(":")[::2] for word in line.split()] for line in lines[1:]]
    return Instance(
        len(number),
        primary,
        [[number[name] for name, _ in option] for option in parts],
        [[palette.setdefault(color, len(palette)) for _, color in option] for option in parts],
    )


def main(
    prepare: Callable[[Instance], Any],
    count: Callable[[Any], int],
    reader: Callable[[str], Any] = read,
    warm_up: Callable[[], object] | None = None,
    colors: bool = False,
) -> None:
    """Run an adapter on the file that the command line names, and print one line of JSON.

    What must be compiled or loaded first is done by `warm_up`, by default a tiny instance, and is
    not measured. `colors` says whether the package understands colored items. The clock is that of
    the processor: it stands while another process has its turn. What takes less than `AGAIN` is
    done again until that time is over, and the medians are printed: the first time is mostly spent
    on loading the program into the caches.
    """
    try:
        given = reader(sys.argv[1])
        if not colors:
            _refuse_colors(given)
        if warm_up is not None:
            warm_up()
        else:
            count(prepare(Instance(2, 2, [[0, 1], [1], [0]])))
        before = _forget_peak()
        building, counting = [], []
        while sum(building) + sum(counting) < AGAIN:
            begun = time.process_time()
            problem = prepare(given)
            built = time.process_time()
            number = count(problem)
            ended = time.process_time()
            building.append(built - begun)
            counting.append(ended - built)
    except (CannotError, MemoryError, RecursionError) as error:
        print(json.dumps({"cannot": str(error) or type(error).__name__}))
        return
    print(
        json.dumps(
            {
                "count": number,
                "build_seconds": round(median(building), 6),
                "seconds": round(median(counting), 6),
                "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
                "grown_kb": None if before is None else _status("VmHWM") - before,
            }
        )
    )


def _refuse_colors(given: Any) -> None:
    if isinstance(given, Instance) and given.colors is not None:
        raise CannotError("colors")


def _forget_peak() -> int | None:
    """Set the peak of memory to what is used now (Linux only), and return that."""
    try:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
        return _status("VmRSS")
    except OSError:
        return None


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key + ":"))
