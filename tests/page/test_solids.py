"""Solids in three dimensions, in a real browser: in what order they are built, what is shown."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from support.hands import own
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

WAYS = {
    "from above": (2, 1),
    "from below": (2, -1),
    "from the right": (0, 1),
    "from the left": (0, -1),
    "from behind": (1, 1),
    "from the front": (1, -1),
}

Cells = set[tuple[int, ...]]


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def solved(page: Any, name: str) -> dict[str, Cells]:
    """Solve a puzzle; return the cells of each piece in the solution that is shown."""
    visit(page, f"/p/{name}")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("at most").fill("1")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=1 of 1")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Solutions", exact=True).click()
    lines = map(json.loads, saved.value.path().read_text("utf-8").splitlines())
    found = next(line for line in lines if "placements" in line)
    return {piece: {tuple(unit) for unit in units} for piece, units in found["placements"]}


def free(piece: Cells, others: Cells, axis: int, sign: int) -> bool:
    """Return whether a piece meets no other on its way out."""
    moved = [
        {tuple(c + (k == axis) * sign * far for k, c in enumerate(cell)) for cell in piece}
        for far in range(1, 20)
    ]
    return all(others.isdisjoint(there) for there in moved)


def test_pieces_are_put_in_in_an_order_that_works(page: Any) -> None:
    placed = solved(page, "soma-cube")
    there: Cells = set()
    page.get_by_text("Take apart, build, cut").click()
    built = page.get_by_label("Piece by piece")
    for number in range(1, 7):
        built.fill(str(number))
        words = page.locator("output.soft").inner_text()
        at, name, way = words.replace(":", "").split(" ", 2)
        assert int(at) == number
        assert free(placed[name], there, *WAYS[way])
        there |= placed[name]
    built.fill("7")
    assert page.locator("output.soft").inner_text() == ""


HELD = """format = 1
[puzzle.held]
lattice = "triangle-prisms"
pieces.cells = { P = "0..1,0,0..2,0 0,0,0,1 0,0,2,1", Q = "0,0,1,1", R = "0,0,3,0..1" }
pieces.freedom = "fixed"
region.units = "0..1,0,0..2,0 0,0,0..3,1 0,0,3,0"
"""
"""Q stands between two prisms, with others below and above: it can only come from behind."""


def test_no_prism_is_put_in_through_one_beside_it(page: Any) -> None:
    visit(page, own(HELD))
    page.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_selector("text=The only solution.")
    page.get_by_text("Take apart, build, cut").click()
    page.get_by_label("Piece by piece").fill("2")
    assert page.locator("output.soft").inner_text() == "2: Q from behind"


def test_a_solid_is_turned_cut_taken_apart_and_a_piece_shown_alone(page: Any) -> None:
    solved(page, "soma-cube")
    canvas = page.locator("canvas")
    seen = [picture(page)]
    canvas.focus()
    for key in ("ArrowRight", "ArrowUp", "+"):
        page.keyboard.press(key)
        seen.append(picture(page, *seen))
    page.get_by_text("Take apart, build, cut").click()
    for control, value in (("Apart", "1"), ("Highest layer", "2"), ("Piece by piece", "3")):
        page.get_by_label(control).fill(value)
        seen.append(picture(page, *seen))
    page.get_by_label("Piece by piece").fill("7")
    page.get_by_label("One piece alone").select_option(index=3)
    assert picture(page, *seen)


IN_FULL = "canvas => canvas.width >= canvas.clientWidth"
"""It is drawn coarser while it moves, if that is slow."""


def picture(page: Any, *before: bytes) -> bytes:
    """Return what the canvas shows at rest, once that is none of what it showed before."""
    canvas, shots = page.locator("canvas"), [b""]

    def is_new() -> bool:
        shots.append(canvas.screenshot())
        rests = canvas.evaluate(IN_FULL) and shots[-1] == shots[-2]
        return rests and shots[-1] not in before

    wait_until(is_new)
    return shots[-1]


def test_what_is_played_is_seen_in_space(page: Any) -> None:
    visit(page, "/p/soma-cube/play")
    page.locator("canvas").wait_for()
    empty = picture(page)
    page.locator("[data-piece=L]").click()
    page.locator('[data-point="0,0,0"]').click(force=True)
    page.wait_for_selector("[data-piece=L].out")
    assert picture(page, empty)


def test_one_plays_in_layers_where_the_view_cannot_be_loaded(browser: Any, address: str) -> None:
    page = browser.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.route("**/solid.js", lambda route: route.abort())
    page.goto(f"{address}#/p/soma-cube/play")
    page.wait_for_selector("text=here are the layers")
    page.locator("[data-piece=L]").click()
    page.unroute("**/solid.js")
    visit(page, "/p/soma-cube")  # the next view tries again
    page.locator("canvas").wait_for()
    page.context.close()


def test_a_piece_stays_alone_in_the_next_solution(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    page.get_by_text("Take apart, build, cut").click()
    alone = page.get_by_label("One piece alone")
    alone.select_option("T alone")
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
        assert alone.locator("option:checked").inner_text() == "T alone"


def test_a_view_is_reset_and_a_piece_is_dragged_into_it(page: Any) -> None:
    visit(page, "/p/soma-cube/play")
    canvas = page.locator("canvas")
    canvas.wait_for()
    first = picture(page)
    canvas.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    turned = picture(page, first)
    page.get_by_text("Take apart, build, cut").click()
    page.get_by_role("button", name="Reset view").click()
    page.get_by_text("Take apart, build, cut").click()
    assert picture(page, turned) == first
    scene = canvas.bounding_box()
    lift(page, "T", scene["x"] + 9, scene["y"] + 9)
    page.mouse.up()
    page.wait_for_selector("text=T does not fit there.")
    x, y = page.evaluate(CORNER, base64.b64encode(first).decode())
    lift(page, "L", scene["x"] + x, scene["y"] + y + 1)
    page.mouse.up()
    page.locator("[data-piece=L].out").wait_for()
    lift(page, "T", scene["x"] + scene["width"] / 2, scene["y"] + scene["height"] / 2)
    assert page.locator(".marks .ghost").count() == 4
    page.mouse.up()
    page.locator("[data-piece=T].out").wait_for()
    assert picture(page, first)


def lift(page: Any, name: str, x: float, y: float) -> None:
    """Drag a piece from the tray to a place of the screen, and hold."""
    piece = page.locator(f"[data-piece={name}]").bounding_box()
    page.mouse.move(piece["x"] + 20, piece["y"] + 20)
    page.mouse.down()
    page.mouse.move(x, y)


CORNER = """async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const colors = new Uint32Array(data.buffer);
    const inner = 8 * bitmap.width; // the canvas has round corners and is focused
    const first = colors.findIndex((color, at) => at > inner && color !== colors[inner + 8]);
    return [first % bitmap.width, Math.floor(first / bitmap.width)];
}"""
"""Where in a picture something is drawn highest."""


def test_no_piece_is_dragged_into_layers_that_are_cut_off(page: Any) -> None:
    visit(page, "/p/soma-cube/play")
    page.locator("canvas").wait_for()
    page.get_by_text("Take apart, build, cut").click()
    scene = page.locator("canvas").bounding_box()
    x, y = scene["x"] + scene["width"] / 2, scene["y"] + scene["height"] * 0.28
    for layers in (3, 1):
        page.get_by_label("Highest layer").fill(str(layers))
        lift(page, "T", x, y)  # over the highest layer only
        page.locator(".floating").wait_for()
        assert page.locator(".floating.faint").count() == (layers == 3)
        page.keyboard.press("Escape")
        page.mouse.up()
