"""The front door and the search among all puzzles, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from support.waiting import wait_until

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def first(page: Any) -> str:
    """Return the name on the first card of what was found."""
    return str(page.locator(".gallery .name >> visible=true").first.inner_text())


def test_famous_puzzles_come_first_and_can_be_played_at_once(page: Any) -> None:
    visit(page, "/")
    page.wait_for_selector("text=Puzzles of pieces that fill a shape")
    pictures = page.locator(".gallery").first.locator("img")
    assert pictures.count() == 12
    for picture in pictures.all():
        picture.evaluate("picture => picture.decode()")  # an error if there is none
    page.get_by_role("link", name="Soma cube").click()
    page.get_by_role("application").wait_for()
    page.go_back()
    page.get_by_role("link", name="Impossible, and why").click()
    page.wait_for_selector("text=no solution >> visible=true")
    assert page.locator("text=Puzzles of pieces").is_hidden()


MEANT = {
    "pentamino 6x10": "Pentominoes, 6 by 10",
    "10 by 6 pentominoes": "Pentominoes, 6 by 10",
    "soma": "Soma, cube",
    "bedlam": "Bedlam cube",
    "crazee": "Bedlam cube",
    "tetrastiks 5x5": "Tetrasticks, 5 by 5 squares without H",
    "mutilated-chessboard": "Dominoes, chessboard without two opposite corners",
}


def test_what_is_meant_is_found_first(page: Any) -> None:
    visit(page, "/")
    page.locator(".lead").wait_for()
    for typed, name in MEANT.items():
        page.get_by_label("Find").fill(typed)
        page.locator(".lead").wait_for(state="hidden")
        assert first(page) == name
    page.keyboard.press("Enter")
    page.wait_for_selector(f"h1:has-text('{name}')")


def test_one_comes_back_to_where_one_was(page: Any) -> None:
    visit(page, "/?family=polyiamond")
    page.get_by_role("button", name="Show more").click()
    card = page.locator(".gallery .card >> visible=true").nth(100)
    card.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    card.click()
    page.locator("button.main").wait_for()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    wait_until(lambda: abs(page.evaluate("scrollY") - before) < 50)
    assert page.locator(".gallery .card >> visible=true").count() == 120
