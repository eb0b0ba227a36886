"""The page that plays how a puzzle is taken apart: opened from a disk, without network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import exactile
from support.latch import latch
from support.waiting import PATIENCE

pytestmark = pytest.mark.slow


def test_a_film_is_played_stepped_and_turned(browser: Any, tmp_path: Path) -> None:
    puzzle, solution = latch(tmp_path)
    file = tmp_path / "film.html"
    with file.open("wb") as stream:
        answer = exactile.take_apart(puzzle, solution, rotations=True)
        assert exactile.write_disassembly(puzzle, answer, stream, "html") == 2
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector("text=Move 1 of 2: latch quarter turn")
    assert "(latch from" in page.inner_text("body")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=Move 2 of 2: latch -y away")
    page.keyboard.press("Home")
    page.wait_for_selector("text=Move 1 of 2")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector("text=Move 2 of 2")
    page.wait_for_selector("button:text-is('Play')")  # again, at the end
    assert page.evaluate("time") == 2
    page.get_by_label("Place in the sequence").fill("0.5")
    page.wait_for_selector("text=Move 1 of 2")
    # Half a turn about the line x = 2.5, y = 1.5: a point of it rests, and the angle is 45 degrees.
    place = page.evaluate("shown(0.5).places.get(0)")
    assert place["turn"][:2] == pytest.approx([0.5**0.5, 0.5**0.5])
    resting = page.evaluate(
        "plus(times(shown(0.5).places.get(0).turn, [2.5, 1.5, 0]), shown(0.5).places.get(0).by)"
    )
    assert resting == pytest.approx([2.5, 1.5, 0])
    before = page.evaluate("yaw")
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 100)
    page.mouse.up()
    assert page.evaluate("yaw") < before
    assert (asked, wrong) == ([file.as_uri()], [])
    context.close()
