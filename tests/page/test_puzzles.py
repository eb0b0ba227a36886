"""The gallery and the page of a puzzle, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_the_gallery_finds_puzzles_and_keeps_what_was_chosen(page: Any) -> None:
    visit(page, "/")
    page.get_by_label("Find").fill("soma-cube")
    page.wait_for_selector("text=240 solutions")
    assert page.url.endswith("#/?q=soma-cube")
    page.reload()
    assert page.get_by_label("Find").input_value() == "soma-cube"


@pytest.mark.parametrize(
    ("piece", "solutions"),
    [
        ("H", 72),
        ("Y", 204),
        *(pytest.param(*p, marks=pytest.mark.long) for p in (("J", 382), ("L", 607), ("N", 530))),
    ],
)
def test_the_piece_that_is_left_out_is_clicked(page: Any, piece: str, solutions: int) -> None:
    visit(page, "/p/tetrasticks-5x5")
    page.locator(f"[data-piece={piece}]").click()
    page.wait_for_selector(f"[data-piece={piece}].out")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector(f"text=All {solutions} solutions found.")
    page.get_by_role("button", name="Next").click()
    assert page.inner_text(".at") == f"2 of {solutions}"
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".at") == f"3 of {solutions}"
    assert page.locator(".part").count() == 15 + 16  # of the board, and in the pictures of pieces


def test_a_search_is_cancelled(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10")
    page.get_by_label("Solver").select_option("reference")
    page.get_by_role("button", name="Count").click()
    page.wait_for_selector("text=nodes")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=Cancelled.")
    assert page.get_by_role("button", name="Count").is_enabled()


def test_an_unsolvable_puzzle_shows_why(page: Any) -> None:
    visit(page, "/p/tetrominoes-5x4")
    page.get_by_role("button", name="Prove").click()
    page.wait_for_selector("text=There is no solution.")
    assert page.get_by_alt_text("The argument, drawn").is_visible()
