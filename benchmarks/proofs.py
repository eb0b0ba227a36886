"""Proofs of each kind of refutations: sizes, times to check, and the verdicts of other checkers.

    proofs.py [--most N] [--limit SECONDS] [--foreign FOLDER] [--write]

The puzzles of ``results/certificates.jsonl``, those with the smallest proofs first, are refuted by
the native search, as DRUP and as LRAT, or by a coloring, as cutting planes. Solutions are excluded
by clauses. Our checkers and dratify check the proofs. `FOLDER` may hold drat-trim and lrat-check,
which check the same files, and veripb for the proofs by cutting planes. Then one byte of each proof
is changed at random, and all check it again. What is changed may still be a proof: a lemma that
follows as well, or that nothing needs. So where a checker accepts it, the others are asked whether
they do, or would without the lines that changed. `--write` puts the table into
``results/proofs.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from certificates import LINES

import exactile
from exactile.certificate.checker import check_cutting_planes, check_proof
from exactile.errors import ExactileError
from exactile.reasons.certify import certify
from exactile.reasons.verdict import prove
from exactile.surveys.tiling.census import Census
from exactile.surveys.tiling.survey import survey
from exactile.surveys.tiling.verbs import tile

RESULTS = Path(__file__).parent / "results" / "proofs.md"
DRATIFY = (
    "import sys, cdclkit, dratify, pathlib, resource\n"
    "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
    "resource.setrlimit(resource.RLIMIT_CPU, (600, 600))\n"
    "formula = dratify.parse_dimacs_file(sys.argv[1])\n"
    "text = pathlib.Path(sys.argv[2]).read_text()\n"
    "sys.exit(not dratify.check_proof(formula, text, check_rat=False).ok)\n"
)


OCTOMINOES = Census("square", 8, "free")

NON_TILERS = {
    f"octomino {entry.rank}": entry.units
    for entry in survey(OCTOMINOES, entries=True).entries
    if entry.verdict == "does not tile" and entry.method != "hole"
}


OPENING = """\
# Proofs

By `benchmarks/proofs.py`; see [certificates](../../docs/certificates.md). Refutations of puzzles of
the catalogue and of discs around octominoes that do not tile, those with the smallest proofs first.
Times are of the processor, of one run; those of dratify include the start of Python.

One byte of each proof was changed at random. What is changed may still be a proof: a lemma that
follows as well, one that nothing needs, or the last line, which drat-trim does not ask for. It
counts as such if another checker accepts it too, or does so without the lines that changed. The
last column counts what that checker alone accepts.

"""


class Checked(NamedTuple):
    """A proof that was checked, and again after a byte was changed."""

    kind: str
    checker: str
    bytes: int
    seconds: float
    accepted: bool
    damaged_accepted: bool
    still_a_proof: bool  # what is damaged, by another checker


Checker = Callable[[Path, Path], bool]


def ours(check: Callable[[Path, Path], object]) -> Checker:
    """Return a checker of ours: it raises where it refuses."""

    def verdict(formula: Path, proof: Path) -> bool:
        try:
            check(formula, proof)
        except ExactileError:
            return False
        return True

    return verdict


def program(path: Path, *, clauses: bool = True) -> Checker:
    """Return a program that checks; one of clauses prints a verdict."""

    def verdict(formula: Path, proof: Path) -> bool:
        run = subprocess.run(
            [path, formula, proof], capture_output=True, text=True, errors="replace", check=False
        )
        said = {line.strip() for line in run.stdout.splitlines()}
        return bool(said & {"s VERIFIED", "c VERIFIED"}) if clauses else run.returncode == 0

    return verdict


def dratify(formula: Path, proof: Path) -> bool:
    """Return the verdict of dratify, in a process of its own; it refuses what it lacks room for."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", DRATIFY, formula, proof], check=False
    )
    return run.returncode == 0


def checkers(foreign: Path | None) -> dict[str, dict[str, Checker]]:
    """Return for each kind of proof the checkers by name."""
    found: dict[str, dict[str, Checker]] = {
        "drup": {"ours": ours(check_proof), "dratify": dratify},
        "lrat": {"ours": ours(lambda f, p: check_proof(f, p, kind="lrat"))},
        "pbp": {"ours": ours(check_cutting_planes)},
    }
    if foreign is not None:
        found["drup"]["drat-trim"] = program(foreign / "drat-trim")
        found["lrat"]["lrat-check"] = program(foreign / "lrat-check")
        if (foreign / "veripb").exists():
            found["pbp"]["veripb"] = program(foreign / "veripb", clauses=False)
    return found


