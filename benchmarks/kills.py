"""Kills runs with SIGKILL at random moments, and resumes them until they are done.

    cd benchmarks && python kills.py results/kills.jsonl --runs 100
    cd benchmarks && python kills.py results/kills.jsonl --table > results/kills.md

Each run lists all solutions of a puzzle into a store. It is killed up to three times, after a
random amount of processor time: the process that writes, a process that searches, a Dask worker, or
the Dask scheduler. Whenever it is gone on with, others search it: threads, processes, Dask, one or
two of them. In the end the three counts, the solutions and the nodes are compared with those of a
search that nobody has disturbed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import exactile
from exactile.counting.shares import numbers
from exactile.errors import ExactileError
from exactile.runs.executor import RunPart, RunWork
from exactile.runs.part import Searcher
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.search.case import Case
from exactile.tuning import TUNING

PUZZLES = {
    "squares": "pentominoes-6x10",
    "cubes": "solid-pentominoes-4x4x6-steps",
    "sticks": "tetrasticks-5x5-without-h",
    "trigs": "one-sided-tritrigs-trapezoid-9x2-1",
    "a torus": "tetrahexes-torus-7x4",
    "one piece left out": "hexiamonds-choose-9-hexagon",
}
KINDS = {
    "writer, threads": "threads",
    "writer, processes": "processes",
    "writer, Dask": "dask",
    "a process that searches": "processes",
    "a Dask worker": "dask",
    "the Dask scheduler": "dask",
}
"""What is killed, and who searches then."""

MOST_KILLS = 3
MOST_SECONDS = 1.0
"""Of processor time, after which something is killed at the latest."""

PATIENCE = 300.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cluster:
    """A Dask scheduler and two workers, started again when they are dead."""

    address: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def require(self) -> None:
        """Start it, unless it is there."""
        if self.processes and all(p.poll() is None for p in self.processes):
            return
        self.close()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        scheduler = ["dask_scheduler", "--host", self.address, "--no-dashboard", "--no-show"]
        workers = ["dask_worker", self.address, "--nworkers", "2", "--nthreads", "1"]
        for words in (scheduler, [*workers, "--no-dashboard"]):
            command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:]]
            self.processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))

    @property
    def workers(self) -> list[int]:
        """The processes that search."""
        return [pid for pid in family(self.processes[1].pid)[1:] if b"spawn_main" in line(pid)]

    def close(self) -> None:
        """Kill it."""
        for process in self.processes:
            for pid in reversed(family(process.pid)):
                kill(pid)
            process.wait()
        self.processes = []


def main() -> None:
    """Run, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        print(table([json.loads(text) for text in given.results.read_text().splitlines()]))
        return
    warnings.simplefilter("ignore")
    random, cluster = Random(given.seed), Cluster()
    truths: dict[str, Any] = {}
    try:
        for number in range(given.runs):
            kind = given.kinds[number % len(given.kinds)]
            what = list(PUZZLES)[number // len(given.kinds) % len(PUZZLES)]
            truths[what] = truths.get(what) or truth(PUZZLES[what])
            result = one_run(kind, what, truths[what], random, cluster)
            with given.results.open("a") as stream:
                stream.write(json.dumps(result) + "\n")
            print(json.dumps(result), flush=True)
    finally:
        cluster.close()


def truth(name: str) -> dict[str, Any]:
    """Return the numbers of a search that nobody disturbs."""
    case = Case(exactile.load(name))
    work = RunWork.of(case, symmetric=case.branches is not None)
    result = Searcher(work).search(RunPart(1, case.starts, float("inf")))
    shares = numbers(case, result.shares)
    raw, rotation, symmetry = map(sum, zip(*shares.values(), strict=True))
    counts = {"raw": raw, "rotation": rotation, "symmetry": symmetry}
    return counts | {"found": result.found, "nodes": result.nodes}


def one_run(
    kind: str, what: str, right: dict[str, Any], random: Random, cluster: Cluster
) -> dict[str, Any]:
    """Search a puzzle to the end and return what came of it."""
    kills, begun = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/run.store"
        with Store(path, write=True) as store:
            StoredRun.begin(store, exactile.load(PUZZLES[what]), "solve")
        while not finished(path):
            killing = len(kills) < random.randint(1, MOST_KILLS)
            on = KINDS[kind] if killing else random.choice(["threads", "processes", "dask"])
            begun += 1
            if attempt(path, on, random, cluster, kind if killing else None):
                kills.append(on)
        got = found(path)
    same = {key: got[key] == right[key] for key in right}
    twice = got["rows"] - got["distinct"]
    return {"kind": kind, "what": what, "kills": len(kills), "begun": begun, **same, "twice": twice}


def attempt(path: str, on: str, random: Random, cluster: Cluster, kind: str | None) -> bool:
    """Go on with a run in a process of its own; return whether something of it was killed."""
    workers = random.randint(1, 2)
    if on == "dask":
        cluster.require()
        on = f"dask:{cluster.address}"
    writer = os.fork()
    if writer == 0:
        search(path, on, workers)
    roots = [writer, *(p.pid for p in cluster.processes if on.startswith("dask"))]
    before = sum(map(used, roots))
    enough = random.uniform(0, MOST_SECONDS)
    killed = False
    deadline = time.monotonic() + PATIENCE
    while os.waitpid(writer, os.WNOHANG)[0] == 0:
        if kind and not killed and sum(map(used, roots)) - before >= enough:
            killed = kill(victim(kind, writer, cluster, random))
        if time.monotonic() > deadline:
            kill(writer)
        time.sleep(0.005)
    return killed


def search(path: str, on: str, workers: int) -> None:
    """Go on with a run, in short parts; never return."""
    TUNING.run_seconds, TUNING.run_short_seconds, TUNING.run_first_seconds = 0.05, 0.01, 0.1
    code = 1
    try:
        with Store(path, write=True) as store:
            StoredRun(store, 1).go_on(on, workers)
        code = 0
    except ExactileError:  # such as that the scheduler is gone
        code = 3
    finally:
        os._exit(code)


def victim(kind: str, writer: int, cluster: Cluster, random: Random) -> int | None:
    """Return the process that is to be killed, None if it is not there yet."""
    if kind.startswith("writer"):
        return writer
    if kind == "the Dask scheduler":
        return cluster.processes[0].pid
    if kind == "a Dask worker":
        there = cluster.workers
    else:
        there = [pid for pid in family(writer) if b"exactile.work.child" in line(pid)]
    return random.choice(there) if there else None


def finished(path: str) -> bool:
    """Return whether nothing is left to be searched."""
    with Store(path) as store:
        return StoredRun(store, 1).finished


def found(path: str) -> dict[str, Any]:
    """Return what is in a store."""
    with Store(path) as store:
        run = StoredRun(store, 1)
        answer: Any = run.answer()
        rows = np.concatenate(list(store.solutions(1)))
        totals = run.record.totals
    ordered = np.unique(np.sort(rows, axis=1), axis=0)
    return {
        **{key: getattr(answer, key) for key in ("raw", "rotation", "symmetry")},
        "found": totals.found,
        "nodes": totals.nodes,
        "rows": len(rows),
        "distinct": len(ordered),
    }


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    pids = [pid]
    for parent in pids:  # it grows meanwhile
        for path in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):
                pids += map(int, path.read_text().split())
    return pids


