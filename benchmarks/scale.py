"""How well thousands of workers share a search: a simulation with measured sizes of parts.

    cd benchmarks && python scale.py measure results/scale.json
    cd benchmarks && python scale.py simulate results/scale.json scale.svg > results/scale.md

Measured are, of puzzles with more than 10^11 nodes that were not measured before: the sizes of
prefixes, estimated by dives; and how nodes deep in their trees share out what is below them, by
searching it. The simulation draws from both. It deals parts out as `exactile.runs` does, with its
own functions; a worker that is lost loses its part, and is back after a minute.
"""

from __future__ import annotations

import argparse
import json
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import exactile
from exactile.backends.base import Prefix
from exactile.backends.exploration import Exploration
from exactile.counting.estimate import Start, dive
from exactile.runs.drive import budget, dealt
from exactile.search.case import Case

PUZZLES = (
    "one-sided-polytrigs-123-elongated-hex-4x2-2",
    "one-sided-tetrasticks-8x8-clipped-corner",
    "non-convex-pentacubes-zig-zag-1",
    "non-convex-pentacubes-ring-wall-1",
)
WORKERS = (10, 100, 1_000, 10_000)
PREFIXES = 200
DIVES = 10
NODES = 12
SMALL, LARGE = 5_000, 100_000
LONG, MANY = 2e12, 1_000
"""Searches of so many nodes are simulated for so many workers or more: fewer take an hour."""

RATE = 1e6
"""Nodes that a worker visits in a second."""

LOST_AN_HOUR = 0.01
BACK = 60.0
LISTENING = 0.002
"""Seconds that the process that writes needs for each part: twice what was measured."""

LEAF = 0.01
"""Subtrees of so many seconds are not taken apart."""


Curves = dict[str, list[float | None]]
"""By puzzle: which part of their time workers search, for each of `WORKERS`."""


class Tree(NamedTuple):
    """A subtree: its weight, as the real ones have it, and its seconds, which nobody knows."""

    weight: float
    seconds: float


