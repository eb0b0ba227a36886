"""Prints what the ledger says of the puzzles that two fronts have counted, as a table.

cd benchmarks && python front_counts.py ../docs/catalogue/ledger.json > results/front-counts.md
"""

from __future__ import annotations

import argparse
from pathlib import Path

from exactile.runs.ledger.export import read_export
from exactile.runs.ledger.record import Record

OPENING = """\
# Puzzles counted by two fronts

`exactile catalogue verify` has counted these puzzles by two fronts that go over the units in
different orders; raw numbers and what each symmetry keeps are the same in both. Nodes, entries and
memory are those of the two automata and their lists, for the raw number. Seconds are processor time
of one busy machine, in the first with the choice of the order; compare them with each other only.

| puzzle | all | up to rotation | up to symmetry | nodes, thousands | entries, millions \
| memory, MB | seconds |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ledger", type=Path)
    records = read_export(parser.parse_args().ledger)
    counted = [record for record in records if record.method == "front"]
    print(OPENING)
    for record in counted:
        print(row(record))
    print(f"\nTogether: {len(counted):,}.")


def row(record: Record) -> str:
    """Return the row of a puzzle."""
    assert record.numbers is not None
    runs = record.fronts
    cells = [
        record.id,
        *(f"{n:,}" for n in (record.numbers.raw, record.numbers.rotation, record.numbers.symmetry)),
        ", ".join(f"{run.nodes / 1e3:,.1f}" for run in runs),
        ", ".join(f"{run.entries / 1e6:,.1f}" for run in runs),
        ", ".join(f"{run.bytes / 1e6:,.0f}" for run in runs),
        ", ".join(f"{run.seconds:,.1f}" for run in runs),
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
