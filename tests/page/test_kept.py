"""What was played and found is there again, and a search for years shows a solution at once."""

from __future__ import annotations

from typing import Any

import pytest

from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_a_view_is_shown_once_if_the_address_changes_while_the_page_opens(page: Any) -> None:
    """A second time, it would take away what the first one shows."""
    waiting: list[Any] = []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/api/opened", lambda route: waiting.append(route))
    page.reload()
    page.evaluate(
        """() => new Promise(told => {
            addEventListener("hashchange", () => setTimeout(told)); // the page was told before
            location.hash = "/peg";
        })"""
    )
    waiting[0].continue_()
    page.wait_for_selector("text=Peg solitaire")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=Jump from hole")
    assert len([url for url in asked if url.endswith("/api/peg")]) == 1


def test_a_game_outlives_a_reload(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=X]").click()
    page.locator('[data-point="2,2"]').click(force=True)
    page.locator("[data-piece=X].out").wait_for()
    visit(page, "/p/pentominoes-6x10/watch")
    page.wait_for_selector("text=Node 0")
    page.reload()
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=X].out").wait_for()
    assert page.locator(".board .part").count() == 1
    page.get_by_role("button", name="Clear").click()
    page.locator("[data-piece=X]:not(.out)").wait_for()
    page.get_by_role("button", name="Undo").click()  # what is cleared comes back
    page.locator("[data-piece=X].out").wait_for()
    page.evaluate("localStorage.setItem('games', '[[\"#/p/soma-cube\", [[\"L\", [0, 999]]]]]')")
    visit(page, "/p/soma-cube/play")  # what cannot lie there is left out
    page.wait_for_selector("text=This can still be finished")
    assert page.locator(".board .part").count() == 0


def test_the_solution_that_is_shown_outlives_a_reload(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    page.get_by_label("Number of the solution").fill("150")
    page.get_by_label("Number of the solution").press("Enter")
    wait_until(lambda: 149 in page.evaluate(SHOWN))
    page.reload()
    page.wait_for_selector(".at:has-text('150 of 240')")


SHOWN = """() => new Promise((told) => {
    indexedDB.open("exactile", 1).onsuccess = ({ target }) => {
        const all = target.result.transaction("found").objectStore("found").getAll();
        all.onsuccess = () => told(all.result.map(({ current }) => current));
    };
})"""
"""Which solutions are shown, as the browser keeps it."""


def test_a_view_that_cannot_be_loaded_says_so(browser: Any, address: str) -> None:
    page = browser.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.route("**/editor*.js", lambda route: route.abort())
    page.goto(f"{address}#/edit")
    page.wait_for_selector("text=The server does not answer any more")
    page.context.close()


def test_what_was_begun_by_hand_is_finished(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=I]").click()
    page.locator('[data-point="0,0"]').click(force=True)
    page.wait_for_selector("text=This can still be finished")
    place = page.locator(".board .part", has_text="I").locator("path").get_attribute("d")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Solved!")
    parts = page.locator(".board .part")
    assert parts.count() == 12
    kept = parts.filter(has=page.locator("text >> text=/^I$/")).locator("path")
    assert kept.get_attribute("d") == place
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("text=This can still be finished")
    assert parts.count() == 1
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector(".verdict.solved")
    assert parts.count() == 12
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.locator(".board .part").first.wait_for(state="detached")
    page.keyboard.press("Control+Shift+z")
    page.wait_for_selector("text=This can still be finished")
    assert parts.count() == 1


def test_keys_move_only_what_is_in_the_hand(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.get_by_role("button", name="Take F, 1 left").click()
    hand = page.locator(".hand svg")
    held = hand.inner_html()
    page.keyboard.press("Control+f")  # a key of the browser
    assert hand.inner_html() == held
    page.keyboard.press("f")
    assert hand.inner_html() != held
    page.get_by_role("application").focus()
    for key in ("Space", "Escape", "Enter"):  # what was put back is not put down
        page.keyboard.press(key)
    assert page.locator(".board .part").count() == 0
    page.get_by_role("button", name="Take F, 1 left").click()
    page.get_by_role("application").focus()
    for key in ("Space", "Enter", "Enter"):  # put down, and taken up again
        page.keyboard.press(key)
    assert hand.count() == 1
    page.keyboard.press("Control+z")  # it lies on the board, and not in the hand
    assert page.locator(".board .part").count() == 1
    assert hand.count() == 0


def test_solutions_are_there_when_one_comes_back(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    page.keyboard.press("ArrowRight")
    visit(page, "/p/soma-cube/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/soma-cube")
    page.wait_for_selector("text=All 240 solutions found.")
    assert page.inner_text(".at") == "2 of 240"


def test_all_solutions_are_not_compared_with_the_number_up_to_symmetry(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Count as different").select_option("all")
    page.get_by_label("at most").fill("300")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=These are 300 solutions")
    visit(page, "/p/soma-cube/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/soma-cube")
    page.wait_for_selector("text=These are 300 solutions")
    assert page.inner_text(".at") == "1 of 300 so far"


def test_what_is_kept_of_a_search_outlives_limits_and_failures(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("at most").fill("99999999")
    page.get_by_label("at most").press("Tab")
    page.wait_for_selector("text=The page shows at most 50,000 solutions.")
    visit(page, "/p/soma-cube/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/soma-cube")
    page.wait_for_selector("text=All 240 solutions found.")
    failure = 'event: error\ndata: {"message": "There is no memory left."}\n\n'
    page.route("**/api/prove", lambda route: route.fulfill(body=failure))
    page.get_by_role("button", name="Prove").click()
    page.wait_for_selector("text=There is no memory left.")
    visit(page, "/p/soma-cube/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/soma-cube")
    page.wait_for_selector("text=All 240 solutions found.")


def test_a_solution_is_shown_while_the_search_for_all_takes_years(page: Any) -> None:
    visit(page, "/p/pentacubes-5x7x7-open-box")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=1 of 1 so far")
    assert page.get_by_role("button", name="Cancel").is_visible()
    assert page.locator(".board .part").count() >= 29
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=Cancelled.")
    assert page.inner_text(".at") == "1 of 1 so far"
