"""What the constants of `auto` cost beside the virtual best backend, and which cost least.

    python benchmarks/auto_rules.py

`instances.py` has measured backends alone on the library of instances (results/instances.csv). From
these times the race of `auto` is simulated on one processor, which the backends that run at a time
share equally, for every combination of constants in `GRID`. The best combination is chosen by PAR2
on all families but one, and scored on that one; each family is left out once. The result is
results/auto-rules.md.

The simulation is simpler than the race: `first` with its exhaustive search stands for
`first:chance`, solvers load in no time, `linear` gives up in no time, `memo` after `BRIEF` seconds
(a twentieth without copies),
and no solver waits for a search that is about to end.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from exactile.backends import auto
from exactile.backends.members import MANY_COPIES, copies
from exactile.backends.memo import FEW_COPIES
from exactile.model.lower import lower
from exactile.puzzle.puzzle import Puzzle
from exactile.render.comparison_text import table
from exactile.surveys.instances.library import named

RESULTS = Path(__file__).parent / "results"

RACERS = ("dlx", "linear", "first", "cpsat", "sat")

FOR_COPIES = "sat:glucose42"
"""The backend in place of `sat` where pieces are copies."""

ALONE = 0.25
"""Seconds of `dlx` after which `linear` and `first` join: about `auto.RACE_ALONE_NODES`."""


BRIEF = 60.0
"""Seconds of work after which `memo` gives up: at most, as `memo.BRIEF_STEPS` take 4 to 60."""


class Rule(NamedTuple):
    """Constants of `auto`; see the docstrings there."""

    copies: float = MANY_COPIES
    head_start: float = auto.RACE_HEAD_START
    different: float = auto.RACE_DIFFERENT
    next: float = auto.RACE_NEXT
    rest: float = auto.RACE_REST
    alike: tuple[str, ...] = ("cpsat",)  # on one processor one solver joins
    others: tuple[str, ...] = ("cpsat",)


ORDERS = (("cpsat",), ("sat",), ("cpsat", "sat"), ("sat", "cpsat"))
FOR_COPIES_ORDERS = [tuple(FOR_COPIES if n == "sat" else n for n in order) for order in ORDERS]

GRID = [
    Rule(*values)
    for values in product(
        (4.0, 8.0, 16.0, inf),
        (0.25, 0.5, 2.0),
        (4.0, 10.0, 40.0),
        (1.0, 4.0),
        (0.0, 1.5),
        FOR_COPIES_ORDERS,
        ORDERS,
    )
]


class Instance(NamedTuple):
    """An instance: its family, the mean number of uses of a piece, and the seconds of backends."""

    name: str
    family: str
    copies: float
    seconds: dict[str, float]  # infinity if stopped by the limit


def simulated(rule: Rule, number: float, seconds: Mapping[str, float], limit: float) -> float:
    """Return the seconds of `auto`, given those of its members; twice the limit if too many."""
    alike = number > rule.copies
    joins = {"dlx": 0.0, "first": min(ALONE, rule.head_start)}
    joins["memo"] = joins["first"]
    brief = BRIEF if alike else BRIEF / FEW_COPIES
    if seconds["linear"] < inf:
        joins["linear"] = joins["first"]
    when = first = rule.head_start * (1 if alike else rule.different)
    for name in rule.alike if alike else rule.others:
        joins[name] = when
        when *= rule.next
    pause = (first, first + rule.rest) if alike else (inf, inf)
    left = {name: seconds.get(name, inf) for name in joins}
    ends_early = {name for name in joins if name == "memo" and left[name] > brief}
    left |= dict.fromkeys(ends_early, brief)
    now = 0.0
    while now < limit:
        resting = pause[0] <= now < pause[1]
        running = [n for n, t in joins.items() if t <= now and not (resting and n == "dlx")]
        change = min((t for t in (*joins.values(), *pause, limit) if t > now), default=limit)
        soonest = min(running, key=left.__getitem__)
        done = now + left[soonest] * len(running)
        if done <= change and soonest not in ends_early:
            return done
        change = min(change, done)
        for name in running:
            left[name] -= (change - now) / len(running)
        if change == done:
            del joins[soonest]
        now = change
    return 2 * limit


def measured() -> tuple[list[Instance], float]:
    """Return the instances on which all members and `auto` were run, and the limit."""
    seconds: dict[str, dict[str, float]] = defaultdict(dict)
    with (RESULTS / "instances.csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    (limit,) = {float(row["time_limit"]) for row in rows}
    for row in rows:
        answered = row["answer"] in ("solvable", "unsolvable")
        seconds[row["puzzle"]][row["backend"]] = float(row["seconds"]) if answered else inf
    found = []
    for each in named([]):
        if {*RACERS, "auto"} <= seconds[each.name].keys():
            problem = each.made.problem
            model = lower(problem) if isinstance(problem, Puzzle) else problem.model
            number = copies(model)
            if number <= MANY_COPIES or FOR_COPIES in seconds[each.name]:
                found.append(Instance(each.name, each.family.name, number, seconds[each.name]))
    return found, limit


def main() -> None:
    """Choose constants, and write the table."""
    instances, limit = measured()
    families = sorted({each.family for each in instances})

    def score(seconds: float) -> float:
        return seconds if seconds <= limit else 2 * limit

    @cache
    def par2(rule: Rule, family: str) -> tuple[float, ...]:
        return tuple(
            simulated(rule, each.copies, each.seconds, limit)
            for each in instances
            if each.family == family
        )

    def best(left_out: str | None) -> Rule:
        def total(rule: Rule) -> float:
            return sum(sum(par2(rule, family)) for family in families if family != left_out)

        return min([Rule(), *GRID], key=total)  # with ties, the present constants

    def simulation(rule: Rule) -> float:
        return fmean(t for family in families for t in par2(rule, family))

    plain, every = (
        fmean(
            score(min(t for name, t in each.seconds.items() if name in names or not names))
            for each in instances
        )
        for names in ((*RACERS, FOR_COPIES, "memo"), ())
    )
    of_auto = fmean(score(each.seconds["auto"]) for each in instances)
    held_out = fmean(t for family in families for t in par2(best(family), family))
    chosen = best(None)
    rows = [
        [what, f"{value:.2f}", f"{value / plain:.2f}", f"{value / every:.2f}"]
        for what, value in (
            ("virtual best of the backends below", plain),
            ("the same with extras, where these were run", every),
            ("`auto`, measured", of_auto),
            ("`auto`, simulated", simulation(Rule())),
            ("simulated, constants chosen without the family", held_out),
            ("simulated, constants chosen with all families", simulation(chosen)),
            *(
                (f"`{name}`", fmean(score(each.seconds[name]) for each in instances))
                for name in RACERS
            ),
        )
    ]
    lines = [
        "# The constants of `auto`, from the table of instances",
        "",
        f"Made by `benchmarks/auto_rules.py` from `instances.csv`: {len(instances)} instances of "
        f"{len(families)} families, one processor, limit {limit:g} s. PAR2 in seconds, its ratio "
        "to the virtual best, and to that with extras.",
        "",
        table(["", "PAR2", "ratio", "with extras"], rows, None),
        "",
        "| constant | now | best on all families |",
        "| --- | --- | --- |",
        *(
            f"| {name} | {_text(now)} | {_text(then)} |"
            for name, now, then in zip(Rule._fields, Rule(), chosen, strict=True)
        ),
    ]
    (RESULTS / "auto-rules.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def _text(value: float | tuple[str, ...]) -> str:
    return ", ".join(value) if isinstance(value, tuple) else f"{value:g}"


if __name__ == "__main__":
    main()
