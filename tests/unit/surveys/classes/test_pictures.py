"""Pictures of classes can be traced: ways pass no third picture, what moves is told in color."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import exactile
from exactile.render.paper import PALETTE
from exactile.surveys.classes.class_picture import (
    DASHES,
    INKS,
    Chips,
    Places,
    class_picture,
    sheet,
    spots,
    stroke,
    ways,
)
from exactile.surveys.classes.report import Report, classify
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind, transformations


@pytest.fixture(scope="module")
def report() -> Report:
    """Return the classes of the Soma cube."""
    solutions = Solutions.of_search(exactile.Search(exactile.load("soma-cube")))
    return classify(solutions)


def grid(side: int) -> Places:
    """Return places of pictures in rows and columns."""
    return np.array([(100.0 * x, 90.0 * y) for x in range(side) for y in range(side)])


def test_ways_pass_no_third_picture() -> None:
    places = grid(4)
    sizes = np.full((16, 2), 30.0)
    pairs = [(i, j) for i in range(16) for j in range(i) if (i + j) % 3 == 0]
    for (first, second), way in zip(pairs, ways(pairs, places, sizes), strict=True):
        others = np.delete(places, [first, second], axis=0)
        inside = (np.abs(way.points[:, None] - others) < 15).all(axis=2)
        assert not inside.any()
        assert np.allclose(way.points[[0, -1]], places[[first, second]])


def test_ways_between_the_same_pictures_differ() -> None:
    pairs = [(0, 1), (1, 0), (0, 1)]
    found = ways(pairs, grid(2), np.full((4, 2), 30.0))
    middles = {tuple(way.points[16].round(3).tolist()) for way in found}
    assert len(middles) == 3


def test_words_hide_neither_pictures_nor_words() -> None:
    places = grid(3)
    sizes = np.full((9, 2), 30.0)
    found = ways([(0, 8), (2, 6), (1, 7), (3, 5), (0, 1)], places, sizes)
    boxes = [(x - 15.0, y - 15.0, 30.0, 30.0) for x, y in places.tolist()]
    words = spots(found, [(20.0, 10.0)] * 5, list(boxes))
    boxes += [(x - 10.0, y - 5.0, 20.0, 10.0) for x, y in words.tolist()]
    for k, (x, y, w, h) in enumerate(boxes[9:], 9):
        for a, b, c, d in boxes[:k]:
            assert min(x + w, a + c) <= max(x, a) or min(y + h, b + d) <= max(y, b)


def test_pieces_that_move_have_the_colors_of_the_solutions(report: Report) -> None:
    picture = class_picture(report, 2)
    inside = set(report.classes[1])
    edges = [change for change in report.found if change.first in inside]
    chips = re.findall(r'rx="1.5" fill="(#\w+)"/><text[^>]*>(\w)</text>', picture)
    assert len(chips) == sum(len(change.moved) for change in edges)
    colors = dict(zip((p.name for p in report.solutions.puzzle.pieces), PALETTE, strict=False))
    assert all(colors[name] == color for color, name in chips)
    lines = re.findall(r'fill="none" (stroke="#\w+" stroke-dasharray="[^"]+")', picture)
    assert lines == [stroke(change.kind) for change in edges]
    assert len(set(DASHES.values())) == len(set(INKS.values())) == len(Kind)


def test_the_sheet_holds_all_ways(report: Report) -> None:
    for number in (2, 3, 4):
        picture = class_picture(report, number)
        left, top, width, height = map(
            float,
            re.search(r'viewBox="([^"]+)"', picture)[1].split(),  # type: ignore[index]
        )
        data = re.findall(r'stroke-width="1.8" d="M(\S+) (\S+)Q\S+ \S+ (\S+) (\S+)"', picture)
        assert data
        for x, y, u, v in data:
            assert left < min(float(x), float(u)) < max(float(x), float(u)) < left + width
            assert top < min(float(y), float(v)) < max(float(y), float(v)) < top + height


def test_endings_that_all_names_share_are_left_out() -> None:
    solutions = Solutions.of_search(exactile.Search(exactile.load("tetrahexes-4x7")))
    found = transformations(solutions)
    chips = Chips(solutions, solutions.rows[0].tolist())
    shown = re.findall(r">(\w+)</text>", chips.drawn(found[0], 0, 0))
    assert shown
    assert all(name in {"A", "I", "J", "O", "P", "S", "U", "Y"} for name in shown)


def test_titles_that_cannot_be_printed_are_blanks() -> None:
    picture = sheet([], (0, 0, 100, 100), "a\x01b", legend=False)
    assert "<title>a b</title>" in picture
    ET.fromstring(picture)
