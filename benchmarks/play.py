"""Asks the page whether partial boards can be finished, and another backend whether that is right.

    cd benchmarks && python play.py results/play.jsonl
    cd benchmarks && python play.py results/play.jsonl --table > results/play.md

A board is a solution of which a random part is left, and often one or two placements beside it that
fit but need not lead anywhere. The page's server is asked as a browser asks it, and timed until its
word comes; then a search by another backend, in this process, says whether the word is right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

import exactile
from exactile.puzzle import Placement, Puzzle
from exactile.render.board import in_numbers
from exactile.search.case import Case

PUZZLES = {
    "squares": "pentominoes-6x10",
    "sticks": "tetrasticks-5x5",
    "hexagons": "tetrahexes-torus-7x4",
    "triangles": "hexiamonds-4x10-long-hexagon",
    "cubes": "solid-pentominoes-3x4x5",
}
BOARDS = 40
"""Of each puzzle."""

OTHER = "sat"
"""The backend that is asked whether it is true; the page asks `dlx`."""

TOKEN = "benchmark"


def main() -> None:
    """Run, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        print(table([json.loads(text) for text in given.results.read_text().splitlines()]))
        return
    words = [sys.executable, "-m", "exactile", "serve", "--no-browser", "--port", "0"]
    with (
        subprocess.Popen([*words, "--token", TOKEN], stdout=subprocess.PIPE, text=True) as server,
        given.results.open("w", buffering=1) as stream,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().partition("?")[0]
        try:
            for what, name in PUZZLES.items():
                for result in results(address, what, name, Random(given.seed)):
                    stream.write(json.dumps(result) + "\n")
                    print(json.dumps(result), flush=True)
        finally:
            server.terminate()


def results(address: str, what: str, name: str, random: Random) -> Any:
    """Yield what came of the boards of a puzzle."""
    case = Case(exactile.load(name))
    asked(address, {"puzzle": name, "placed": ()})  # from here on its process is there
    for _ in range(BOARDS):
        placed = board(case, random)
        word, seconds = asked(
            address, {"puzzle": name, "placed": in_numbers(case.puzzle, tuple(placed))}
        )
        puzzle = replace(case.puzzle, fixed=(*case.puzzle.fixed, *placed))
        with exactile.Search(puzzle, backend=OTHER, limit=1) as search:
            right = next(search, None) is not None
        yield {
            "what": what,
            "puzzle": name,
            "placed": len(placed),
            "word": word,
            "right": right,
            "seconds": round(seconds, 4),
        }


def board(case: Case, random: Random) -> list[Placement]:
    """Return a random partial board."""
    puzzle = case.puzzle
    with exactile.Search(puzzle, backend="first", limit=1, seed=random.randrange(10**6)) as search:
        solution = list(next(search))
    placed = random.sample(solution, random.randrange(len(solution)))
    for _ in range(random.choice([0, 1, 2])):
        fitting = fits(case, puzzle, placed)
        if fitting:
            placed.append(random.choice(fitting))
    return placed


def fits(case: Case, puzzle: Puzzle, placed: list[Placement]) -> list[Placement]:
    """Return the placements that overlap no other, of pieces that are left."""
    covered = {unit for p in placed for unit in p.units}
    used = [p.piece for p in placed]
    left = {p.name for p in puzzle.pieces if used.count(p.name) < p.upper}
    options = map(case.decoder.placement, range(case.asked.options))
    return [p for p in options if p and p.piece in left and covered.isdisjoint(p.units)]


def asked(address: str, asking: dict[str, Any]) -> tuple[bool | None, float]:
    """Return whether the page says that it can be finished, and after how many seconds."""
    request = Request(f"{address}api/finish", json.dumps(asking).encode())
    request.add_header("Authorization", f"Bearer {TOKEN}")
    begun = time.perf_counter()
    with urlopen(request) as answer:
        kind, data = answer.readline().strip(), answer.readline()
        seconds = time.perf_counter() - begun
        answer.read()
    content = json.loads(data.removeprefix(b"data: "))
    assert kind == b"event: finish", content
    return content["possible"], seconds


def table(results: list[dict[str, Any]]) -> str:
    """Return the results as a page of its own."""
    lines = [
        "# The word that a board can be finished",
        "",
        "`benchmarks/play.py`: random partial boards, the page's word, the truth by a SAT solver,",
        "and how many seconds the whole answer took on a machine that had much else to do.",
        "",
        "| | puzzle | boards | can be finished | rightly told | not known | median s | longest s |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    groups = {what: [r for r in results if r["what"] == what] for what in PUZZLES}
    for what, some in [*groups.items(), ("together", results)]:
        seconds = [r["seconds"] for r in some]
        lines.append(
            f"| {what} | {some[0]['puzzle'] if what in PUZZLES else ''} | {len(some)} | "
            f"{sum(r['right'] for r in some)} | {sum(r['word'] is r['right'] for r in some)} | "
            f"{sum(r['word'] is None for r in some)} | {median(seconds):.3f} | {max(seconds):.3f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
