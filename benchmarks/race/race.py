"""Count all solutions of the same files with Exactile and with other packages, and compare.

Each run is a process of its own on one processor core, with a time-out and a limit of memory; the
packages take turns, so that a slow minute of the machine hits all of them. Medians are reported.

    python benchmarks/race/race.py --install        # the other packages, into build/race/peers
    python benchmarks/race/race.py --quick
    python benchmarks/race/race.py --only queens-12 --solvers exactile,xcover
    python benchmarks/race/race.py --only latin-20 --merge      # into the results of a whole race
    python benchmarks/race/race.py --lines FILE      # report on what earlier runs printed
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from instances import RACES, Race
from report import write_report

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "race"
RESULTS = HERE.parent / "results"
REQUIRES = re.compile(r"^# requires: (\S+)$", re.M)

MOST_MEMORY = 8 * 2**30
"""Bytes of address space of a process."""

SLOW_ENOUGH = 20.0
"""A package that takes so many seconds is not asked again."""

CLOCK = "processor"
"""What measures the seconds in `adapters/instance.py`."""

COMPARABLE = ("clock", "system", "processor")
"""The settings without which seconds cannot be compared."""


def solvers() -> dict[str, Path]:
    """Return the adapters by name, ours first."""
    peers = sorted((HERE / "adapters").glob("peer_*.py"))
    names = {path.stem.removeprefix("peer_").replace("_", "-"): path for path in peers}
    return {"exactile": HERE / "adapters" / "exactile_dlx.py", **names}


def requirement(adapter: Path) -> str | None:
    """Return what an adapter needs, as pip wants to hear it."""
    found = REQUIRES.search(adapter.read_text("utf-8"))
    return found[1] if found else None


def install() -> None:
    """Put each package into a folder of its own: two of them have modules of the same name."""
    extra = (HERE / "requirements.txt").read_text("utf-8").split()
    wanted = {r for path in solvers().values() if (r := requirement(path))}
    for name in [*sorted(wanted), *extra]:
        folder = BUILD / "peers" / name
        if not folder.exists():
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
            if subprocess.run([*pip, name], check=False).returncode:
                print(f"{name} cannot be installed here", file=sys.stderr)


def run(adapter: Path, file: Path, timeout: float) -> dict[str, Any]:
    """Run one adapter on one file; return what it prints, or why it did not."""
    needs = requirement(adapter)
    folder = BUILD / "peers" / (needs or "")
    if needs and not folder.exists():
        return {"cannot": "not installed"}
    threads = {f"{k}_NUM_THREADS": "1" for k in ("OMP", "NUMBA", "OPENBLAS", "MKL")}
    environment = os.environ | threads | {"PYTHONPATH": str(folder) if needs else ""}
    begun = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, str(adapter), str(file)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            preexec_fn=_confine,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"timeout": timeout}
    wall = round(time.monotonic() - begun, 3)
    if done.returncode or not done.stdout.strip():
        last = (done.stderr.strip().splitlines() or ["nothing was printed"])[-1][:100]
        return {"crashed": f"exit code {done.returncode}: {last}", "wall": wall}
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer | {"wall": wall}


def _confine() -> None:
    """Keep a process to one core and to some memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def compete(
    races: list[Race], names: list[str], files: Path, repeat: int, timeout: float
) -> list[dict[str, Any]]:
    """Run everything; return one record for each instance and package."""
    adapters = solvers()
    records = []
    for race in races:
        file = race.file(files)
        runs: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for turn in range(repeat):
            for name in names:
                if turn and not _again(runs[name][-1]):
                    continue
                runs[name].append(run(adapters[name], file, timeout))
                print(json.dumps({"instance": race.name, "solver": name} | runs[name][-1]))
                sys.stdout.flush()
        records += [record(race, name, found) for name, found in runs.items()]
    return records


def records_of(lines: list[str]) -> list[dict[str, Any]]:
    """Return the records of what runs have printed, in the order of the races."""
    runs: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        found = json.loads(line)
        runs[found.pop("instance"), found.pop("solver")].append(found)
    ran = [race for race in RACES if any(name == race.name for name, _ in runs)]
    names = [name for name in solvers() if any(solver == name for _, solver in runs)]
    unknown = [{"cannot": "not run"}]
    return [
        record(race, name, runs.get((race.name, name), unknown)) for race in ran for name in names
    ]


