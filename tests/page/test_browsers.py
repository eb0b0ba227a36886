"""The page without a server, in each browser: on each lattice a puzzle is found and played.

It is also solved, counted, and watched step by step.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import exactile
from exactile.serve.site import write_site
from support.hands import SCREEN, Hand
from support.site import copy_engine, hosted
from support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long]

PUZZLES = {
    "square": "pentominoes-3x20",
    "cube": "soma-cube",
    "hexagon": "tetrahexes-holey-star-1",
    "triangle": "hexiamonds-notched-hexagon-1",
    "square-edges": "tetrasticks-5x5-without-h",
    "triangle-edges": "tritrigs-hexagon-2",
    "hexagon-edges": "tetratwigs-arch",
    "cube-faces": "dominoids-two-cubes",
    "cube-edges": "space-disticks-cube",
    "quarter-squares": "tetraboloes-11x3-2211",
    "sixth-triangles": "didrafters-convex-pentagon",
    "kites": "hats-torus-4x2",
}


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a static host of a site with these puzzles."""
    folder = tmp_path_factory.mktemp("site")
    copy_engine(folder)
    write_site(folder, {*PUZZLES.values(), "pentominoes-6x10"}, ["square"])
    with hosted(folder) as address:
        yield address


@pytest.fixture(params=["browser", "firefox"])
def hand(request: pytest.FixtureRequest, host: str) -> Iterator[Hand]:
    """A mouse in a browser; what goes wrong in the page is an error."""
    context = request.getfixturevalue(request.param).new_context(**SCREEN)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(host)
    page.wait_for_selector(".begun .verdict.right")
    yield Hand(page, finger=False)
    context.close()
    assert wrong == []


TURNS = ["Shift", "r", "x", "y", "z", "r", "x"]
"""Keys that turn what is held; the first one does not."""


def turned_over_a_place(hand: Hand, key: str) -> bool:
    """Turn what is held, and move it from unit to unit until it fits."""
    hand.page.keyboard.press(key)
    for unit in hand.page.locator(".hits .hit").all():
        hand.move(*hand.middle(unit))
        if hand.page.locator(".marks .ghost").count():
            return True
    return False


@pytest.mark.parametrize("lattice", PUZZLES)
def test_a_puzzle_is_found_played_solved_counted_and_watched(hand: Hand, lattice: str) -> None:
    page, name = hand.page, PUZZLES[lattice]
    expected = exactile.count(exactile.load(name))
    hand.write("Find", name)
    page.wait_for_selector(f"text=on the {lattice} lattice")
    if expected.raw:
        hand.press("Play", "link")
        page.wait_for_selector(".verdict.right")
        for source in page.locator("[data-piece]:not([disabled])").all():
            hand.lift(source)
            fits = any(turned_over_a_place(hand, key) for key in TURNS)
            hand.up()
            if fits:  # there are pieces that fit nowhere
                break
        wait_until(lambda: page.locator(".board .sketch .part").count() >= 1)
        hand.press("Undo")
        hand.press("Solve", "link")
    hand.press("Solve")
    if expected.raw:
        shown = "The only solution" if expected.symmetry == 1 else f"All {expected.symmetry:,}"
        page.wait_for_selector(f"p >> text={shown}")
        assert page.locator(".board .sketch .part").count() > 1
        hand.press("Count", "link")
    hand.press("Count")
    page.wait_for_selector(f"text={expected.raw:,} in all" if expected.raw else "text=no solution")
    hand.click(page.get_by_text("Tools", exact=True))
    hand.press("Watch", "link")
    page.wait_for_selector("text=Node 0 ·")
    hand.press("Step")
    page.wait_for_selector("text=Node 1 ·")
    hand.press("Back")
    page.wait_for_selector("text=Node 0 ·")


def test_the_front_page_has_a_game_that_can_be_finished(hand: Hand) -> None:
    page, puzzle = hand.page, exactile.load("pentominoes-6x10")
    left = {p.get_attribute("data-piece") for p in page.locator(".begun .pieces button").all()}
    script = "fetch('puzzles/pentominoes-6x10.json').then(a => a.json()).then(a => a.solution)"
    units = [tuple(unit) for unit in puzzle.region.units.tolist()]
    for name, own in page.evaluate(script):
        if name in left:
            hand.place(puzzle, name, [units[k] for k in own])
    page.wait_for_selector(".verdict.solved")