def main() -> None:
    """Measure or simulate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["measure", "simulate"])
    parser.add_argument("measured", type=Path)
    parser.add_argument("picture", type=Path, nargs="?")
    given = parser.parse_args()
    if given.what == "measure":
        known = json.loads(given.measured.read_text()) if given.measured.exists() else {}
        sizes = {name: known.get(name) or measured(name) for name in PUZZLES}
        given.measured.write_text(json.dumps(sizes))
        return
    known = json.loads(given.measured.read_text())
    curves = {
        name: [
            simulated(known[name], n) if n >= MANY or known[name]["nodes"] < LONG else None
            for n in WORKERS
        ]
        for name in known
    }
    print(table(known, curves))
    if given.picture is not None:
        given.picture.write_text(picture(curves))


def measured(name: str) -> dict[str, Any]:
    """Return estimated sizes of prefixes, and how nodes share theirs out, in nodes."""
    case, random = Case(exactile.load(name)), Random(0)
    cutting = Exploration(case.asked, prefixes=case.starts)
    prefixes = cutting.split(PREFIXES)
    diving = Exploration(case.asked, endgame=False)
    sizes = [(p.weight, size_of(diving, p, random, DIVES)) for p in prefixes]
    shares: list[list[int]] = []
    while len(shares) < NODES:
        below, known = prefixes, [size for _, size in sizes]
        while below and max(known) > 0:  # large subtrees are those that are cut
            [number] = random.choices(range(len(below)), known)
            prefix, size = below[number], known[number]
            if size < LARGE:
                break
            below = opened(cutting, prefix)
            known = [size_of(diving, child, random, 3) for child in below]
        children = [searched(cutting, child) for child in opened(cutting, prefix)]
        if sum(children) >= SMALL:
            shares.append(children)
    return {"nodes": sum(size for _, size in sizes), "prefixes": sizes, "shares": shares}


def size_of(diving: Exploration, prefix: Prefix, random: Random, dives: int) -> float:
    """Return the estimated number of nodes below a prefix."""
    starts = [Start(prefix.path, 1)]
    return sum(dive(diving, starts, random.randrange).nodes for _ in range(dives)) / dives


def opened(cutting: Exploration, prefix: Prefix) -> list[Prefix]:
    """Return the branches below a prefix."""
    cutting.prefixes = [prefix]
    return cutting.split(2)


def searched(cutting: Exploration, prefix: Prefix) -> int:
    """Return the number of nodes below a prefix, found by visiting them, up to a bound."""
    before = cutting.nodes
    cutting.prefixes = [prefix]
    cutting.run(nodes=2 * LARGE, keep=False)
    return cutting.nodes - before


def simulated(known: dict[str, Any], workers: int) -> float:
    """Return which part of their time so many workers search for the first time."""
    random = Random(workers)
    fresh = [Tree(weight, nodes / RATE) for weight, nodes in known["prefixes"]]
    work = sum(tree.seconds for tree in fresh)
    waiting: list[tuple[float, int, list[Tree]]] = []
    for number, tree in enumerate(fresh):
        heappush(waiting, (random.random(), number, [tree]))
    numbers = len(waiting)
    idle: list[tuple[float, int]] = [(0.0, worker) for worker in range(workers)]
    events: list[tuple[float, int, list[Tree], bool]] = []
    listening = now = 0.0
    while waiting or events:
        while waiting and idle and (not events or idle[0][0] <= events[0][0]):
            since, worker = heappop(idle)
            _, _, part = heappop(waiting)
            took, left, lost = worked(part, budget(len(waiting), workers), known["shares"], random)
            heappush(events, (max(since, now) + took, worker, left, lost))
        ended, worker, left, lost = heappop(events)
        now = listening = max(listening, ended) + LISTENING
        heappush(idle, (now + BACK * lost, worker))
        parts = [left] if lost else dealt(cast(list[Prefix], left), len(waiting), workers)
        for new in cast(list[list[Tree]], parts):
            heappush(waiting, (-sum(tree.weight for tree in new), numbers, new))
            numbers += 1
    return work / (workers * now)


def worked(
    part: list[Tree], seconds: float, shares: list[list[int]], random: Random
) -> tuple[float, list[Tree], bool]:
    """Return how long a worker is at a part, what it gives back, and whether it was lost."""
    stack, spent = list(part), 0.0
    while stack and spent < seconds:
        tree = stack.pop()
        if spent + tree.seconds <= seconds or tree.seconds <= LEAF:
            spent += tree.seconds
            continue
        sizes = random.choice(shares)
        whole = sum(sizes)
        weight = tree.weight / len(sizes)
        stack += [Tree(weight, tree.seconds * size / whole) for size in sizes if size]
    if random.random() < LOST_AN_HOUR * spent / 3600:
        return random.random() * spent, part, True
    return spent, stack, False


def table(known: dict[str, Any], curves: Curves) -> str:
    """Return a table in Markdown."""
    lines = [
        "# Many workers",
        "",
        "`benchmarks/scale.py`: the part of their time that workers search, by simulation, where",
        f"each does a million nodes a second and {LOST_AN_HOUR:.0%} of them are lost in an hour.",
        "",
        f"| puzzle | nodes, estimated | {' | '.join(f'{n:,} workers' for n in WORKERS)} |",
        f"|---|---:|{'---:|' * len(WORKERS)}",
    ]
    for name, values in curves.items():
        cells = " | ".join("-" if value is None else f"{value:.3f}" for value in values)
        lines.append(f"| {name} | {known[name]['nodes']:.1e} | {cells} |")
    return "\n".join(lines)


def picture(curves: Curves) -> str:
    """Return the curves as SVG."""
    width, height, left, top = 640, 330, 60, 20
    colors = ("#0072b2", "#d55e00", "#cc79a7", "#009e73")
    across = [left + 20 + k * 170 for k in range(len(WORKERS))]

    def down(value: float) -> float:
        return top + (1 - value) * 240

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    out.append(f'<text x="{left}" y="12">part of their time that workers search</text>')
    for value in (0.0, 0.25, 0.5, 0.75, 0.95, 1.0):
        y = down(value)
        out.append(f'<path d="M{left} {y:.1f}H620" stroke="#ddd"/>')
        shift = 10 if value == 0.95 else 4
        out.append(f'<text x="{left - 6}" y="{y + shift:.1f}" text-anchor="end">{value:g}</text>')
    for x, workers in zip(across, WORKERS, strict=True):
        out.append(f'<text x="{x}" y="{down(0) + 18}" text-anchor="middle">{workers:,}</text>')
    out.append(f'<text x="340" y="{down(0) + 36}" text-anchor="middle">workers</text>')
    for k, (name, values) in enumerate(curves.items()):
        there = [(x, v) for x, v in zip(across, values, strict=True) if v is not None]
        points = " ".join(f"{x},{down(v):.1f}" for x, v in there)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colors[k]}"/>')
        x, y = left + 20, down(0.45) + 18 * k
        out.append(f'<text x="{x}" y="{y}" fill="{colors[k]}">{name}</text>')
        out += [f'<circle cx="{x}" cy="{down(v):.1f}" r="3" fill="{colors[k]}"/>' for x, v in there]
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    main()
