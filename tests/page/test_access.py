"""What axe-core finds on the views, and the narrow page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / "src" / "page" / "node_modules" / "axe-core" / "axe.min.js"

VIEWS = [
    "/",
    "/p/tetrasticks-5x5",
    "/p/soma-cube/play",
    "/p/soma-cube/watch",
    "/edit",
    "/peg",
    "/sudoku",
]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_serious_is_in_the_way(page: Any, view: str, dark: bool) -> None:
    if not AXE.exists():
        pytest.skip("needs what `make page-build` installs")
    if dark:
        page.get_by_role("button", name="Dark").click()
    page.evaluate("address => { location.hash = address }", view)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["nodes"][0]["html"]) for v in serious] == []


@pytest.mark.parametrize("view", VIEWS)
def test_the_page_fits_a_telephone(page: Any, view: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("address => { location.hash = address }", view)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
