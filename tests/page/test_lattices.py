"""On each lattice: a puzzle is found in the gallery, solved, drawn, leafed through."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

PUZZLES = {
    "square": "pentominoes-3x20",
    "cube": "soma-cube",
    "hexagon": "tetrahexes-4x7",
    "triangle": "hexiamonds-6x6",
    "square-edges": "tetrasticks-5x5-without-h",
    "triangle-edges": "one-sided-tritrigs-trilobed-cuboid",
    "hexagon-edges": "one-sided-pentatwigs-trapezoid-12x2",
    "cube-faces": "dominoids-two-cubes",
    "cube-edges": "space-disticks-cube",
    "quarter-squares": "tetraboloes-11x3-2211",
    "sixth-triangles": "didrafters-convex-pentagon",
    "kites": "hats-torus-4x2",
}


@pytest.mark.parametrize("lattice", PUZZLES)
def test_a_puzzle_is_found_and_solved(page: Any, lattice: str) -> None:
    name = PUZZLES[lattice]
    page.evaluate("location.hash = '/'")
    page.get_by_label("Find").fill(name)
    card = page.locator(f'a[href="#/p/{name}"]')
    card.wait_for()
    card.locator("img").evaluate("picture => picture.decode()")  # an error if there is none
    lines = card.inner_text().splitlines()
    known = lines[-1].split(", ")[-1]
    card.click()
    page.wait_for_selector(f"text=on the {lattice} lattice")
    if any(line.endswith("no solution") for line in lines):  # the last one is the reason
        page.get_by_text("More", exact=True).click()
        page.get_by_role("button", name="Prove").click()
        page.wait_for_selector("p >> text=There is no solution.")
        return
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector(f"p >> text=All {known} found.")
    assert page.locator(".board .part").count() > 1
    if lattice.startswith("cube"):
        page.locator("canvas").wait_for()  # it is loaded apart
    assert page.locator("canvas").count() == lattice.startswith("cube")
