"""The editor in a real browser: files of others, addresses, paint, the keyboard alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.files.foreign.conversion import write_puzzle_as
from exactile.puzzle import Region
from support.waiting import wait_until

pytestmark = pytest.mark.slow

PSV = "One of each\nBoard ((4,0))\ntile((0,0)(1,0))\ntile((0,0)(1,0)(2,0))\n"
"""A puzzle of PolySolver: a domino and a tromino in a row of five."""


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def edit_a_copy(page: Any) -> None:
    """Open the puzzle that is shown in the editor."""
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Edit a copy").click()


def saved(page: Any) -> exactile.Puzzle:
    """Save what is drawn; return it."""
    page.get_by_role("link", name="Solve it").wait_for()
    with page.expect_download() as file:
        page.get_by_role("button", name="Save").click()
    return exactile.load(file.value.path().read_text("utf-8"))


def test_files_of_other_programs_are_opened(page: Any, tmp_path: Path) -> None:
    foreign = tmp_path / "cube.xmpuzzle"
    write_puzzle_as(exactile.load("soma-cube"), foreign, "xmpuzzle")
    visit(page, "/edit")
    page.get_by_label("File").set_input_files(foreign)
    page.wait_for_selector("text=27 units to be covered, pieces of 27.")
    assert exactile.count(saved(page)).symmetry == 240
    (tmp_path / "row.psv").write_text(PSV)
    page.get_by_label("File").set_input_files(tmp_path / "row.psv")
    page.wait_for_selector("text=5 units to be covered, pieces of 5.")
    assert exactile.count(saved(page)).raw == 2
    (tmp_path / "bad.toml").write_text("format = 1\n[puzzle.a]\nlattice = 3\n")
    page.get_by_label("File").set_input_files(tmp_path / "bad.toml")
    page.wait_for_selector("text=bad.toml")


def test_an_address_brings_the_puzzle_to_others(page: Any) -> None:
    visit(page, "/p/tetrominoes-torus-5x4")
    edit_a_copy(page)
    page.get_by_role("link", name="Solve it").wait_for()
    drawn, address = saved(page), page.url
    assert drawn.digest == exactile.load("tetrominoes-torus-5x4").digest
    other = page.context.new_page()
    other.goto(address)
    assert saved(other).digest == drawn.digest
    other.get_by_role("link", name="Solve it").click()
    other.get_by_role("button", name="Count", exact=True).click()
    other.wait_for_selector("text=in all.")
    other.goto(address[:-20])  # a part of it got lost
    other.wait_for_selector("text=This address is broken")
    other.close()


def test_pieces_of_solids_are_seen_at_a_slant_until_they_are_painted(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_label("Lattice").select_option("cube")
    page.get_by_role("button", name="Fill").click()
    page.get_by_label("Set of pieces").select_option("tricubes")
    page.get_by_role("button", name="Add set").click()
    page.locator(".piece .face").first.wait_for()
    page.get_by_label("Brush").select_option("paint red")
    page.get_by_label("Paint V3").focus()
    page.keyboard.press("Space")
    page.get_by_label("Brush").select_option("in")
    page.locator(".piece .face").first.wait_for()
    assert page.locator(".piece:has(.face)").count() == 1  # what is painted would not all be seen
    assert saved(page).paint.pieces["V3"]


def test_pieces_of_a_set_are_painted_and_kept_from_turning(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_label("Set of pieces").select_option("trominoes")
    page.get_by_role("button", name="Add set").click()
    page.get_by_label("Freedom of I3").select_option("fixed")
    page.get_by_label("Brush").select_option("paint red")
    page.get_by_label("Paint V3").focus()
    page.keyboard.press("Space")
    page.get_by_label("Brush").select_option("in")
    page.get_by_role("button", name="Fill").click()
    drawn = saved(page)
    assert drawn.piece("I3").freedom.value == "fixed"
    assert drawn.piece("V3").freedom.value == "free"
    assert {k: [*v.values()] for k, v in drawn.paint.pieces.items()} == {"V3": ["red"]}
    page.get_by_role("button", name="Undo").click()  # the fill
    page.get_by_role("button", name="Undo").click()  # the paint
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Fill").click()
    assert [*saved(page).paint.pieces] == ["V3"]


def test_nothing_that_was_drawn_is_lost(page: Any) -> None:
    """It outlives a reload, another lattice, a slip in the copies; what is saved is never empty."""
    visit(page, "/edit")
    drawn = page.locator(".board .part .cell")
    page.get_by_role("button", name="Fill").click()
    page.get_by_label("Set of pieces").select_option("tetrominoes")
    page.get_by_role("button", name="Add set").click()
    page.get_by_label("Copies of T4").fill("abc")
    page.get_by_label("Copies of T4").press("Tab")
    page.wait_for_selector("text=Copies are a number such as 3")
    assert page.get_by_label("Copies of T4").input_value() == "1"
    shape = drawn.get_attribute("d")
    page.get_by_label("Lattice").select_option("hexagon")
    assert drawn.count() == 0
    page.get_by_role("button", name="Undo").click()
    assert drawn.get_attribute("d") == shape
    assert page.get_by_label("Lattice").input_value() == "square"
    page.reload()
    visit(page, "/edit")
    page.get_by_label("Copies of T4").wait_for()
    assert drawn.get_attribute("d") == shape
    page.locator('.board [data-point="0,0"]').click(
        force=True
    )  # saved before the server has answered
    with page.expect_download() as file:
        page.get_by_role("button", name="Save").click()
    assert len(exactile.load(file.value.path().read_text("utf-8")).region.units) == 47
    visit(page, "/p/soma-cube")
    edit_a_copy(page)
    page.get_by_role("link", name="Solve it").wait_for()
    page.get_by_role("button", name="Undo").click()  # what the copy took the place of
    page.get_by_label("Copies of T4").wait_for()


def draw_trominoes(page: Any) -> str:
    """Draw a puzzle of trominoes; return the word of its address."""
    visit(page, "/edit")
    page.get_by_role("button", name="Fill").click()
    page.get_by_label("Set of pieces").select_option("trominoes")
    page.get_by_role("button", name="Add set").click()
    page.get_by_role("link", name="Solve it").wait_for()
    return str(page.url).partition("#")[2]


def test_a_drawing_that_is_newer_than_its_address_outlives_a_reload(page: Any) -> None:
    """It is newer if it cannot be built, for example because of its name."""
    word = draw_trominoes(page)
    page.get_by_label("Name", exact=True).fill("My nice puzzle")
    page.get_by_label("Name", exact=True).press("Tab")
    page.locator("p.wrong").wait_for()
    page.get_by_label("Brush").select_option("piece")
    page.locator('.board [data-point="0,0"]').click(force=True)
    page.get_by_label("Width").fill("10")
    page.get_by_label("Width").press("Tab")
    page.locator("p.wrong").wait_for()
    assert page.url.endswith(word)
    drawn = page.locator(".board .sketch").inner_html()
    for _ in range(2):
        page.reload()
        page.get_by_label("Copies of V3").wait_for()
        assert page.locator(".board .sketch").inner_html() == drawn
    page.get_by_role("button", name="Undo").click()  # the width
    page.get_by_role("button", name="Undo").click()  # the piece
    page.get_by_role("button", name="Undo").click()  # the name
    page.get_by_role("link", name="Play it").click()
    page.get_by_role("button", name="Challenge").wait_for()
    page.go_back()
    page.get_by_label("Copies of V3").wait_for()
    page.get_by_role("button", name="Undo").click()  # the pieces
    page.get_by_label("Copies of V3").wait_for(state="detached")


def test_each_tab_has_a_drawing_of_its_own(page: Any) -> None:
    draw_trominoes(page)
    other = page.context.new_page()
    other.goto(page.url.partition("#")[0] + "#/edit")
    other.get_by_label("Copies of V3").wait_for()  # a new tab begins with the last one
    other.get_by_role("button", name="No pieces").click()
    other.get_by_label("Copies of V3").wait_for(state="detached")
    other.close()
    visit(page, "/edit")
    page.reload()
    page.get_by_label("Copies of V3").wait_for()


def test_a_new_tab_shows_the_puzzle_of_its_link(page: Any) -> None:
    """A drawing of another tab that cannot be built is not newer than this address."""
    draw_trominoes(page)
    page.get_by_label("Width").fill("10")
    page.get_by_label("Width").press("Tab")
    page.get_by_label("Name", exact=True).fill("My nice puzzle")
    page.get_by_label("Name", exact=True).press("Tab")
    page.locator("p.wrong").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("link", name="Solve it").wait_for()
    assert other.get_by_label("Name", exact=True).input_value() == "mine"
    other.get_by_role("button", name="Undo").click()  # what the link took the place of
    assert other.get_by_label("Name", exact=True).input_value() == "My nice puzzle"
    other.close()


FULL = """space => {
    const { setItem } = Storage.prototype;
    const used = Object.values(sessionStorage).join("").length;
    Storage.prototype.setItem = function (name, text) {
        const others = Object.keys(this).filter(other => other !== name).map(other => this[other]);
        if (this === sessionStorage && others.join("").length + text.length > space * used)
            throw new DOMException("It is full", "QuotaExceededError");
        setItem.call(this, name, text);
    };
}"""
"""The tab keeps no more than a multiple of what it has kept; this ends with a reload."""


@pytest.mark.parametrize("space", [0, 1])
def test_no_older_drawing_comes_back_if_the_browser_can_keep_no_more(page: Any, space: int) -> None:
    draw_trominoes(page)
    visit(page, "/sudoku")
    page.wait_for_selector("h1:has-text('Sudoku')")
    visit(page, "/edit")
    page.get_by_label("Copies of V3").wait_for()
    page.evaluate(FULL, space)
    page.get_by_label("Width").fill("9")
    page.get_by_label("Width").press("Tab")
    page.get_by_role("button", name="Fill").click()
    page.wait_for_selector("text=54 units to be covered")
    visit(page, "/sudoku")
    page.wait_for_selector("h1:has-text('Sudoku')")
    page.reload()
    page.wait_for_selector("h1:has-text('Sudoku')")
    visit(page, "/edit")
    page.wait_for_selector("text=54 units to be covered")


def test_pieces_may_have_names_that_objects_have(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_label("Brush").select_option("piece")
    for name, unit in (("constructor", "1,1"), ("__proto__", "2,2")):
        page.locator(f'.board [data-point="{unit}"]').click(force=True)
        page.get_by_label("Name of the piece").fill(name)
        page.get_by_role("button", name="Add piece").click()
        page.get_by_label(f"Copies of {name}").wait_for()
    visit(page, "/p/soma-cube/constructor")  # no view
    page.get_by_role("button", name="Solve").wait_for()


def test_a_copy_keeps_its_width_when_its_height_is_typed(page: Any, tmp_path: Path) -> None:
    wide = tmp_path / "wide.toml"
    exactile.write_puzzles(wide, [exactile.make_puzzle(pieces="40xdominoes", box=(80, 1))])
    visit(page, "/edit")
    page.get_by_label("File").set_input_files(wide)
    page.wait_for_selector("text=80 units to be covered")
    page.get_by_label("Height").fill("2")
    page.get_by_label("Height").press("Tab")
    assert page.get_by_label("Width").input_value() == "80"


def test_a_wrap_that_cannot_be_read_is_marked(page: Any) -> None:
    draw_trominoes(page)
    for text in ("x", "1", "4,", "4,0;0"):
        page.get_by_label("Wrap").fill(text)
        page.get_by_label("Wrap").press("Tab")
        page.wait_for_selector(f"text=The wrap “{text}” cannot be read: write translations such as")
        assert page.get_by_label("Wrap").get_attribute("aria-invalid") == "true"
        assert page.get_by_role("link", name="Solve it").count() == 0  # it would be the old drawing
    page.get_by_label("Wrap").fill("8, 0")
    page.get_by_label("Wrap").press("Tab")
    page.get_by_role("link", name="Solve it").wait_for()
    assert page.get_by_label("Wrap").get_attribute("aria-invalid") == "false"


def test_a_stroke_misses_nothing_however_fast_it_is(page: Any) -> None:
    visit(page, "/edit")
    start, end = (page.locator(f'[data-point="{x},2"]').bounding_box() for x in (0, 7))
    for length in (8, 0):  # a stroke that begins on what is drawn erases all of it
        page.mouse.move(start["x"] + 9, start["y"] + 9)
        page.mouse.down()
        page.mouse.move(end["x"] + 9, end["y"] + 9)
        page.mouse.up()
        page.wait_for_selector(f"text={length} units to be covered")


@pytest.mark.parametrize("name", ["tetrasticks-5x5", "calendar", "windmill"])
def test_a_copy_keeps_the_rules_or_says_which_are_lost(page: Any, name: str) -> None:
    visit(page, f"/p/{name}")
    edit_a_copy(page)
    assert saved(page).digest == exactile.load(name).digest
    if name == "tetrasticks-5x5":
        page.get_by_label("Copies of H").fill("0")
        page.get_by_label("Copies of H").press("Tab")
        page.wait_for_selector("text=are lost: a choice of pieces that are left out.")


def test_width_and_height_are_those_that_were_said(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_role("button", name="Fill").click()
    page.wait_for_selector("text=48 units to be covered")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("text=Nothing is saved yet.")
    for lattice, units in (
        ("hexagon", 48),
        ("square-edges", 8 * 7 + 6 * 9),
        ("quarter-squares", 4 * 48),
    ):
        page.get_by_label("Lattice").select_option(lattice)
        page.get_by_role("button", name="Fill").click()
        page.wait_for_selector(f"text={units} units to be covered")
    for name in ("triangle-edges", "hexagon-edges"):
        page.get_by_label("Lattice").select_option(name)
        units = page.locator(".board .hit").evaluate_all("all => all.map(one => one.dataset.point)")
        region = Region(name, [tuple(map(int, unit.split(","))) for unit in units])
        faces = region.lattice.faces
        ends = Counter(
            tuple(np.round(point + np.array(corner), 3).tolist())
            for point, kind in zip(region.units, region.types, strict=True)
            for corner in faces[kind][0]
        )
        assert min(ends.values()) > 1  # no stick ends where there is no other


def test_the_cursor_stays_within_a_smaller_window(page: Any) -> None:
    visit(page, "/edit")
    board = page.get_by_role("application", name="Drawing")
    board.focus()
    for key in [*["ArrowRight"] * 7, *["ArrowUp"] * 5]:
        page.keyboard.press(key)
    page.get_by_label("Width").fill("2")
    page.get_by_label("Width").press("Tab")
    board.focus()
    for key in ("Space", "ArrowLeft", "Space"):
        page.keyboard.press(key)
    page.wait_for_selector("text=2 units to be covered")


def test_only_the_first_button_of_a_mouse_draws(page: Any) -> None:
    visit(page, "/edit")
    for unit, button in (("2,2", "right"), ("3,3", "middle"), ("4,4", "left")):
        page.locator(f'.board [data-point="{unit}"]').click(force=True, button=button)
    page.wait_for_selector("text=1 unit to be covered")


def test_pieces_get_letters_that_are_free(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_label("Brush").select_option("piece")

    def add(unit: str) -> None:
        page.locator(f'.board [data-point="{unit}"]').click(force=True)
        page.get_by_role("button", name="Add piece").click()

    for unit in ("1,1", "2,2", "3,3"):
        add(unit)
    page.get_by_label("Copies of A").fill("0")
    page.get_by_label("Copies of A").press("Tab")
    page.get_by_label("Copies of A").wait_for(state="detached")
    add("4,4")
    names = page.locator(".piece .name").all_inner_texts()
    assert names == ["B", "C", "A"]


def test_a_solid_is_seen_once_however_long_its_view_is_loaded(page: Any) -> None:
    waiting: list[Any] = []
    page.route("**/solid.js", lambda route: waiting.append(route))
    visit(page, "/edit")
    page.get_by_label("Lattice").select_option("cube")
    page.get_by_label("Layers").fill("2")
    with page.expect_event("requestfinished", lambda r: r.url.endswith("solid.js")):
        page.get_by_label("Layers").press("Tab")
        wait_until(lambda: page.evaluate("1") and waiting)
        waiting[0].continue_()
    page.locator("canvas").first.wait_for()
    assert page.locator("canvas").count() == 1


def test_large_solids_are_drawn(page: Any) -> None:
    visit(page, "/edit")
    page.get_by_label("Lattice").select_option("cube")
    for name in ("Width", "Height", "Layers"):
        page.get_by_label(name).fill("18")
        page.get_by_label(name).press("Tab")
    page.get_by_role("button", name="Fill").click()
    page.wait_for_selector("text=5,832 units to be covered")
    box = page.locator(".board .sketch").first.bounding_box()
    assert box["width"] < 3 * box["height"]  # the layers stand in rows


def test_a_puzzle_is_drawn_and_solved_with_the_keyboard_alone(page: Any) -> None:
    """Every control is reached by Tab, and what it does by Enter, Space, arrows and letters."""
    visit(page, "/edit")
    page.get_by_role("application", name="Drawing").wait_for()
    reach(page, "Width")
    page.keyboard.press("Control+a")
    page.keyboard.type("4")
    reach(page, "Height")
    page.keyboard.press("Control+a")
    page.keyboard.type("2")
    reach(page, "Drawing: arrows")
    page.keyboard.press("Space")  # the first unit, then along the row, and back above it
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", *["ArrowLeft"] * 3):
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    reach(page, "Set of pieces")
    page.keyboard.type("dom")
    reach(page, "Add set")
    page.keyboard.press("Enter")
    page.get_by_label("Copies of I2").wait_for()
    reach(page, "Copies of I2")
    page.keyboard.press("Control+a")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=8 units to be covered, pieces of 8.")
    page.get_by_role("link", name="Solve it").wait_for()
    reach(page, "Solve it")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Count", exact=True).wait_for()
    reach(page, "Copy link")
    reach(page, "Count")  # the button: the view of this name comes before
    page.keyboard.press("Enter")
    page.wait_for_selector("text=5 in all.")  # dominoes in a rectangle of 4 by 2


def reach(page: Any, name: str) -> None:
    """Press Tab until what is focused has a name that begins so."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(NAME).startswith(name):
            return
    raise AssertionError(f"nobody comes to {name} by Tab")


NAME = """() => {
    const here = document.activeElement;
    return here.getAttribute("aria-label") ?? here.textContent ?? "";
}"""
