"""The questions and answers: their table has the numbers that are generated."""

from __future__ import annotations

import re
from pathlib import Path

import exactile
from exactile.geometry import lattice_names

PAGE = Path(__file__).parents[2] / "docs" / "faq.md"


def test_how_many_polyforms_there_are() -> None:
    rows = re.findall(r"^\| `(\S+)` \| ([\w ]+) \|([\d |,]+)\|$", PAGE.read_text("utf-8"), re.M)
    assert {name for name, _, _ in rows} == set(lattice_names())
    for name, _, numbers in rows:
        lattice = exactile.get_lattice(name)
        counted = [len(exactile.generate(lattice, order)) for order in range(1, 6)]
        assert counted == [int(number) for number in numbers.split("|")], name
