"""Kills comparisons with SIGKILL at random moments, and continues them until they are done.

    cd benchmarks && python compared.py > results/compared.md

Twelve variants of backends list all solutions of 40 puzzles, in two processes with one store. Eight
times one of the two is killed and started again. When both are done, a thirteenth variant is added
on two Dask workers, and the process is killed twice more. Then every run must be in the store once,
and what it says, other than times, must be what a comparison without any kill says.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from kills import Cluster

import exactile
from exactile.files.puzzles.catalogue import ledger

VARIANTS = [
    *("dlx", "dlx:sparse", "dlx:bits", "cpsat", "cpsat+linearization_level=2"),
    *("sat", "sat:glucose4", "sat:minisat22", "sat:minicard", "clingo", "z3", "highs"),
]
LATER = "reference"
PUZZLES, KILLS, KILLS_ON_DASK = 40, 8, 2
MOST_OPTIONS, MOST_SOLUTIONS, MOST_OF_A_LATTICE = 400, 100, 8
SECONDS, SECONDS_ON_DASK = (4.0, 20.0), (2.0, 5.0)
"""From the start of a process until one is killed."""

SAME = ("end", "answer", "found", "distinct", "number", "digest", "model")


def main() -> None:
    """Compare, kill, compare again; print what was found."""
    random = Random(1)
    names = drawn(random)
    with tempfile.TemporaryDirectory() as folder:
        calm, killed = Path(folder, "calm.jsonl"), Path(folder, "killed.jsonl")
        finished(started(names, [*VARIANTS, LATER], calm))
        kills = disturbed(names, VARIANTS, killed, random, KILLS, processes=2)
        before = len(killed.read_text().splitlines())
        cluster = Cluster()
        try:
            cluster.require()
            dask = ("--set", f"on=dask:{cluster.address}", "--workers", "2")
            everything = [*VARIANTS, LATER]
            kills += disturbed(
                *(names, everything, killed, random, KILLS_ON_DASK),
                processes=1,
                seconds=SECONDS_ON_DASK,
                more=dask,
            )
        finally:
            cluster.close()
        truth, found = read(calm), read(killed)
    runs = len(names) * (len(VARIANTS) + 1)
    twice = sum(len(each) - 1 for each in found.values())
    other = [key for key in truth if found.get(key, [None])[0] != truth[key][0]]
    ends = Counter(each[0]["end"] for each in truth.values())
    print(
        f"# Comparisons that are killed\n\n{len(names)} puzzles of the catalogue, at random, "
        f"with at most {MOST_OPTIONS} options and {MOST_SOLUTIONS} solutions; {len(VARIANTS)} "
        f"variants, and `{LATER}` added later: {runs} runs, all solutions of each. "
        f"{KILLS} kills of two processes with one store, {KILLS_ON_DASK} of a process with "
        f"two Dask workers.\n\n"
        f"| | |\n|---|---:|\n"
        f"| kills | {kills} |\n"
        f"| runs in the store when `{LATER}` was added | {before} |\n"
        f"| runs in the end | {len(found)} of {runs} |\n"
        f"| runs that were done twice | {twice} |\n"
        f"| runs that differ from those without kills | {len(other)} |\n"
        + "".join(f"| runs that ended as *{end}* | {n} |\n" for end, n in ends.most_common())
        + "".join(f"\n- {' '.join(key)}" for key in other)
    )


def drawn(random: Random) -> list[str]:
    """Return small puzzles that were counted, at random, some of each lattice."""
    settled = [known for known in ledger().values() if known.numbers and known.units <= 80]
    random.shuffle(settled)
    chosen: list[str] = []
    lattices: Counter[str] = Counter()
    for known in settled:
        puzzle = exactile.load(known.id)
        if known.numbers.raw > MOST_SOLUTIONS or lattices[puzzle.lattice.name] == MOST_OF_A_LATTICE:
            continue
        if len(chosen) < PUZZLES and exactile.lower(puzzle).options <= MOST_OPTIONS:
            chosen.append(known.id)
            lattices[puzzle.lattice.name] += 1
    return chosen


def started(
    names: list[str], variants: list[str], store: Path, *more: str
) -> subprocess.Popen[bytes]:
    """Start a comparison."""
    words = ["compare", *names, "--backends", ",".join(variants), "--task", "all", "-q"]
    limits = ["--time-limit", "300", "--store", str(store)]
    command = [sys.executable, "-m", "exactile", *words, *limits, *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def disturbed(
    names: list[str],
    variants: list[str],
    store: Path,
    random: Random,
    kills: int,
    processes: int,
    seconds: tuple[float, float] = SECONDS,
    more: tuple[str, ...] = (),
) -> int:
    """Do a comparison in some processes, of which one is killed from time to time."""
    alive = [started(names, variants, store, *more) for _ in range(processes)]
    done = 0
    while done < kills and any(process.poll() is None for process in alive):
        time.sleep(random.uniform(*seconds))
        victim = random.randrange(processes)
        if alive[victim].poll() is None:
            alive[victim].send_signal(signal.SIGKILL)
            alive[victim].wait()
            done += 1
            alive[victim] = started(names, variants, store, *more)
    for process in alive:
        finished(process)
    return done


def finished(process: subprocess.Popen[bytes]) -> None:
    """Wait until a comparison is finished; raise CalledProcessError if it fails."""
    if code := process.wait():
        raise subprocess.CalledProcessError(code, process.args)


def read(store: Path) -> dict[tuple[str, str], list[dict[str, object]]]:
    """Return what the runs of a store say, by puzzle and variant."""
    found: dict[tuple[str, str], list[dict[str, object]]] = {}
    for text in store.read_text().splitlines():
        run = json.loads(text)
        if "end" in run:
            kept = {name: run[name] for name in SAME}
            found.setdefault((run["puzzle"], run["backend"]), []).append(kept)
    return found


if __name__ == "__main__":
    main()