def damaged(proof: Path, seed: int) -> tuple[Path, Path]:
    """Return a copy in which one byte is another, and one without the lines that differ then.

    The latter ends with the empty clause in any case: drat-trim does not need to see it.
    """
    rng = random.Random(seed)
    text = bytearray(proof.read_bytes())
    place = rng.randrange(len(text))
    before = text.splitlines(keepends=True)
    text[place] = rng.choice([b for b in b"0123456789- \n" if b != text[place]])
    after = text.splitlines(keepends=True)
    same = next(k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
    behind = text.find(b"\n", place + 1) + 1 or len(text)
    copy, rest = (proof.with_name(f"{name}{proof.suffix}") for name in ("damaged", "rest"))
    copy.write_bytes(text)
    lines = b"".join(before[:same]) + text[behind:]
    empty = proof.suffix == ".drup" and not lines.endswith(b"\n0\n")
    rest.write_bytes(lines + b"0\n" * empty)
    return copy, rest


def by_clauses(name: str, folder: Path, limit: float) -> list[tuple[str, Path, Path]]:
    """Return the formula and the proofs of a puzzle, with their kinds; none if time was up."""
    if certify(exactile.load(name), folder / name, time_limit=limit).raw is None:
        return []
    formula, drup = folder / name / "formula.cnf", folder / name / "proof.drup"
    return both_kinds(formula, drup)


def both_kinds(formula: Path, drup: Path) -> list[tuple[str, Path, Path]]:
    """Return a formula and its proof, and the same as LRAT."""
    lrat = drup.with_suffix(".lrat")
    check_proof(formula, drup, lrat=lrat)
    return [("drup", formula, drup), ("lrat", formula, lrat)]


def by_disc(name: str, folder: Path, limit: float) -> list[tuple[str, Path, Path]]:
    """Return the formula and the proofs of a disc that copies of an octomino do not cover."""
    units = NON_TILERS[name]
    tile(units, lattice=OCTOMINOES.lattice, disc=True, proofs=folder / name, time_limit=limit)
    return both_kinds(folder / name / "disc.cnf", folder / name / "disc.drup")


def by_planes(name: str, folder: Path, limit: float) -> list[tuple[str, Path, Path]]:
    """Return the constraints and the proof of a coloring; none if it is a balance."""
    try:
        prove(exactile.load(name), certificate=folder / name, proof_format="pbp", time_limit=limit)
    except ExactileError as error:
        print(error)
        return []
    return [("pbp", folder / name / "formula.opb", folder / name / "proof.pbp")]


def processor_time() -> float:
    """Return the seconds of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def measure(
    made: list[tuple[str, Path, Path]], name: str, tools: dict[str, dict[str, Checker]]
) -> list[Checked]:
    """Let all checkers check the proofs of a puzzle."""
    lines = []
    for kind, formula, proof in made:
        copy, rest = damaged(proof, sum(name.encode()))
        bad = {checker: accepts(formula, copy) for checker, accepts in tools[kind].items()}
        # The checkers that accept the damaged proof, or that proof without the lines that differ.
        holds = [
            checker
            for checker, accepts in tools[kind].items()
            if any(bad.values()) and (bad[checker] or accepts(formula, rest))
        ]
        for checker, accepts in tools[kind].items():
            begun = processor_time()
            good = accepts(formula, proof)
            seconds = processor_time() - begun
            still = any(each != checker for each in holds)
            size = proof.stat().st_size
            lines.append(Checked(kind, checker, size, seconds, good, bad[checker], still))
            print(name, *lines[-1], flush=True)
    return lines


def table(lines: list[Checked]) -> str:
    """Return the table, a row for each kind of proof and checker."""
    rows = [
        "| proof | checker | proofs | accepted | median size, kB | largest, MB | median time, s |"
        " longest, s | changed byte refused | accepted, still a proof | accepted otherwise |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    groups: dict[tuple[str, str], list[Checked]] = defaultdict(list)
    for line in lines:
        groups[line.kind, line.checker].append(line)
    for (kind, checker), group in groups.items():
        sizes, times = [g.bytes for g in group], [g.seconds for g in group]
        rows.append(
            f"| {kind} | {checker} | {len(group)} | {sum(g.accepted for g in group)} |"
            f" {median(sizes) / 1e3:.1f} | {max(sizes) / 1e6:.1f} | {median(times):.3f} |"
            f" {max(times):.2f} | {sum(not g.damaged_accepted for g in group)} |"
            f" {sum(g.damaged_accepted and g.still_a_proof for g in group)} |"
            f" {sum(g.damaged_accepted and not g.still_a_proof for g in group)} |"
        )
    return "\n".join(rows) + "\n"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--most", type=int, default=50, help="number of refutations of each kind")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds to make a proof")
    parser.add_argument("--foreign", type=Path, help="a folder with drat-trim and lrat-check")
    parser.add_argument("--write", action="store_true", help="write the table")
    given = parser.parse_args()
    tools = checkers(given.foreign)
    lines: list[Checked] = []
    known = [json.loads(line) for line in LINES.read_text().splitlines()]
    known = [line for line in known if line["certified"]]
    known.sort(key=lambda line: (line["megabytes"].get("proof.drup", 0), line["verify_seconds"]))
    colored = [line["puzzle"] for line in known if line["by"] == "coloring"]
    searched = [line["puzzle"] for line in known if line["by"] == "native search"]
    discs = list(NON_TILERS)[: given.most]
    by = {**dict.fromkeys(discs, by_disc), **dict.fromkeys(searched, by_clauses)}
    for names, makers in ((list(by), by), (colored, dict.fromkeys(colored, by_planes))):
        for name in names[: given.most]:
            with tempfile.TemporaryDirectory() as scratch:
                lines += measure(makers[name](name, Path(scratch), given.limit), name, tools)
    text = table(lines)
    print(text)
    if given.write:
        RESULTS.write_text(OPENING + text)


if __name__ == "__main__":
    main()
