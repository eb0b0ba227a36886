"""What axe-core finds on the views, light and dark; the narrow page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.waiting import PATIENCE

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
    "/p/dominoes-16x16",
    "/p/mutilated-chessboard",
    "/p/calendar/play",
    "/p/soma-cube/watch",
    "/p/soma-cube/compare",
    "/p/soma-cube/classes",
    "/runs",
    "/edit",
    "/peg",
    "/sudoku",
    "/no/such/view",
    "/p/no-such-puzzle",
]

# What can be used, whether it is reached by Tab, its name, and whether it is seen to be reached.
USABLE = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']"
)].filter(e => e.checkVisibility() && !e.disabled && !e.closest(".hidden"))
    .map((e, i) => { e.dataset.usable = i; return i; })"""

FOCUSED = """() => {
    const e = document.activeElement;
    const label = e.labels?.[0]?.textContent ?? "";
    const name = e.ariaLabel || label || e.title || e.textContent.trim() || e.alt || "";
    const style = getComputedStyle(e);
    const seen = style.outlineStyle !== "none" || style.boxShadow !== "none";
    return [Number(e.dataset.usable ?? -1), name, seen, e.outerHTML.slice(0, 80)];
}"""


def _go(page: Any, view: str) -> None:
    """Wait for a view; the one before is cleared, so that it is not taken for it."""
    page.evaluate(
        """address => {
            if (location.hash !== `#${address}`) document.getElementById("main").replaceChildren();
            location.hash = address;
        }""",
        view,
    )
    page.wait_for_selector("#main h1")
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_in_nobodys_way(page: Any, view: str) -> None:
    _go(page, view)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
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


@pytest.mark.long
@pytest.mark.parametrize("view", VIEWS)
def test_the_keyboard_reaches_all_of_a_view_and_shows_where_it_is(page: Any, view: str) -> None:
    _go(page, view)
    page.evaluate("document.body.focus()")
    usable = page.evaluate(USABLE)
    reached = set()
    for _ in range(len(usable) + 20):
        page.keyboard.press("Tab")
        number, name, seen, text = page.evaluate(FOCUSED)
        if number in reached:
            break
        if number >= 0:
            reached.add(number)
            assert name, text
            assert seen, text
    assert reached == set(usable)


@pytest.mark.long
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_fits_at_twice_the_size_and_keeps_still(
    browser: Any, address: str, view: str
) -> None:
    """200 % of a screen of 1280 by 960 leaves 640 by 480; nothing moves where people want none."""
    context = browser.new_context(
        viewport={"width": 640, "height": 480}, device_scale_factor=2, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#{view}")
    page.wait_for_selector("#main h1")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    moving = page.evaluate("document.getAnimations().map(a => a.animationName ?? String(a))")
    assert moving == []
    context.close()
