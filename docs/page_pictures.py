"""Writes the pictures of the page in this folder, by Chromium and `exactile serve`.

python docs/page_pictures.py [FOLDER [CHROMIUM]]
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

Steps = Callable[[Any], object]

WIDE = {"viewport": {"width": 1000, "height": 720}}
LARGE = {"viewport": {"width": 1366, "height": 768}}
NARROW = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def lift(page: Any, piece: str, unit: str) -> None:
    """Drag a piece to a unit, and hold it there."""
    page.wait_for_selector(".verdict.right")
    page.mouse.move(*middle(page, f"[data-piece={piece}]"))
    page.mouse.down()
    page.mouse.move(*middle(page, f'[data-point="{unit}"]'))
    page.wait_for_selector(".marks .ghost", state="attached")


def middle(page: Any, selector: str) -> tuple[float, float]:
    """Return the middle of what is there first."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play(page: Any) -> None:
    """Hold a piece over a board on which others lie."""
    for piece, unit in (("X", "4,3"), ("L", "8,1")):
        lift(page, piece, unit)
        if piece != "L":
            page.mouse.up()
            page.wait_for_selector(f"[data-piece={piece}].out")


def telephone(page: Any) -> None:
    """Hold a piece above a finger."""
    page.wait_for_selector(".verdict.right")
    finger = page.context.new_cdp_session(page)
    for kind, selector, below in (
        ("touchStart", "[data-piece=F]", 0),
        ("touchMove", '[data-point="4,3"]', 56),
    ):
        x, y = middle(page, selector)
        there = {"x": x, "y": y + below}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [there]})
    page.wait_for_selector(".marks .ghost", state="attached")


def challenge(page: Any) -> None:
    """Begin a challenge, and ask for a hint."""
    page.wait_for_selector(".verdict.right")
    page.get_by_label("Level").select_option("5")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_selector("text=1 way")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=fits where it is marked")


def solve(page: Any) -> None:
    """Leave H out and show the seventh solution."""
    page.locator("[data-piece=H]").click()
    page.wait_for_selector("[data-piece=H].out")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 72 solutions found.")
    for _ in range(6):
        page.keyboard.press("ArrowRight")


def count(page: Any) -> None:
    """Count the solutions of a puzzle."""
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("text=2,339")


def solid(page: Any) -> None:
    """Take a solution apart."""
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    page.get_by_text("Take apart, build, cut").click()
    page.get_by_label("Apart", exact=True).fill("0.8")


def edit(page: Any) -> None:
    """Draw a solid, and add pieces of its size."""
    page.get_by_label("Lattice").select_option("cube")
    page.get_by_label("Layers").fill("4")
    page.get_by_label("Layers").press("Enter")
    page.get_by_role("button", name="Fill").click()
    for point in ("0,0,2", "0,0,3", "1,0,3", "2,0,3"):
        page.mouse.click(*middle(page, f'[data-point="{point}"]'))
    page.get_by_role("button", name="Add set").click()
    page.wait_for_selector("text=32 units to be covered, pieces of 32.")


PICTURES: dict[str, tuple[str, dict[str, Any], str, Steps]] = {
    "page-gallery": ("light", WIDE, "", lambda page: page.wait_for_selector(".begun .right")),
    "page-gallery-narrow": (
        "light",
        NARROW,
        "",
        lambda page: page.wait_for_selector(".begun .right"),
    ),
    "page-drag": ("light", WIDE, "/p/pentominoes-6x10/play", play),
    "page-play": ("light", WIDE, "/p/hexiamonds-snowflake/play", challenge),
    "page-play-narrow": ("dark", NARROW, "/p/pentominoes-6x10/play", telephone),
    "page-solve": ("light", LARGE, "/p/tetrasticks-5x5", solve),
    "page-count": ("light", WIDE, "/p/pentominoes-6x10/count", count),
    "page-solid": ("dark", LARGE, "/p/soma-cube", solid),
    "page-edit": ("light", LARGE, "/edit", edit),
}


def main() -> None:
    """Write them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    path = sys.argv[2] if len(sys.argv) > 2 else shutil.which("chromium")
    words = [sys.executable, "-m", "exactile", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with sync_playwright() as running:
                browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
                for name, (theme, size, place, steps) in PICTURES.items():
                    context = browser.new_context(
                        **size, color_scheme=theme, reduced_motion="reduce"
                    )
                    page = context.new_page()
                    page.set_default_timeout(600_000)
                    page.goto(f"{address}#{place}")
                    steps(page)
                    page.wait_for_timeout(1000)  # solids are drawn finely when they rest
                    page.screenshot(path=folder / f"{name}.png")
                    context.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
