"""Links say what is shown, and what was found is there again, in a real browser."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zlib
from collections.abc import Sequence
from typing import Any

import pytest

import exactile
from exactile.render.board import in_numbers
from support.waiting import wait_until

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def copied(page: Any) -> str:
    """Return the link that the page copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_selector("text=Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


STORED = """() => new Promise((done) => {
    const asked = indexedDB.open("exactile", 1);
    asked.onsuccess = () => {
        const store = asked.result.objectStoreNames[0];
        const reading = asked.result.transaction(store).objectStore(store).getAllKeys();
        reading.onsuccess = () => { asked.result.close(); done(reading.result.length); };
    };
})"""
"""Reads what the browser keeps, which waits until all that was begun before is written."""


def drawn(page: Any) -> list[str]:
    """Return the pieces on the board, each with its outline."""
    parts = page.locator(".board .sketch .part").all()
    return sorted(part.inner_html() for part in parts)


def test_solutions_outlive_a_reload_and_links_show_them(page: Any) -> None:
    visit(page, "/p/tetrasticks-5x5-without-h")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 72 solutions found.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    shown = drawn(page)
    link = copied(page)
    visit(page, "/sudoku")
    page.wait_for_selector("h1:has-text('Sudoku')")
    assert page.evaluate(STORED)
    page.reload()
    page.wait_for_selector("h1:has-text('Sudoku')")
    visit(page, "/p/tetrasticks-5x5-without-h")
    page.wait_for_selector("text=All 72 solutions found.")
    assert page.inner_text(".at") == "3 of 72"
    assert drawn(page) == shown
    other = page.context.browser.new_context().new_page()
    other.goto(page.url.partition("#")[0] + "?token=secret#/sudoku")
    other.wait_for_selector("h1")
    other.goto(link)
    other.wait_for_selector("text=This solution came with the address.")
    assert drawn(other) == shown
    other.goto(link[:-9] + "AAAAAAAAA")  # broken, or of another puzzle
    other.wait_for_selector("text=Solve shows solutions as they are found.")
    other.context.close()


def test_a_game_is_sent_and_a_challenge_keeps_what_it_gave(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_selector("text=This can still be finished in 1 way.")
    assert page.locator(".board .locked").count() == 9
    page.locator(".board .locked").first.evaluate("part => part.id = 'given'")
    before = drawn(page)
    box = page.locator(".board .locked path").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert drawn(page) == before  # it is not taken up
    link = copied(page)
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Solved!")
    page.get_by_label("Level").select_option("5")
    page.get_by_role("button", name="Next challenge").click()
    page.wait_for_selector("text=This can still be finished in 1 way.")
    assert page.locator(".board .locked").count() == 7
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".board .part").count() == 0
    page.goto(link)
    page.wait_for_selector("text=This can still be finished in 1 way.")
    assert drawn(page) == before


def sent(placed: Sequence[tuple[str, Sequence[int]]], name: str = "placed") -> str:
    """Return the address of a game of six by ten pentominoes."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(placed).encode()) + packer.flush()
    word = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"/p/pentominoes-6x10/play?{name}={word}"


@pytest.mark.parametrize(
    ("name", "words"),
    [("placed", "X must move: it is marked."), ("given", "This cannot be finished any more.")],
)
def test_no_hint_moves_what_was_given(page: Any, name: str, words: str) -> None:
    visit(page, sent([("X", [1, 6, 7, 8, 13])], name))  # a corner stays empty
    page.wait_for_selector("text=This cannot be finished any more")
    page.get_by_role("button", name="Hint").click()
    verdict = page.locator(".verdict")
    wait_until(lambda: verdict.inner_text() != "Looking for a hint…")
    assert verdict.inner_text() == words


def test_undo_brings_back_the_game_that_a_link_replaces(page: Any) -> None:
    visit(page, sent([("V", [5, 6, 7, 8, 9])]))
    page.get_by_role("button", name="Take V, 0 left").wait_for()
    visit(page, sent([("I", [0, 1, 2, 3, 4])]))
    page.get_by_role("button", name="Take I, 0 left").wait_for()
    assert page.locator(".board .part").count() == 1
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Take V, 0 left").wait_for()
    assert page.locator(".board .part").count() == 1


def test_a_game_of_a_link_is_continued_after_a_reload(page: Any) -> None:
    visit(page, sent([("V", [5, 6, 7, 8, 9])], "given"))
    page.get_by_role("button", name="Take V, 0 left").wait_for()
    page.get_by_role("button", name="Take I, 1 left").click()
    page.locator('[data-point="9,5"]').click(force=True)
    page.get_by_role("button", name="Take I, 0 left").wait_for()
    page.reload()
    page.get_by_role("button", name="Take I, 0 left").wait_for()
    page.get_by_role("link", name="Solve").click()
    page.get_by_role("button", name="Solve").wait_for()
    page.go_back()
    page.get_by_role("button", name="Take I, 0 left").wait_for()
    assert page.locator(".board .locked").count() == 1


def test_what_no_piece_can_be_is_left_out_of_what_was_sent(page: Any) -> None:
    """An address may say anything: pieces of no units, of too few, or of one unit five times."""
    placed = [("F", []), ("I", [0]), ("L", [1, 1, 1, 1, 1]), ("V", [5, 6, 7, 8, 9])]
    visit(page, sent(placed))
    page.get_by_role("button", name="Take V, 0 left").wait_for()
    assert page.locator(".board .part").count() == 1
    assert page.get_by_role("button", name="1 left").count() == 11


def test_only_a_solution_is_shown_as_the_solution_of_an_address(page: Any) -> None:
    """A piece of another shape is none, nor is a part of one."""
    puzzle = exactile.load("pentominoes-6x10")
    solution = in_numbers(puzzle, exactile.solve_one(puzzle) or ())
    row = [("V", (5, 6, 7, 8, 9))]
    for placed, words in ((solution, "came with"), (row, "not"), (solution[1:], "not")):
        visit(page, sent(placed, "solution").replace("/play", ""))
        page.wait_for_selector(f"p[role=status]:has-text('{words}')")
        assert page.locator(".board .sketch .part").count() == 12 * (words != "not")
        visit(page, "/sudoku")
        page.get_by_label("Row 1, column 1").wait_for()


def test_a_known_solution_is_shown_when_asked_for(page: Any) -> None:
    visit(page, "/p/pentacubes-5x7x7-open-box")
    page.get_by_role("button", name="Show a known solution").wait_for()
    assert page.locator(".board .sketch .part").count() == 0
    page.get_by_role("button", name="Show a known solution").click()
    page.wait_for_selector("text=This is the solution that the ledger knows.")
    assert page.locator(".board .sketch .part").count() == 29
    before = page.url
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.url == before


def test_caps_are_said_to_be_caps(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("at most").fill("99999999")
    page.get_by_label("at most").press("Tab")
    page.wait_for_selector("text=The page shows at most 50,000 solutions.")
    for label, limit in (("at most", "50000"), ("Seconds", "600")):
        page.get_by_label(label).fill("-5")
        page.get_by_label(label).press("Tab")
        page.wait_for_selector("text=A limit must be at least 1.")
        assert page.get_by_label(label).input_value() == limit
    page.get_by_label("at most").fill("5")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=These are 5 solutions, as many as were asked for")
    assert page.inner_text(".at") == "1 of 5 so far, 2,339 known"
    visit(page, "/p/calendar")  # more are known than the page shows otherwise
    page.get_by_label("at most").wait_for()
    wait_until(lambda: page.get_by_label("at most").input_value() == "59787")


def test_the_end_of_a_server_is_said(browser: Any) -> None:
    words = ["serve", "--no-browser", "--port", "0", "--token", "secret"]
    with subprocess.Popen(
        [sys.executable, "-m", "exactile", *words], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        page = browser.new_context().new_page()
        page.goto(process.stdout.readline().strip() + "#/p/pentominoes-6x10")
        page.get_by_text("More", exact=True).click()
        page.get_by_label("Solver").select_option("reference")
        page.get_by_role("button", name="Count", exact=True).click()
        page.wait_for_selector("text=nodes")
        process.terminate()
    page.wait_for_selector("text=The server does not answer any more")
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("p.wrong >> text=The server does not answer any more")
    page.context.close()


def test_an_open_page_recovers_when_its_server_begins_anew(browser: Any) -> None:
    """Each start has another secret: the page says so, and the new address helps all its tabs."""

    def serve(port: str, token: str) -> subprocess.Popen[str]:
        words = ["serve", "--no-browser", "--port", port, "--token", token]
        return subprocess.Popen(
            [sys.executable, "-m", "exactile", *words], stdout=subprocess.PIPE, text=True
        )

    context = browser.new_context()
    page = context.new_page()
    with serve("0", "first") as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        page.goto(address + "#/p/soma-cube")
        page.get_by_role("button", name="Count", exact=True).wait_for()
        process.terminate()
    port = address.partition("?")[0].strip("/").rpartition(":")[2]
    with serve(port, "second") as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        page.get_by_role("button", name="Count", exact=True).click()
        page.wait_for_selector("p.wrong >> text=Open the address that `exactile serve` has printed")
        context.new_page().goto(address)
        page.get_by_role("button", name="Count", exact=True).click()
        page.wait_for_selector("p[role=status] >> text=240 solutions up to symmetry")
        process.terminate()
    context.close()