def _again(last: dict[str, Any]) -> bool:
    return "seconds" in last and last["wall"] < SLOW_ENOUGH


def record(race: Race, name: str, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Sum up the runs of a package on an instance."""
    result: dict[str, Any] = {"instance": race.name, "solver": name, "solutions": race.solutions}
    bad = next((r for r in runs if "seconds" not in r), None)
    if bad is not None:
        return result | bad
    wrong = {r["count"] for r in runs} != {race.solutions}
    medians = {
        key: round(median(r[key] for r in runs), 6)
        for key in ("seconds", "build_seconds", "wall", "peak_kb", "grown_kb")
        if all(r[key] is not None for r in runs)
    }
    spread = [min(r["seconds"] for r in runs), max(r["seconds"] for r in runs)]
    found = {"count": runs[-1]["count"], "wrong": wrong, "runs": len(runs), "range": spread}
    return result | found | medians


def machine() -> dict[str, str]:
    """Return on what the race was run."""
    versions = {name: requirement(path) or "" for name, path in solvers().items()}
    versions["exactile"] = version("exactile")
    here = {"clock": CLOCK, "system": platform.machine(), "processor": processor()}
    return here | {"python": platform.python_version()} | versions


def processor() -> str:
    """Return the model of the processor, as far as the system tells."""
    file = Path("/proc/cpuinfo")
    text = file.read_text("utf-8") if file.exists() else ""
    found = re.search(r"^model name\s*: (.*)$", text, re.M)
    return found[1] if found else platform.processor()


def others(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return which settings of a race were others, without which seconds cannot be compared."""
    keys = [key for key in COMPARABLE if before.get(key) != now[key]]
    return ", ".join(f"{key} {before.get(key, 'unknown')}, now {now[key]}" for key in keys)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--install", action="store_true", help="install the other packages first")
    parser.add_argument("--quick", action="store_true", help="small instances only")
    parser.add_argument("--only", help="instances, with commas between them")
    parser.add_argument("--solvers", help="packages, with commas between them")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds")
    parser.add_argument("--files", type=Path, default=BUILD / "instances", help="a folder")
    parser.add_argument("--output", type=Path, help="a folder")
    parser.add_argument(
        "--merge", action="store_true", help="replace these runs in the results, and no others"
    )
    parser.add_argument(
        "--lines", type=Path, nargs="+", help="files of printed lines; runs nothing"
    )
    given = parser.parse_args()
    if given.lines:
        lines = [line for path in given.lines for line in path.read_text("utf-8").splitlines()]
        runs = records_of(lines)
        most = max(r.get("runs", 1) for r in runs)
        limits = sorted({f"{r['timeout']:g}" for r in runs if "timeout" in r}, key=float)
        settings = {"repeat": f"1 to {most}", "timeout": " or ".join(limits)}
        write_report(
            runs, settings | machine(), given.output or RESULTS, BUILD / "peers" / "matplotlib"
        )
        return
    if given.install:
        install()
    only = given.only.split(",") if given.only else [r.name for r in RACES]
    names = given.solvers.split(",") if given.solvers else list(solvers())
    unknown = set(only) - {r.name for r in RACES} | set(names) - set(solvers())
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    races = [r for r in RACES if r.name in only and (r.quick or not given.quick)]
    whole = given.merge or not (given.quick or given.only or given.solvers)
    output = given.output or (RESULTS if whole else BUILD / "results")
    settings = {"repeat": given.repeat, "timeout": given.timeout} | machine()
    before = json.loads((output / "race.json").read_text("utf-8")) if given.merge else None
    if before and (different := others(before["settings"], settings)):
        parser.error(
            f"these results cannot be compared with those in {output} ({different}): "
            "run the whole race again, or leave out --merge"
        )
    records = compete(races, names, given.files, given.repeat, given.timeout)
    if before:
        records, settings = merged(before["records"], records), before["settings"]
    write_report(records, settings, output, BUILD / "peers" / "matplotlib")


def merged(before: list[dict[str, Any]], again: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a race, with those in their place that were run again."""
    known = {(r["instance"], r["solver"]): r for r in [*before, *again]}
    return list(known.values())


if __name__ == "__main__":
    main()
