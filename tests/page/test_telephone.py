"""On a telephone a finger drags all pieces into place, and nothing scrolls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.files.puzzles.writer import document_text
from exactile.puzzle import Puzzle
from support.hands import TELEPHONE, Hand, own
from support.waiting import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.long]

FIVE_BY_FOUR = exactile.make_puzzle(pieces="I,L,P,V", box=(5, 4))


@pytest.fixture
def hand(browser: Any, address: str) -> Iterator[Hand]:
    """A finger on a telephone; what goes wrong in the page is an error."""
    context = browser.new_context(**TELEPHONE, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#/")
    yield Hand(page, finger=True)
    context.close()
    assert wrong == []


@pytest.mark.parametrize("puzzle", [FIVE_BY_FOUR, exactile.load("soma-cube")], ids=lambda p: p.name)
def test_all_pieces_are_dragged_into_place_without_scrolling(
    hand: Hand, puzzle: Puzzle, tmp_path: Path
) -> None:
    page = hand.page
    address = own(document_text([puzzle]))
    page.evaluate("address => { location.hash = address }", f"{address}/play")
    page.wait_for_selector(".play:not(.short) .verdict.right")
    for part in (".board .sketch", ".pieces"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= TELEPHONE["viewport"]["height"]
    for number, placement in enumerate(exactile.solve_one(puzzle) or ()):
        hand.place(puzzle, placement.piece, sorted(placement.units))
        page.screenshot(path=tmp_path / f"{number}.png")
        assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    page.wait_for_selector(".verdict.solved")
