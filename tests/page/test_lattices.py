"""On each lattice: a puzzle is found in the gallery, solved, drawn, leafed through."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

PUZZLES = {
    "square": ("pentominoes-3x20", 2),
    "cube": ("soma-cube", 240),
    "hexagon": ("tetrahexes-4x7", 9),
    "triangle": ("hexiamonds-6x6", 156),
    "square-edges": ("tetrasticks-5x5-without-h", 72),
    "triangle-edges": ("tritrigs-hexagon-2", None),
    "hexagon-edges": ("tetratwigs-arch", None),
    "cube-faces": ("dominoids-two-cubes", None),
    "cube-edges": ("space-disticks-cube", 2),
    "quarter-squares": ("tetraboloes-11x3-2211", None),
    "sixth-triangles": ("didrafters-convex-pentagon", None),
    "kites": ("trikites-hexagon", None),
}
"""A puzzle, and the number of its solutions."""


@pytest.mark.parametrize("lattice", PUZZLES)
def test_a_puzzle_is_found_and_solved(page: Any, lattice: str) -> None:
    name, _ = PUZZLES[lattice]
    page.evaluate("location.hash = '/'")
    page.get_by_label("Find").fill(name)
    card = page.locator(f'a[href="#/p/{name}"]')
    card.wait_for()
    page.wait_for_function("document.querySelector('.gallery img').naturalWidth > 0")
    known = card.inner_text().splitlines()[-1].split(", ")[-1]
    card.click()
    page.get_by_role("button", name="Solve").click()
    told = page.get_by_text("solutions found.").or_(page.get_by_text("solution found."))
    told.wait_for()
    count = told.inner_text().split()[1 if "All" in told.inner_text() else 0]
    assert known == f"{count} solution{'' if count == '1' else 's'}"
    assert f"on the {lattice} lattice" in page.inner_text("main")
    assert page.locator(".board .part").count() > 1
    assert page.locator("canvas").count() == (lattice.startswith("cube"))
