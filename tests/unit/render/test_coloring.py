"""The picture of a coloring is a document that can be read, whatever the names in it are."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import exactile
from exactile.reasons.colorings import find_linear
from exactile.render.coloring import draw_coloring_svg


def test_names_that_cannot_be_printed_are_in_the_argument_as_blanks() -> None:
    plain = exactile.load("tetrominoes-5x4")
    pieces = tuple(replace(p, name=p.name.replace("T4", "T\x01")) for p in plain.pieces)
    puzzle = exactile.Puzzle(plain.name, plain.region, pieces)
    certificate = find_linear(puzzle).certificate
    assert certificate is not None
    root = ET.fromstring(draw_coloring_svg(puzzle, certificate))
    words = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert any(word and "Every placement of T  covers" in word for word in words)
