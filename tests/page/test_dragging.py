"""Pieces are dragged by mouse and finger, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from support.waiting import PATIENCE

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def middle(page: Any, selector: str) -> tuple[float, float]:
    """Return the middle of an element on the screen."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lift(page: Any, start: str, end: str) -> None:
    """Drag with the mouse from one element to another, and hold."""
    (x, y), (u, v) = middle(page, start), middle(page, end)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + u) / 2, (y + v) / 2)
    page.mouse.move(u, v)


@pytest.mark.parametrize(
    ("puzzle", "piece", "unit"),
    [
        ("pentominoes-6x10", "X", "3,3"),
        ("tetrahexes-4x7", "Y4", "2,2"),
        ("hexiamonds-6x6", "I6", "7,7"),
        ("tetrasticks-5x5-without-h", "I", "4,5"),
        ("soma-cube", "T", "1,1,1"),
    ],
)
def test_a_piece_is_dragged_onto_the_board_turned_and_taken_off(
    page: Any, puzzle: str, piece: str, unit: str
) -> None:
    visit(page, f"/p/{puzzle}/play")
    tray, there = f"[data-piece={piece}]", f'[data-point="{unit}"]'
    page.locator(tray).wait_for()
    lift(page, tray, there)
    page.locator(".floating svg").wait_for()
    before = page.locator(".floating svg").inner_html()
    page.keyboard.press("r" if puzzle != "soma-cube" else "y")
    assert piece == "X" or page.locator(".floating svg").inner_html() != before
    page.locator(".marks .ghost").first.wait_for(state="attached")
    page.mouse.up()
    page.locator(f"{tray}.out").wait_for()
    assert page.locator(".floating").count() == 0
    assert page.locator(".board .sketch .part title", has_text=piece).count() == 1
    own = page.locator(".marks *").count()
    assert own == 0
    lift(page, there, tray)  # it goes back where it came from
    page.mouse.up()
    page.locator(f"{tray}:not(.out)").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(f"{tray}.out").wait_for()


def test_the_board_does_not_move_when_the_view_of_a_solid_has_come(page: Any) -> None:
    held: list[Any] = []
    page.route("**/solid.js", lambda route: held.append(route))
    with page.expect_request("**/solid.js"):
        visit(page, "/p/soma-cube/play")
    unit = page.locator('[data-point="1,1,1"]')
    before = unit.bounding_box()
    page.locator(".coming").wait_for(state="attached")
    held[0].continue_()
    page.locator(".coming").wait_for(state="detached")
    assert page.locator(".board canvas").count() == 1
    assert unit.bounding_box() == before


# Answers of the server that have come stay outside the page until `release` is called.
HOLD = """() => {
    const own = window.fetch;
    const gate = new Promise(open => { window.release = open; });
    window.fetch = async (...asked) => {
        const answer = await own(...asked);
        await gate;
        return answer;
    };
}"""


def test_a_late_verdict_does_not_hide_why_a_piece_went_back(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=X]").wait_for()
    page.wait_for_selector("text=This can still be finished")
    page.evaluate(HOLD)
    lift(page, "[data-piece=X]", '[data-point="4,3"]')
    page.mouse.up()
    page.wait_for_selector("text=Still thinking")
    lift(page, "[data-piece=I]", '[data-point="4,3"]')
    page.mouse.up()
    page.wait_for_selector("text=I does not fit there.")
    page.evaluate("async () => { release(); await (await fetch('index.html')).text(); }")
    assert page.locator("text=I does not fit there.").count() == 1


def test_a_piece_in_the_air_is_not_put_on_what_comes_meanwhile(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=I]").wait_for()
    for piece, there in (("X", "1,3"), ("I", "6,3")):
        lift(page, f"[data-piece={piece}]", f'[data-point="{there}"]')
        page.mouse.up()
        page.locator(f"[data-piece={piece}].out").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator("[data-piece=I]:not(.out)").wait_for()
    lift(page, '[data-point="1,3"]', '[data-point="6,3"]')
    page.locator(".marks .ghost").first.wait_for(state="attached")
    page.get_by_role("button", name="Redo").evaluate("button => button.click()")
    page.mouse.up()
    page.locator("[data-piece=I].out").wait_for()
    [[_, placed, _]] = page.evaluate("JSON.parse(localStorage.getItem('games'))")
    units = [unit for _, own in placed for unit in own]
    assert len({*units}) == len(units) == 10
    assert page.locator(".board .part").count() == 2


def test_a_drag_that_ends_badly_changes_nothing(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=X]").wait_for()
    lift(page, "[data-piece=X]", '[data-point="4,3"]')
    page.mouse.up()
    page.locator("[data-piece=X].out").wait_for()
    lift(page, "[data-piece=I]", '[data-point="4,3"]')
    page.locator(".marks .bad").first.wait_for()
    page.mouse.up()
    page.wait_for_selector("text=I does not fit there.")
    assert page.locator("[data-piece=I]").is_enabled()
    lift(page, '[data-point="4,3"]', '[data-point="8,2"]')
    assert page.locator(".board .part").count() == 0  # it is in the air
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".board .part").count() == 1
    lift(page, '[data-point="4,3"]', '[data-point="8,2"]')
    page.mouse.up()
    page.locator("[data-piece=X].out").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    page.locator("[data-piece=X]:not(.out)").wait_for()


def test_a_finger_drags_without_scrolling(browser: Any, address: str) -> None:
    """The board and its pieces are on one screen of a telephone."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#/p/pentominoes-6x10/play")
    page.locator("[data-piece=F]").wait_for()
    touch = page.context.new_cdp_session(page)

    def point(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (u, v) = middle(page, "[data-piece=L]"), middle(page, '[data-point="4,3"]')
    point("touchStart", (x, y))  # sideways it leafs through the pieces
    point("touchMove", (x - 50, y))
    point("touchMove", (x - 99, y + 9))
    point("touchEnd")
    assert page.locator(".pieces").evaluate("pieces => pieces.scrollLeft") == 99
    assert page.get_by_role("img", name="in the hand").count() == 0
    page.locator(".pieces").evaluate("pieces => pieces.scrollLeft = 0")
    (x, y), (u, v) = middle(page, "[data-piece=F]"), middle(page, '[data-point="4,3"]')
    assert page.evaluate("document.documentElement.scrollHeight") <= 844
    point("touchStart", (x, y))
    point("touchMove", (u, v + 56))
    page.locator(".marks .ghost").first.wait_for(state="attached")
    before = page.locator(".floating svg").inner_html()
    point("touchStart", (u, v + 56), (u + 40, v + 90))  # a second finger turns it
    assert page.locator(".floating svg").inner_html() != before
    point("touchEnd")
    page.locator("[data-piece=F].out").wait_for()
    assert page.evaluate("scrollY") == 0
    context.close()
