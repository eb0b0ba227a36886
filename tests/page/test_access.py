"""What axe-core finds on the views, light and dark; the narrow page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / "src" / "page" / "node_modules" / "axe-core" / "axe.min.js"

VIEWS = [
    "/",
    "/p/tetrasticks-5x5",
    "/p/soma-cube",
    "/p/tetrominoes-5x4",
    "/p/pentominoes-6x10?omit=X",
    "/p/soma-cube/play",
    "/p/tetrominoes-torus-5x4/count",
    "/p/soma-cube/watch",
    "/p/soma-cube/compare",
    "/p/soma-cube/classes",
    "/runs",
    "/edit",
    "/peg",
    "/sudoku",
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_in_nobodys_way(page: Any, view: str) -> None:
    page.evaluate("address => { location.hash = address }", view)
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("#main h1")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1200, "height": 900})
    if not AXE.exists():
        pytest.skip("needs what `make page-build` installs")
    page.evaluate(AXE.read_text("utf-8"))
    assert _serious(page) == []
    page.get_by_role("button", name="Dark").click()
    assert _serious(page) == []


def _serious(page: Any) -> list[tuple[str, str]]:
    """Return what is seriously wrong for people who see or move differently."""
    found = page.evaluate("axe.run()")["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    return [(v["id"], v["nodes"][0]["html"]) for v in serious]
