"""The front door and the search among all puzzles, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from support.hands import own
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


GONE_ON = """() => {
    location.hash = "/p/soma-cube";
    document.querySelector("input[type=search]").dispatchEvent(new Event("input"));
}"""
"""The browser goes on to a puzzle, and the list is drawn once more before it hears of that."""


def first(page: Any) -> str:
    """Return the name on the first card of what was found."""
    return str(page.locator(".gallery .name >> visible=true").first.inner_text())


def test_a_game_of_an_own_puzzle_is_continued_from_the_first_page(page: Any) -> None:
    row = 'lattice = "square"\npieces = "I2, I3"\nregion.box = [5, 1]\n'
    text = f"format = 1\n\n[puzzle.rows]\n{{}}{row}"
    escape = 'title = "\\U000000E9"\n'  # legal, though JSON has no such escape
    for title in (escape, 'title = "My \\"4\\"" # the "first"\n', "", 'title = "My row"\n'):
        visit(page, f"{own(text.format(title))}/play")
        page.locator("[data-piece=I3]").click()
        page.keyboard.press("r")
        page.locator('[data-point="1,0"]').click(force=True)
        page.wait_for_selector("text=This can still be finished in 1 way.")
    visit(page, "/")
    page.wait_for_selector(".card:has-text('rows')")
    page.wait_for_selector(".card:has-text('My \"4\"')")
    page.locator(".card:has-text('My row')").click()
    page.wait_for_selector("[data-piece=I3].out")


def test_a_game_has_begun_and_famous_puzzles_come_next(page: Any) -> None:
    visit(page, "/")
    page.wait_for_selector("text=Puzzles of pieces that fill a shape")
    page.wait_for_selector(".begun .verdict.right")
    parts = page.locator(".begun .board .part")
    assert parts.count() == page.locator(".begun .board .locked").count() == 9
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=fits where it is marked")
    assert page.locator(".begun .marks .ghost").count() == 5
    page.locator(".begun [data-piece]").last.click()
    for unit in page.locator(".begun .hits .hit").all():  # where it fits, it goes
        unit.hover(force=True)
        if page.locator(".begun .marks .ghost").count() == 5:
            unit.click(force=True)
            break
    wait_until(lambda: parts.count() == 10)
    page.reload()
    wait_until(lambda: parts.count() == 10)
    page.get_by_role("button", name="Hint").wait_for()
    famous = page.locator(".gallery").first
    pictures = famous.locator("img")
    assert (pictures.count(), famous.locator(".card").count()) == (11, 12)
    for picture in pictures.all():
        picture.evaluate("picture => picture.decode()")  # an error if there is none
    page.get_by_role("link", name="Soma cube").click()
    page.locator(".play:not(.short)").wait_for()
    page.go_back()
    page.get_by_role("link", name="Impossible, and why").click()
    page.wait_for_selector("text=fits nowhere >> visible=true")
    assert page.locator("text=Puzzles of pieces").is_hidden()


def test_the_front_page_does_not_mind_what_others_have_kept(page: Any) -> None:
    page.evaluate("localStorage.setItem('games', '[null, 5, [], [[]], {}]')")
    visit(page, "/")
    page.wait_for_selector(".begun .verdict.right")


def test_the_front_page_is_shown_by_browsers_that_cannot_pack_puzzles(page: Any) -> None:
    page.add_init_script("delete globalThis.CompressionStream")
    page.reload()
    visit(page, "/")
    page.wait_for_selector("h2:has-text('All puzzles')")
    assert page.locator(".gallery").first.locator(".card").count() == 11  # without the calendar


def test_the_gallery_comes_after_a_time_without_a_network(browser: Any, address: str) -> None:
    page = browser.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.route("**/api/gallery", lambda route: route.abort())
    page.goto(f"{address}#/")
    page.wait_for_selector("text=This did not work")
    page.unroute("**/api/gallery")
    visit(page, "/sudoku")
    page.wait_for_selector("h1:has-text('Sudoku')")
    visit(page, "/")
    page.wait_for_selector(".begun .verdict.right")
    page.context.close()


def test_games_that_wait_are_on_the_front_page(page: Any) -> None:
    visit(page, "/p/tetrahexes-4x7/play")
    page.locator("[data-piece=Y4]").click()
    page.locator('[data-point="2,2"]').click(force=True)
    page.locator("[data-piece=Y4].out").wait_for()
    visit(page, "/")
    page.locator("a", has_text="begun").click()
    page.locator("[data-piece=Y4].out").wait_for()


def test_the_calendar_leaves_this_day_open(page: Any) -> None:
    page.clock.set_fixed_time("2026-12-25T12:00:00")
    visit(page, "/")
    page.get_by_role("link", name="Today: December 25").click()
    page.wait_for_selector("h1:has-text('Calendar, December 25')")
    page.wait_for_selector("text=41 units")
    written = {*page.locator(".board .note").all_text_contents()}
    assert len(written) == 41
    assert not {"Dec", "25"} & written
    page.wait_for_selector("text=This can still be finished")
    page.get_by_role("link", name="Count", exact=True).click()
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("text=in all.")
    numbers = page.locator(".numbers dt").all_inner_texts()
    assert numbers == ["92", "92", "92"]  # as in docs/classics.md
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Solved!")
    visit(page, "/")
    page.locator("a", has_text="begun").click()  # it waits, too
    page.wait_for_selector("h1:has-text('Calendar, December 25')")


MEANT = {
    "pentamino 6x10": "Pentominoes, 6 by 10",
    "10 by 6 pentominoes": "Pentominoes, 6 by 10",
    "soma": "Soma, cube",
    "bedlam": "Bedlam cube",
    "crazee": "Bedlam cube",
    "pentaminoes": "Pentominoes, 6 by 10",
    "6 by 10": "Pentominoes, 6 by 10",
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


def test_what_is_asked_for_before_there_is_a_list_is_found(page: Any) -> None:
    waiting: list[Any] = []
    page.route("**/api/gallery", lambda route: waiting.append(route))
    visit(page, "/")
    page.get_by_label("Find").fill("6 by 10")
    page.get_by_label("Find").press("Enter")
    wait_until(lambda: page.evaluate("1") and waiting)
    waiting[0].continue_()
    wait_until(lambda: page.evaluate("location.hash") == "#/p/pentominoes-6x10")


def test_a_list_drawn_late_leaves_the_next_address_alone(page: Any) -> None:
    visit(page, "/")
    page.wait_for_selector(".gallery .card")
    page.evaluate(GONE_ON)
    page.wait_for_selector("h1:has-text('Soma')")
    assert page.url.endswith("#/p/soma-cube")
