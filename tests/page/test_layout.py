"""What is needed is on the first screen, and nothing keeps the page from being scrolled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import exactile
from support.waiting import wait_until

pytestmark = pytest.mark.slow

SCREENS = [(1366, 768), (390, 844)]

MIDDLES = "all => all.map(one => one.getBoundingClientRect()).map(box => box.y + box.height / 2)"
"""How far down the middles of elements are on the screen."""


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def bottom(element: Any) -> float:
    """Return how far down an element ends on the screen."""
    box = element.bounding_box()
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("name", ["pentominoes-6x10", "tetrasticks-5x5", "soma-cube"])
def test_solving_and_playing_need_no_scrolling(page: Any, name: str) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        visit(page, f"/p/{name}")
        solve = page.locator("button.main")
        solve.wait_for()
        if name == "soma-cube":
            page.locator("canvas").wait_for()
        solve.click()
        page.wait_for_selector(".at:has-text('1 of')")
        for element in (solve, page.locator(".at"), page.locator("p[role=status]")):
            assert bottom(element) <= height
        # measured at once: the search goes on
        middles = page.locator(".through input").evaluate_all(MIDDLES)
        assert middles[0] == pytest.approx(middles[1], abs=2)  # they stand in one line
        visit(page, f"/p/{name}/play")
        page.wait_for_selector("text=This can still be finished")
        if name == "soma-cube":
            page.locator("canvas").wait_for()
        board = page.get_by_role("application")
        for element in (board, page.locator(".pieces"), page.get_by_role("button", name="Hint")):
            assert bottom(element) <= height


def test_the_wheel_scrolls_past_a_solid_until_it_is_clicked(page: Any) -> None:
    page.set_viewport_size({"width": 800, "height": 500})
    visit(page, "/p/soma-cube")
    canvas = page.locator("canvas")
    canvas.hover()
    page.mouse.wheel(0, 200)
    wait_until(lambda: page.evaluate("scrollY") > 100)
    page.evaluate("scrollTo(0, 0)")
    canvas.click()
    empty = canvas.screenshot()
    page.mouse.wheel(0, 300)
    wait_until(lambda: canvas.screenshot() != empty)  # the region's edges are smaller
    assert page.evaluate("scrollY") == 0


def test_pieces_of_solids_are_seen_at_a_slant(page: Any) -> None:
    """Of each piece the faces to the left, to the front and on top, as far as they are outside."""
    visit(page, "/p/soma-cube")
    page.locator("[data-piece=a]").wait_for()
    for piece in exactile.load("soma-cube").pieces:
        units = {tuple(unit) for unit in piece.units}
        sides = [(-1, 0, 0), (0, -1, 0), (0, 0, 1)]
        seen = [
            unit for unit in units for by in sides if tuple(np.add(unit, by).tolist()) not in units
        ]
        assert page.locator(f"[data-piece={piece.name}] .face").count() == len(seen)


def test_names_of_sticks_stand_beside_them(page: Any) -> None:
    visit(page, "/p/tetrasticks-5x5-without-h")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector(".board .part text")
    middles = exactile.load("tetrasticks-5x5-without-h").region.units / 2
    for text in page.locator(".board .part text").all():
        x, y, size = (float(text.get_attribute(name)) for name in ("x", "y", "font-size"))
        apart = np.hypot(middles[:, 0] - x, middles[:, 1] + y - 0.36 * size)
        assert apart.min() == pytest.approx(0.24, abs=0.01)


def test_pegs_and_sudokus_need_no_scrolling(page: Any) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for game, board in (("peg", ".board"), ("sudoku", ".sudoku")):
            visit(page, f"/{game}")
            page.locator(board).wait_for()
            for element in (page.locator(board), page.locator("button.main")):
                assert bottom(element) <= height
            assert page.locator(board).bounding_box()["width"] > 0.4 * width


def test_the_hint_of_peg_solitaire_stays_under_the_pointer(page: Any) -> None:
    held: list[Any] = []
    page.route("**/api/reachable", lambda route: held.append(route))
    visit(page, "/peg")
    hint = page.get_by_role("button", name="Hint")
    before = hint.bounding_box()
    wait_until(lambda: page.evaluate("1") and held)  # lets the route be called
    held[0].continue_()
    page.wait_for_selector("text=it can still end")
    assert hint.bounding_box() == before
