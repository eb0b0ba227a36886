"""Playing, watching, drawing, and solids, in a real browser."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.files.puzzles.writer import document_text
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Point
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Piece
from support.hands import own
from support.waiting import PATIENCE

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_a_board_is_played_with_the_mouse(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.wait_for_selector("text=This can still be finished")
    page.locator("[data-piece=X]").click()
    page.locator('[data-point="1,1"]').click(force=True)
    page.wait_for_selector("text=This cannot be finished any more")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=X must move: it is marked.")
    page.locator('[data-point="1,1"]').click(force=True)
    page.wait_for_selector("text=This can still be finished")
    assert page.locator("[data-piece=X]").is_enabled()


def test_a_board_is_played_with_the_keyboard(page: Any) -> None:
    visit(page, "/p/tetrasticks-5x5-without-h/play")
    page.locator("[data-piece=O]").focus()
    page.keyboard.press("Enter")
    page.get_by_role("application").focus()
    for key in ("ArrowRight", "ArrowLeft", "Space", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("[data-piece=O].out")
    page.keyboard.press("Control+z")
    page.wait_for_selector("[data-piece=O]:not(.out)")


def test_everything_that_a_player_does_has_its_key(page: Any) -> None:
    """Take, turn, flip, go through the fits, put down, take up, put back, undo; hint, challenge."""
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=F]").focus()
    page.keyboard.press("Enter")
    hand = page.get_by_role("img", name="F, in the hand")
    seen = {hand.inner_html()}
    for key in ("r", "f", "R"):  # also while Caps Lock is on
        page.keyboard.press(key)
        seen.add(hand.inner_html())
    assert len(seen) == 4
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-piece=F].out")
    page.keyboard.press("Enter")  # the cursor is on it: it is taken up
    page.wait_for_selector("[data-piece=F]:not(.out)")
    hand.wait_for()
    page.keyboard.press("Escape")
    hand.wait_for(state="detached")
    for name, words in (("Hint", "fits where it is marked"), ("Challenge", "in 1 way")):
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"text={words}")
    page.keyboard.press("Control+z")
    page.locator(".board .part").first.wait_for(state="detached")


ASTRIDE = [(3, 6), (5, 6), (6, 3), (6, 5), (6, 7), (6, 9), (7, 6), (9, 6)]
"""Quarters of squares: a square of four tans around a corner, not around the middle of a square."""

OVER = [(0, 0, 0), (0, 0, 1), (1, 0, 1)]
"""Three balls, turned over in space: no rotation of the lattice does that."""

ASIDE = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
"""Three prisms in a row that has another direction than the piece at first."""


@pytest.mark.parametrize(
    ("lattice", "pieces", "name", "units", "keys"),
    [
        ("quarter-squares", "tetraboloes", "P4x13", ASTRIDE, ""),
        ("spheres", "trispheres", "P3x3", OVER, "fz"),
        ("hexagon-prisms", "trihexprisms", "P3x3", ASIDE, "zzz"),
    ],
)
def test_a_piece_is_put_down_however_its_rules_let_it_lie(
    page: Any, lattice: str, pieces: str, name: str, units: list[Point], keys: str
) -> None:
    shapes, grid = exactile.piece_set(pieces, lattice), exactile.get_lattice(lattice)
    piece = Piece(name, grid, as_tuples(shapes.pieces[name]), shapes.freedom)
    text = document_text([Puzzle("one", Region(grid, units), (piece,))])
    visit(page, f"{own(text)}/play")
    page.locator("[data-piece]").click()
    unit, ghost = page.locator(".hits .hit").first, page.locator(".marks .ghost")
    for key in ["Shift", *keys]:
        page.keyboard.press(key)
        unit.hover(force=True)
        if ghost.count():
            break
    unit.click(force=True)
    page.wait_for_selector("text=Solved!")


def test_a_finger_plays_on_a_telephone(browser: Any, address: str) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#/p/soma-cube/play")
    page.locator("[data-piece=L]").tap()
    page.get_by_role("button", name="Turn about z").tap()
    page.locator('[data-point="0,0,0"]').tap()
    page.wait_for_selector("[data-piece=L].out")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_challenge_has_one_way(page: Any) -> None:
    visit(page, "/p/soma-cube/play")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_selector("text=This can still be finished in 1 way.")
    assert page.locator(".pieces .out").count() == 4  # the first one is easy


def test_a_board_with_units_that_stay_empty_is_solved(page: Any) -> None:
    visit(page, "/p/windmill/play")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Solved!")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=Nothing is left to be done.")


def test_the_clock_is_that_of_a_challenge(page: Any) -> None:
    visit(page, "/p/soma-cube/play")
    page.get_by_label("Clock").check()
    shown = page.locator(".clock output")
    page.get_by_role("button", name="Clear").click()  # this begins no challenge
    assert shown.inner_text() == ""
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_selector("text=This can still be finished in 1 way.")
    assert shown.inner_text()
    page.get_by_role("button", name="Undo").click()
    assert shown.inner_text() == ""
    page.get_by_role("button", name="Redo").click()
    assert shown.inner_text()
    page.get_by_role("button", name="Clear").click()
    assert shown.inner_text() == ""


def test_controls_of_the_hand_stay_focused(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/play")
    page.locator("[data-piece=F]").click()
    for name, focused in (("Turn", "Turn"), ("Flip", "Flip"), ("Put back", "F")):
        page.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        here = "document.activeElement"
        assert page.evaluate(f"{here}.dataset.piece ?? {here}.textContent") == focused


def test_a_run_that_is_paused_does_not_go_on_beside_the_next(page: Any) -> None:
    page.clock.install()
    visit(page, "/p/soma-cube/watch")
    page.wait_for_selector("text=Node 0 ·")
    asked: list[int] = []
    page.on("request", lambda r: asked.append(r.post_data_json["after"]) if r.post_data else None)
    page.get_by_label("Speed").select_option("1 a second")
    page.clock.pause_at("2100-01-01")
    page.get_by_role("button", name="Run").click()
    page.wait_for_selector("text=Node 1 ·")
    page.clock.run_for(500)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Run").click()
    page.wait_for_selector("text=Node 2 ·")
    page.clock.run_for(500)  # the first run would take a step now
    assert asked == [1, 2]
    page.clock.run_for(500)
    page.wait_for_selector("text=Node 3 ·")
    assert asked == [1, 2, 3]


def test_the_search_is_watched_forth_and_back(page: Any) -> None:
    visit(page, "/p/soma-cube/watch")
    page.wait_for_selector("text=Node 0 ·")
    page.get_by_role("button", name="Step").click()
    page.wait_for_selector("text=Node 1 ·")
    page.get_by_role("button", name="Next solution").click()
    page.wait_for_selector("text=Node 66 · A solution")
    page.get_by_label("The tree around: 7 levels").wait_for()
    page.get_by_role("button", name="Back").click()
    page.wait_for_selector("text=Node 65 ·")


def test_a_node_is_as_deep_as_the_one_that_was_asked_for(page: Any) -> None:
    visit(page, "/p/tetrasticks-5x5/watch")  # its first choice is the piece that is left out
    page.wait_for_selector("text=Node 0 · Depth 0")
    page.get_by_role("button", name="Next node there").click()
    page.wait_for_selector("text=Depth 3")
    assert page.locator(".trail li").count() == 3


def test_the_unit_that_is_chosen_is_marked_on_the_board(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/watch")
    page.wait_for_selector("text=Node 0 ·")
    page.get_by_role("button", name="Step").click()
    page.wait_for_selector("text=unit 0,0 has too few options left: backtrack.")
    marked = page.locator(".marks .bad").get_attribute("d")
    assert marked == "M-0.5 0.5L0.5 0.5L0.5 -0.5L-0.5 -0.5Z"


HEXAGON = """
format = 1
[puzzle.kites]
lattice = "kites"
pieces = { set = "dikites", ranges = "0..3" }
region.hexagon = 1
"""

CLICK = """points => {
    for (const point of points) {
        const unit = document.querySelector(`[data-point="${point}"]`);
        unit.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        window.dispatchEvent(new PointerEvent("pointerup"));
    }
}"""

DRAWN = {
    "square": ("pentominoes-holey-oval", ["pentominoes"]),
    "cube": ("tetracubes-2x2x2x4", ["tetracubes"]),
    "hexagon": ("tetrahexes-holey-star-1", ["tetrahexes"]),
    "triangle": ("hexiamonds-notched-hexagon-1", ["hexiamonds"]),
    "square-edges": (
        "polysticks-123-4x4-clipped-corners-1",
        ["monostick", "disticks", "tristicks"],
    ),
    "triangle-edges": ("tritrigs-hexagon-2", ["tritrigs"]),
    "hexagon-edges": ("tetratwigs-arch", ["tetratwigs"]),
    "cube-faces": ("dominoids-two-cubes", ["dominoids"]),
    "cube-edges": ("space-disticks-cube", ["space-disticks"]),
    "quarter-squares": ("tetraboloes-11x3-2211", ["tetraboloes"]),
    "sixth-triangles": ("didrafters-convex-pentagon", ["didrafters"]),
    "kites": (HEXAGON, ["dikites"]),
}


@pytest.mark.parametrize("lattice", DRAWN)
def test_a_puzzle_is_drawn_on_every_lattice(page: Any, lattice: str) -> None:
    reference, sets = DRAWN[lattice]
    puzzle = exactile.load(reference)
    points, size = _from_the_corner(puzzle)
    visit(page, "/edit")
    page.get_by_label("Lattice").select_option(lattice)
    for name, width in zip(("Width", "Height", "Layers"), size, strict=False):
        page.get_by_label(name).fill(str(width))
        page.get_by_label(name).press("Tab")
    page.evaluate(CLICK, [",".join(map(str, point)) for point in points])
    for name in sets:
        page.get_by_label("Set of pieces").select_option(name)
        page.get_by_role("button", name="Add set").click()
        page.get_by_label(f"Copies of {[*exactile.piece_set(name, lattice).pieces][-1]}").wait_for()
    for piece in puzzle.pieces:
        if (piece.lower, piece.upper) != (1, 1):
            copies = page.get_by_label(f"Copies of {piece.name}")
            copies.fill(f"{piece.lower}-{piece.upper}")
            copies.press("Tab")
    page.get_by_role("link", name="Solve it").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    drawn = exactile.load(saved.value.path().read_text("utf-8"))
    assert exactile.count(drawn).symmetry == exactile.count(puzzle).symmetry


def test_units_are_painted_and_wrapped(page: Any) -> None:
    """A checkered torus for checkered dominoes, drawn; what is wrong is marked where it is."""
    visit(page, "/edit")
    page.get_by_label("Width").fill("4")
    page.get_by_label("Width").press("Tab")
    page.get_by_label("Height").fill("2")
    page.get_by_label("Height").press("Tab")
    draw(page, "piece", ["0,0", "1,0"])
    draw(page, "paint red", ["0,0"])
    page.get_by_role("button", name="Add piece").click()
    draw(page, "in", [f"{x},{y}" for x in range(4) for y in range(2)])
    draw(page, "paint red", [f"{x},{y}" for x in range(4) for y in range(2) if (x + y) % 2])
    page.get_by_label("Copies of A").fill("4")
    page.get_by_label("Copies of A").press("Tab")
    page.get_by_label("Wrap").fill("0,0")
    page.get_by_label("Wrap").press("Tab")
    page.locator('[aria-label="Wrap"][aria-invalid="true"]').wait_for()
    page.get_by_label("Wrap").fill("4,0")
    page.get_by_label("Wrap").press("Tab")
    page.locator('[aria-label="Wrap"][aria-invalid="false"]').wait_for()
    page.get_by_role("link", name="Solve it").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save").click()
    drawn = exactile.load(saved.value.path().read_text("utf-8"))
    assert sorted(drawn.paint.units.values()) == ["red"] * 4
    assert [*drawn.paint.pieces["A"].values()] == ["red"]
    assert drawn.region.wrap is not None
    assert exactile.count(drawn).raw == 9  # two ways round in each row, or upright pairs


def draw(page: Any, brush: str, points: list[str]) -> None:
    """Click on units with a brush."""
    page.get_by_label("Brush").select_option(brush)
    page.evaluate(CLICK, points)


def _from_the_corner(puzzle: exactile.Puzzle) -> tuple[list[list[int]], list[int]]:
    """Return the points of a region, moved to where the editor draws, and the size it needs."""
    lattice, units = puzzle.lattice, puzzle.region.units
    embedding = np.array(lattice.embedding)
    corners = [
        np.array(face) + unit
        for unit, kind in zip(units, puzzle.region.types, strict=True)
        for face in lattice.faces[kind]
    ]
    places = np.concatenate(corners) @ embedding
    for by in product(range(-14, 15), repeat=lattice.dimension):
        moved = lattice.period * np.array(by)
        low, high = (far(axis=0) + moved @ embedding for far in (places.min, places.max))
        if (low > -1e-6).all() and (low < 1.8).all():
            return (units + moved).tolist(), (np.ceil(high - 1e-6) + 1).astype(int).tolist()
    raise AssertionError("no translation brings it to the corner")