def used(pid: int) -> float:
    """Return the processor time of a process and its living descendants, in seconds."""
    ticks = 0
    for member in family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def line(pid: int) -> bytes:
    """Return the command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill(pid: int | None) -> bool:
    """Kill a process; return whether it was there."""
    if pid is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def table(results: list[dict[str, Any]]) -> str:
    """Return the results by what was killed."""
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        by_kind[result["kind"]].append(result)
    lines = [
        "# Runs that were killed",
        "",
        "`benchmarks/kills.py`: each run was killed with SIGKILL at random moments and gone on "
        "with",
        "until it was done, each time by other workers. Exact: all three counts, the number of "
        "solutions",
        "found, and the number of nodes are those of an undisturbed search.",
        "",
        "| killed | runs | puzzles | kills | begun or gone on with | counts exact | nodes exact "
        "| solutions found twice |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, runs in [*by_kind.items(), ("together", results)]:
        exact = [all(r[key] for key in ("raw", "rotation", "symmetry", "found")) for r in runs]
        cells = [
            *(len(runs), len({r["what"] for r in runs}), sum(r["kills"] for r in runs)),
            *(sum(r["begun"] for r in runs), sum(exact), sum(r["nodes"] for r in runs)),
            sum(r["twice"] for r in runs),
        ]
        lines.append(f"| {kind} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
