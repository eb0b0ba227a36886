"""Pages that are one file: opened from a disk, without a server and without network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.render import write_pictures

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("pentominoes-6x10", 3),
        ("tetrasticks-5x5-without-h", 72),
        ("soma-cube", 240),
        ("checkered-pentominoes-8x8", 6),
    ],
)
def test_a_file_is_leafed_through(browser: Any, tmp_path: Path, name: str, count: int) -> None:
    puzzle = exactile.load(name)
    file = tmp_path / "leaves.html"
    with file.open("wb") as stream, exactile.Search(puzzle, up_to="symmetry", limit=count) as found:
        assert write_pictures(puzzle, found, stream, "html") == count
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector(f"text=1 of {count}")
    assert page.locator("figure").count() == 0
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"text=2 of {count}")
    page.keyboard.press("End")
    page.wait_for_selector(f"text={count} of {count}")
    assert page.locator(".part").count() == len(puzzle.pieces) - (puzzle.omission is not None)
    assert page.locator(".spot").count() == len(puzzle.paint.units)
    assert page.locator("canvas").count() == (puzzle.lattice.dimension == 3)
    assert (asked, wrong) == ([file.as_uri()], [])
    context.close()


def test_ten_thousand_solutions_are_leafed_through(browser: Any, tmp_path: Path) -> None:
    puzzle = exactile.load("pentominoes-6x10")
    file = tmp_path / "leaves.html"
    with file.open("wb") as stream, exactile.Search(puzzle, limit=9356) as found:
        all_of_them = [*found]
        twice = iter([*all_of_them, *all_of_them[:644]])
        assert write_pictures(puzzle, twice, stream, "html") == 10_000
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector("text=1 of 10,000")
    page.keyboard.press("End")
    page.wait_for_selector("text=10,000 of 10,000")
    page.get_by_label("Solution").fill("5000")
    page.wait_for_selector("text=5,000 of 10,000")
    assert page.locator(".part").count() == 12
    context.close()
