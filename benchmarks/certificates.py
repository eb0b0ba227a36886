"""Certificates of many puzzles: made, verified, damaged, refused; a table of what they cost.

    certificates.py [--only ID,ID] [--time-limit SECONDS] [--keep FOLDER]

Every certificate is verified in a process of its own, then damaged in several ways, each of which
must be refused. Lines of JSON go to ``results/certificates.jsonl`` as they come, a line a puzzle; a
puzzle that has a line there is not done again. The table is written from the lines.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import exactile
from exactile.certificate.reading import read_manifest
from exactile.files import entries

RESULTS = Path(__file__).parent / "results"
LINES = RESULTS / "certificates.jsonl"
TABLE = RESULTS / "certificates.md"

COUNTS = (
    "pentominoes-8x8-center-hole",
    "pentominoes-3x20",
    "pentominoes-6x10",
    "soma-cube",
    "tetrasticks-5x5-without-h",
    "tritrigs-heart-2",
    "hexiamonds-4x9",
    "hexiamonds-6x6",
    "hexiamonds-notched-hexagon-1",
    "hexiamonds-ring-2",
    "hexiamonds-spinner-6",
    "hexiamonds-trefoil-3",
)
"""Puzzles with solutions, whose number is to be certified."""


def unsolvable() -> list[str]:
    """Return the puzzles of the catalogue that are published to have no solution."""
    names = [entry.id for entry in entries()]
    return [n for n in names if any(not k.count and not k.refuted for k in exactile.load(n).known)]


def measure(name: str, folder: Path, limit: float) -> dict[str, Any]:
    """Make, verify and damage the certificate of a puzzle."""
    directory = folder / name
    verb = "count" if name in COUNTS else "prove"
    begun = time.perf_counter()
    made = exactile_says(verb, name, "--certificate", str(directory), "--time-limit", str(limit))
    line: dict[str, Any] = {
        "puzzle": name,
        "family": exactile.load(name).lattice.plural,
        "make_seconds": round(time.perf_counter() - begun, 2),
    }
    if not directory.exists():
        return line | {"certified": False, "why": made["status"] or made["error"]}
    begun = time.perf_counter()
    verified = exactile_says("verify-certificate", str(directory))
    line["verify_seconds"] = round(time.perf_counter() - begun, 2)
    manifest = read_manifest(directory)
    return line | {
        "certified": verified.get("verified", False),
        "raw": verified.get("raw"),
        "symmetry": verified.get("symmetry"),
        "argument": verified.get("argument"),
        "by": manifest.proof.by if manifest.proof else "coloring",
        "stats": made["stats"],
        "megabytes": {
            f.name: round(f.stat().st_size / 1e6, 3) for f in sorted(directory.iterdir())
        },
        "refused": dict(refusals(directory, folder)),
    }


def exactile_says(*words: str) -> dict[str, Any]:
    """Run a command in a process of its own and return the document it prints."""
    run = subprocess.run(
        [sys.executable, "-m", "exactile", *words, "--json"], capture_output=True, text=True
    )
    if not run.stdout:
        return {"status": None, "error": run.stderr.strip(), "stats": {}}
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def refusals(directory: Path, folder: Path) -> Iterator[tuple[str, bool]]:
    """Damage a copy in each way and yield whether it was refused."""
    for what, damage in DAMAGES.items():
        copy = folder / "damaged"
        shutil.copytree(directory, copy)
        if damage(copy):
            yield what, bool(exactile_says("verify-certificate", str(copy)).get("error"))
        shutil.rmtree(copy)


def proof_cut_short(copy: Path) -> bool:
    """Leave out the end of the proof."""
    proof = copy / "proof.drup"
    if not proof.exists():
        return False
    text = proof.read_bytes()
    proof.write_bytes(text[: len(text) // 2])
    return True


def proof_of_one_step(copy: Path) -> bool:
    """Claim at once that there is nothing to show, unless that is so."""
    proof = copy / "proof.drup"
    if not proof.exists() or len(proof.read_bytes()) < 3:
        return False
    proof.write_text("0\n")
    return True


def clause_left_out(copy: Path) -> bool:
    """Leave out a clause of the formula."""
    formula = copy / "formula.cnf"
    if not formula.exists():
        return False
    lines = formula.read_text().splitlines(keepends=True)
    del lines[random.Random(0).randrange(1, len(lines))]
    formula.write_text("".join(lines))
    return True


def solution_claimed(copy: Path) -> bool:
    """Claim a solution more."""
    path = copy / "certificate.json"
    manifest = json.loads(path.read_text())
    manifest["raw"] += 1
    path.write_text(json.dumps(manifest))
    return True


def weights_forgotten(copy: Path) -> bool:
    """Leave out half of the weights of a coloring, of units and of pieces."""
    path = copy / "certificate.json"
    manifest = json.loads(path.read_text())
    if "coloring" not in manifest:
        return False
    coloring = manifest["coloring"]
    coloring["units"] = coloring["units"][: len(coloring["units"]) // 2]
    coloring["pieces"] = {}
    path.write_text(json.dumps(manifest))
    return True


DAMAGES: dict[str, Callable[[Path], bool]] = {
    f.__name__.replace("_", " "): f
    for f in (
        proof_cut_short,
        proof_of_one_step,
        clause_left_out,
        solution_claimed,
        weights_forgotten,
    )
}


def table(lines: list[dict[str, Any]]) -> str:
    """Return the table of all lines."""
    rows = [
        "| puzzle | family | solutions | argument | nodes | proof, MB | made, s | verified, s |"
        " damaged, refused |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        if not line["certified"]:
            rows.append(
                f"| {line['puzzle']} | {line['family']} | | none: {line['why']} | | |"
                f" {line['make_seconds']:.0f} | | |"
            )
            continue
        refused = line["refused"].values()
        rows.append(
            f"| {line['puzzle']} | {line['family']} | {line['raw']:,} / {line['symmetry']:,} |"
            f" {line['argument']} | {line['stats'].get('nodes') or 0:,} |"
            f" {line['megabytes'].get('proof.drup', 0):.1f} | {line['make_seconds']:.1f} |"
            f" {line['verify_seconds']:.1f} | {sum(refused)} of {len(refused)} |"
        )
    return "\n".join(rows) + "\n"


def main() -> None:
    """Do what has no line yet."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", help="puzzles, with commas between")
    parser.add_argument("--time-limit", type=float, default=300.0)
    parser.add_argument("--keep", type=Path, help="keep the certificates in this folder")
    given = parser.parse_args()
    names = given.only.split(",") if given.only else [*COUNTS, *unsolvable()]
    done = [json.loads(s) for s in LINES.read_text().splitlines()] if LINES.exists() else []
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        for name in names:
            if name in {line["puzzle"] for line in done}:
                continue
            done.append(measure(name, folder, given.time_limit))
            with LINES.open("a") as stream:
                stream.write(json.dumps(done[-1]) + "\n")
            print(json.dumps(done[-1]), flush=True)
    order = {name: k for k, name in enumerate([*COUNTS, *unsolvable()])}
    done.sort(key=lambda line: order.get(line["puzzle"], len(order)))
    TABLE.write_text(
        "# Certificates\n\nSee [certificates](../../docs/certificates.md). Solutions: all / up to "
        "symmetry. Times are of one run, on\na shared machine, and include the start of Python; "
        "the making includes a verification.\n\n" + table(done)
    )


if __name__ == "__main__":
    main()
