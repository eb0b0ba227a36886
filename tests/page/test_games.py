"""Pegs, sudokus and the race of backends, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from support.waiting import wait_until

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_a_board_of_pegs_is_played_by_its_hints(page: Any) -> None:
    visit(page, "/peg/triangle-4")
    page.wait_for_selector("text=it cannot end with one peg")
    visit(page, "/peg/triangle-5")
    page.wait_for_selector("text=14 pegs: it can still end with one peg.")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=Jump from hole 4 to hole 1.")
    page.get_by_label("Hole 4,").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Hole 1,").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=13 pegs: it can still end with one peg.")
    visit(page, "/peg/english")
    page.get_by_label("Hole 17, empty").wait_for()  # the middle
    page.get_by_label("Empty at first").select_option("hole 1")
    page.get_by_label("Hole 1, empty").wait_for()
    assert page.url.endswith("/peg/english/1")


def test_jumps_and_digits_outlive_a_reload(page: Any) -> None:
    visit(page, "/peg/triangle-5")
    for hole in (4, 1, 6, 4):
        page.get_by_label(f"Hole {hole},").press("Enter")
    assert page.url.endswith("/peg/triangle-5/0/4-1.6-4")
    page.reload()
    page.wait_for_selector("text=12 pegs")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("text=13 pegs")
    page.get_by_role("button", name="Begin again").click()
    page.wait_for_selector("text=14 pegs")
    visit(page, "/peg/triangle-5/0/4-1.9-9")  # what is no jump is left out
    page.wait_for_selector("text=13 pegs")
    visit(page, "/sudoku")
    page.get_by_label("Row 1, column 3").fill("4")
    page.reload()
    page.get_by_label("Row 1, column 3").wait_for()
    assert page.get_by_label("Row 1, column 3").input_value() == "4"


def test_a_sudoku_is_solved(page: Any) -> None:
    visit(page, "/sudoku")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=It has one solution.")
    assert page.get_by_label("Row 1, column 3").input_value() == "4"


def test_a_sudoku_that_has_changed_is_not_filled_by_the_answer_to_another(page: Any) -> None:
    visit(page, "/sudoku")
    waiting: list[Any] = []
    page.route("**/api/sudoku", lambda route: waiting.append(route))
    page.get_by_role("button", name="Solve").click()
    wait_until(lambda: page.evaluate("1") and waiting)
    page.get_by_role("button", name="Clear").click()
    with page.expect_response("**/api/sudoku"):
        waiting[0].continue_()
    page.evaluate("async () => { await (await fetch('index.html')).text(); }")
    assert page.locator("input.found").count() == 0
    assert page.get_by_text("It has one solution.").count() == 0


def test_backends_race(page: Any) -> None:
    visit(page, "/p/tetrahexes-4x7/compare")
    page.get_by_role("button", name="Race").click()
    for row in ("auto", "dlx", "sat", "cpsat"):
        # "sat" is also a part of "cpsat": the heading of the row says whose it is.
        heading = page.get_by_role("rowheader", name=row, exact=True)
        page.get_by_role("row").filter(has=heading).get_by_text("18 in all").wait_for()
    curves = page.get_by_label("Solutions by seconds:")
    words = curves.get_attribute("aria-label")
    assert all(f"{name} 18 after" in words for name in ("auto", "cpsat", "dlx", "sat"))
    assert curves.locator(".curve").count() == words.count(" after ") >= 4
