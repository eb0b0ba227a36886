"""Forty things that newcomers try, each from the front page, with a real mouse and a finger.

`clicks` says how many clicks, drags and fields each takes at most; a list is two clicks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import exactile
from exactile.files.foreign.conversion import write_puzzle_as
from exactile.puzzle import Puzzle
from support.hands import SCREEN, TELEPHONE, Hand, Points
from support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long]

Thing = Callable[[Hand, Any], None]

THINGS: dict[str, tuple[int, Thing]] = {}


def clicks(most: int) -> Callable[[Thing], Thing]:
    """Make a function one of the forty things."""

    def add(thing: Thing) -> Thing:
        THINGS[thing.__name__] = (most, thing)
        return thing

    return add


@pytest.fixture(params=["mouse", "finger"])
def hand(request: Any, browser: Any, address: str) -> Iterator[Hand]:
    """A hand on the front page of a browser that is new; what goes wrong there is an error."""
    finger = request.param == "finger"
    context = browser.new_context(**(TELEPHONE if finger else SCREEN), reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#/")
    page.wait_for_selector(".begun .verdict.right")
    yield Hand(page, finger)
    context.close()
    assert wrong == []


def test_all_of_them_are_here() -> None:
    assert len(THINGS) == 40


@pytest.mark.parametrize("name", THINGS)
def test_a_newcomer_does(name: str, hand: Hand, record_property: Any) -> None:
    most, thing = THINGS[name]
    thing(hand, hand.page)
    record_property("clicks", hand.clicks)
    print(f"{name}: {hand.clicks}")
    assert hand.clicks <= most


def titled(page: Any, words: str) -> None:
    """Wait for the page of a puzzle."""
    page.wait_for_selector(f"h1:has-text('{words}')")


def playing(hand: Hand, card: str) -> None:
    """Open a game from the front page."""
    hand.card(card)
    hand.page.wait_for_selector(".play:not(.short) .verdict.right")


def known(page: Any, puzzle: Puzzle) -> list[tuple[str, Points]]:
    """Return the solution that the ledger knows."""
    placed = page.evaluate(f"fetch('examples/{puzzle.name}.json').then(a => a.json())")
    units = [tuple(unit) for unit in puzzle.region.units.tolist()]
    return [(name, [units[k] for k in own]) for name, own in placed]


def drop(hand: Hand, piece: str, point: str) -> None:
    """Drag a piece onto the board."""
    source = hand.page.locator(f"[data-piece={piece}]")
    source.scroll_into_view_if_needed()
    hand.lift(source)
    hand.move(*hand.middle(hand.unit(point)))
    hand.page.locator(".marks .ghost").first.wait_for(state="attached")
    hand.up()
    hand.page.locator(f"[data-piece={piece}].out").wait_for(state="attached")


PARTS = "count => document.querySelectorAll('.board .sketch .part').length === count"

# Find


@clicks(1)
def finds_the_soma_cube(hand: Hand, page: Any) -> None:
    hand.card("Soma cube")
    titled(page, "Soma")


@clicks(1)
def finds_a_puzzle_by_misspelled_words(hand: Hand, page: Any) -> None:
    hand.write("Find", "pentamino 6x10")
    titled(page, "Pentominoes, 6 by 10")


@clicks(1)
def finds_something_with_sticks(hand: Hand, page: Any) -> None:
    hand.card("Tetrasticks")
    titled(page, "Tetrasticks")


@clicks(2)
def finds_what_is_open(hand: Hand, page: Any) -> None:
    hand.click(page.get_by_role("link", name="Still open"))
    card = page.locator(".gallery .card:has-text('open') >> visible=true").first
    words = card.locator(".name").inner_text()
    hand.click(card)
    titled(page, words)
    page.locator(".notice, th:has-text('in the ledger')").first.wait_for()


@clicks(1)
def finds_an_impossible_one_and_why(hand: Hand, page: Any) -> None:
    hand.card("Mutilated chessboard")
    page.get_by_alt_text("The argument, drawn").wait_for()


@clicks(1)
def finds_the_calendar_of_this_day(hand: Hand, page: Any) -> None:
    hand.card("Today:")
    day = """new Date().toLocaleDateString("en-US", {month: "long", day: "numeric"})"""
    titled(page, f"Calendar, {page.evaluate(day)}")


@clicks(2)
def finds_the_largest_number_of_solutions(hand: Hand, page: Any) -> None:
    hand.click(page.get_by_role("link", name="Most solutions first"))
    card = page.locator(".gallery >> visible=true").locator(".card").first
    most = max(e["count"] or e["at_least"] or 0 for e in exhibits(page))
    assert f"{int(most):,}"[:12] in card.inner_text()
    hand.click(card)
    page.wait_for_selector("h1")


def exhibits(page: Any) -> list[dict[str, Any]]:
    """Return what the page knows of all puzzles."""
    script = """() => fetch("api/gallery", {
        headers: { authorization: `Bearer ${localStorage.getItem("token")}` }
    }).then(a => a.text())"""
    return list(json.loads(page.evaluate(script)))


# Play


@clicks(2)
def drags_a_piece_onto_the_board(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    drop(hand, "X", "3,3")


@clicks(3)
def turns_a_piece(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    moved(hand, "Turn")


@clicks(3)
def flips_a_piece(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    moved(hand, "Flip")


def moved(hand: Hand, how: str) -> None:
    """Take a piece and move it in the hand."""
    hand.click(hand.page.locator("[data-piece=F]"))
    picture = hand.page.locator(".hand svg")
    before = picture.inner_html()
    hand.press(how)
    assert picture.inner_html() != before


@clicks(3)
def takes_a_piece_back(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    drop(hand, "X", "3,3")
    hand.down(*hand.middle(hand.unit("3,3")))
    x, y = hand.middle(page.locator(".pieces"))
    hand.move(x, y - 20)
    hand.move(x, y)
    hand.up()
    page.locator("[data-piece=X]:not(.out)").wait_for(state="attached")


@clicks(14)
def undoes_five_times_and_redoes_three(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    for piece, point in (("X", "1,1"), ("I", "5,0"), ("P", "4,4"), ("W", "8,4"), ("T", "1,4")):
        drop(hand, piece, point)
    for name, times, left in (("Undo", 5, 0), ("Redo", 3, 3)):
        for _ in range(times):
            hand.press(name)
        page.wait_for_function(PARTS, arg=left)


@clicks(1)
def asks_for_a_hint(hand: Hand, page: Any) -> None:
    hand.press("Hint")
    page.wait_for_selector("text=fits where it is marked")


@clicks(3)
def learns_whether_it_can_be_finished(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    drop(hand, "X", "1,1")
    page.wait_for_selector("text=This can still be finished")
    drop(hand, "U", "6,3")
    page.wait_for_selector(".verdict:not(:has-text('thinking'))")


@clicks(3)
def gives_up_and_keeps_the_own_pieces(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    drop(hand, "I", "2,0")
    page.wait_for_selector("text=This can still be finished")
    own = page.locator(".board .part:has(title:text-is('I')) path").first
    place = own.get_attribute("d")
    hand.press("Finish")
    page.wait_for_selector(".verdict.solved")
    assert page.locator(".board .sketch .part").count() == 12
    assert own.get_attribute("d") == place


@clicks(15)
def finishes_a_game(hand: Hand, page: Any) -> None:
    puzzle = exactile.load("pentominoes-6x10")
    left = {
        piece.get_attribute("data-piece") for piece in page.locator(".begun .pieces button").all()
    }
    assert len(left) == 3
    for name, points in known(page, puzzle):
        if name in left:
            hand.place(puzzle, name, points)
    page.wait_for_selector(".verdict.solved")


@clicks(6)
def goes_on_to_a_harder_one(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    hand.press("Challenge")
    page.wait_for_selector("text=in 1 way.")
    hand.press("Finish")
    page.wait_for_selector(".verdict.solved")
    hand.choose("Level", "5")
    hand.press("Next challenge")
    page.wait_for_selector("text=in 1 way.")
    assert page.locator(".board .locked").count() == 7


@clicks(12)
def places_a_piece_of_a_cube_behind_another(hand: Hand, page: Any) -> None:
    playing(hand, "Soma cube")
    puzzle = exactile.load("soma-cube")
    scene = page.locator("canvas")
    (name, points), (other, behind), *_ = sorted(
        known(page, puzzle), key=lambda one: min(p[1] for p in one[1])
    )
    hand.place(puzzle, name, points)
    before = scene.screenshot()
    x, y = hand.middle(scene)
    hand.down(x, y)
    hand.move(x + 60, y - hand.raised)
    hand.move(x + 120, y - hand.raised)
    hand.up()
    wait_until(lambda: scene.screenshot() != before)
    hand.place(puzzle, other, behind)


@clicks(2)
def drags_a_piece_into_a_cube(hand: Hand, page: Any) -> None:
    playing(hand, "Soma cube")
    source = page.locator("[data-piece=T]")
    source.scroll_into_view_if_needed()
    hand.lift(source)
    hand.move(*hand.middle(page.locator("canvas")))
    page.locator(".marks .ghost").first.wait_for(state="attached")
    assert page.locator(".floating.faint").count() == 1
    hand.up()
    page.locator("[data-piece=T].out").wait_for(state="attached")


@clicks(0)
def plays_with_the_keyboard_alone(hand: Hand, page: Any) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.startsWith('Soma cube')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".play:not(.short) .verdict.right")
    focused = "document.activeElement.getAttribute('aria-label') ?? ''"
    for wanted, key in (("Take L", "Enter"), ("Board", " ")):
        for way in ["Tab"] * 40 + ["Shift+Tab"] * 60:
            if wanted in page.evaluate(focused):
                break
            page.keyboard.press(way)
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator("[data-piece=L].out").wait_for(state="attached")


# Solve


def solving(hand: Hand, words: str, pressed: str = "Solve") -> None:
    """Solve a puzzle that is found by words."""
    hand.write("Find", words)
    hand.page.locator("button.main").wait_for()
    hand.press(pressed)


@clicks(2)
def sees_one_solution(hand: Hand, page: Any) -> None:
    solving(hand, "soma cube")
    page.wait_for_selector(".at:has-text('1 of')")
    assert page.locator(".board .sketch .part").count() == 7


@clicks(5)
def sees_the_next_the_last_and_the_thousandth(hand: Hand, page: Any) -> None:
    solving(hand, "pentomino 6x10")
    page.wait_for_selector("text=All 2,339 solutions found.")
    hand.press("Next")
    assert page.inner_text(".at") == "2 of 2,339"
    hand.write("Number of the solution", "2339")
    assert page.inner_text(".at") == "2,339 of 2,339"
    hand.write("Number of the solution", "1000")
    assert page.inner_text(".at") == "1,000 of 2,339"


@clicks(3)
def learns_how_many_there_are(hand: Hand, page: Any) -> None:
    solving(hand, "pentomino 6x10", "Count")
    page.wait_for_selector("text=9,356 in all")


@clicks(3)
def learns_why_there_are_three_numbers(hand: Hand, page: Any) -> None:
    solving(hand, "soma cube", "Count")
    page.wait_for_selector("text=turned or mirrored into each other count once")
    assert page.locator(".numbers dt").all_inner_texts() == ["240", "480", "11,520"]


@clicks(3)
def leaves_a_piece_out(hand: Hand, page: Any) -> None:
    hand.write("Find", "tetrasticks 5x5")
    hand.click(page.locator("[data-piece=H]"))
    page.locator("[data-piece=H].out").wait_for()
    hand.press("Solve")
    page.wait_for_selector("text=All 72 solutions found.")


@clicks(3)
def stops_a_search(hand: Hand, page: Any) -> None:
    solving(hand, "bedlam cube")
    page.wait_for_selector("text=nodes")
    hand.press("Cancel")
    page.wait_for_selector("text=Cancelled.")


@clicks(3)
def comes_back_the_next_day(hand: Hand, page: Any) -> None:
    playing(hand, "Pentominoes")
    drop(hand, "X", "3,3")
    there = page.url.partition("#")[0]
    other = page.context.new_page()
    page.close()
    hand.page = other
    other.goto(there + "#/")
    other.get_by_text("Continue where you left off").wait_for()
    hand.click(other.locator(".card", has_text="begun").first)
    other.locator("[data-piece=X].out").wait_for(state="attached")


@clicks(3)
def sends_a_solution_to_a_friend(hand: Hand, page: Any) -> None:
    solving(hand, "soma cube")
    page.wait_for_selector("text=All 240 solutions found.")
    hand.press("Copy link")
    page.wait_for_selector("text=Copied")
    friend = page.context.new_page()
    friend.goto(page.evaluate("navigator.clipboard.readText()"))
    friend.wait_for_selector("text=This solution came with the address.")
    assert friend.locator(".board .sketch .part").count() == 7


@clicks(2)
def prints_a_solution(hand: Hand, page: Any) -> None:
    solving(hand, "pentomino 6x10")
    page.wait_for_selector(".at:has-text('1 of')")
    assert page.pdf().count(b"/Type /Page\n") <= 2
    page.emulate_media(media="print")
    assert page.locator(".board .sketch").is_visible()
    assert page.locator("header").is_hidden()


@clicks(4)
def saves_a_picture(hand: Hand, page: Any) -> None:
    solving(hand, "pentomino 6x10")
    page.wait_for_selector(".at:has-text('1 of')")
    hand.click(page.get_by_text("More", exact=True))
    with page.expect_download() as file:
        hand.press("PNG")
    assert file.value.path().read_bytes()[:4] == b"\x89PNG"


@clicks(3)
def saves_a_proof_that_there_is_none(hand: Hand, page: Any) -> None:
    hand.card("Mutilated chessboard")
    page.get_by_alt_text("The argument, drawn").wait_for()
    hand.click(page.get_by_text("More", exact=True))
    with page.expect_download() as file:
        hand.press("Certificate")
    assert file.value.path().stat().st_size


# Make


def drawing(hand: Hand) -> None:
    """Open the editor."""
    hand.press("Editor", "link")
    titled(hand.page, "Editor")


def colored(page: Any) -> int:
    """Return how many cells are drawn."""
    paths = page.locator(".board .sketch .part .cell").all()
    return sum((path.get_attribute("d") or "").count("M") for path in paths)


@clicks(10)
def fills_an_l_with_pentominoes(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.stroke("0,0", "0,5")
    hand.stroke("1,5", "1,0")
    hand.stroke("2,0", "5,0")
    hand.stroke("5,1", "2,1")
    assert colored(page) == 20
    hand.write("Copies of each", "0-1")
    hand.choose("Set of pieces", "pentominoes")
    hand.press("Add set")
    hand.click(page.get_by_role("link", name="Solve it"))
    page.locator("button.main").wait_for()


def own_piece(hand: Hand) -> None:
    """Draw a piece of three cells."""
    hand.choose("Brush", "piece")
    hand.stroke("0,0", "1,0")
    hand.stroke("1,1", "1,1")
    hand.press("Add piece")
    hand.page.get_by_label("Copies of A").wait_for()


@clicks(6)
def draws_a_piece(hand: Hand, page: Any) -> None:
    drawing(hand)
    own_piece(hand)


@clicks(7)
def uses_a_piece_six_times(hand: Hand, page: Any) -> None:
    drawing(hand)
    own_piece(hand)
    hand.write("Copies of A", "6")
    page.wait_for_selector("text=pieces of 18")


@clicks(3)
def leaves_a_hole_in_the_middle(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.press("Fill")
    wait_until(lambda: colored(page) == 48)
    hand.stroke("4,3", "4,3")
    assert colored(page) == 47


@clicks(6)
def lets_two_colors_match(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.press("Fill")
    hand.choose("Brush", "paint red")
    hand.stroke("0,0", "3,0")
    wait_until(lambda: page.locator(".part:has(title:text-is('painted'))").count() == 1)


@clicks(9)
def draws_the_same_on_hexagons(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.choose("Lattice", "hexagon")
    hand.press("Fill")
    filled = colored(page)
    middle = page.locator(".hits .hit").nth(filled // 2)
    hand.click(middle)
    assert colored(page) == filled - 1
    hand.choose("Brush", "paint red")
    hand.click(page.locator(".hits .hit").first)
    wait_until(lambda: page.locator(".part:has(title:text-is('painted'))").count() == 1)


@clicks(7)
def draws_a_cube_of_five(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.choose("Lattice", "cube")
    for name in ("Width", "Height", "Layers"):
        hand.write(name, "5")
    hand.press("Fill")
    assert colored(page) == 125
    page.wait_for_selector("text=125 units to be covered")


@clicks(2)
def opens_a_file_of_burrtools(hand: Hand, page: Any) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cube.xmpuzzle"
        write_puzzle_as(exactile.load("soma-cube"), file, "xmpuzzle")
        drawing(hand)
        with page.expect_file_chooser() as chooser:
            hand.press("Open…")
        chooser.value.set_files(file)
        page.wait_for_selector("text=27 units to be covered, pieces of 27.")


@clicks(5)
def saves_closes_and_opens_again(hand: Hand, page: Any) -> None:
    drawing(hand)
    hand.press("Fill")
    hand.press("Add set")
    page.get_by_role("link", name="Solve it").wait_for()
    with page.expect_download() as file:
        hand.press("Save")
    assert "square" in file.value.path().read_text("utf-8")
    there = page.url.partition("#")[0]
    other = page.context.new_page()
    page.close()
    hand.page = other
    other.goto(there + "#/")
    drawing(hand)
    wait_until(lambda: colored(other) == 48)
