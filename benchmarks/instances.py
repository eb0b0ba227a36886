"""Every instance of the library by every backend, each run a process of its own.

    python benchmarks/instances.py --time-limit 60                    # everything: many hours
    python benchmarks/instances.py --time-limit 60 --budget 1800 --only 'planted*' bricks
    python benchmarks/instances.py --time-limit 2 --store build/two.jsonl --name two

Finished runs are kept in build/instances.jsonl, the store of `exactile compare`, so that a second
call continues, and several may run at a time. A new store begins with the runs of
results/instances.csv; if an instance changes, remove its rows first. Instances come in an order
drawn by lot; each is tried by all backends before the next one. `--budget` ends it after a number
of seconds; 0 starts no run. Then all finished runs with the same task and time limit are written to
results/instances.csv, with a row for each, and those of the instances that all given backends have
tried to a table, results/instances.md. Answers are compared with each other and with what the
library knows. `--name other` uses other.csv and other.md instead: take one for another time limit.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from exactile.answers import ComparedRun, ComparisonAnswer, InstanceEntry
from exactile.backends import backend_names
from exactile.puzzle.puzzle import Puzzle
from exactile.render.comparison_text import Scores, families, ranks, table, times
from exactile.surveys.compare.comparison import Comparison, RunStore
from exactile.surveys.compare.trial import Instance, Trial
from exactile.surveys.instances.library import entries, named

HERE = Path(__file__).parent
STORE = HERE.parent / "build" / "instances.jsonl"
COLUMNS = (
    *("puzzle", "family", "backend", "version", "task", "time_limit", "threads", "end", "answer"),
    *("settled_by", "seconds", "build_seconds", "cpu_seconds", "megabytes"),
)


def instances(words: list[str]) -> Iterator[Instance]:
    """Yield instances in an order drawn by lot."""
    for each in sorted(named(words), key=lambda each: sha256(each.name.encode()).digest()):
        problem = each.made.problem
        given = problem if isinstance(problem, Puzzle) else problem.model
        yield Instance(each.name, given, each.family.name)


def wrong(run: ComparedRun, known: InstanceEntry) -> bool:
    """Return whether a run contradicts what the library knows."""
    refuted, found = run.answer == "unsolvable", run.answer in ("solvable", "complete")
    if run.number is not None and known.number is not None and run.number != known.number:
        return True
    return (refuted and known.answer in ("counted", "satisfiable")) or (
        found and known.answer == "unsatisfiable"
    )


def restore(path: Path, table: Path) -> None:
    """Begin a store with the runs of a table, which must be of the instances as they are now."""
    known = {each.name: each for each in instances([])}
    with RunStore(path) as store, table.open() as stream:
        for row in csv.DictReader(stream):
            fields = {name: text for name, text in row.items() if text}
            found = int(fields.get("answer") == "solvable")  # by the task `prove`
            fields |= {"key": "", "found": found, "distinct": found}
            if fields.get("answer") == "unsolvable":
                fields["number"] = 0
            run = msgspec.convert(fields, ComparedRun, strict=False)
            trial = Trial(known[run.puzzle], run.backend, run.task, run.time_limit)
            store.add(msgspec.structs.replace(run, key=trial.key))


def write_rows(runs: Iterable[ComparedRun], table: Path) -> None:
    """Write runs as a table, with a row for each."""
    with table.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([getattr(run, name) for name in COLUMNS] for run in runs)


def report(answer: ComparisonAnswer, load: tuple[float, float], words: str, name: str) -> None:
    """Write the table of a comparison."""
    scores = Scores(answer)
    known = entries()
    faults = list(answer.disagreements) + [
        f"{run.puzzle}: {run.backend} says {run.answer}, the library {known[run.puzzle].answer}"
        for run in answer.runs
        if wrong(run, known[run.puzzle])
    ]
    unsettled = [
        puzzle
        for puzzle in answer.puzzles
        if all(scores.cells[puzzle, backend].seconds is None for backend in answer.backends)
    ]
    lines = [
        "# The library of instances, by backends",
        "",
        f"Made by `benchmarks/instances.py {words}`. {len(answer.puzzles)} of {len(known)} "
        f"instances; task {answer.task}; limit {answer.time_limit:g} s of the clock; "
        f"{answer.threads} thread; {os.cpu_count()} processors, with a load of {load[0]:.0f} at "
        f"the beginning and {load[1]:.0f} at the end: times are good for orders of magnitude. "
        "`cpu_seconds` in the file has the processor time of whole processes.",
        "",
        f"{len(faults)} disagreements, with each other or with what the library knows"
        + (f": {'; '.join(faults)}." if faults else "."),
        f"{len(unsettled)} instances that no backend settled in the limit.",
        "",
        *(
            text
            for head, *rows in (ranks(scores), families(scores), times(scores))
            for text in (table(head, rows, None), "")
        ),
    ]
    (HERE / "results" / f"{name}.md").write_text("\n".join(lines).rstrip() + "\n")
    print(f"{len(answer.runs)} runs, {len(faults)} disagreements, {len(unsettled)} unsettled")


def main() -> None:
    """Run what the command line says, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--budget", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--task", default="prove")
    parser.add_argument("--workers", type=int, default=1)
    every = [name for name in backend_names() if name != "external"]
    parser.add_argument("--backends", default=",".join(every))
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--name", default="instances")
    given = parser.parse_args()
    given.store.parent.mkdir(exist_ok=True)
    options = {"task": given.task, "time_limit": given.time_limit, "store": given.store}
    backends = given.backends.split(",")
    begun, load = time.monotonic(), os.getloadavg()[0]
    chosen = list(instances(given.only))
    csv_table = HERE / "results" / f"{given.name}.csv"
    if not given.store.exists() and csv_table.exists():
        restore(given.store, csv_table)
    for instance in chosen:
        if time.monotonic() - begun >= given.budget:
            break
        each = Comparison([instance], backends, workers=given.workers, **options)
        for run in each.run():
            print(run.puzzle, run.backend, run.end, run.answer, run.seconds, flush=True)
    with RunStore(given.store) as store:
        same = (given.task, given.time_limit)
        runs = [run for run in store.news() if (run.task, run.time_limit) == same]
    write_rows(sorted(runs, key=lambda run: (run.family, run.puzzle, run.backend)), csv_table)
    tried: defaultdict[str, set[str]] = defaultdict(set)
    for run in runs:
        tried[run.puzzle].add(run.backend)
    done = [instance for instance in chosen if tried[instance.name] >= {*backends}]
    comparison = Comparison(done, backends, **options)
    for _ in comparison.run():
        pass
    words = f"--time-limit {given.time_limit:g} --backends {given.backends}"
    report(comparison.answer, (load, os.getloadavg()[0]), words, given.name)


if __name__ == "__main__":
    main()
